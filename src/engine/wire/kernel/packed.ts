/**
 * Packed runs of varints, 64 bytes a step. Each element ends at a byte whose top bit is not set. An element is `width`
 * bytes wide if the previous element ended `width` bytes earlier, with no end between: one shift and one AND of all
 * ends.
 */
import { INTEGER, WIDTHS } from '../cells.ts';
import { HISTOGRAM } from '../kernel-memory.ts';
import { count, judge } from './varints.ts';

/** Bits of ScanFlag, or flags, of the last run that was read; and where its unreadable element begins. */
export let found: u32 = 0;
export let badElement: usize = 0;

/** Collects one bit of each byte of four vectors. */
function bitsOf(a: v128, b: v128, c: v128, d: v128): u64 {
  const low = u32(i8x16.bitmask(a)) | (u32(i8x16.bitmask(b)) << 16);
  const high = u32(i8x16.bitmask(c)) | (u32(i8x16.bitmask(d)) << 16);
  return u64(low) | (u64(high) << 32);
}

/**
 * Number of elements of a run; −1: one of them cannot be read, and then nothing of the run is counted. With a `T` of
 * one byte, nothing is counted in cells, because the run is annotated.
 */
export function packedVarints<T>(row: usize, start: usize, end: usize): i32 {
  const odd = (u32(load<u8>(row + INTEGER * 4 + 1)) + 1) >> 3;
  let elements = 0;
  // The first byte of the incomplete element.
  let element = start;
  // The ends in the previous 64 bytes. The run begins as if an element ended directly before it.
  let before: u64 = u64(1) << 63;
  found = 0;
  if (sizeof<T>() !== 1) memory.fill(HISTOGRAM, 0, 96);
  for (let p = start; p < end; p += 64) {
    const a = v128.load(p);
    const b = v128.load(p, 16);
    const c = v128.load(p, 32);
    const d = v128.load(p, 48);
    let stops = ~bitsOf(a, b, c, d);
    if (end - p < 64) stops &= (u64(1) << u64(end - p)) - 1;
    const none = i8x16.splat(0);
    const zeros = bitsOf(i8x16.eq(a, none), i8x16.eq(b, none), i8x16.eq(c, none), i8x16.eq(d, none));
    let full: u64 = 0;
    if (sizeof<T>() !== 1) full = bitsOf(i8x16.shl(a, 1), i8x16.shl(b, 1), i8x16.shl(c, 1), i8x16.shl(d, 1));

    let left = stops;
    let close: u64 = 0;
    let hits: u64 = 0;
    for (let width: u32 = 1; left !== 0 && width <= 10; width++) {
      hits = left & ((stops << u64(width)) | (before >> u64(64 - width)));
      if (sizeof<T>() !== 1) {
        const wide = i32(popcnt(hits & full));
        const cell = HISTOGRAM + (width << 3);
        store<i32>(cell, load<i32>(cell) + i32(popcnt(hits)) - wide);
        store<i32>(cell, load<i32>(cell, 4) + wide, 4);
      }
      close |= width >= odd ? hits : width > 1 ? hits & zeros : 0;
      left ^= hits;
      // The tenth byte may hold only one bit.
      if (width === 10) {
        for (; hits !== 0; hits &= hits - 1) if (load<u8>(p + usize(ctz(hits))) > 1) left |= hits;
      }
    }
    if (left !== 0) return fail<T>(row, start, element, firstBad(element));

    for (let rest = close; rest !== 0; rest &= rest - 1) {
      const stop = ctz(rest);
      const earlier = stops & ((u64(1) << stop) - 1);
      const first = earlier === 0 ? element : p + usize(64 - clz(earlier));
      const width = u32(p + usize(stop) - first) + 1;
      found |= sizeof<T>() === 1 ? judge(row, first, width) : count(row, first, width, 1);
    }
    elements += i32(popcnt(stops));
    if (stops !== 0) element = p + usize(64 - clz(stops));
    before = stops;
  }
  if (element !== end) return fail<T>(row, start, element, element);
  if (sizeof<T>() !== 1) {
    for (let cell = 2; cell < 22; cell++) {
      const at = row + ((WIDTHS - 2 + cell) << 2);
      store<i32>(at, load<i32>(at) + load<i32>(HISTOGRAM + (cell << 2)));
    }
  }
  return elements;
}

/**
 * The first element from `p` on that is wider than ten bytes or has more than 64 bits. The caller knows that there is
 * one.
 */
function firstBad(p: usize): usize {
  let first = p;
  for (;;) {
    let stop = first;
    while (load<u8>(stop) >= 128) stop++;
    const width = u32(stop - first) + 1;
    if (width > 10 || (width === 10 && load<u8>(stop) > 1)) break;
    first = stop + 1;
  }
  return first;
}

/** Subtracts the counts of the elements before `end`. */
function fail<T>(row: usize, start: usize, end: usize, bad: usize): i32 {
  badElement = bad;
  if (sizeof<T>() === 1) return -1;
  const odd = (u32(load<u8>(row + INTEGER * 4 + 1)) + 1) >> 3;
  for (let p = start; p < end; ) {
    let stop = p;
    while (load<u8>(stop) >= 128) stop++;
    const width = u32(stop - p) + 1;
    if (width >= odd || (load<u8>(stop) === 0 && width > 1)) count(row, p, width, -1);
    p = stop + 1;
  }
  return -1;
}
