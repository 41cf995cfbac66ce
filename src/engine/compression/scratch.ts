/**
 * Memory that decoders write to, kept from call to call. Messages are small and many, and fresh memory costs more than
 * filling it. Its contents are borrowed: the next decoder overwrites them.
 */

/** Larger ones are not kept. */
const LARGEST = 4 * 1024 * 1024;
const SMALLEST = 256 * 1024;

let kept: Uint8Array<ArrayBuffer> = new Uint8Array(0);

/** At least `size` bytes, not cleared. */
export function scratch(size: number): Uint8Array<ArrayBuffer> {
  if (kept.length >= size) return kept;
  const larger = new Uint8Array(size > LARGEST ? size : Math.max(SMALLEST, Math.min(LARGEST, size * 2)));
  if (larger.length <= LARGEST) kept = larger;
  return larger;
}

export const isScratch = (bytes: Uint8Array): boolean => bytes.buffer === kept.buffer;
