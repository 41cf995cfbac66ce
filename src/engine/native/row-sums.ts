/** Adds up rows by field path as soon as they are complete. */
import { Flag, unknownField } from '../model/annotation.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import type { PathPlan } from '../wire/path-plan.ts';
import { NATIVE_CELLS } from './measure.ts';
import { type OpenRow, OpenRows } from './open-rows.ts';
import { enterNativeRow, holdsFields, INSIDE, isInside } from './roll-up.ts';

interface PlannedRow extends OpenRow {
  field: FieldDescriptor | undefined;
  /** Row of the field path; −1: the message itself. */
  planRow: number;
  /** Block of the nested fields; −1: no such block; INSIDE; NOT_YET. */
  inner: number;
}

const NOT_YET = -3;

const emptyRow = (): PlannedRow => ({
  ...{ row: 0, start: 0, end: 0, parent: -1, field: undefined, head: 0, flags: 0 },
  ...{ planRow: -1, inner: NOT_YET, isLeaf: true },
});

export class RowSums extends OpenRows<PlannedRow> {
  /** Seven cells a row of the plan. */
  cells: Float64Array;
  readonly #plan: PathPlan;
  readonly #root: number;
  readonly #touched: Set<number> | undefined;

  /**
   * @param into the sums so far
   * @param root the block of the plan that has the fields of the outermost row
   * @param touched collects the rows of the plan whose sums change
   */
  constructor(plan: PathPlan, into: Float64Array, root = 0, touched?: Set<number>) {
    super();
    this.#plan = plan;
    this.cells = into;
    this.#root = root;
    this.#touched = touched;
  }

  open(start: number, parent: number, field: number, flags: number): number {
    this.foldDownTo(parent);
    const row = this.length++;
    this.rows[this.depth] ??= emptyRow();
    const entry = this.rows[this.depth]!;
    entry.row = row;
    entry.start = start;
    entry.end = start;
    entry.parent = parent;
    entry.field = field < 0 ? undefined : this.fields[field]!;
    entry.head = 0;
    entry.flags = flags;
    entry.planRow = -1;
    entry.inner = NOT_YET;
    entry.isLeaf = true;
    if (this.depth > 0) {
      const above = this.rows[this.depth - 1]!;
      above.isLeaf = false;
      // Only the contents of an Any have unknown numbers.
      if (field < -1) entry.planRow = this.#plan.unknownRow(this.#innerAt(above), unknownField(field));
      else if (entry.field !== undefined) {
        const inner = this.#innerAt(above);
        if (isInside(inner, entry.field, above.field)) entry.inner = INSIDE;
        entry.planRow = inner < 0 ? above.planRow : this.#plan.fieldRow(inner, entry.field);
      }
    }
    this.depth++;
    return row;
  }

  /** The block of the fields in a row, for fields that are counted without rows. */
  blockOf(row: number): number {
    const entry = this.at(row);
    entry.isLeaf = false;
    return this.#innerAt(entry);
  }

  #innerAt(entry: PlannedRow): number {
    if (entry.inner === NOT_YET) entry.inner = this.#innerOf(entry);
    return entry.inner;
  }

  #innerOf({ row, field, head, flags, planRow }: PlannedRow): number {
    if (row === 0) return this.#root;
    return field !== undefined && holdsFields(field, head, flags) ? this.#plan.childOf(planRow) : -1;
  }

  /** Adds the rows that are still open. The next row is the first one of another message. */
  finish(): Float64Array {
    this.foldDownTo(-1);
    this.length = 0;
    return this.cells;
  }

  fold({ start, end, head, flags, planRow, isLeaf }: PlannedRow): void {
    if (planRow < 0) return;
    this.reserve();
    this.#touched?.add(planRow);
    enterNativeRow(this.cells, planRow, head, flags, isLeaf ? end - start : -1, (flags & Flag.DEFAULT) !== 0);
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
