/** Bits that the shown fields pay after compression, once measured. */
import type { BitsFacts } from '#wording/bits-words.ts';
import { shownProfile } from '../shown-profile.ts';
import type { AppState } from '../store.ts';

/** undefined: to be measured. */
export function shownBits(state: AppState): BitsFacts | null | undefined {
  // Figures without their messages carry their measurements.
  if (state.session.input?.data === null)
    return state.view.paid === null ? undefined : (state.session.sharedFrom?.bits ?? undefined);
  const { bits } = state.session;
  return bits?.profile === shownProfile(state) && bits?.asked === state.view.paid ? bits.measured : undefined;
}
