/** Bits that the fields of A and B pay after a compressor, once measured. */
import type { Profile } from '#engine/cost/profile.ts';
import type { BitsFacts } from '#wording/bits-words.ts';
import { isShape } from '../is-shape.ts';
import type { SessionState } from '../session-state.ts';
import { shownProfile } from '../shown-profile.ts';
import type { AppState } from '../store.ts';
import type { PairStreams } from './measured.ts';

export interface SidesBits {
  /** undefined: to be measured. null: it cannot be. */
  readonly a: BitsFacts | null | undefined;
  readonly b: BitsFacts | null | undefined;
}

export type MeasuredSides = Pick<SessionState, 'baseline' | 'input' | 'sharedFrom' | 'pairBits'>;

/** @param profile of B */
export function sidesBits(
  { baseline, input, sharedFrom, pairBits }: MeasuredSides,
  profile: Profile | undefined,
  asked: PairStreams,
): SidesBits {
  // Figures without their messages carry their measurements, and filler is not measured.
  const isMeasurable = baseline?.from !== undefined && !isShape({ session: baseline.from });
  const known = baseline?.bits?.[asked];
  const a = known === undefined && !isMeasurable ? null : known;
  if (input?.data === null || isShape({ session: { sharedFrom } }))
    return { a, b: sharedFrom?.pairBits?.[asked] ?? null };
  const measured = pairBits[asked];
  return { a, b: measured?.profile === profile ? measured?.measured : undefined };
}

export const pairBitsOf = (state: AppState, asked: PairStreams): SidesBits =>
  sidesBits(state.session, shownProfile(state), asked);
