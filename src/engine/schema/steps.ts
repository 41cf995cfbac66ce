/** Work that is done in steps. */

/** Runs all steps without a pause. */
export function runToEnd<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const next = steps.next();
    if (next.done) return next.value;
  }
}

/** @param onStep called after each step. Its promise is awaited before the next step, and an exception ends the work */
export async function runInSteps<Step, T>(
  steps: Generator<Step, T>,
  onStep: (step: Step) => Promise<void> | undefined,
): Promise<T> {
  for (;;) {
    const next = steps.next();
    if (next.done) return next.value;
    const pause = onStep(next.value);
    if (pause !== undefined) await pause;
  }
}
