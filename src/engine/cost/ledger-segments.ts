/** The cells of a ledger as segments of a bar. */

import type { Category } from '../model/annotation.ts';
import type { LedgerCells } from './profile.ts';

export interface LedgerSegment {
  readonly category: Category;
  readonly bytes: number;
}

/** The order of categories in bars, legends and tables. */
export const LEDGER_ORDER: readonly Category[] = [
  ...(['header', 'tag', 'key', 'offset', 'punctuation', 'quotes', 'space'] as const),
  ...(['flag', 'type', 'count', 'length', 'value', 'padding', 'group-end', 'unattributed'] as const),
];

/** Categories of the ledger, including empty ones. */
export const segmentsOf = (cells: LedgerCells): readonly LedgerSegment[] =>
  LEDGER_ORDER.flatMap((category) => {
    const bytes = cells[category];
    return bytes === undefined ? [] : [{ category, bytes }];
  });

export const sumSegments = (segments: readonly LedgerSegment[]): number =>
  segments.reduce((sum, { bytes }) => sum + bytes, 0);

/** `tag 10 · value 100`, without empty segments. */
export const describeSegments = (segments: readonly LedgerSegment[], format: (bytes: number) => string): string =>
  segments
    .filter(({ bytes }) => bytes !== 0)
    .map(({ category, bytes }) => `${category} ${format(bytes)}`)
    .join(' · ') || 'nothing';
