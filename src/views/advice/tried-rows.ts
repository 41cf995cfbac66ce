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

/** The ticked rows that are not a part of another one, and the changes of no ticked row, as from the editor. */
export function countApplied(tried: readonly unknown[], rows: readonly Row[]): number {
  const all = rows.filter((row) => isTried(row, tried));
  const isPart = (row: Row) =>
    all.some((other) => other.changes.length > row.changes.length && isTried(row, other.changes));
  const ticked = all.filter((row) => !isPart(row));
  const others = tried.filter((change) => !ticked.some((row) => includes(row.changes, change)));
  return ticked.length + others.length;
}
