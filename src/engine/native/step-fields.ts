/** The steps of a read: their fields' places in its table, their layouts, the plans behind them. */
import type { FieldLayout, LayoutOf } from './layout.ts';
import { type ReadPlan, type ReadStep, readPlanOf } from './read-plan.ts';
import type { NativeRows } from './rows.ts';

let reads = 0;

export class StepFields {
  /** How the fields of those steps are laid out, in the order of the table's. */
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

  /** The plan of the message that a step goes into, which is known from an earlier step. */
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
