/** A profile's difference by cause as a waterfall: its totals and its steps. */
import { CAUSES, type Cause, type CausedBytes } from '#engine/cost/compare.ts';
import { type Profile, totalIn } from '#engine/cost/profile.ts';
import { firstTitle } from '#wording/side-words.ts';
import type { WaterfallStep } from './waterfall-geometry.ts';

export const causeSteps = (causes: readonly CausedBytes[]): readonly WaterfallStep<Cause>[] =>
  causes.map(({ cause, bytes }) => ({ key: cause, label: CAUSES[cause], bytes }));

/** From the second ledger of the pair to the first. */
export const waterfallEnds = (profile: Pick<Profile, 'ledgers' | 'pair' | 'other'>) => ({
  from: { label: profile.other?.label ?? 'Native', bytes: totalIn(profile, profile.pair[1]) },
  to: { label: firstTitle(profile), bytes: totalIn(profile, profile.pair[0]) },
});
