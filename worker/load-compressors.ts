/** Compressors whose libraries come from the page's own files. */
import { type Compressor, loadCompressor } from '#engine/compression/compressors.ts';
import type { CompressorChoice } from './matrix-api.ts';

/** @throws MissingFile */
export async function loadCompressors(choices: readonly CompressorChoice[]): Promise<readonly Compressor[]> {
  return Promise.all(choices.map(({ id, level }) => loadCompressor(id, level ?? undefined)));
}
