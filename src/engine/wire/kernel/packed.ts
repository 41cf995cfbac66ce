/** Packed runs of varints, sixteen bytes a step: each element ends at a byte whose top bit is not set. */
import { INTEGER, WIDTHS } from '../cells.ts';
import { HISTOGRAM } from '../kernel-memory.ts';
import { count, judge } from './varints.ts';

/** Bits of ScanFlag, or flags, of the run that was read last; where its unreadable element begins. */
export let found: u32 = 0;
export let badElement: usize = 0;

/** Elements of a run, or −1 if one cannot be read, and then nothing of it is counted. `T` of one byte: for a row. */
export function packedVarints<T>(row: usize, start: usize, end: usize): i32 {
  const odd: u32 = load<u8>(row + INTEGER * 4 + 1);
  let elements = 0;
  let element = start;
  found = 0;
  if (sizeof<T>() !== 1) memory.fill(HISTOGRAM, 0, 96);
  for (let p = start; p < end; p += 16) {
    const bytes = v128.load(p);
    let stops: u32 = ~i8x16.bitmask(bytes) & 0xffff;
    if (end - p < 16) stops &= (1 << u32(end - p)) - 1;
    if (stops === 0xffff && element === p) {
      // Sixteen elements of one byte.
      if (sizeof<T>() !== 1) {
        const full: i32 = popcnt(i8x16.bitmask(i8x16.shl(bytes, 1)));
        store<i32>(HISTOGRAM + 8, load<i32>(HISTOGRAM + 8) + 16 - full);
        store<i32>(HISTOGRAM + 12, load<i32>(HISTOGRAM + 12) + full);
      }
      elements += 16;
      element = p + 16;
      continue;
    }
    while (stops !== 0) {
      const stop = p + ctz(stops);
      stops &= stops - 1;
      const last: u32 = load<u8>(stop);
      const width = u32(stop - element) + 1;
      if (width >= 10 && (width > 10 || last > 1)) return fail<T>(row, start, element);
      if (sizeof<T>() !== 1) {
        const cell = HISTOGRAM + (((width << 1) + (last >> 6)) << 2);
        store<i32>(cell, load<i32>(cell) + 1);
      }
      if (width >= odd || (last === 0 && width > 1)) {
        found |= sizeof<T>() === 1 ? judge(row, element, width) : count(row, element, width, 1);
      }
      element = stop + 1;
      elements++;
    }
  }
  if (element !== end) return fail<T>(row, start, element);
  if (sizeof<T>() !== 1) {
    for (let cell = 2; cell < 22; cell++) {
      const at = row + ((WIDTHS - 2 + cell) << 2);
      store<i32>(at, load<i32>(at) + load<i32>(HISTOGRAM + (cell << 2)));
    }
  }
  return elements;
}

/** Takes back what the elements before `bad` were counted as. */
function fail<T>(row: usize, start: usize, bad: usize): i32 {
  badElement = bad;
  if (sizeof<T>() === 1) return -1;
  const odd: u32 = load<u8>(row + INTEGER * 4 + 1);
  for (let p = start; p < bad; ) {
    let stop = p;
    while (load<u8>(stop) >= 128) stop++;
    const width = u32(stop - p) + 1;
    if (width >= odd || (load<u8>(stop) === 0 && width > 1)) count(row, p, width, -1);
    p = stop + 1;
  }
  return -1;
}
