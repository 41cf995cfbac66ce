/** Rows that are added up as soon as they are complete: only the open ones are kept. */
import type { FieldDescriptor } from '../schema/descriptor.ts';
import type { RowSink } from './rows.ts';

export interface OpenRow {
  row: number;
  start: number;
  end: number;
  parent: number;
  /** As in AnnotationTable. */
  head: number;
  flags: number;
  isLeaf: boolean;
}

export abstract class OpenRows<Row extends OpenRow> implements RowSink {
  length = 0;
  readonly fields: FieldDescriptor[] = [];
  readonly #indices = new Map<FieldDescriptor, number>();
  /** Outermost first. The rows after `depth` are free for reuse. */
  readonly rows: Row[] = [];
  depth = 0;

  abstract open(start: number, parent: number, field: number, flags: number): number;

  /** Adds up a complete row. */
  abstract fold(row: Row): void;

  foldDownTo(parent: number): void {
    while (this.depth > 0 && this.rows[this.depth - 1]!.row !== parent) this.fold(this.rows[--this.depth]!);
  }

  add(start: number, end: number, parent: number, field: number, head: number, flags: number): void {
    const row = this.at(this.open(start, parent, field, flags));
    row.head = head;
    row.end = end;
  }

  slot(row: number, slot: number, size: number): void {
    const open = this.at(row);
    open.head = (open.head & ~(15 << (slot * 4))) | (size << (slot * 4));
  }

  /** The row is kept until the next one is opened, because more may be written after it. */
  close(row: number, end: number): void {
    this.at(row).end = end;
  }

  mark(row: number, flags: number): void {
    this.at(row).flags |= flags;
  }

  payloadOf(row: number): number {
    return payloadOf(this.at(row));
  }

  parentOf(row: number): number {
    return this.at(row).parent;
  }

  shift(row: number, by: number): void {
    for (let at = this.depth - 1; at >= 0 && this.rows[at]!.row > row; at--) {
      this.rows[at]!.start += by;
      this.rows[at]!.end += by;
    }
  }

  fieldIndex(field: FieldDescriptor): number {
    let index = this.#indices.get(field);
    if (index === undefined) {
      index = this.fields.push(field) - 1;
      this.#indices.set(field, index);
    }
    return index;
  }

  /** An open row, usually the last one. Rows are numbered in the order in which they were opened. */
  at(row: number): Row {
    const { rows } = this;
    let last = this.depth - 1;
    if (rows[last]!.row === row) return rows[last]!;
    for (let first = 0; first < last; ) {
      const middle = (first + last) >> 1;
      if (rows[middle]!.row < row) first = middle + 1;
      else last = middle;
    }
    return rows[last]!;
  }
}

/** Rows that are passed over: only the bytes are wanted. */
export class PassingRows extends OpenRows<OpenRow> {
  open(start: number, parent: number, _field: number, flags: number): number {
    this.foldDownTo(parent);
    const row = this.length++;
    this.rows[this.depth++] = { row, start, end: start, parent, head: 0, flags, isLeaf: true };
    return row;
  }

  fold(): void {}
}

export const payloadOf = ({ start, end, head }: OpenRow): number =>
  end - start - (head & 15) - ((head >> 4) & 15) - ((head >> 8) & 15) - (head >> 12);
