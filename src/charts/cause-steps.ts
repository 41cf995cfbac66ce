/** A profile's difference by cause as a waterfall: its totals and its steps. */
import { CAUSES, type Cause, type CausedBytes } from '#engine/cost/compare.ts';
import { type Profile, totalIn } from '#engine/cost/profile.ts';
import { firstTitle } from '#wording/side-words.ts';
import type { WaterfallStep } from './waterfall-geometry.ts';

export const causeSteps = (causes: readonly CausedBytes[]): readonly WaterfallStep<Cause>[] =>
  causes.map(({ cause, bytes }) => ({ key: cause, label: CAUSES[cause], bytes }));

/** The maximum of rows beside a table. */
export const MAX_STEPS = 8;

/** The key of the row that the smaller steps share. */
export const SMALLER = 'smaller';

/**
 * In their order; of more than `most`, the smallest are summed in one step at the end. If they cancel out, it takes one
 * more, because a step of 0 has no row.
 */
export function foldSteps<Key extends string>(
  steps: readonly WaterfallStep<Key>[],
  label: (count: number) => string,
  most: number = MAX_STEPS,
): readonly WaterfallStep<Key | typeof SMALLER>[] {
  const moving = steps.filter(({ bytes }) => bytes !== 0);
  if (moving.length <= most) return moving;
  const bySize = [...moving].sort((a, b) => Math.abs(b.bytes) - Math.abs(a.bytes));
  const sumFrom = (rank: number): number => bySize.slice(rank).reduce((sum, { bytes }) => sum + bytes, 0);
  const first = sumFrom(most - 1) === 0 ? most - 2 : most - 1;
  const smaller = new Set(bySize.slice(first));
  return [
    ...moving.filter((step) => !smaller.has(step)),
    { key: SMALLER, label: label(smaller.size), bytes: sumFrom(first) },
  ];
}

/** From the second ledger of the pair to the first. */
export const waterfallEnds = (profile: Pick<Profile, 'ledgers' | 'pair' | 'other'>) => ({
  from: { label: profile.other?.label ?? 'Native', bytes: totalIn(profile, profile.pair[1]) },
  to: { label: firstTitle(profile), bytes: totalIn(profile, profile.pair[0]) },
});
