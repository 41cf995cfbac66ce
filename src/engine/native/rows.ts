/** Builds an AnnotationTable row by row, in pre-order. */
import type { AnnotationTable, Encoding } from '../model/annotation.ts';
import { packRows } from '../model/pack-rows.ts';
import { ROW_WORDS } from '../model/row-cells.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';

/** The columns of a number of rows, in one buffer. */
class Columns {
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  readonly parent: Int32Array;
  readonly field: Int32Array;
  readonly head: Uint16Array;
  readonly flags: Uint16Array;

  readonly rows: number;

  constructor(rows: number) {
    this.rows = rows;
    const buffer = new ArrayBuffer(rows * 20);
    this.start = new Uint32Array(buffer, 0, rows);
    this.end = new Uint32Array(buffer, rows * 4, rows);
    this.parent = new Int32Array(buffer, rows * 8, rows);
    this.field = new Int32Array(buffer, rows * 12, rows);
    this.head = new Uint16Array(buffer, rows * 16, rows);
    this.flags = new Uint16Array(buffer, rows * 18, rows);
  }

  /** A copy with room for `length` rows that has the first `rows` rows. */
  resized(length: number, rows: number): Columns {
    const to = new Columns(rows);
    to.start.set(this.start.subarray(0, length));
    to.end.set(this.end.subarray(0, length));
    to.parent.set(this.parent.subarray(0, length));
    to.field.set(this.field.subarray(0, length));
    to.head.set(this.head.subarray(0, length));
    to.flags.set(this.flags.subarray(0, length));
    return to;
  }
}

const SMALLEST = 64;
/** Largest number of rows whose columns are kept for reuse: 5 MB. */
const LARGEST_KEPT = 1 << 18;

/** Columns of a finished table, kept for the next one, because growing costs more than filling a small table. */
let spare: Columns | undefined;

function takeColumns(): Columns {
  const columns = spare ?? new Columns(SMALLEST);
  spare = undefined;
  return columns;
}

/** The interface through which writers make rows: one after another, each opened, filled and closed. */
export interface RowSink {
  /** Number of opened rows. */
  readonly length: number;
  open(start: number, parent: number, field: number, flags: number): number;
  add(start: number, end: number, parent: number, field: number, head: number, flags: number): void;
  slot(row: number, slot: number, size: number): void;
  close(row: number, end: number): void;
  mark(row: number, flags: number): void;
  payloadOf(row: number): number;
  parentOf(row: number): number;
  shift(row: number, by: number): void;
  fieldIndex(field: FieldDescriptor): number;
}

export class NativeRows implements RowSink {
  length = 0;
  #columns = takeColumns();
  /** The cells of a borrowed table. */
  #lent = new Uint32Array(0);
  readonly #fields: FieldDescriptor[] = [];
  readonly #indexOf = new Map<FieldDescriptor, number>();

  /** Opens a row; `close` sets its end. `field` is an index of `fieldIndex`; −1: no field. Returns its number. */
  open(start: number, parent: number, field: number, flags: number): number {
    this.add(start, start, parent, field, 0, flags);
    return this.length - 1;
  }

  /** Adds a complete row. */
  add(start: number, end: number, parent: number, field: number, head: number, flags: number): void {
    if (this.length === this.#columns.rows) this.#columns = this.#columns.resized(this.length, this.length * 2);
    const columns = this.#columns;
    const row = this.length++;
    columns.start[row] = start;
    columns.end[row] = end;
    columns.parent[row] = parent;
    columns.field[row] = field;
    columns.head[row] = head;
    columns.flags[row] = flags;
  }

  /** Enters a slot's size: `slot` counts in the order of SLOTS. */
  slot(row: number, slot: number, size: number): void {
    const { head } = this.#columns;
    head[row] = (head[row]! & ~(15 << (slot * 4))) | (size << (slot * 4));
  }

  close(row: number, end: number): void {
    this.#columns.end[row] = end;
  }

  mark(row: number, flags: number): void {
    this.#columns.flags[row]! |= flags;
  }

  /** Bytes of a row after its header. */
  payloadOf(row: number): number {
    const { start, end, head: heads } = this.#columns;
    const head = heads[row]!;
    return end[row]! - start[row]! - (head & 15) - ((head >> 4) & 15) - ((head >> 8) & 15) - (head >> 12);
  }

  parentOf(row: number): number {
    return this.#columns.parent[row]!;
  }

  setFlags(row: number, flags: number): void {
    this.#columns.flags[row] = flags;
  }

  setField(row: number, field: number): void {
    this.#columns.field[row] = field;
  }

  /** Moves all rows after `row` by `by` bytes, because bytes were inserted before them. */
  shift(row: number, by: number): void {
    const { start, end } = this.#columns;
    for (let moved = row + 1; moved < this.length; moved++) {
      start[moved]! += by;
      end[moved]! += by;
    }
  }

  fieldIndex(field: FieldDescriptor): number {
    let index = this.#indexOf.get(field);
    if (index === undefined) {
      index = this.#fields.push(field) - 1;
      this.#indexOf.set(field, index);
    }
    return index;
  }

  /** Starts another table and overwrites the rows of the last one. Fields keep their indices. */
  clear(): void {
    this.length = 0;
    if (this.#columns.rows > LARGEST_KEPT) this.#columns = takeColumns();
  }

  /** Borrowed: valid until the next table is started. */
  table(encoding: Encoding): AnnotationTable<FieldDescriptor> {
    const words = this.length * ROW_WORDS;
    if (this.#lent.length < words) this.#lent = new Uint32Array(2 * words);
    return packRows(encoding, this.length, this.#columns, this.#fields, this.#lent);
  }

  /** A table with memory of its own. No row can be added afterwards. */
  finish(encoding: Encoding): AnnotationTable<FieldDescriptor> {
    const columns = this.#columns;
    const table = packRows(encoding, this.length, columns, this.#fields);
    if (columns.rows <= LARGEST_KEPT) spare = columns;
    return table;
  }
}
