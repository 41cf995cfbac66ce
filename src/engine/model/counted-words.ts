/** Counts in words, as profiles hold them: `unknown fields are dropped: 1,740`. */
import { countText } from './count-text.ts';

export const countedWords = (words: string, count: number): string => `${words}: ${countText(count)}`;

/** Counts of the same words become one, with the sum of their counts. Words without a count stay as they are. */
export function addCounted(one: readonly string[], other: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const counted of [...one, ...other]) {
    const [, words = counted, count = '0'] = /^(.*): ([\d,]+)$/.exec(counted) ?? [];
    counts.set(words, (counts.get(words) ?? 0) + Number(count.replaceAll(',', '')));
  }
  return [...counts].map(([words, count]) => (count === 0 ? words : countedWords(words, count)));
}
