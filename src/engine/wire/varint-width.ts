/** Widths of varints, and 64-bit values as two signed 32-bit halves. protobuf.dev/programming-guides/encoding#varints */

/** Bytes of the shortest varint of a number from 0 to 2^53. */
export function varintWidth(value: number): number {
  let width = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) width++;
  return width;
}

/** Bytes of the shortest varint of a 64-bit value: 1 to 10. */
export function varintWidth64(low: number, high: number): number {
  const bits = high === 0 ? 32 - Math.clz32(low) : 64 - Math.clz32(high);
  return bits === 0 ? 1 : Math.ceil(bits / 7);
}

/** The value of `width` varint bytes; bits beyond 64 are dropped. */
export function readVarint64(bytes: Uint8Array, start: number, width: number): { low: number; high: number } {
  let low = 0;
  let high = 0;
  for (let i = 0; i < width; i++) {
    const bits = bytes[start + i]! & 127;
    const shift = i * 7;
    if (shift < 32) low |= bits << shift;
    if (shift > 25) high |= shift >= 32 ? bits << (shift - 32) : bits >>> (32 - shift);
  }
  return { low, high };
}

/** Of a varint of `width` bytes, those it would not have needed. */
export function overlongBytes(bytes: Uint8Array, start: number, width: number): number {
  let shortest = width;
  while (shortest > 1 && (bytes[start + shortest - 1]! & 127) === 0) shortest--;
  return width - shortest;
}
