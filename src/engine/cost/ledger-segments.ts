/** The cells of a ledger as segments of a bar, in the order in which most encodings write them. */

import type { LedgerCells } from '#engine/cost/profile.ts';
import type { Category } from '#engine/model/annotation.ts';

export interface LedgerSegment {
  readonly category: Category;
  readonly bytes: number;
}

const FIRST: readonly Category[] = ['tag', 'key', 'flag', 'type', 'count', 'length', 'value'];

/** Categories of the ledger, including empty ones. */
export const segmentsOf = (cells: LedgerCells): readonly LedgerSegment[] => {
  const all = Object.entries(cells) as [Category, number][];
  const first = FIRST.flatMap((category) => all.filter(([name]) => name === category));
  return [...first, ...all.filter(([name]) => !FIRST.includes(name))].map(([category, bytes]) => ({ category, bytes }));
};

export const sumSegments = (segments: readonly LedgerSegment[]): number =>
  segments.reduce((sum, { bytes }) => sum + bytes, 0);

/** `tag 10 · value 100`, without empty segments. */
export const describeSegments = (segments: readonly LedgerSegment[], format: (bytes: number) => string): string =>
  segments
    .filter(({ bytes }) => bytes !== 0)
    .map(({ category, bytes }) => `${category} ${format(bytes)}`)
    .join(' · ') || 'nothing';
