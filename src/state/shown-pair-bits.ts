/** Bits that the fields of A and B pay after a compressor, once measured. */
import type { BitsFacts } from '#wording/bits-words.ts';
import { isShape } from './is-shape.ts';
import type { PairStreams } from './measured.ts';
import type { SessionState } from './session-state.ts';
import { shownProfile } from './shown-profile.ts';
import type { AppState } from './store.ts';

export interface SidesBits {
  /** undefined: to be measured. null: it cannot be. */
  readonly a: BitsFacts | null | undefined;
  readonly b: BitsFacts | null | undefined;
}

export type MeasuredSides = Pick<SessionState, 'baseline' | 'input' | 'sharedFrom' | 'analysis' | 'pairBits'>;

/** @param type of B, full name */
export function sidesBits(
  { baseline, input, sharedFrom, analysis, pairBits }: MeasuredSides,
  type: string,
  asked: PairStreams,
): SidesBits {
  // Figures without their messages carry their measurements, and filler is not measured.
  const isMeasurable = baseline?.from !== undefined && !isShape({ session: baseline.from });
  const known = baseline?.bits?.[asked];
  const a = known === undefined && !isMeasurable ? null : known;
  if (input?.data === null || isShape({ session: { sharedFrom } }))
    return { a, b: sharedFrom?.pairBits?.[asked] ?? null };
  const measured = pairBits[asked];
  const isShown = measured?.analysis === analysis && measured?.type === type;
  return { a, b: isShown ? measured?.measured : undefined };
}

export const pairBitsOf = (state: AppState, asked: PairStreams): SidesBits =>
  sidesBits(state.session, shownProfile(state)?.type ?? '', asked);
