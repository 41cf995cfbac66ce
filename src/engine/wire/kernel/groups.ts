/** Skips a group of unknown number. It is one value with any content. */
import { makeRoom } from './stack.ts';

/** Bytes of the end tag of the last skipped group; 0: the group is not terminated. */
export let endTag: u32 = 0;

/** End of the varint at `p`, or 0. */
function varintEnd(p: usize, limit: usize): usize {
  for (let at = p; at < limit; at++) {
    const byte = load<u8>(at);
    if (byte < 128) return at - p === 9 && byte > 1 ? 0 : at + 1;
    if (at - p === 9) return 0;
  }
  return 0;
}

function numberAt(p: usize, end: usize): u64 {
  let value: u64 = 0;
  for (let at = p, shift: u64 = 0; at < end; at++, shift += 7) value |= u64(load<u8>(at) & 127) << shift;
  return value;
}

/**
 * Skips a group whose start tag ends at `start`, and returns where reading stopped. An unreadable record counts as
 * unread from its tag on. If a record is cut, its tag and length count as read. The stack holds the numbers of open
 * groups.
 */
export function skipGroup(start: usize, limit: usize, number: u32, stack: usize): usize {
  let top = stack;
  makeRoom(top);
  store<u32>(top, number);
  endTag = 0;
  let p = start;
  while (p < limit) {
    const tagEnd = varintEnd(p, limit);
    if (tagEnd === 0) return p;
    const tag = numberAt(p, tagEnd);
    const wireType = u32(tag) & 7;
    if (tag < 8 || tag > 0xffffffff || wireType > 5) return p;
    let next = tagEnd;
    if (wireType === 0) {
      next = varintEnd(tagEnd, limit);
      if (next === 0) return p;
    } else if (wireType === 2) {
      next = varintEnd(tagEnd, limit);
      if (next === 0) return p;
      const length = numberAt(tagEnd, next);
      if (length > u64(limit - next)) return next;
      next += usize(length);
    } else if (wireType === 3) {
      top += 4;
      makeRoom(top);
      store<u32>(top, u32(tag >> 3));
    } else if (wireType === 4) {
      if (load<u32>(top) !== u32(tag >> 3)) return p;
      if (top === stack) {
        endTag = u32(tagEnd - p);
        return tagEnd;
      }
      top -= 4;
    } else {
      const size: usize = wireType === 1 ? 8 : 4;
      if (limit - tagEnd < size) return p;
      next += size;
    }
    p = next;
  }
  return p;
}
