/** Which rows of the advice are ticked, and how many changes a person sees as applied. One row may make several changes. */

interface Row {
  readonly changes: readonly unknown[];
}

export function includes(changes: readonly unknown[], change: unknown): boolean {
  const text = JSON.stringify(change);
  return changes.some((one) => JSON.stringify(one) === text);
}

export const isTried = (row: Row, tried: readonly unknown[]): boolean =>
  row.changes.every((change) => includes(tried, change));

/** The ticked rows, and the changes of no ticked row, as from the editor. */
export function countApplied(tried: readonly unknown[], rows: readonly Row[]): number {
  const ticked = rows.filter((row) => isTried(row, tried));
  const others = tried.filter((change) => !ticked.some((row) => includes(row.changes, change)));
  return ticked.length + others.length;
}
