/**
 * The compressions in which messages were captured. Every first choice of a compressor is made here: of the messages that
 * were compressed, the compressor with the most plain bytes, however many were not compressed.
 */
import type { CompressorId } from './compressor-row.ts';
import { type FormatId, formatOf } from './formats.ts';

/** Plain bytes of messages by the format that they were compressed with; `none`: they were not compressed. */
export type CapturedWith = Readonly<Partial<Record<FormatId | 'none', number>>>;

/** The format of the last compression of these steps; undefined: they have none. @param steps as in `BodyRef.compression` */
export const formatOfSteps = (steps: string): FormatId | undefined =>
  steps
    .split('|')
    .map((step) => (step === 'message-deflate' ? 'deflate' : step))
    .findLast((step): step is FormatId => formatOf(step) !== undefined);

/** Adds the bytes of a message. @param steps as in `Joining.steps` */
export function countCaptured(
  sum: { -readonly [F in keyof CapturedWith]: CapturedWith[F] },
  steps: string,
  bytes: number,
): void {
  const format = formatOfSteps(steps) ?? 'none';
  sum[format] = (sum[format] ?? 0) + bytes;
}

/**
 * The compressor whose output is most similar to the compression of the most plain bytes; undefined: no message was
 * compressed.
 */
export function capturedCompressor(sum: CapturedWith): CompressorId | undefined {
  const bytes = new Map<CompressorId, number>();
  for (const [format, own] of Object.entries(sum)) {
    const compressor = formatOf(format)?.compressor;
    if (compressor !== undefined) bytes.set(compressor, (bytes.get(compressor) ?? 0) + own);
  }
  return [...bytes].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** The compressor that is chosen at first. */
export const firstCompressor = (sum: CapturedWith | undefined): CompressorId => capturedCompressor(sum ?? {}) ?? 'zstd';
