/** The page's questions about compressed streams. */
import { capturedLedger } from '#engine/cost/profile.ts';
import type { CopiedFrom } from '#worker/bits-api.ts';
import type { Client } from '#worker/connect.ts';
import type { CallResult, Progress } from '#worker/protocol.ts';
import type { BitsAnswer, Streams } from './measured.ts';
import { shownProfile } from './shown-profile.ts';
import type { AppState } from './store.ts';

/** Whether messages came in an encoding that is neither protobuf nor native. */
const isFormat = (ledger: string): boolean => ledger.startsWith('captured-');

/** The streams that are looked at, as the worker measures them. */
function streamsOf(state: AppState, asked: Streams) {
  const { type, types, scope, nativeProfile, overrides } = state.view;
  const profile = shownProfile(state);
  return {
    ...{ type, types, scope, nativeProfile, overrides, shown: profile?.type ?? '' },
    encoding: profile !== undefined && isFormat(capturedLedger(profile)) ? 'captured' : 'protobuf',
    compressor: asked === 'captured' ? null : { id: asked, level: null },
  } as const;
}

export async function askBits(
  state: AppState,
  asked: Streams,
  client: Client,
  options: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
): Promise<CallResult<BitsAnswer>> {
  const params = streamsOf(state, asked);
  const outcome = await client.call('bits', params, options);
  if (!outcome.ok) return outcome;
  return { ok: true, value: { analysis: state.session.analysis, type: params.shown, asked, measured: outcome.value } };
}

/** Where bytes of a message were copied from in the streams that are looked at. */
export const askCopies = (
  state: AppState,
  asked: Streams,
  at: { readonly ordinal: number; readonly start: number; readonly end: number },
  client: Client,
  signal: AbortSignal,
): Promise<CallResult<CopiedFrom | null>> =>
  client.call('copiedFrom', { ...streamsOf(state, asked), ...at }, { signal });
