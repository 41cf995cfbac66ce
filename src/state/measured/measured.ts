/**
 * Measurements on demand, with the profile that was measured: a measurement of another one is not shown. The type alone
 * does not name one: its messages in JSON and those in protobuf have a profile each.
 */
import type { Profile } from '#engine/cost/profile.ts';
import type { FieldBitsAnswer, SavedAnswer } from '#worker/bits-api.ts';
import type { CompressorId, MeasuredMatrix } from '#worker/matrix-api.ts';

export interface MatrixAnswer {
  readonly profile: Profile | undefined;
  readonly asked: string;
  /** null: no message can be measured. */
  readonly measured: MeasuredMatrix | null;
}

/** Streams that can be measured: the captured ones, or those of a compressor at its default level. */
export const STREAMS = {
  captured: 'as captured',
  gzip: 'gzip',
  snappy: 'snappy',
  'lz4-frame': 'lz4',
  zstd: 'zstd',
} as const satisfies Readonly<Partial<Record<CompressorId | 'captured', string>>>;
export type Streams = keyof typeof STREAMS;

/** Compressors that A and B can be compared by. */
export type PairStreams = Exclude<Streams, 'captured'>;
export const PAIR_STREAMS = Object.keys(STREAMS).filter((id): id is PairStreams => id !== 'captured');

export interface BitsAnswer {
  readonly profile: Profile | undefined;
  readonly asked: Streams;
  /** null: no message was captured in a compression whose bits are read. */
  readonly measured: FieldBitsAnswer | null;
}

export interface SavedMeasurement {
  readonly profile: Profile | undefined;
  /** null: that of the captured messages, or else zstd. */
  readonly by: CompressorId | null;
  /** null: no message can be measured. */
  readonly measured: SavedAnswer | null;
}
