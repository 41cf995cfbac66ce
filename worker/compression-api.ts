/** What the page may ask of compressed sizes. */
import type { AnalyzeParams } from './analysis-api.ts';
import type { Scope } from './input-api.ts';

export interface CompressedBytes {
  /** `gzip level 6`, `snappy`, `zstd level 3`. */
  readonly codec: string;
  readonly protobuf: number;
  readonly native: number;
}

/** Real bytes of both encodings, each message compressed alone. */
export interface Compressed {
  readonly codecs: readonly CompressedBytes[];
  /** The messages that were measured, out of how many, and their plain bytes. */
  readonly messages: number;
  readonly outOf: number;
  readonly protobuf: number;
  readonly native: number;
}

export interface CompressionApi {
  /**
   * `shown`: full name of the type whose messages are compressed; `zstd`: where the worker finds libzstd, a module of
   * 180 kB that it loads then.
   */
  compress(
    params: AnalyzeParams & { readonly scope: Scope; readonly shown: string; readonly zstd: string },
  ): Compressed;
}
