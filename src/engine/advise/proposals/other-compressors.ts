/** Proposals to compress the same bytes with another compressor, with zstd and a dictionary, or not at all. */
import { plural } from '../../model/count-text.ts';
import { UNCOMPRESSED } from '../change.ts';
import { dictionaryBytes } from '../dictionary.ts';
import type { Proposal } from './proposal.ts';

/** For messages that are compressed one by one. */
export function dictionaries(from: string, units: readonly Uint8Array[]): readonly Proposal[] {
  const bytes = dictionaryBytes(units);
  if (bytes === undefined) return [];
  const title = `Compress with zstd and a dictionary of ${plural(bytes, 'byte')}, trained on messages like these`;
  return [{ title, changes: [{ change: 'dictionary', from, to: 'zstd', bytes }] }];
}

export const otherCompressors = (from: string, others: readonly string[]): readonly Proposal[] =>
  [...others, UNCOMPRESSED]
    .filter((to) => to !== from)
    .map((to) => ({
      title:
        to === UNCOMPRESSED ? `Do not compress: ${from} makes them larger` : `Compress with ${to} instead of ${from}`,
      changes: [{ change: 'compressor', from, to }],
    }));
