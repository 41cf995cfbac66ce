/** Messages of one type, all or a sample → the matrix of encodings and compressors, scaled to all messages. */
import type { CapturedWith } from '../../compression/captured-with.ts';
import type { Compressor } from '../../compression/compressors.ts';
import type { EncodingRow } from '../../encodings/encoding-row.ts';
import { type Matrix, MatrixBuilder } from '../../encodings/matrix.ts';
import type { CompressionUnit, MessageSample } from '../../encodings/message-sample.ts';
import type { MessageDescriptor } from '../../schema/descriptor.ts';

export interface MatrixRequest {
  readonly type: MessageDescriptor;
  readonly sample: MessageSample;
  /** Absent: payloads are joined to one stream; messages of a capture are compressed as they were sent. */
  readonly per: CompressionUnit | undefined;
  readonly kind: 'payloads' | 'capture';
  readonly encodings: readonly EncodingRow[];
  readonly compressors: readonly Compressor[];
  /** The row of the captured encoding; absent: protobuf was captured. */
  readonly captured?: EncodingRow | undefined;
}

/** Sizes and losses are scaled to all messages. If a sample was measured, `errors` of the rows are errors of the scaling. */
export interface MeasuredMatrix extends Matrix {
  readonly per: CompressionUnit;
  /** The measured part; null: all messages. */
  readonly sampled: { readonly messages: number; readonly bytes: number } | null;
  /** How all messages were compressed as captured. */
  readonly capturedWith: CapturedWith;
}

/** @param onCompress called before each of `total` compressions. Throws to end the measurement */
export async function measureMatrix(
  { type, sample, per: asked, kind, encodings, compressors, captured }: MatrixRequest,
  onCompress: (done: number, total: number) => void | Promise<void> = () => undefined,
): Promise<MeasuredMatrix> {
  const per = perOf(asked, sample, kind);
  let done = 0;
  const builder: MatrixBuilder = new MatrixBuilder(type, encodings, compressors, {
    isJoined: per !== 'message',
    captured,
    onCompress: () => onCompress(done++, streams.length * builder.rows * compressors.length),
  });
  const streams = sample.streams(per);
  for (const stream of streams) await builder.add(stream);
  const matrix = builder.finish(sample.scale);
  const { capturedWith } = sample;
  if (!sample.isSampled) return { ...matrix, per, sampled: null, capturedWith };
  const sampled = { messages: sample.keptCount, bytes: sample.keptBytes };
  return { ...matrix, per, messages: sample.count, sampled, capturedWith };
}

const BY_DEFAULT = { payloads: 'joined', capture: 'request' } as const;

/** Payloads are one request. A joined sample would be a different stream from all payloads joined. */
export function perOf(
  asked: CompressionUnit | undefined,
  { isSampled }: MessageSample,
  kind: 'payloads' | 'capture',
): CompressionUnit {
  const per = asked === undefined || (asked === 'request' && kind === 'payloads') ? BY_DEFAULT[kind] : asked;
  if (!isSampled || per !== 'joined') return per;
  return kind === 'payloads' ? 'message' : 'request';
}
