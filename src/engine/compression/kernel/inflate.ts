/**
 * DEFLATE (RFC 1951) → plain bytes. Least significant bit first:
 *
 *   block    last×1 │ kind×2 │ 0: to the next byte, length×2 ~length×2 bytes │ 1: fixed codes │ 2: codes, then as 1
 *   symbols  0–255 a byte │ 256 the block's end │ 257–285 a length, then a distance
 *
 * Up to 63 bits are buffered. A length and its distance take at most 48 bits, and three literals take 45, so each step
 * fills the buffer once.
 */
import { LIMIT, MALFORMED, NO_MEMORY, PAUSED, TRUNCATED } from '../fault.ts';
import {
  CODE_LENGTHS,
  DISTANCE_BITS,
  DISTANCES,
  FIXED_DISTANCES,
  FIXED_LITERALS,
  LENGTH_CODES,
  LITERAL_BITS,
  LITERALS,
  OUTPUT_PADDING,
} from '../kernel-memory.ts';
import {
  DISTANCES_BACK,
  END,
  LENGTHS_OF_CODES,
  LINK,
  LITERALS_AND_LENGTHS,
  mainBits,
  makeTable,
  OTHER,
} from './codes.ts';
import { setConsumed } from './consumed.ts';
import * as host from './host.ts';
import { copyBack, makeRoom, roomEnd } from './room.ts';
import * as Tokens from './tokens.ts';

const FIXED_LITERAL_BITS: u32 = 9;
const FIXED_DISTANCE_BITS: u32 = 5;
const LENGTH_CODE_BITS: u32 = 7;

/** The order in which the lengths of the code length codes are stored. */
const LENGTH_ORDER = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

/** Whether the last call reached the end of a block that is marked as the last. */
export let finished: i32 = 0;

/** The fault that ended the last block; 0: no fault. */
let fault: i32 = 0;

let at: usize = 0;
let hold: u64 = 0;
let held: u32 = 0;

/** The end of the plain bytes so far; whether the current block is the last; whether its symbols are being read. */
let plainEnd: usize = 0;
let isLast: u32 = 0;
let isInside = false;
let blockLiterals: usize = 0;
let blockDistances: usize = 0;
/** The address of the plain bytes after which it pauses. */
let pause: usize = 0;

function mask64(bits: u32): u64 {
  return (u64(1) << bits) - 1;
}

function fillUp(): void {
  hold |= load<u64>(at) << held;
  at += (63 - held) >> 3;
  held |= 56;
}

function take(bits: u32): u32 {
  const value = u32(hold & mask64(bits));
  hold >>= bits;
  held -= bits;
  return value;
}

/** Address of the first byte of which no bit was consumed. */
function position(): usize {
  return at - (held >> 3);
}

/** Number of consumed bits, plus a constant. */
function bitPosition(): u32 {
  return (u32(at) << 3) - held;
}

let fixedMade = false;

function makeFixed(): void {
  if (fixedMade) return;
  fixedMade = true;
  memory.fill(CODE_LENGTHS, 8, 144);
  memory.fill(CODE_LENGTHS + 144, 9, 112);
  memory.fill(CODE_LENGTHS + 256, 7, 24);
  memory.fill(CODE_LENGTHS + 280, 8, 8);
  makeTable(FIXED_LITERALS, 0, 288, FIXED_LITERAL_BITS, LITERALS_AND_LENGTHS, false);
  memory.fill(CODE_LENGTHS, 5, 32);
  makeTable(FIXED_DISTANCES, 0, 32, FIXED_DISTANCE_BITS, DISTANCES_BACK, false);
}

let literalBits: u32 = 0;
let distanceBits: u32 = 0;

/** Reads the codes of a block of kind 2. Returns false if they are invalid. */
function readCodes(end: usize): bool {
  fillUp();
  const literals = take(5) + 257;
  const distances = take(5) + 1;
  const codes = take(4) + 4;
  if (literals > 286 || distances > 30) return false;
  memory.fill(CODE_LENGTHS, 0, 19);
  for (let i: u32 = 0; i < codes; i++) {
    if (held < 3) fillUp();
    store<u8>(usize(CODE_LENGTHS) + load<u8>(LENGTH_ORDER + i), u8(take(3)));
  }
  if (!makeTable(LENGTH_CODES, 0, 19, LENGTH_CODE_BITS, LENGTHS_OF_CODES, false)) return false;
  const lengthMask = mask64(mainBits);
  const total = literals + distances;
  for (let i: u32 = 0; i < total; ) {
    if (held < 14) fillUp();
    if (position() > end) return false;
    const entry = load<u32>(usize(LENGTH_CODES) + (usize(hold & lengthMask) << 2));
    take(entry & 255);
    const symbol = entry >> 16;
    if (symbol < 16) {
      store<u8>(CODE_LENGTHS + i, u8(symbol));
      i++;
      continue;
    }
    if (symbol === 16 && i === 0) return false;
    const length: u8 = symbol === 16 ? load<u8>(CODE_LENGTHS + i - 1) : 0;
    const repeats = symbol === 16 ? take(2) + 3 : symbol === 17 ? take(3) + 3 : take(7) + 11;
    if (i + repeats > total) return false;
    memory.fill(CODE_LENGTHS + i, length, repeats);
    i += repeats;
  }
  if (load<u8>(CODE_LENGTHS + 256) === 0) return false;
  // Distances come second, because making the first table keeps the lengths.
  if (!makeTable(LITERALS, 0, literals, LITERAL_BITS, LITERALS_AND_LENGTHS, true)) return false;
  literalBits = mainBits;
  if (!makeTable(DISTANCES, literals, distances, DISTANCE_BITS, DISTANCES_BACK, true)) return false;
  distanceBits = mainBits;
  return true;
}

/**
 * @param start address of the compressed bytes @param end their end, with zeros after it @param output address of the
 * plain bytes
 * @param limit maximum plain bytes @param slice plain bytes after which it returns PAUSED, give or take a match
 * Returns the number of plain bytes, or a fault. Sets `consumed`: bytes after the last block are not read. With a `T`
 * of one byte, it writes tokens and accepts blocks without a last one.
 */
export function inflate<T>(start: usize, end: usize, output: usize, limit: u32, slice: u32): i32 {
  at = start;
  hold = 0;
  held = 0;
  plainEnd = output;
  isLast = 0;
  isInside = false;
  finished = 0;
  return inflateOn<T>(start, end, output, limit, slice);
}

/** Continues after PAUSED. The memory and the other parameters must be the same. */
export function inflateOn<T>(start: usize, end: usize, output: usize, limit: u32, slice: u32): i32 {
  pause = slice < u32(output + limit - plainEnd) ? plainEnd + slice : usize.MAX_VALUE;
  const count = readBlocks<T>(start, end, output, limit);
  if (count === PAUSED) return PAUSED;
  if (sizeof<T>() === 1) Tokens.spill();
  const behind = position();
  setConsumed(u32((behind < end ? behind : end) - start));
  return count;
}

function readBlocks<T>(start: usize, end: usize, output: usize, limit: u32): i32 {
  const most = output + limit;
  if (plainEnd === output && !makeRoom(output, (end - start) << 1)) return NO_MEMORY;
  while (isInside || isLast === 0) {
    if (isInside) {
      plainEnd = readSymbols<T>(end, output, plainEnd, most);
      if (fault !== 0) return fault;
      isInside = false;
      continue;
    }
    if (plainEnd > pause) return PAUSED;
    fillUp();
    if (position() >= end) {
      if (sizeof<T>() === 1 && position() === end && (held & 7) === 0 && end > start) return i32(plainEnd - output);
      return TRUNCATED;
    }
    isLast = take(1);
    const kind = take(2);
    if (kind === 3) return MALFORMED;
    if (kind === 0) {
      const from = position();
      const padding = held & 7;
      hold = 0;
      held = 0;
      at = from;
      if (from + 4 > end) return TRUNCATED;
      const length: usize = load<u16>(from);
      if (length !== (~usize(load<u16>(from + 2)) & 0xffff)) return MALFORMED;
      at = from + 4;
      if (length > end - at) return TRUNCATED;
      if (length > most - plainEnd) return LIMIT;
      if (!makeRoom(output, plainEnd - output + length)) return NO_MEMORY;
      memory.copy(plainEnd, at, length);
      at += length;
      plainEnd += length;
      if (sizeof<T>() === 1) {
        Tokens.spill();
        host.block(kind, padding, u32(length));
        if (length > 0) Tokens.push(plainEnd, 0, 0);
      }
      continue;
    }
    blockLiterals = FIXED_LITERALS;
    blockDistances = FIXED_DISTANCES;
    let begin: u32 = 0;
    if (kind === 1) {
      makeFixed();
      literalBits = FIXED_LITERAL_BITS;
      distanceBits = FIXED_DISTANCE_BITS;
    } else {
      begin = bitPosition();
      if (!readCodes(end)) return position() > end ? TRUNCATED : MALFORMED;
      blockLiterals = LITERALS;
      blockDistances = DISTANCES;
    }
    if (sizeof<T>() === 1) {
      Tokens.spill();
      host.block(kind, kind === 2 ? bitPosition() - begin : 0, 0);
    }
    isInside = true;
  }
  if (position() > end) return TRUNCATED;
  finished = 1;
  if (sizeof<T>() === 1) host.padding(held & 7);
  return i32(plainEnd - output);
}

/** The address after which the symbols' loop stops to look: memory ends, the limit is reached, or a pause is due. */
function nextStop(most: usize): usize {
  let stop = roomEnd();
  if (stop > most) stop = most;
  return stop < pause ? stop : pause;
}

/** Reads the symbols of a block up to its end. Returns the end of the plain bytes; sets `fault`. */
function readSymbols<T>(end: usize, output: usize, begin: usize, most: usize): usize {
  const literals = blockLiterals;
  const distances = blockDistances;
  const literalMask = mask64(literalBits);
  const distanceMask = mask64(distanceBits);
  const mainLiteralBits = u64(literalBits);
  const mainDistanceBits = u64(distanceBits);
  const furthest = end + 8;
  let to = begin;
  let p = at;
  let bits = hold;
  let count = u64(held);
  let room = nextStop(most);
  fault = 0;
  // The place of the next token, the plain bytes in tokens so far, and the index bits that a code consumed.
  let token: usize = sizeof<T>() === 1 ? Tokens.next : 0;
  const origin: usize = sizeof<T>() === 1 ? Tokens.origin : 0;
  let taken: usize = to;
  let linked: u64 = 0;
  for (;;) {
    bits |= load<u64>(p) << count;
    p += usize((63 - count) >> 3);
    count |= 56;
    if (p > furthest) {
      fault = TRUNCATED;
      break;
    }
    if (to > room) {
      if (to > most) {
        fault = LIMIT;
        break;
      }
      if (to > pause) {
        fault = PAUSED;
        break;
      }
      if (!makeRoom(output, to - output + OUTPUT_PADDING)) {
        fault = NO_MEMORY;
        break;
      }
      room = nextStop(most);
    }
    let entry = load<u32>(literals + (usize(bits & literalMask) << 2));
    if (i32(entry) < 0) {
      store<u8>(to, entry >> 16);
      to++;
      bits >>= u64(entry & 255);
      count -= u64(entry & 255);
      entry = load<u32>(literals + (usize(bits & literalMask) << 2));
      if (i32(entry) < 0) {
        store<u8>(to, entry >> 16);
        to++;
        bits >>= u64(entry & 255);
        count -= u64(entry & 255);
        entry = load<u32>(literals + (usize(bits & literalMask) << 2));
        if (i32(entry) < 0) {
          store<u8>(to, entry >> 16);
          to++;
          bits >>= u64(entry & 255);
          count -= u64(entry & 255);
          continue;
        }
      }
      bits |= load<u64>(p) << count;
      p += usize((63 - count) >> 3);
      count |= 56;
    }
    if ((entry & OTHER) !== 0) {
      if ((entry & LINK) !== 0) {
        bits >>= mainLiteralBits;
        count -= mainLiteralBits;
        if (sizeof<T>() === 1) linked = mainLiteralBits;
        const lead = usize(bits & mask64((entry >> 8) & 15));
        entry = load<u32>(literals + ((usize(entry >> 16) + lead) << 2));
        if (i32(entry) < 0) {
          store<u8>(to, entry >> 16);
          to++;
          bits >>= u64(entry & 255);
          count -= u64(entry & 255);
          if (sizeof<T>() === 1) linked = 0;
          continue;
        }
      }
      if ((entry & END) !== 0) {
        bits >>= u64(entry & 255);
        count -= u64(entry & 255);
        if (sizeof<T>() === 1) host.endOfBlock((entry & 255) + u32(linked));
        break;
      }
      if ((entry & OTHER) !== 0) {
        fault = MALFORMED;
        break;
      }
    }
    const lengthTaken = u64(entry & 255);
    const length: usize = usize(entry >> 16) + usize((bits & ((u64(1) << lengthTaken) - 1)) >> u64((entry >> 8) & 15));
    bits >>= lengthTaken;
    count -= lengthTaken;
    entry = load<u32>(distances + (usize(bits & distanceMask) << 2));
    if ((entry & OTHER) !== 0) {
      if ((entry & LINK) !== 0) {
        bits >>= mainDistanceBits;
        count -= mainDistanceBits;
        if (sizeof<T>() === 1) linked += mainDistanceBits;
        const lead = usize(bits & mask64((entry >> 8) & 15));
        entry = load<u32>(distances + ((usize(entry >> 16) + lead) << 2));
      }
      if ((entry & OTHER) !== 0) {
        fault = MALFORMED;
        break;
      }
    }
    const backTaken = u64(entry & 255);
    const back: usize = usize(entry >> 16) + usize((bits & ((u64(1) << backTaken) - 1)) >> u64((entry >> 8) & 15));
    bits >>= backTaken;
    count -= backTaken;
    if (back > to - output) {
      fault = MALFORMED;
      break;
    }
    if (back >= 16 && length <= 16) v128.store(to, v128.load(to - back));
    else copyBack(to, back, length);
    if (sizeof<T>() === 1) {
      // Writes the literals before the match as a token. If there are no literals, the match overwrites that token.
      Tokens.write(token, to - origin, 0, 0);
      token += usize(to !== taken) << 2;
      taken = to + length;
      Tokens.write(token, taken - origin, back, u32(lengthTaken + backTaken + linked));
      token += 4;
      linked = 0;
      if (token >= Tokens.FULL) token = Tokens.spillTo(token);
    }
    to += length;
  }
  if (sizeof<T>() === 1) {
    Tokens.stand(token);
    if (to !== taken) Tokens.push(to, 0, 0);
  }
  at = p;
  hold = bits;
  held = u32(count);
  if (fault === MALFORMED && position() > end) fault = TRUNCATED;
  return to;
}
