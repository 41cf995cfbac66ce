/** A mistyped word → the known word that is meant. */

/** `. Is matrix meant?`; '': none of the words is near. */
export function meantWords(word: string, known: readonly string[]): string {
  const most = word.length < 5 ? 1 : 2;
  const [nearest] = known
    .map((one) => ({ one, edits: editsBetween(word, one) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits);
  return nearest === undefined ? '' : `. Is ${nearest.one} meant?`;
}

/** Letters to insert, remove, replace, or exchange with the next one. */
function editsBetween(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (isSame ? 0 : 1), swapped));
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
