/**
 * Bits that fields pay, as the field table shows them; null: not measured, only their total is known, or this part of
 * the app is still loading.
 */
import { useEffect, useMemo, useState } from 'react';
import { isAttributed } from '#engine/cost/bit-parts.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { useApp } from '#state/context.tsx';
import { loadPart } from '#state/load-part.ts';
import { shownBits } from '#state/measured/shown-bits.ts';
import type { paidFrame } from './paid-frame.ts';

export function usePaid(profile: Profile) {
  const measured = useApp(shownBits) ?? null;
  const bits = measured !== null && isAttributed(measured.container) ? measured : null;
  const drawn = useApp(({ view }) => view.drawn);
  const [part, setPart] = useState<{ readonly paidFrame: typeof paidFrame } | null>(null);
  const isNeeded = bits !== null && part === null;
  useEffect(() => {
    if (isNeeded) void loadPart(() => import('./paid-frame.ts')).then(setPart, () => undefined);
  }, [isNeeded]);
  return useMemo(
    () => (bits === null || part === null ? null : part.paidFrame(bits, profile, drawn)),
    [bits, part, profile, drawn],
  );
}
