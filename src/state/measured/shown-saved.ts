/** Savings of the shown fields if they are left out, as measured so far. */
import type { SavedAnswer } from '#worker/bits-api.ts';
import type { Client } from '#worker/connect.ts';
import type { CompressorId } from '#worker/matrix-api.ts';
import type { CallResult, Progress } from '#worker/protocol.ts';
import { shownMessages, shownProfile } from '../shown-profile.ts';
import type { AppState } from '../store.ts';
import type { SavedMeasurement } from './measured.ts';

/** The compressor of the shown streams; null: that of the captured messages, or else zstd. */
function savedBy({ view: { paid } }: AppState): CompressorId | null {
  return paid === 'captured' ? null : paid;
}

/** undefined: nothing is measured yet. null: there is nothing to measure. */
export function shownSaved(state: AppState): SavedAnswer | null | undefined {
  const { saved } = state.session;
  return saved?.profile === shownProfile(state) && saved?.by === savedBy(state) ? saved.measured : undefined;
}

/** Measures these fields; earlier measurements stay. @param onSoFar called after each field */
export async function askSaved(
  state: AppState,
  paths: readonly string[],
  client: Client,
  options: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: Progress) => void;
    readonly onSoFar: (saved: SavedMeasurement) => void;
  },
): Promise<CallResult<SavedMeasurement>> {
  const profile = shownProfile(state);
  const by = savedBy(state);
  const before = shownSaved(state)?.saved ?? [];
  const withBefore = (answer: SavedAnswer | null): SavedMeasurement => ({
    ...{ profile, by },
    measured: answer && { ...answer, saved: new Map([...before, ...answer.saved]) },
  });
  const outcome = await client.call(
    'saved',
    { ...shownMessages(state), compressor: by && { id: by, level: null }, paths },
    { ...options, onSoFar: (answer) => options.onSoFar(withBefore(answer)) },
  );
  return outcome.ok ? { ok: true, value: withBefore(outcome.value) } : outcome;
}
