/** Provides the Brotli decoder: 64 kB, loaded when a body needs it. */
import { provideBrotli } from '#engine/compression/brotli.ts';
import { needed } from '#engine/model/needed-file.ts';

/** @returns why it cannot be loaded, a MissingFile: Brotli bodies then stay unread; null: it is loaded */
export async function loadBrotli(): Promise<unknown> {
  try {
    const { brotliSlices, startBrotli } = await needed(() => import('./brotli-decoder.ts'));
    await needed(startBrotli);
    provideBrotli(brotliSlices);
    return null;
  } catch (missing) {
    return missing;
  }
}
