/** Varints, and whether they have the shortest form of their values. */

import { DEFAULT, NEGATIVE, OVERLONG } from '../../model/row-flags.ts';
import { OVERLONG as CELL_OVERLONG, INTEGER, NEGATIVES } from '../cells.ts';
import { BOOLEAN, SIGNED32, SIGNED64, UNSIGNED32 } from '../entry.ts';
import { IRREGULAR } from '../scan-flags.ts';

/** Bytes of the shortest varint of a value: 1 to 10. */
export function widthOf(value: u64): u32 {
  const bits = 64 - u32(clz(value | 1));
  // Seven bits a byte. For up to 64 bits, · 37 / 256 divides by 7.
  return ((bits + 6) * 37) >> 8;
}

/** The top bit of each of eight bytes. It is set in all bytes of a varint except the last one. */
export const TOP_BITS: u64 = (u64(0x80808080) << 32) | 0x80808080;

/** Width of the varint at `p`; 0: it cannot be read. May look at bytes beyond the limit. */
export function varintWidth(p: usize, limit: usize): u32 {
  const word = load<u64>(p);
  const stop = ~word & TOP_BITS;
  let width: u32 = u32(ctz(stop) >> 3) + 1;
  if (stop === 0) {
    width = load<u8>(p + 8) < 128 ? 9 : 10;
    if (width === 10 && load<u8>(p + 9) > 1) return 0;
  }
  return width > u32(limit - p) ? 0 : width;
}

/** The end of the bytes that were read of an unreadable varint: ten bytes at most. */
export function behindVarint(p: usize, limit: usize): usize {
  return limit - p < 10 ? limit : p + 10;
}

/** The same 32 bits twice. */
function twice(bits: u32): u64 {
  return (u64(bits) << 32) | bits;
}

/** The value of a varint of `width` bytes. It joins groups of seven bits in pairs. Reads ten bytes. */
export function valueAt(p: usize, width: u32): u64 {
  let word = load<u64>(p);
  if (width < 8) word &= (u64(1) << (width << 3)) - 1;
  word = (word & twice(0x007f007f)) | ((word & twice(0x7f007f00)) >> 1);
  word = (word & twice(0x00003fff)) | ((word & twice(0x3fff0000)) >> 2);
  word = (word & 0x0fffffff) | ((word >> 4) & 0xfffffff0000000);
  if (width > 8) word |= u64(load<u8>(p + 8) & 127) << 56;
  if (width > 9) word |= u64(load<u8>(p + 9)) << 63;
  return word;
}

/**
 * The varint that protobuf would write for the value as a reader of the type sees it: cut to 32 bits, or to one bit.
 */
function canonical(value: u64, kind: u32): u64 {
  if (kind === SIGNED32) return u64(i64(i32(value)));
  if (kind === UNSIGNED32) return u64(u32(value));
  if (kind === BOOLEAN) return u64(value !== 0);
  return value;
}

/** Enters a varint that ends in 0 or is unusually wide for its type, `sign` times. Returns bits of ScanFlag. */
export function count(row: usize, p: usize, width: u32, sign: i32): i32 {
  const kind = load<u8>(row + INTEGER * 4);
  const value = valueAt(p, width);
  const proper = canonical(value, kind);
  const shortest = widthOf(proper);
  if (shortest < width) add(row, CELL_OVERLONG, i32(width - shortest) * sign);
  if (value !== proper) return IRREGULAR;
  if (i64(value) < 0 && (kind === SIGNED32 || kind === SIGNED64)) {
    add(row, NEGATIVES - 1 + widthOf((~value << 1) | 1), sign);
  }
  return shortest < width ? IRREGULAR : 0;
}

/** The flags of a row with the same varint: OVERLONG, NEGATIVE, and DEFAULT if its value is 0. */
export function judge(row: usize, p: usize, width: u32): u32 {
  const kind = load<u8>(row + INTEGER * 4);
  // The 64th bit is in the tenth byte, so there is no shorter form.
  if (kind === SIGNED64 && width === 10 && load<u8>(p + 9) === 1) return NEGATIVE;
  const proper = canonical(valueAt(p, width), kind);
  const isNegative = width === 10 && i64(proper) < 0 && (kind === SIGNED32 || kind === SIGNED64);
  return (width > widthOf(proper) ? OVERLONG : 0) | (isNegative ? NEGATIVE : 0) | (proper === 0 ? DEFAULT : 0);
}

/** Adds to an accumulator. */
export function add(row: usize, cell: u32, amount: i32): void {
  const at = row + (cell << 2);
  store<i32>(at, load<i32>(at) + amount);
}
