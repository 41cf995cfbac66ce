/** Measurements on demand, with their subject: a measurement of another subject is not shown. */
import type { Analysis } from '#worker/analysis-api.ts';
import type { FieldBitsAnswer, SavedAnswer } from '#worker/bits-api.ts';
import type { CompressorId, MeasuredMatrix } from '#worker/matrix-api.ts';

export interface MatrixAnswer {
  /** The analysis that was measured. */
  readonly analysis: Analysis | null;
  readonly type: string;
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

export interface BitsAnswer {
  /** The analysis that was measured. */
  readonly analysis: Analysis | null;
  readonly type: string;
  readonly asked: Streams;
  /** null: no message was captured in a compression whose bits are read. */
  readonly measured: FieldBitsAnswer | null;
}

export interface SavedMeasurement {
  /** The analysis that was measured. */
  readonly analysis: Analysis | null;
  readonly type: string;
  readonly by: CompressorId;
  /** null: no message can be measured. */
  readonly measured: SavedAnswer | null;
}
