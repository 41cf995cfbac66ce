/** Builds an AnnotationTable row by row, in pre-order. */
import type { AnnotationTable, Encoding } from '../model/annotation.ts';
import { BUILT, BUILT_WORDS, packRows } from '../model/pack-rows.ts';
import { ROW_WORDS } from '../model/row-cells.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';

const SMALLEST = 64;
/** Largest number of rows whose words are kept for reuse: 5 MB. */
const LARGEST_KEPT = 1 << 18;

/** Words of a finished table, kept for the next one, because growing costs more than filling a small table. */
let spare: Int32Array | undefined;

function takeWords(): Int32Array {
  const words = spare ?? new Int32Array(SMALLEST * BUILT_WORDS);
  spare = undefined;
  return words;
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
  /** As in pack-rows.ts. */
  #words = takeWords();
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
    const at = this.length++ * BUILT_WORDS;
    if (at === this.#words.length) this.#grow();
    const words = this.#words;
    words[at] = start;
    words[at + BUILT.end] = end;
    words[at + BUILT.parent] = parent;
    words[at + BUILT.field] = field;
    words[at + BUILT.word] = head | (flags << 16);
  }

  #grow(): void {
    const words = new Int32Array(2 * this.#words.length);
    words.set(this.#words);
    this.#words = words;
  }

  /** Enters a slot's size: `slot` counts in the order of SLOTS. */
  slot(row: number, slot: number, size: number): void {
    const at = row * BUILT_WORDS + BUILT.word;
    this.#words[at] = (this.#words[at]! & ~(15 << (slot * 4))) | (size << (slot * 4));
  }

  close(row: number, end: number): void {
    this.#words[row * BUILT_WORDS + BUILT.end] = end;
  }

  mark(row: number, flags: number): void {
    this.#words[row * BUILT_WORDS + BUILT.word]! |= flags << 16;
  }

  /** Bytes of a row after its header. */
  payloadOf(row: number): number {
    const words = this.#words;
    const at = row * BUILT_WORDS;
    const head = words[at + BUILT.word]! & 0xffff;
    const size = (words[at + BUILT.end]! - words[at]!) >>> 0;
    return size - (head & 15) - ((head >> 4) & 15) - ((head >> 8) & 15) - (head >> 12);
  }

  parentOf(row: number): number {
    return this.#words[row * BUILT_WORDS + BUILT.parent]!;
  }

  flagsOf(row: number): number {
    return this.#words[row * BUILT_WORDS + BUILT.word]! >>> 16;
  }

  setFlags(row: number, flags: number): void {
    const at = row * BUILT_WORDS + BUILT.word;
    this.#words[at] = (this.#words[at]! & 0xffff) | (flags << 16);
  }

  setField(row: number, field: number): void {
    this.#words[row * BUILT_WORDS + BUILT.field] = field;
  }

  /** Moves all rows after `row` by `by` bytes, because bytes were inserted before them. */
  shift(row: number, by: number): void {
    const words = this.#words;
    for (let at = (row + 1) * BUILT_WORDS; at < this.length * BUILT_WORDS; at += BUILT_WORDS) {
      words[at]! += by;
      words[at + BUILT.end]! += by;
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
    if (this.#words.length > LARGEST_KEPT * BUILT_WORDS) this.#words = takeWords();
  }

  /** Borrowed: valid until the next table is started. */
  table(encoding: Encoding): AnnotationTable<FieldDescriptor> {
    const words = this.length * ROW_WORDS;
    if (this.#lent.length < words) this.#lent = new Uint32Array(2 * words);
    return packRows(encoding, this.length, this.#words, this.#fields, this.#lent);
  }

  /** A table with memory of its own. No row can be added afterwards. */
  finish(encoding: Encoding): AnnotationTable<FieldDescriptor> {
    const words = this.#words;
    const table = packRows(encoding, this.length, words, this.#fields);
    if (words.length <= LARGEST_KEPT * BUILT_WORDS) spare = words;
    return table;
  }
}
