/** Bits that the shown fields pay after compression, once measured. */
import type { FieldBitsAnswer } from '#worker/bits-api.ts';
import { shownProfile } from './shown-profile.ts';
import type { AppState } from './store.ts';

/** undefined: to be measured. */
export function shownBits(state: AppState): FieldBitsAnswer | null | undefined {
  const { bits, analysis } = state.session;
  if (bits === null || bits.analysis !== analysis || bits.asked !== state.view.paid) return undefined;
  return bits.type === shownProfile(state)?.type ? bits.measured : undefined;
}
