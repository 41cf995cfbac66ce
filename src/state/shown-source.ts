/** The source of the shown figures: how much of a capture they cover, and which traffic the capture lacks. */

import { coverageOf } from '#engine/analysis/coverage.ts';
import { lossesOf } from '#engine/frame/losses.ts';
import type { Shared } from '#permalink/shared.ts';
import type { Beside } from '#wording/beside-words.ts';
import type { SessionState } from './session-state.ts';
import type { AppState } from './store.ts';
import { isEveryMessage } from './view-state.ts';

export type ShownSource = Pick<Shared['source'], 'coverage' | 'losses'>;

const NOTHING: ShownSource = { coverage: null, losses: [] };

/** As measured here; for shared figures and shapes, as measured by the sender. */
export function shownSource({
  analysis,
  inputSummary,
  sharedFrom,
}: Pick<SessionState, 'analysis' | 'inputSummary' | 'sharedFrom'>): ShownSource {
  if (sharedFrom?.kind === 'profile' || sharedFrom?.kind === 'shape') {
    const { messages, coverage, losses } = sharedFrom.source;
    const shown = analysis?.origins.reduce((sum, origin) => sum + origin.messages, 0);
    return { coverage: shown === messages ? coverage : null, losses };
  }
  if (inputSummary?.kind !== 'capture') return NOTHING;
  return { coverage: analysis && coverageOf([analysis]), losses: lossesOf(inputSummary) };
}

/** The bytes of a file around all its messages; null: a capture, or some of its messages. */
export const besideShown = ({ session: { inputSummary: of }, view: { scope } }: AppState): Beside | null =>
  of?.kind === 'payloads' && isEveryMessage(scope)
    ? { framing: of.framing.id, framingBytes: of.framingBytes, unattributedBytes: of.unattributedBytes }
    : null;
