/** The Brotli decoder, from the page's own files. */
import { brotliBy, type Decompress, provideBrotli } from '#engine/compression/brotli.ts';

export const BROTLI_KEY = 'wirecostBrotli';

/** The library says so where it was given too little room. */
const TOO_SMALL = 'Output buffer is not large enough';

/** @param address of `brotli-decoder.ts`. @returns false where it cannot be had: its bodies stay unread */
export async function loadBrotli(address: string): Promise<boolean> {
  try {
    await import(/* @vite-ignore */ address);
    const decompress = (globalThis as unknown as Readonly<Record<string, Decompress | undefined>>)[BROTLI_KEY];
    if (decompress === undefined) return false;
    provideBrotli(brotliBy(decompress, (error) => error instanceof Error && error.message === TOO_SMALL));
    return true;
  } catch {
    return false;
  }
}
