/** Bits that the shown fields pay after compression, once measured. */
import type { FieldBitsAnswer } from '#worker/bits-api.ts';
import type { Client } from '#worker/connect.ts';
import type { CallResult, Progress } from '#worker/protocol.ts';
import type { BitsAnswer, Streams } from './measured.ts';
import { shownProfile } from './shown-profile.ts';
import type { AppState } from './store.ts';

/** undefined: to be measured. */
export function shownBits(state: AppState): FieldBitsAnswer | null | undefined {
  const { bits, analysis } = state.session;
  if (bits === null || bits.analysis !== analysis || bits.asked !== state.view.paid) return undefined;
  return bits.type === shownProfile(state)?.type ? bits.measured : undefined;
}

export async function askBits(
  { session, view }: AppState,
  asked: Streams,
  client: Client,
  options: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
): Promise<CallResult<BitsAnswer>> {
  const { type, types, scope, nativeProfile, overrides } = view;
  const shown = shownProfile({ session, view })?.type ?? '';
  const outcome = await client.call(
    'bits',
    {
      ...{ type, types, scope, nativeProfile, overrides, shown },
      encoding: 'protobuf',
      compressor: asked === 'captured' ? null : { id: asked, level: null },
    },
    options,
  );
  if (!outcome.ok) return outcome;
  return { ok: true, value: { analysis: session.analysis, type: shown, asked, measured: outcome.value } };
}
