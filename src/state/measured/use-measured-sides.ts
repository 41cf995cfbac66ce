/** Where the bits of A and B come from, as values that change only with them. */
import { useMemo } from 'react';
import type { Profile } from '#engine/cost/profile.ts';
import type { BitsFacts } from '#wording/bits-words.ts';
import { useApp } from '../context.tsx';
import { type MeasuredSides, sidesBits } from './shown-pair-bits.ts';

export function useMeasuredSides(): MeasuredSides {
  const baseline = useApp(({ session }) => session.baseline);
  const input = useApp(({ session }) => session.input);
  const sharedFrom = useApp(({ session }) => session.sharedFrom);
  const pairBits = useApp(({ session }) => session.pairBits);
  return useMemo(() => ({ baseline, input, sharedFrom, pairBits }), [baseline, input, sharedFrom, pairBits]);
}

/** Both sides after each shown compressor that is measured. @param profile of B */
export function usePairAfter(
  profile: Profile | undefined,
): readonly { readonly a: BitsFacts; readonly b: BitsFacts }[] {
  const after = useApp(({ view }) => view.pair.after);
  const sides = useMeasuredSides();
  return useMemo(
    () =>
      sides.baseline === null
        ? []
        : after.flatMap((asked) => {
            const { a, b } = sidesBits(sides, profile, asked);
            return a && b ? [{ a, b }] : [];
          }),
    [after, sides, profile],
  );
}
