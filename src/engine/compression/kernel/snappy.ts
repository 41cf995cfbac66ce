/**
 * A Snappy block, after its preamble → plain bytes. https://github.com/google/snappy, format_description.txt
 *
 *   literal  length−1 │ 00, above 59 in 1 to 4 further bytes │ bytes
 *   copy     back high×3, length−4×3 │ 01 │ back      length−1 │ 10 │ back×2      length−1 │ 11 │ back×4
 */
import {
  COPY_BEFORE_START,
  COPY_CUT,
  LITERAL_CUT,
  LITERAL_LENGTH_CUT,
  MORE_THAN_CLAIMED,
  NO_MEMORY,
} from '../fault.ts';
import { setConsumed } from './consumed.ts';
import { copyBack, makeRoom } from './room.ts';
import * as Tokens from './tokens.ts';

/**
 * @param start address of an element @param pause address from which on no further element is read
 * @param written plain bytes so far @param size plain bytes by the preamble. Returns the number of plain bytes, or a
 * fault. Sets `consumed`. With a `T` of one byte, it writes tokens.
 */
export function snappy<T>(start: usize, pause: usize, end: usize, output: usize, written: u32, size: u32): i32 {
  setConsumed(0);
  if (!makeRoom(output, size)) return NO_MEMORY;
  const full = output + size;
  let at = start;
  let to = output + written;
  const origin: usize = sizeof<T>() === 1 ? Tokens.origin : 0;
  let token: usize = sizeof<T>() === 1 ? Tokens.next : 0;
  while (at < pause) {
    const element = at;
    if (sizeof<T>() === 1) {
      setConsumed(u32(at - start));
      if (token >= Tokens.FULL) token = Tokens.spillTo(token);
    }
    const tag: u32 = load<u8>(at++);
    const kind = tag & 3;
    if (kind === 0) {
      let length: usize = (tag >> 2) + 1;
      if (length <= 16 && to + length <= full && at + length <= end) {
        v128.store(to, v128.load(at));
        at += length;
        to += length;
        if (sizeof<T>() === 1) {
          Tokens.write(token, to - origin, 0, 8);
          token += 4;
        }
        continue;
      }
      if (length > 60) {
        const width = length - 60;
        if (at + width > end) return LITERAL_LENGTH_CUT;
        length = (load<u32>(at) & (u32(0xffffffff) >> ((4 - u32(width)) << 3))) + 1;
        at += width;
        if (length === 0) return LITERAL_CUT;
      }
      if (length > end - at) return LITERAL_CUT;
      if (length > full - to) return MORE_THAN_CLAIMED;
      memory.copy(to, at, length);
      if (sizeof<T>() === 1) {
        Tokens.write(token, to + length - origin, 0, u32(at - element) << 3);
        token += 4;
      }
      at += length;
      to += length;
      continue;
    }
    let length: usize = (tag >> 2) + 1;
    let back: usize;
    if (kind === 2) {
      if (at + 2 > end) return COPY_CUT;
      back = load<u16>(at);
      at += 2;
    } else if (kind === 1) {
      if (at === end) return COPY_CUT;
      length = ((tag >> 2) & 7) + 4;
      back = usize(load<u8>(at)) | usize((tag >> 5) << 8);
      at++;
    } else {
      if (at + 4 > end) return COPY_CUT;
      back = load<u32>(at);
      at += 4;
    }
    if (back === 0 || back > to - output) return COPY_BEFORE_START;
    if (length > full - to) return MORE_THAN_CLAIMED;
    if (back >= 16 && length <= 16) v128.store(to, v128.load(to - back));
    else copyBack(to, back, length);
    to += length;
    if (sizeof<T>() === 1) {
      Tokens.write(token, to - origin, back, u32(at - element) << 3);
      token += 4;
    }
  }
  if (sizeof<T>() === 1) {
    Tokens.stand(token);
    Tokens.spill();
  }
  setConsumed(u32(at - start));
  return i32(to - output);
}
