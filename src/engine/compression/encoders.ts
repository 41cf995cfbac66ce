/** What bytes take after compression, for real: each encoder at one level. */
import { encodeSnappy } from './snappy-encode.ts';

export interface Encoder<Size = number> {
  /** With its level, where it has some: `zstd level 3`. */
  readonly codec: string;
  /** Bytes that `bytes` take compressed, alone. */
  readonly size: (bytes: Uint8Array) => Size;
}

export const SNAPPY: Encoder = { codec: 'snappy', size: (bytes) => encodeSnappy(bytes).length };

/** libzstd, as @hpcc-js/wasm-zstd has it: 180 kB, so it is loaded by whoever is asked to compress. */
export interface ZstdLibrary {
  compress(bytes: Uint8Array, level: number): Uint8Array;
}

/** What the module of that package exports. */
export interface ZstdModule {
  readonly Zstd: { load(): Promise<ZstdLibrary> };
}

/** libzstd's and the command's own default. */
const ZSTD_LEVEL = 3;

/** One frame with the content's size and no checksum. */
export const zstdOf = (library: ZstdLibrary): Encoder => ({
  codec: `zstd level ${ZSTD_LEVEL}`,
  size: (bytes) => library.compress(bytes, ZSTD_LEVEL).length,
});
