/**
 * A cache of tags of two or more bytes, by the table that they were looked up in. A new entry replaces an entry with
 * the same hash.
 */
import * as Cell from '../cells.ts';
import { ACTION_SHIFT, CHILD_SHIFT, MESSAGE, NOT_ENTERED } from '../entry.ts';
import { NO_ENTRY, TAG_CACHE, TAG_CACHE_BITS } from '../kernel-memory.ts';

function placeOf(table: usize, tag: u32): usize {
  const hash = (tag * 0x9e3779b1) ^ (u32(table) * 0x85ebca6b);
  return TAG_CACHE + ((hash >>> (32 - TAG_CACHE_BITS)) << 4);
}

/** Address of the entry of the tag, or NO_ENTRY. */
export function cached(table: usize, tag: u32): usize {
  const place = placeOf(table, tag);
  return load<u32>(place) === u32(table) && load<u32>(place, 4) === tag ? place + 8 : NO_ENTRY;
}

/** @param entry its lowest twelve bits */
export function cache(table: usize, tag: u32, row: u32, entry: u32): void {
  const place = placeOf(table, tag);
  store<u32>(place, u32(table));
  store<u32>(place, tag, 4);
  store<u32>(place, row, 8);
  const child = (entry & 15) === MESSAGE ? load<u32>(row, Cell.CHILD * 4) : 0;
  const block = (child & NOT_ENTERED) === 0 ? child >> 1 : 0;
  store<u32>(place, entry | (block << CHILD_SHIFT) | ((entry & 15) << ACTION_SHIFT), 12);
}
