/** The same bytes by each of the other compressors. */
import type { Proposal } from './proposal.ts';

export const otherCompressors = (from: string, others: readonly string[]): readonly Proposal[] =>
  others
    .filter((to) => to !== from)
    .map((to) => ({
      title: `Compress with ${to} instead of ${from}`,
      changes: [{ change: 'compressor', from, to }],
    }));
