/** The Brotli decoder: 60 kB, loaded when a body needs it. */
import { brotliBy, provideBrotli } from '#engine/compression/brotli.ts';
import { retry } from './retry.ts';

/** The library's error if its output buffer is too small. */
const TOO_SMALL = 'Output buffer is not large enough';

/** @returns false if it cannot be loaded; Brotli bodies then stay unread */
export async function loadBrotli(): Promise<boolean> {
  try {
    const { decompress } = await retry(() => import('brotli/decompress'));
    provideBrotli(brotliBy(decompress, (error) => error instanceof Error && error.message === TOO_SMALL));
    return true;
  } catch {
    return false;
  }
}
