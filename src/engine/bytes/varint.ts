/**
 * Varints: seven bits a byte, low bits first, the top bit set on every byte but the last.
 * protobuf.dev/programming-guides/encoding#varints; OpenSearch's VInt and VLong are the same bytes.
 *
 *   300 = ac 02    1│0101100  0│0000010
 *
 * A varint has at most ten bytes, and the tenth holds one bit only.
 */

/** Negative results of `varintEnd`: the bytes end within the varint, or its value does not fit 64 bits. */
export const VARINT_TRUNCATED = -1;
export const VARINT_OVERFLOW = -2;

/**
 * Offset one past the varint that begins at `start`, which must end at `limit` at the latest; or one of the two results
 * above.
 */
export function varintEnd(bytes: Uint8Array, start: number, limit: number): number {
  const longest = Math.min(limit, start + 10);
  let p = start;
  while (p < longest) {
    const byte = bytes[p++]!;
    if (byte < 128) return p - start === 10 && byte > 1 ? VARINT_OVERFLOW : p;
  }
  return p - start === 10 ? VARINT_OVERFLOW : VARINT_TRUNCATED;
}

/** The value of `bytes[start, end)`; exact up to 2^53, rounded above. */
export function varintNumber(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let p = end - 1; p >= start; p--) value = value * 128 + (bytes[p]! & 127);
  return value;
}

/** Bits 0 to 31 of `bytes[start, end)`, as a signed integer. */
export function varintLow(bytes: Uint8Array, start: number, end: number): number {
  let low = 0;
  const last = Math.min(end, start + 5);
  for (let p = start, shift = 0; p < last; p++, shift += 7) low |= (bytes[p]! & 127) << shift;
  return low;
}

/** Bits 32 to 63 of `bytes[start, end)`, as a signed integer. */
export function varintHigh(bytes: Uint8Array, start: number, end: number): number {
  let high = end - start > 4 ? (bytes[start + 4]! & 127) >> 4 : 0;
  for (let p = start + 5, shift = 3; p < end; p++, shift += 7) high |= (bytes[p]! & 127) << shift;
  return high;
}

/** The value of `bytes[start, end)`, from 0 to 2^64 − 1. */
export function varintBigInt(bytes: Uint8Array, start: number, end: number): bigint {
  return (BigInt(varintHigh(bytes, start, end) >>> 0) << 32n) | BigInt(varintLow(bytes, start, end) >>> 0);
}

/** Bytes of the shortest varint of a 64-bit value given by its halves: 1 to 10. */
export function varintWidth(low: number, high: number): number {
  const bits = high === 0 ? 32 - Math.clz32(low) : 64 - Math.clz32(high);
  return bits === 0 ? 1 : Math.ceil(bits / 7);
}

/**
 * Writes the shortest varint of a 64-bit value, given by its halves, into `bytes` at `at`. Returns the offset after it.
 */
export function setVarint(bytes: Uint8Array, at: number, low: number, high = 0): number {
  let p = at;
  let lo = low;
  let hi = high;
  while (hi !== 0 || lo < 0 || lo > 127) {
    bytes[p++] = (lo & 127) | 128;
    lo = (lo >>> 7) | (hi << 25);
    hi >>>= 7;
  }
  bytes[p++] = lo;
  return p;
}

/** −1, 1, −2, 2 … are written as 1, 2, 3, 4 …: sint32, sint64, ZLong. */
export const unzigzag32 = (low: number): number => (low >>> 1) ^ -(low & 1);
export const unzigzag64 = (value: bigint): bigint => (value >> 1n) ^ -(value & 1n);
