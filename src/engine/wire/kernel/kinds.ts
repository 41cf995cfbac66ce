/**
 * A cache of kinds of rows, which the host numbers. A new entry replaces an entry with the same hash. A kind is
 * returned in the upper 16 bits of a word.
 */
import { KIND_CACHE, KIND_CACHE_BITS } from '../kernel-memory.ts';
import * as host from './host.ts';

/** Set in a kind that does not contain its field: the host stores the field with the row. */
export const RARE: u32 = 1;
/** Marks cache entries of `kindWith`. No field index is this large. */
const OF_A_KIND: u32 = 0x40000000;

function placeOf(a: u32, b: u32): usize {
  const hash = (a ^ (b * 0x85ebca6b)) * 0x9e3779b1;
  return KIND_CACHE + ((hash >>> (32 - KIND_CACHE_BITS)) << 4);
}

/** @param word header + flags · 65536 */
export function kindOf(field: i32, word: u32, annotation: u32): u32 {
  const place = placeOf(field, word);
  // 0 marks an empty entry: kind 0 is used for messages only.
  const known = load<u32>(place, 8);
  if (known !== 0 && load<i32>(place) === field && load<u32>(place, 4) === word) return known;
  const kind = host.kind(field, word, annotation);
  if (kind > 0xffff) return (kind << 16) | RARE;
  store<i32>(place, field);
  store<u32>(place, word, 4);
  store<u32>(place, kind << 16, 8);
  return kind << 16;
}

/** The kind that equals `kind` with the bits of `word` set too. */
export function kindWith(kind: u32, word: u32): u32 {
  const place = placeOf(OF_A_KIND | (kind >>> 16), word);
  const known = load<u32>(place, 8);
  if (known !== 0 && load<u32>(place) === (OF_A_KIND | (kind >>> 16)) && load<u32>(place, 4) === word) return known;
  const changed = host.kindWith(kind >>> 16, word) << 16;
  store<u32>(place, OF_A_KIND | (kind >>> 16));
  store<u32>(place, word, 4);
  store<u32>(place, changed, 8);
  return changed;
}
