/** Builds an AnnotationTable row by row, in pre-order; frozen into exact typed arrays at the end. */
import type { AnnotationTable, Encoding } from '../annotation.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';

export class Rows {
  length = 0;
  private start = new Uint32Array(64);
  private end = new Uint32Array(64);
  private parent = new Int32Array(64);
  private field = new Int32Array(64);
  private head = new Uint16Array(64);
  private flags = new Uint16Array(64);
  private readonly fields: FieldDescriptor[] = [];
  private readonly indexOf = new Map<FieldDescriptor, number>();

  /** Opens a row; `close` gives it its end. `field` is an index of `fieldIndex`, −1 for none. Returns its number. */
  open(start: number, parent: number, field: number, flags: number): number {
    if (this.length === this.start.length) this.grow();
    const row = this.length++;
    this.start[row] = start;
    this.parent[row] = parent;
    this.field[row] = field;
    this.flags[row] = flags;
    return row;
  }

  /** A row that is whole. */
  add(start: number, end: number, parent: number, field: number, head: number, flags: number): void {
    if (this.length === this.start.length) this.grow();
    const row = this.length++;
    this.start[row] = start;
    this.end[row] = end;
    this.parent[row] = parent;
    this.field[row] = field;
    this.head[row] = head;
    this.flags[row] = flags;
  }

  /** Enters a slot's size: `slot` counts in the order of SLOTS. */
  slot(row: number, slot: number, size: number): void {
    this.head[row] = (this.head[row]! & ~(15 << (slot * 4))) | (size << (slot * 4));
  }

  close(row: number, end: number): void {
    this.end[row] = end;
  }

  mark(row: number, flags: number): void {
    this.flags[row]! |= flags;
  }

  /** Bytes of a row behind its head. */
  payloadOf(row: number): number {
    const head = this.head[row]!;
    return this.end[row]! - this.start[row]! - (head & 15) - ((head >> 4) & 15) - ((head >> 8) & 15) - (head >> 12);
  }

  parentOf(row: number): number {
    return this.parent[row]!;
  }

  setFlags(row: number, flags: number): void {
    this.flags[row] = flags;
  }

  setField(row: number, field: number): void {
    this.field[row] = field;
  }

  /** Moves all rows behind `row` by so many bytes: some were put in before them. */
  shift(row: number, by: number): void {
    for (let moved = row + 1; moved < this.length; moved++) {
      this.start[moved]! += by;
      this.end[moved]! += by;
    }
  }

  fieldIndex(field: FieldDescriptor): number {
    let index = this.indexOf.get(field);
    if (index === undefined) {
      index = this.fields.push(field) - 1;
      this.indexOf.set(field, index);
    }
    return index;
  }

  finish(encoding: Encoding): AnnotationTable<FieldDescriptor> {
    const { length } = this;
    return {
      encoding,
      length,
      start: this.start.slice(0, length),
      end: this.end.slice(0, length),
      parent: this.parent.slice(0, length),
      field: this.field.slice(0, length),
      head: this.head.slice(0, length),
      flags: this.flags.slice(0, length),
      fields: this.fields,
    };
  }

  private grow(): void {
    const size = this.length * 2;
    this.start = extend(this.start, new Uint32Array(size));
    this.end = extend(this.end, new Uint32Array(size));
    this.parent = extend(this.parent, new Int32Array(size));
    this.field = extend(this.field, new Int32Array(size));
    this.head = extend(this.head, new Uint16Array(size));
    this.flags = extend(this.flags, new Uint16Array(size));
  }
}

function extend<A extends Uint32Array | Int32Array | Uint16Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
