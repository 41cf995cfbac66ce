/**
 * For the steps of a read: the indices of their fields in its table, their layouts, and the plans of nested messages.
 */
import type { FieldLayout, LayoutOf } from './layout.ts';
import { type ReadPlan, type ReadStep, readPlanOf } from './read-plan.ts';
import type { NativeRows } from './rows.ts';

let reads = 0;

export class StepFields {
  /** The layouts of those steps' fields, in the order of the table's fields. */
  readonly layouts: FieldLayout[] = [];
  readonly #stamp = ++reads;
  readonly #rows: NativeRows;
  readonly #layoutOf: LayoutOf;

  constructor(rows: NativeRows, layoutOf: LayoutOf) {
    this.#rows = rows;
    this.#layoutOf = layoutOf;
  }

  indexOf(step: ReadStep): number {
    if (step.stamp !== this.#stamp) this.#meet(step);
    return step.index;
  }

  /** The plan of the message in a step. It is reused from an earlier step if possible. */
  innerOf(step: ReadStep): ReadPlan {
    step.inner ??= readPlanOf(this.#layoutOf(step.child!));
    return step.inner;
  }

  #meet(step: ReadStep): void {
    const { field } = step.layout!;
    step.stamp = this.#stamp;
    step.index = this.#rows.fieldIndex(field);
    step.inner = undefined;
    this.layouts[step.index] = step.layout!;
  }
}
