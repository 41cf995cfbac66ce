/** The page's calls about compressed streams. */
import type { MeasuredBits } from '#engine/analysis/measure-bits.ts';
import type { CompressorChoice, ShownMessages } from './matrix-api.ts';

export type { MeasuredBits } from '#engine/analysis/measure-bits.ts';

/** The maker of the streams. */
export type StreamsBy =
  /** The ones that were captured. */
  | { readonly kind: 'captured' }
  | { readonly kind: 'encoder'; readonly label: string; readonly library: string; readonly version: string };

export interface FieldBitsAnswer extends MeasuredBits {
  readonly by: StreamsBy;
  /** Messages of the type; more than `messages` where a sample was measured. */
  readonly outOf: number;
}

export interface BitsApi {
  /**
   * The bits that each field pays of the compressed streams: of captured ones, or of those that a compressor makes of
   * the messages in an encoding. null: there is nothing to measure.
   */
  bits(
    params: ShownMessages & {
      /** Id of the encoding, as in `matrix`. Captured streams have their own. */
      readonly encoding: string;
      /** null: the captured streams. */
      readonly compressor: CompressorChoice | null;
    },
  ): FieldBitsAnswer | null;
}
