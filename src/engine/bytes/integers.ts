/** Integers of fixed width, unsigned where nothing else is said. */

/** The little-endian integer of `width` bytes at `at`; exact up to 6 bytes. */
export function littleEndian(bytes: Uint8Array, at: number, width = 4): number {
  let value = 0;
  for (let i = width - 1; i >= 0; i--) value = value * 256 + bytes[at + i]!;
  return value;
}

/** The integer of `width` bytes at `at`, in either order. One of more than 53 bits is not exact, but larger than any input. */
export function integerAt(bytes: Uint8Array, at: number, width: number, isLittle: boolean): number {
  if (isLittle) return littleEndian(bytes, at, width);
  let value = 0;
  for (let i = 0; i < width; i++) value = value * 256 + bytes[at + i]!;
  return value;
}

export function uint32(bytes: Uint8Array, at: number, isLittle: boolean): number {
  const a = bytes[at]!;
  const b = bytes[at + 1]!;
  const c = bytes[at + 2]!;
  const d = bytes[at + 3]!;
  return (isLittle ? a | (b << 8) | (c << 16) | (d << 24) : d | (c << 8) | (b << 16) | (a << 24)) >>> 0;
}

export const uint16be = (bytes: Uint8Array, at: number): number => (bytes[at]! << 8) | bytes[at + 1]!;
export const uint32be = (bytes: Uint8Array, at: number): number => uint32(bytes, at, false);

/** A signed big-endian integer of 4 bytes. */
export const int32be = (bytes: Uint8Array, at: number): number => uint32be(bytes, at) | 0;

/** A signed little-endian integer of 4 bytes. */
export const int32 = (bytes: Uint8Array, at: number): number =>
  bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
