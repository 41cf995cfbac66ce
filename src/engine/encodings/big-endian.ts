/** Integers and floats with the most significant byte first. */
import type { TokenWriter } from './token-writer.ts';

/** The lowest `size` bytes of a non-negative value. */
export function writeUint({ out }: TokenWriter, size: 1 | 2 | 4 | 8, value: number | bigint): void {
  if (size === 8) {
    const wide = BigInt.asUintN(64, BigInt(value));
    for (let shift = 56n; shift >= 0n; shift -= 8n) out.byte(Number((wide >> shift) & 255n));
    return;
  }
  const low = Number(value);
  for (let shift = (size - 1) * 8; shift >= 0; shift -= 8) out.byte((low >>> shift) & 255);
}

/** Writes bytes in reverse order. */
export function writeReversed({ out }: TokenWriter, bytes: Uint8Array): void {
  for (let at = bytes.length - 1; at >= 0; at--) out.byte(bytes[at]!);
}
