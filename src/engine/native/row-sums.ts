/** Adds up rows by field path as soon as they are complete. Only the open rows are kept. */

import { Flag, unknownField } from '../model/annotation.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import type { PathPlan } from '../wire/path-plan.ts';
import { NATIVE_CELLS } from './measure.ts';
import { enterNativeRow, holdsFields, INSIDE, isInside } from './roll-up.ts';
import type { RowSink } from './rows.ts';

interface OpenRow {
  row: number;
  start: number;
  end: number;
  parent: number;
  field: FieldDescriptor | undefined;
  head: number;
  flags: number;
  /** Row of the field path; −1: the message itself. */
  planRow: number;
  /** Block of the nested fields; −1: no such block; INSIDE; NOT_YET. */
  inner: number;
  isLeaf: boolean;
}

const NOT_YET = -3;

const emptyRow = (): OpenRow => ({
  ...{ row: 0, start: 0, end: 0, parent: -1, field: undefined, head: 0, flags: 0 },
  ...{ planRow: -1, inner: NOT_YET, isLeaf: true },
});

export class RowSums implements RowSink {
  length = 0;
  /** Seven cells a row of the plan. */
  cells: Float64Array;
  readonly #plan: PathPlan;
  readonly #fields: FieldDescriptor[] = [];
  readonly #indices = new Map<FieldDescriptor, number>();
  /** Outermost first. The rows after `#depth` are free for reuse. */
  readonly #rows: OpenRow[] = [];
  #depth = 0;

  readonly #root: number;
  readonly #touched: Set<number> | undefined;

  /**
   * @param into the sums so far
   * @param root the block of the plan that has the fields of the outermost row
   * @param touched collects the rows of the plan whose sums change
   */
  constructor(plan: PathPlan, into: Float64Array, root = 0, touched?: Set<number>) {
    this.#plan = plan;
    this.cells = into;
    this.#root = root;
    this.#touched = touched;
  }

  open(start: number, parent: number, field: number, flags: number): number {
    this.#foldDownTo(parent);
    const row = this.length++;
    this.#rows[this.#depth] ??= emptyRow();
    const entry = this.#rows[this.#depth]!;
    entry.row = row;
    entry.start = start;
    entry.end = start;
    entry.parent = parent;
    entry.field = field < 0 ? undefined : this.#fields[field]!;
    entry.head = 0;
    entry.flags = flags;
    entry.planRow = -1;
    entry.inner = NOT_YET;
    entry.isLeaf = true;
    if (this.#depth > 0) {
      const above = this.#rows[this.#depth - 1]!;
      above.isLeaf = false;
      // Only the contents of an Any have unknown numbers.
      if (field < -1) entry.planRow = this.#plan.unknownRow(this.#innerAt(above), unknownField(field));
      else if (entry.field !== undefined) {
        const inner = this.#innerAt(above);
        if (isInside(inner, entry.field, above.field)) entry.inner = INSIDE;
        entry.planRow = inner < 0 ? above.planRow : this.#plan.fieldRow(inner, entry.field);
      }
    }
    this.#depth++;
    return row;
  }

  /** The block of the fields in a row, for fields that are counted without rows. */
  blockOf(row: number): number {
    const entry = this.#at(row);
    entry.isLeaf = false;
    return this.#innerAt(entry);
  }

  #innerAt(entry: OpenRow): number {
    if (entry.inner === NOT_YET) entry.inner = this.#innerOf(entry);
    return entry.inner;
  }

  #innerOf({ row, field, head, flags, planRow }: OpenRow): number {
    if (row === 0) return this.#root;
    return field !== undefined && holdsFields(field, head, flags) ? this.#plan.childOf(planRow) : -1;
  }

  add(start: number, end: number, parent: number, field: number, head: number, flags: number): void {
    const row = this.open(start, parent, field, flags);
    this.#at(row).head = head;
    this.close(row, end);
  }

  slot(row: number, slot: number, size: number): void {
    const entry = this.#at(row);
    entry.head = (entry.head & ~(15 << (slot * 4))) | (size << (slot * 4));
  }

  /** The row is kept until the next one is opened, because more may be written after it. */
  close(row: number, end: number): void {
    this.#at(row).end = end;
  }

  mark(row: number, flags: number): void {
    this.#at(row).flags |= flags;
  }

  payloadOf(row: number): number {
    const { start, end, head } = this.#at(row);
    return end - start - (head & 15) - ((head >> 4) & 15) - ((head >> 8) & 15) - (head >> 12);
  }

  parentOf(row: number): number {
    return this.#at(row).parent;
  }

  shift(row: number, by: number): void {
    for (let at = this.#depth - 1; at >= 0 && this.#rows[at]!.row > row; at--) {
      this.#rows[at]!.start += by;
      this.#rows[at]!.end += by;
    }
  }

  fieldIndex(field: FieldDescriptor): number {
    let index = this.#indices.get(field);
    if (index === undefined) {
      index = this.#fields.push(field) - 1;
      this.#indices.set(field, index);
    }
    return index;
  }

  /** Adds the rows that are still open. The next row is the first one of another message. */
  finish(): Float64Array {
    this.#foldDownTo(-1);
    this.length = 0;
    return this.cells;
  }

  /** An open row, usually the last one. Rows are numbered in the order in which they were opened. */
  #at(row: number): OpenRow {
    let last = this.#depth - 1;
    if (this.#rows[last]!.row === row) return this.#rows[last]!;
    for (let first = 0; first < last; ) {
      const middle = (first + last) >> 1;
      if (this.#rows[middle]!.row < row) first = middle + 1;
      else last = middle;
    }
    return this.#rows[last]!;
  }

  #foldDownTo(parent: number): void {
    while (this.#depth > 0 && this.#rows[this.#depth - 1]!.row !== parent) {
      const { start, end, head, flags, planRow, isLeaf } = this.#rows[--this.#depth]!;
      if (planRow < 0) continue;
      this.reserve();
      this.#touched?.add(planRow);
      enterNativeRow(this.cells, planRow, head, flags, isLeaf ? end - start : -1, (flags & Flag.DEFAULT) !== 0);
    }
  }

  /** Makes room for all rows of the plan. */
  reserve(): void {
    const needed = this.#plan.rows * NATIVE_CELLS;
    if (this.cells.length >= needed) return;
    const cells = new Float64Array(2 * needed);
    cells.set(this.cells);
    this.cells = cells;
  }
}
