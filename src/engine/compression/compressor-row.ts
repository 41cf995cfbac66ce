/** A row of the registry of compressors. */

/** The caller owns the result. */
export type Encode = (plain: Uint8Array, level: number) => Uint8Array | Promise<Uint8Array>;

export type CompressorId = 'gzip' | 'snappy' | 'lz4-block' | 'lz4-frame' | 'zstd' | 'brotli';

export interface CompressorRow {
  readonly id: CompressorId;
  /** The library that compresses. */
  readonly library: string;
  /** Version of that library. */
  readonly version: string;
  /** Available levels, fastest first; empty: it has no levels. */
  readonly levels: readonly number[];
  /** The default level; 0: it has no levels. */
  readonly level: number;
  /** All parameters besides library and version that affect the size. */
  readonly parameters: (level: number) => string;
  readonly load: () => Promise<Encode>;
}
