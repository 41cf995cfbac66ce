/** Both sides of the shown messages after compression, each message alone. */
import type { Profile } from '#engine/cost/profile.ts';
import type { Client } from '#worker/connect.ts';
import type { ShownMessages } from '#worker/matrix-api.ts';
import type { CallResult } from '#worker/protocol.ts';

/** `protobuf` is the first side of the profile, `native` the second one: they may be other encodings. */
export interface CompressedPair {
  /** By compressor: `gzip level 6`, `snappy`, `zstd level 3`. */
  readonly codecs: readonly { readonly codec: string; readonly protobuf: number; readonly native: number }[];
  /** The messages that were measured, out of how many. */
  readonly messages: number;
  readonly outOf: number;
  /** Plain bytes of all of them. */
  readonly protobuf: number;
  readonly native: number;
}

const COMPRESSORS = ['gzip', 'snappy', 'zstd'] as const;
/** The chosen native profile, with its overrides. */
const NATIVE = 'native';

/** The ids by which the worker measures the sides of a profile. A captured encoding is measured without being asked for. */
function sidesOf(
  { pair: [first, second], other }: Pick<Profile, 'pair' | 'other'>,
  { nativeProfile }: Pick<ShownMessages, 'nativeProfile'>,
): readonly [string, string] {
  return [first, other == null || second === null || second === nativeProfile ? NATIVE : second];
}

/** null: there is nothing to compare. */
export async function measureCompressed(
  client: Client,
  shown: ShownMessages,
  profile: Pick<Profile, 'pair' | 'other'>,
  signal?: AbortSignal,
): Promise<CallResult<CompressedPair | null>> {
  const [first, second] = sidesOf(profile, shown);
  const params = { ...shown, encodings: [first, second], compressors: COMPRESSORS, per: 'message' } as const;
  const outcome = await client.call('matrix', params, { signal });
  if (!outcome.ok || outcome.value === null) return outcome as CallResult<null>;
  const { rows, compressors, captured, messages, sampled } = outcome.value;
  const protobuf = rows.find(({ id }) => id === first);
  const native = rows.find(({ id }) => id === second) ?? rows.find(({ id }) => id === captured && second === NATIVE);
  if (protobuf?.bytes == null || native?.bytes == null) return { ok: true, value: null };
  const codecs = compressors.map(({ id, label }) => ({
    codec: label,
    protobuf: protobuf.compressed[id]!,
    native: native.compressed[id]!,
  }));
  return {
    ok: true,
    value: {
      codecs,
      messages: sampled?.messages ?? messages,
      outOf: messages,
      protobuf: protobuf.bytes,
      native: native.bytes,
    },
  };
}
