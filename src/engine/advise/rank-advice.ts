/** The order of rows of advice. */
import type { Advice } from './advice.ts';
import { leftBy } from './measure.ts';

type Ranked = Pick<Advice, 'against' | 'isNoDifference' | 'deployed' | 'changes'>;

/**
 * Orders rows: compatible changes come first, then by the ranking compressor's saving. Other compressors, which change
 * no message but cost time, follow. Rows within the noise are ordered by raw bytes. Rows that cost bytes come last.
 */
export function rankAdvice(advice: readonly Advice[], rankedBy: string | undefined): readonly Advice[] {
  const plain = ({ deployed }: Advice): number => deployed.saved.bytes;
  const left = ({ deployed }: Advice): number => leftBy(deployed.saved, rankedBy);
  const tier = (one: Advice): number => tierOf(one, rankedBy);
  return advice
    .toSorted((a, b) => tier(a) - tier(b) || (tier(a) === NOISE ? plain(b) - plain(a) : left(b) - left(a)))
    .map((one, at) => ({ ...one, id: at + 1 }));
}

/** Whether the ranking compressor saves nothing: these rows are the last ones. */
export const isInVain = (one: Ranked, rankedBy: string | undefined): boolean => tierOf(one, rankedBy) >= NOISE;

/** The first tier whose rows save nothing after compression. */
const NOISE = 2;

function tierOf(
  { against, isNoDifference, deployed: { saved }, changes }: Ranked,
  rankedBy: string | undefined,
): number {
  if (against === 'captured' && saved.bytes > 0) return -1;
  if (isNoDifference) return saved.bytes > 0 ? NOISE : 3;
  if (leftBy(saved, rankedBy) <= 0) return 4;
  return changes.some(({ change }) => change === 'compressor' || change === 'dictionary') ? 1 : 0;
}
