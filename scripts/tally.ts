/** Reports of test runners → how many tests passed and failed. */

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

const countAt = (report: unknown, ...path: readonly string[]): number => {
  let at: unknown = report;
  for (const key of path) at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined;
  return typeof at === 'number' ? at : 0;
};

/** Vitest's JSON report. A file that does not load has no tests and counts as one failure; so does a skipped test. */
export function countVitest(report: unknown): Tally {
  const files = (report as { readonly testResults?: unknown } | undefined)?.testResults;
  const broken = (Array.isArray(files) ? files : []).filter(
    (file: { readonly status?: string; readonly assertionResults?: readonly unknown[] }) =>
      file.status === 'failed' && file.assertionResults?.length === 0,
  ).length;
  const failed =
    countAt(report, 'numFailedTests') + countAt(report, 'numPendingTests') + countAt(report, 'numTodoTests');
  return { passed: countAt(report, 'numPassedTests'), failed: failed + broken };
}

/** Playwright's JSON report. A test that needed a second try, or was skipped, did not pass. */
export function countPlaywright(report: unknown): Tally {
  const failed = ['unexpected', 'flaky', 'skipped'].reduce((sum, key) => sum + countAt(report, 'stats', key), 0);
  return { passed: countAt(report, 'stats', 'expected'), failed };
}

/**
 * A step's exit code and what its report counts (undefined: it has none, and is one check). A bad exit, or a report of no
 * tests at all, is a failure even if the report lists none.
 */
export function settle(code: number, counted: Tally | undefined): Tally {
  if (counted === undefined) return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  const bad = code !== 0 || counted.passed + counted.failed === 0;
  return { passed: counted.passed, failed: bad ? Math.max(1, counted.failed) : counted.failed };
}
