/** Where the bits of A and B come from, as one value that changes only with them. */
import { useMemo } from 'react';
import { useApp } from './context.tsx';
import type { MeasuredSides } from './shown-pair-bits.ts';

export function useMeasuredSides(): MeasuredSides {
  const baseline = useApp(({ session }) => session.baseline);
  const input = useApp(({ session }) => session.input);
  const sharedFrom = useApp(({ session }) => session.sharedFrom);
  const pairBits = useApp(({ session }) => session.pairBits);
  return useMemo(() => ({ baseline, input, sharedFrom, pairBits }), [baseline, input, sharedFrom, pairBits]);
}
