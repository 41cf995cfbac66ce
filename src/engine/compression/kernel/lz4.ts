/** A block of LZ4 → plain bytes. See ../lz4.ts for the format. */
import {
  COPY_BEFORE_START,
  COPY_CUT,
  COPY_LENGTH_CUT,
  LIMIT,
  LITERAL_CUT,
  LITERAL_LENGTH_CUT,
  MORE_THAN_CLAIMED,
  NO_LAST_LITERALS,
  NO_MEMORY,
} from '../fault.ts';
import { setConsumed } from './consumed.ts';
import { copyBack, makeRoom, roomEnd } from './room.ts';
import * as Tokens from './tokens.ts';

/** The value of a four-bit length that means: more bytes follow. */
const MORE: usize = 15;
const SHORTEST_MATCH: usize = 4;

/** Maximum bytes of a match that are copied in one call. */
const LONGEST_COPY: usize = 4 << 20;

/** The rest of a match that the next call copies: its bytes, for which there is room, and its distance. */
let left: usize = 0;
let leftBack: usize = 0;

/** Bits of the last token of the last block, if that token has no literals. */
export let endBits: u32 = 0;

/**
 * @param start address of a sequence @param pause address from which on no further sequence is read
 * @param floor lower bound of copy sources @param begin address of the plain bytes @param stop where the block must end
 * @param most where the plain bytes must end. Returns the number of plain bytes, or a fault. Sets `consumed`: less than
 * the block if it paused; also within a long match, whose rest the next call copies first. With a `T` of one byte, it
 * writes tokens.
 */
export function lz4<T>(
  start: usize,
  pause: usize,
  end: usize,
  floor: usize,
  begin: usize,
  stop: usize,
  most: usize,
): i32 {
  const origin: usize = sizeof<T>() === 1 ? Tokens.origin : 0;
  let token: usize = sizeof<T>() === 1 ? Tokens.next : 0;
  let to = begin;
  let p = start;
  endBits = 0;
  if (!makeRoom(begin, (pause - start) << 1)) {
    left = 0;
    return NO_MEMORY;
  }
  let full = farthest(stop, most);
  if (left > 0) {
    to += copyOn(to);
    setConsumed(0);
    if (left > 0) return i32(to - begin);
  }
  while (p < pause) {
    setConsumed(u32(p - start));
    const first = p;
    const lengths: usize = load<u8>(p++);
    let run = lengths >> 4;
    if (run === MORE) {
      for (let more: usize = 255; more === 255; run += more) {
        if (p >= end) return LITERAL_LENGTH_CUT;
        more = load<u8>(p++);
      }
    }
    const runBits = 4 + (u32(p - first - 1) << 3);
    if (run > end - p) return LITERAL_CUT;
    if (to + run > full) {
      const fault = moreRoom(to, run, begin, stop, most);
      if (fault !== 0) return fault;
      full = farthest(stop, most);
    }
    v128.store(to, v128.load(p));
    if (run > 16) memory.copy(to + 16, p + 16, run - 16);
    to += run;
    p += run;
    if (sizeof<T>() === 1) {
      if (token >= Tokens.FULL) token = Tokens.spillTo(token);
      Tokens.write(token, to - origin, 0, runBits);
      token += usize(run !== 0) << 2;
    }
    if (p === end) {
      // The last token has no match, so its literals have all its bits.
      if (sizeof<T>() === 1) {
        if (run > 0) Tokens.write(token - 4, to - origin, 0, runBits + 4);
        else endBits = runBits + 4;
        Tokens.stand(token);
        Tokens.spill();
      }
      setConsumed(u32(p - start));
      return i32(to - begin);
    }
    const behind = p;
    if (p + 2 > end) return COPY_CUT;
    const back: usize = load<u16>(p);
    p += 2;
    let length = (lengths & 15) + SHORTEST_MATCH;
    if ((lengths & 15) === MORE) {
      for (let more: usize = 255; more === 255; length += more) {
        if (p >= end) return COPY_LENGTH_CUT;
        more = load<u8>(p++);
      }
    }
    if (back === 0 || back > to - floor) return COPY_BEFORE_START;
    if (to + length > full) {
      const fault = moreRoom(to, length, begin, stop, most);
      if (fault !== 0) return fault;
      full = farthest(stop, most);
    }
    if (sizeof<T>() === 1) {
      const bits = 4 + (u32(p - behind) << 3);
      Tokens.write(token, to + length - origin, back, run > 0 ? bits : bits + runBits);
      token += 4;
    }
    if (length > LONGEST_COPY && p < end) {
      left = length;
      leftBack = back;
      to += copyOn(to);
      break;
    }
    if (back >= 16 && length <= 16) v128.store(to, v128.load(to - back));
    else copyBack(to, back, length);
    to += length;
  }
  setConsumed(u32(p - start));
  if (p === end) return NO_LAST_LITERALS;
  if (sizeof<T>() === 1) Tokens.stand(token);
  return i32(to - begin);
}

/** Copies a part of the match that is left. Returns its bytes. */
function copyOn(to: usize): usize {
  const count = left < LONGEST_COPY ? left : LONGEST_COPY;
  copyBack(to, leftBack, count);
  left -= count;
  return count;
}

/** The address up to which may be written without a check. */
function farthest(stop: usize, most: usize): usize {
  let least = roomEnd();
  if (stop < least) least = stop;
  if (most < least) least = most;
  return least;
}

/** Makes room for `count` further bytes. Returns a fault, or 0. */
function moreRoom(to: usize, count: usize, begin: usize, stop: usize, most: usize): i32 {
  if (count > stop - to) return MORE_THAN_CLAIMED;
  if (count > most - to) return LIMIT;
  return makeRoom(begin, to - begin + count) ? 0 : NO_MEMORY;
}
