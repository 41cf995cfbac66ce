/** Tags of two bytes and more that were used before, by the table they were looked up in: what hashes alike replaces. */
import { TAG_CACHE, TAG_CACHE_BITS } from '../kernel-memory.ts';

function placeOf(table: usize, tag: u32): usize {
  const hash = (tag * 0x9e3779b1) ^ (u32(table) * 0x85ebca6b);
  return TAG_CACHE + ((hash >>> (32 - TAG_CACHE_BITS)) << 4);
}

/** Its entry; 0: it is not there. */
export function cached(table: usize, tag: u32): u32 {
  const place = placeOf(table, tag);
  return load<u32>(place) === u32(table) && load<u32>(place, 4) === tag ? load<u32>(place, 8) : 0;
}

export function cache(table: usize, tag: u32, entry: u32): void {
  const place = placeOf(table, tag);
  store<u32>(place, u32(table));
  store<u32>(place, tag, 4);
  store<u32>(place, entry, 8);
}
