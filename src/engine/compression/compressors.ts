/**
 * The compressors of the page and of the command line. Each loads its library on demand. Each size is reported with
 * library, version and parameters. To add a compressor, write a file in compressors/, and add it here and its name in compressor-row.ts.
 */
import type { CompressorId, CompressorRow, Encode } from './compressor-row.ts';
import { BROTLI } from './compressors/brotli.ts';
import { GZIP } from './compressors/gzip.ts';
import { LZ4_BLOCK } from './compressors/lz4-block.ts';
import { LZ4_FRAME } from './compressors/lz4-frame.ts';
import { SNAPPY } from './compressors/snappy.ts';
import { ZSTD } from './compressors/zstd.ts';

export const COMPRESSORS: readonly CompressorRow[] = [GZIP, SNAPPY, LZ4_BLOCK, LZ4_FRAME, ZSTD, BROTLI];

/** One compressor at one level. */
export interface Compressor {
  readonly id: CompressorId;
  /** `gzip level 6`, `snappy`. */
  readonly label: string;
  readonly library: string;
  readonly version: string;
  readonly parameters: string;
  /** The level, and the available levels; 0: it has no levels. */
  readonly level: number;
  readonly levels: readonly number[];
  /** Compresses `plain` alone, as the named library does. */
  readonly compress: (plain: Uint8Array) => Promise<Uint8Array>;
}

/** `gzip level 6`, `snappy`. */
export const labelAt = ({ id, levels }: CompressorRow, level: number): string =>
  levels.length === 0 ? id : `${id} level ${level}`;

const loaded = new Map<CompressorId, Promise<Encode>>();

/** @param level one of the row's levels; default: the row's level. Rejects if the library cannot be loaded. */
export async function loadCompressor(id: CompressorId, level?: number): Promise<Compressor> {
  const row = COMPRESSORS.find((known) => known.id === id)!;
  let encoder = loaded.get(id);
  if (encoder === undefined) {
    encoder = row.load();
    loaded.set(id, encoder);
    // A failed load can be tried again.
    encoder.catch(() => loaded.delete(id));
  }
  const encode = await encoder;
  const { library, version } = row;
  const at = level ?? row.level;
  return {
    id,
    label: labelAt(row, at),
    library,
    version,
    parameters: row.parameters(at),
    level: at,
    levels: row.levels,
    compress: async (plain) => encode(plain, at),
  };
}
