/** A and B as they are compared now. null: there is no A yet, or nothing is open. */
import { useMemo } from 'react';
import type { ProfileDiff } from '#engine/cost/diff-profiles.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { useApp } from '#state/context.tsx';
import type { PairView } from '#state/view-state.ts';
import { shownDiffOf, unitsOf } from '#wording/pair-words.ts';

export interface ShownPair {
  readonly a: Profile;
  readonly b: Profile;
  /** In the chosen unit, or in total if there is no such unit. */
  readonly diff: ProfileDiff;
  readonly unit: PairView['unit'];
  readonly units: { readonly a: number; readonly b: number };
  readonly aligned: PairView['aligned'];
}

export function usePair(profile: Profile): ShownPair | null {
  const baseline = useApp(({ session }) => session.baseline);
  const { unit, aligned } = useApp(({ view }) => view.pair);
  return useMemo(() => {
    if (baseline === null) return null;
    const a = baseline.profile;
    const units = unitsOf(unit, a, profile);
    return {
      a,
      b: profile,
      unit: units === null ? 'total' : unit,
      units: units ?? { a: 1, b: 1 },
      aligned,
      diff: shownDiffOf(a, profile, aligned, units ?? undefined),
    };
  }, [baseline, profile, unit, aligned]);
}
