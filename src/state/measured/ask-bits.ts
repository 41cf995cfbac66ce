/** The page's questions about compressed streams. */
import type { CopiedFrom, FieldBitsAnswer } from '#worker/bits-api.ts';
import type { Client } from '#worker/connect.ts';
import type { CallResult, Progress } from '#worker/protocol.ts';
import { shownMessages, shownProfile, streamEncoding, streamEncodingOf } from '../shown-profile.ts';
import type { AppState } from '../store.ts';
import type { BitsAnswer, PairStreams, Streams } from './measured.ts';
import { pairBitsOf } from './shown-pair-bits.ts';

/** The shown compressed streams, as the worker measures them. */
function streamsOf(state: AppState, asked: Streams) {
  return {
    ...shownMessages(state),
    encoding: streamEncoding(state),
    compressor: asked === 'captured' ? null : { id: asked, level: null },
  } as const;
}

export async function askBits(
  state: AppState,
  asked: Streams,
  client: Client,
  options: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
): Promise<CallResult<BitsAnswer>> {
  const outcome = await client.call('bits', streamsOf(state, asked), options);
  if (!outcome.ok) return outcome;
  return { ok: true, value: { profile: shownProfile(state), asked, measured: outcome.value } };
}

/**
 * Measures the unknown bits of A and B after a compressor, each in its captured encoding, as they are compared.
 * undefined: they are known. null: they cannot be measured.
 */
export async function askPairBits(
  state: AppState,
  asked: PairStreams,
  client: Client,
  signal: AbortSignal,
): Promise<CallResult<Record<'a' | 'b', FieldBitsAnswer | null | undefined>>> {
  const { baseline } = state.session;
  const known = pairBitsOf(state, asked);
  const compressor = { id: asked, level: null };
  const ask = async (isKept: boolean): Promise<CallResult<FieldBitsAnswer | null | undefined>> => {
    if ((isKept ? known.a : known.b) !== undefined) return { ok: true, value: undefined };
    if (!isKept)
      return client.call('bits', { ...shownMessages(state), encoding: streamEncoding(state), compressor }, { signal });
    const encoding = streamEncodingOf(baseline!.profile);
    return client.call('bits', { ...baseline!.from!.measured, encoding, compressor, side: 'kept' }, { signal });
  };
  const a = await ask(true);
  if (!a.ok) return a;
  const b = await ask(false);
  return b.ok ? { ok: true, value: { a: a.value, b: b.value } } : b;
}

/** The source of copied bytes of a message, in the shown streams. */
export const askCopies = (
  state: AppState,
  asked: Streams,
  at: { readonly ordinal: number; readonly start: number; readonly end: number },
  client: Client,
  signal: AbortSignal,
): Promise<CallResult<CopiedFrom | null>> =>
  client.call('copiedFrom', { ...streamsOf(state, asked), ...at }, { signal });
