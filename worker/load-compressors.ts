/** Compressors whose libraries come from the page's own files. */
import { type Compressor, loadCompressor } from '#engine/compression/compressors.ts';
import type { CompressorChoice } from './matrix-api.ts';
import { MissingFile } from './on-demand.ts';
import { retry } from './retry.ts';

/** @throws MissingFile */
export async function loadCompressors(choices: readonly CompressorChoice[]): Promise<readonly Compressor[]> {
  try {
    return await Promise.all(choices.map(({ id, level }) => retry(() => loadCompressor(id, level ?? undefined))));
  } catch (cause) {
    throw new MissingFile('A file of the app did not load.', { cause });
  }
}
