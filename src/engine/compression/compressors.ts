/**
 * The compressors of the page and of the command line. Each loads its library when it is asked for; a library, its
 * version and its parameters are part of every size. One more is a file in compressors/ and a row here.
 */
import type { CompressorRow, Encode } from './compressor-row.ts';
import { BROTLI } from './compressors/brotli.ts';
import { GZIP } from './compressors/gzip.ts';
import { LZ4_BLOCK } from './compressors/lz4-block.ts';
import { LZ4_FRAME } from './compressors/lz4-frame.ts';
import { SNAPPY } from './compressors/snappy.ts';
import { ZSTD } from './compressors/zstd.ts';

const ROWS = [GZIP, SNAPPY, LZ4_BLOCK, LZ4_FRAME, ZSTD, BROTLI] as const;
export type CompressorId = (typeof ROWS)[number]['id'];

export const COMPRESSORS: readonly CompressorRow<CompressorId>[] = ROWS;

/** One compressor at one level. */
export interface Compressor {
  readonly id: CompressorId;
  /** `gzip level 6`, `snappy`. */
  readonly label: string;
  readonly library: string;
  readonly version: string;
  readonly parameters: string;
  /** 0 where there are none, and those that can be chosen. */
  readonly level: number;
  readonly levels: readonly number[];
  /** The whole of `plain`, alone, as the named library writes it. */
  readonly compress: (plain: Uint8Array) => Promise<Uint8Array>;
}

const loaded = new Map<CompressorId, Promise<Encode>>();

/** @param level one of the row's; its default where none is given. Rejects where its library cannot be loaded. */
export async function loadCompressor(id: CompressorId, level?: number): Promise<Compressor> {
  const row = COMPRESSORS.find((known) => known.id === id)!;
  let encoder = loaded.get(id);
  if (encoder === undefined) {
    encoder = row.load();
    loaded.set(id, encoder);
    // An encoder that failed to load can be requested again.
    encoder.catch(() => loaded.delete(id));
  }
  const encode = await encoder;
  const { library, version } = row;
  const at = level ?? row.level;
  return {
    id,
    label: row.levels.length === 0 ? id : `${id} level ${at}`,
    library,
    version,
    parameters: row.parameters(at),
    level: at,
    levels: row.levels,
    compress: async (plain) => encode(plain, at),
  };
}
