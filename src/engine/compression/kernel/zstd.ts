/** The two loops of Zstandard that take most time: Huffman-coded literals, and sequences. See ../zstd.ts. */
import { COPY_BEFORE_START, LITERAL_CUT, MALFORMED, MORE_THAN_CLAIMED, TRUNCATED } from '../fault.ts';
import {
  FSE_DISTANCES,
  FSE_LITERALS,
  FSE_MATCHES,
  HUFFMAN,
  MATCH_CODES,
  RECENT,
  RUN_CODES,
  ZSTD_LITERALS,
} from '../kernel-memory.ts';
import { copyBack } from './room.ts';
import * as Tokens from './tokens.ts';

/** Maximum bits of five codes, plus one. */
const FIVE_CODES: u32 = 56;

/**
 * Number of bits below the end mark of a backward stream, which is the highest set bit of its last byte. 0: there is no
 * mark.
 */
function bitsBelowMark(start: usize, end: usize): u32 {
  const last: u32 = end > start ? load<u8>(end - 1) : 0;
  return last === 0 ? 0 : (u32(end - start) << 3) - 1 - (u32(clz(last)) - 24);
}

/** Decodes five symbols from the first `left` bits at `start`. Returns the number of remaining bits. */
function five(start: usize, left: u32, to: usize, width: u32, mask: u64): u32 {
  const at = left - FIVE_CODES;
  const hold = load<u64>(start + (at >> 3)) >> u64(at & 7);
  let shift = FIVE_CODES - width;
  let entry: u32 = load<u16>(usize(HUFFMAN) + (usize((hold >> u64(shift)) & mask) << 1));
  store<u8>(to, entry >> 4);
  shift -= entry & 15;
  entry = load<u16>(usize(HUFFMAN) + (usize((hold >> u64(shift)) & mask) << 1));
  store<u8>(to, entry >> 4, 1);
  shift -= entry & 15;
  entry = load<u16>(usize(HUFFMAN) + (usize((hold >> u64(shift)) & mask) << 1));
  store<u8>(to, entry >> 4, 2);
  shift -= entry & 15;
  entry = load<u16>(usize(HUFFMAN) + (usize((hold >> u64(shift)) & mask) << 1));
  store<u8>(to, entry >> 4, 3);
  shift -= entry & 15;
  entry = load<u16>(usize(HUFFMAN) + (usize((hold >> u64(shift)) & mask) << 1));
  store<u8>(to, entry >> 4, 4);
  shift -= entry & 15;
  return at + shift + width;
}

/** Decodes the symbols up to `stop`. Returns whether they use all bits. */
function finish(start: usize, bits: u32, begin: usize, stop: usize, width: u32): bool {
  const mask = (u64(1) << u64(width)) - 1;
  let to = begin;
  let left = i32(bits);
  while (to + 5 <= stop && left >= i32(FIVE_CODES)) {
    left = i32(five(start, u32(left), to, width, mask));
    to += 5;
  }
  for (; to < stop; to++) {
    const at = left - i32(width);
    // The last bit is followed by zeros.
    const held: u64 =
      at >= 0
        ? load<u64>(start + (u32(at) >> 3)) >> u64(at & 7)
        : left > 0
          ? (load<u64>(start) & ((u64(1) << u64(left)) - 1)) << u64(-at)
          : 0;
    const entry: u32 = load<u16>(usize(HUFFMAN) + (usize(held & mask) << 1));
    store<u8>(to, entry >> 4);
    left -= i32(entry & 15);
  }
  return left === 0;
}

/** Decodes `count` symbols of one stream into ZSTD_LITERALS. Returns 0, or a fault. */
export function huffman(start: usize, end: usize, width: u32, count: u32): i32 {
  const bits = bitsBelowMark(start, end);
  if (end === start || load<u8>(end - 1) === 0) return TRUNCATED;
  return finish(start, bits, ZSTD_LITERALS, usize(ZSTD_LITERALS) + usize(count), width) ? 0 : MALFORMED;
}

/**
 * The same for four consecutive streams, which end at `b`, `c`, `d` and `end`. Each has a quarter of the symbols, and
 * the last one has the rest.
 */
export function huffmanOfFour(a: usize, b: usize, c: usize, d: usize, end: usize, width: u32, count: u32): i32 {
  if (a === b || b === c || c === d || d === end) return TRUNCATED;
  if (load<u8>(b - 1) === 0 || load<u8>(c - 1) === 0 || load<u8>(d - 1) === 0 || load<u8>(end - 1) === 0) {
    return TRUNCATED;
  }
  const mask = (u64(1) << u64(width)) - 1;
  const quarter: usize = (count + 3) >> 2;
  let first = bitsBelowMark(a, b);
  let second = bitsBelowMark(b, c);
  let third = bitsBelowMark(c, d);
  let fourth = bitsBelowMark(d, end);
  let to: usize = ZSTD_LITERALS;
  const stop = usize(ZSTD_LITERALS) + usize(count) - 3 * quarter;
  while (to + 5 <= stop && first >= FIVE_CODES && second >= FIVE_CODES && third >= FIVE_CODES && fourth >= FIVE_CODES) {
    first = five(a, first, to, width, mask);
    second = five(b, second, to + quarter, width, mask);
    third = five(c, third, to + 2 * quarter, width, mask);
    fourth = five(d, fourth, to + 3 * quarter, width, mask);
    to += 5;
  }
  const isSound =
    finish(a, first, to, usize(ZSTD_LITERALS) + quarter, width) &&
    finish(b, second, to + quarter, usize(ZSTD_LITERALS) + 2 * quarter, width) &&
    finish(c, third, to + 2 * quarter, usize(ZSTD_LITERALS) + 3 * quarter, width) &&
    finish(d, fourth, to + 3 * quarter, usize(ZSTD_LITERALS) + usize(count), width);
  return isSound ? 0 : MALFORMED;
}

/** Number of literals that the sequences of the last block used. */
export let taken: u32 = 0;

/** Values up to three mean recent distances. @param index is one larger if the match follows no literals */
function recentDistance(index: u32): usize {
  const latest = load<u32>(RECENT);
  if (index === 0) return latest;
  const distance = index === 3 ? latest - 1 : load<u32>(usize(RECENT) + (usize(index) << 2));
  if (index > 1) store<u32>(RECENT, load<u32>(RECENT, 4), 8);
  store<u32>(RECENT, latest, 4);
  store<u32>(RECENT, distance);
  return distance;
}

function low(bits: u64, count: u32): u32 {
  return u32(bits & ((u64(1) << u64(count)) - 1));
}

/** Larger offsets are always before the start of the output, because there are fewer than 2³¹ plain bytes. */
const MOST_USEFUL_DISTANCE_CODE: u32 = 30;
/** Number of bits that an eight-byte read contains, from any bit of the first byte on. */
const HELD: u32 = 57;

/**
 * Decodes the sequences of a block from the bits of [start, end). Tables and recent distances must be set.
 * @param literals address of `count` literals @param begin address of the plain bytes, with room up to `stop`
 * @param floor lower bound of copy sources. Returns the number of plain bytes, or a fault. With a `T` of one byte, it
 * writes tokens.
 */
export function sequences<T>(
  start: usize,
  end: usize,
  number: u32,
  literalsAccuracy: u32,
  distanceAccuracy: u32,
  matchAccuracy: u32,
  literals: usize,
  count: u32,
  begin: usize,
  stop: usize,
  floor: usize,
): i32 {
  if (end === start || load<u8>(end - 1) === 0) return TRUNCATED;
  let left = i32(bitsBelowMark(start, end));
  left -= i32(literalsAccuracy + distanceAccuracy + matchAccuracy);
  if (left < 0) return TRUNCATED;
  const states = load<u64>(start + (left >> 3)) >> u64(left & 7);
  let matchState = low(states, matchAccuracy);
  let distanceState = low(states >> u64(matchAccuracy), distanceAccuracy);
  let literalsState = low(states >> u64(matchAccuracy + distanceAccuracy), literalsAccuracy);
  const lastLiteral = literals + count;
  const origin: usize = sizeof<T>() === 1 ? Tokens.origin : 0;
  let token: usize = sizeof<T>() === 1 ? Tokens.next : 0;
  let from = literals;
  let to = begin;
  for (let rest = number; rest > 0; rest--) {
    const distanceCell: u32 = load<u32>(usize(FSE_DISTANCES) + (usize(distanceState) << 2));
    const matchCell: u32 = load<u32>(usize(FSE_MATCHES) + (usize(matchState) << 2));
    const literalsCell: u32 = load<u32>(usize(FSE_LITERALS) + (usize(literalsState) << 2));
    const distanceCode = distanceCell & 255;
    const matchCode = usize(MATCH_CODES) + (usize(matchCell & 255) << 3);
    const runCode = usize(RUN_CODES) + (usize(literalsCell & 255) << 3);
    const matchExtra = load<u32>(matchCode, 4);
    const runExtra = load<u32>(runCode, 4);
    const extra = distanceCode + matchExtra + runExtra;
    if (distanceCode > MOST_USEFUL_DISTANCE_CODE) return COPY_BEFORE_START;
    left -= i32(extra);
    if (left < 0) return TRUNCATED;
    const held = load<u64>(start + (left >> 3)) >> u64(left & 7);
    const run: usize = load<u32>(runCode) + low(held, runExtra);
    const length: usize = load<u32>(matchCode) + low(held >> u64(runExtra), matchExtra);
    let place = low(held >> u64(runExtra + matchExtra), distanceCode);
    if (extra > HELD) {
      const above = left + i32(runExtra + matchExtra);
      place = low(load<u64>(start + (above >> 3)) >> u64(above & 7), distanceCode);
    }
    place |= u32(1) << distanceCode;
    let runBits = runExtra;
    let matchBits = distanceCode + matchExtra;
    // The bits of a state update belong to the sequence before it. There is no update after the last sequence.
    if (rest > 1) {
      const runUpdate = (literalsCell >> 8) & 255;
      const matchUpdate = (matchCell >> 8) & 255;
      const distanceUpdate = (distanceCell >> 8) & 255;
      runBits += runUpdate;
      matchBits += matchUpdate + distanceUpdate;
      left -= i32(runUpdate + matchUpdate + distanceUpdate);
      if (left < 0) return TRUNCATED;
      const updates = load<u64>(start + (left >> 3)) >> u64(left & 7);
      distanceState = (distanceCell >> 16) + low(updates, distanceUpdate);
      matchState = (matchCell >> 16) + low(updates >> u64(distanceUpdate), matchUpdate);
      literalsState = (literalsCell >> 16) + low(updates >> u64(distanceUpdate + matchUpdate), runUpdate);
    }
    let back: usize;
    if (place > 3) {
      back = usize(place - 3);
      store<u32>(RECENT, load<u32>(RECENT, 4), 8);
      store<u32>(RECENT, load<u32>(RECENT), 4);
      store<u32>(RECENT, u32(back));
    } else back = recentDistance(run === 0 ? place : place - 1);
    if (run > lastLiteral - from) return LITERAL_CUT;
    if (run + length > stop - to) return MORE_THAN_CLAIMED;
    v128.store(to, v128.load(from));
    if (run > 16) {
      const until = to + run;
      let next = to + 16;
      let source = from + 16;
      do {
        v128.store(next, v128.load(source));
        next += 16;
        source += 16;
      } while (next < until);
    }
    from += run;
    to += run;
    if (back === 0 || back > to - floor) return COPY_BEFORE_START;
    if (back >= 16 && length <= 16) v128.store(to, v128.load(to - back));
    else copyBack(to, back, length);
    if (sizeof<T>() === 1) {
      // Writes the literals before the match as a token. If there are no literals, the match overwrites that token and
      // has its bits.
      Tokens.write(token, to - origin, 0, runBits);
      token += usize(run !== 0) << 2;
      Tokens.write(token, to + length - origin, back, run !== 0 ? matchBits : matchBits + runBits);
      token += 4;
      if (token >= Tokens.FULL) token = Tokens.spillTo(token);
    }
    to += length;
  }
  if (left !== 0) return MALFORMED;
  if (sizeof<T>() === 1) {
    Tokens.stand(token);
    Tokens.spill();
  }
  taken = u32(from - literals);
  return i32(to - begin);
}
