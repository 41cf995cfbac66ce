/**
 * Ranks by whole bits, the most first; equal amounts have one rank. Links carry rounded bits: fields that are nearly equal
 * would change places there.
 */
export function ranksBy<T>(rows: readonly T[], bitsOf: (row: T) => number): ReadonlyMap<T, number> {
  const amounts = rows.map((row) => Math.round(bitsOf(row)));
  const ranks = new Map<number, number>();
  for (const [at, value] of amounts.toSorted((a, b) => b - a).entries()) {
    if (!ranks.has(value)) ranks.set(value, at + 1);
  }
  return new Map(rows.map((row, at) => [row, ranks.get(amounts[at]!)!]));
}
