/** The page's calls about compressed streams. */
import type { CopiedFrom } from '#engine/analysis/measure/copied-from.ts';
import type { MeasuredBits } from '#engine/analysis/measure/measure-bits.ts';
import type { CapturedWith } from '#engine/compression/captured-with.ts';
import type { Saved } from '#engine/compression/saved-bytes.ts';
import type { CompressionUnit, CompressorChoice, ShownMessages } from './matrix-api.ts';

export type { CopiedFrom } from '#engine/analysis/measure/copied-from.ts';
export type { MeasuredBits } from '#engine/analysis/measure/measure-bits.ts';

/** The encoder of the streams. */
export type StreamsBy =
  /** The captured streams. */
  | { readonly kind: 'captured' }
  | { readonly kind: 'encoder'; readonly label: string; readonly library: string; readonly version: string };

export interface FieldBitsAnswer extends MeasuredBits {
  readonly by: StreamsBy;
  /** Messages of the type; more than `messages` if only a sample was measured. */
  readonly outOf: number;
}

export interface SavedAnswer {
  /** `zstd level 3`. */
  readonly label: string;
  readonly library: string;
  readonly version: string;
  /** The encoding of the messages: `JSON`; null: protobuf, in which they were captured. */
  readonly encoding: string | null;
  /** The messages that were measured, out of how many. */
  readonly messages: number;
  readonly outOf: number;
  /** The contents of one stream. */
  readonly per: CompressionUnit;
  /** How the messages were compressed as captured. */
  readonly capturedWith: CapturedWith;
  /** By path. */
  readonly saved: ReadonlyMap<string, Saved>;
}

interface Streams {
  /**
   * Id of the encoding, as in `matrix`; `captured`: the captured encoding. Captured streams have their own encoding.
   */
  readonly encoding: string;
  /** null: the captured streams. */
  readonly compressor: CompressorChoice | null;
}

export interface BitsApi {
  /**
   * The bits that each field pays of the compressed streams: of captured ones, or of those that a compressor makes of
   * the messages in an encoding. `kept`: of A of a comparison. null: there is nothing to measure.
   */
  bits(params: ShownMessages & Streams & { readonly side?: 'kept' }): FieldBitsAnswer | null;
  /**
   * Where bytes of a message, `start` to `end`, were copied from in its stream. null: nothing compresses the message,
   * or it is not in the sample that was compressed.
   */
  copiedFrom(
    params: ShownMessages & Streams & { readonly ordinal: number; readonly start: number; readonly end: number },
  ): CopiedFrom | null;
  /**
   * The saving if a field is left out, one path after the other; growing. null: there is nothing to measure.
   * `compressor`: null, the one of the captured messages, or else zstd.
   */
  saved(
    params: ShownMessages & { readonly compressor: CompressorChoice | null; readonly paths: readonly string[] },
  ): SavedAnswer | null;
}
