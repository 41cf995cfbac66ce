/**
 * A pool of buffers for incomplete data. Reuse is cheaper than fresh memory, which costs more than copying into it and
 * stays allocated until the garbage collector runs. A buffer's initial contents are arbitrary.
 */

/** Sizes are powers of two, from 256 bytes to 16 MiB, and multiples of 16 MiB above. */
const SMALLEST_BITS = 8;
const LARGEST_BITS = 24;
/** Maximum bytes of kept buffers of one size. One buffer of each size is always kept. */
const MAX_KEPT = 256 * 1024;

const kept: Uint8Array[][] = Array.from({ length: LARGEST_BITS + 1 }, () => []);

/** A buffer of at least `size` bytes. */
export function takeBuffer(size: number): Uint8Array {
  const bits = Math.max(SMALLEST_BITS, 32 - Math.clz32(size - 1));
  // A buffer of the exact size would be copied at each segment while it grows.
  if (bits > LARGEST_BITS) return new Uint8Array(((size - 1) | (2 ** LARGEST_BITS - 1)) + 1);
  return kept[bits]!.pop() ?? new Uint8Array(2 ** bits);
}

/** @param buffer from `takeBuffer`; the caller must not use it any more */
export function giveBuffer(buffer: Uint8Array): void {
  const bits = 31 - Math.clz32(buffer.length);
  if (buffer.length !== 2 ** bits || bits < SMALLEST_BITS || bits > LARGEST_BITS) return;
  const same = kept[bits]!;
  if (same.length === 0 || (same.length + 1) * buffer.length <= MAX_KEPT) same.push(buffer);
}
