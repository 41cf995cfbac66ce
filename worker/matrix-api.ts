/** The page's calls about encodings and compressors. */
import type { MeasuredMatrix } from '#engine/analysis/measure/measure-matrix.ts';
import type { CompressorId } from '#engine/compression/compressor-row.ts';
import type { CompressionUnit } from '#engine/encodings/message-sample.ts';
import type { PayloadFormat } from '#engine/model/payload-format.ts';
import type { AnalyzeParams } from './analysis-api.ts';
import type { MessageScope } from './input-api.ts';

export type { MeasuredMatrix } from '#engine/analysis/measure/measure-matrix.ts';
export type { CompressorId } from '#engine/compression/compressor-row.ts';
export type { CompressionUnit } from '#engine/encodings/message-sample.ts';

/** A compressor, and its level; null: its default. */
export interface CompressorChoice {
  readonly id: CompressorId;
  readonly level: number | null;
}

/** The messages of one profile. */
export interface ShownMessages extends AnalyzeParams {
  readonly scope: MessageScope;
  /** Full name of the type. */
  readonly shown: string;
  /** The captured text format; null: they were captured in protobuf or natively. Absent: messages of every format. */
  readonly format?: PayloadFormat | null;
}

export interface MatrixApi {
  /**
   * `encodings`: ids, where `native` is the chosen profile with its overrides. `levels`: by the compressor's id, where
   * it is not its default. `per`: null, as they were sent. The answer is null where no message of the type can be
   * measured.
   */
  matrix(
    params: ShownMessages & {
      readonly encodings: readonly string[] | 'common' | 'all';
      readonly compressors: readonly CompressorId[] | 'all';
      readonly levels?: Readonly<Record<string, number>>;
      readonly per: CompressionUnit | null;
    },
  ): MeasuredMatrix | null;
}
