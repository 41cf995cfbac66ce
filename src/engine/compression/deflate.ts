/**
 * DEFLATE (RFC 1951) → plain bytes. Least significant bit first:
 *
 *   block    last×1 │ kind×2 │ 0: to the next byte, length×2 ~length×2 bytes │ 1: fixed codes │ 2: codes, then as 1
 *   symbols  0–255 a byte │ 256 the block's end │ 257–285 a length, then a distance
 *
 * What comes out is borrowed: the next decoder writes over it.
 */
import { type DecodeFailure, decodeFailure } from './codec.ts';
import { scratch } from './scratch.ts';

const LENGTH_BASE = Uint16Array.of(
  ...[
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ],
);
const LENGTH_EXTRA = Uint8Array.of(
  ...[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0],
);
const DISTANCE_BASE = Uint16Array.of(
  ...[1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097],
  ...[6145, 8193, 12289, 16385, 24577],
);
const DISTANCE_EXTRA = Uint8Array.of(
  ...[0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13],
);
/** The order in which the lengths of the codes for code lengths come. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LONGEST_CODE = 15;
/** The longest match, and what copying it by fours writes behind it. */
const LONGEST_STEP = 258 + 3;
/** Zeros behind the input, so that reading ahead needs no check. */
const PADDING = 16;
/** The largest input that is kept. */
const LARGEST_KEPT = 4 * 1024 * 1024;

/** An entry beyond all symbols: no code begins so. */
const NO_CODE = 0xfff0;
/** The first entry that is no literal. */
const FIRST_OTHER = 256 << 4;

const REVERSED = Uint16Array.from({ length: 1 << LONGEST_CODE }, (_, code) => {
  let reversed = 0;
  for (let bit = 0; bit < LONGEST_CODE; bit++) reversed |= ((code >> bit) & 1) << (LONGEST_CODE - 1 - bit);
  return reversed;
});

/** By as many bits as its longest code takes: symbol << 4 | length of its code. */
interface Codes {
  readonly table: Uint16Array;
  mask: number;
}

const createCodes = (): Codes => ({ table: new Uint16Array(1 << LONGEST_CODE), mask: 0 });

const literals = createCodes();
const distances = createCodes();
const codeLengths = createCodes();
const fixedLiterals = createCodes();
const fixedDistances = createCodes();
const counts = new Uint16Array(LONGEST_CODE + 1);
const nextCode = new Uint16Array(LONGEST_CODE + 1);

/** @returns false if the lengths are of no code: too many of them, or too few where that is not allowed */
function setCodes(codes: Codes, lengths: Uint8Array, from: number, count: number, lone: boolean): boolean {
  counts.fill(0);
  for (let i = 0; i < count; i++) counts[lengths[from + i]!]!++;
  let longest = LONGEST_CODE;
  while (longest > 0 && counts[longest] === 0) longest--;
  let left = 1;
  let code = 0;
  counts[0] = 0;
  for (let bits = 1; bits <= longest; bits++) {
    left = left * 2 - counts[bits]!;
    if (left < 0) return false;
    code = (code + counts[bits - 1]!) << 1;
    nextCode[bits] = code;
  }
  if (left > 0 && (!lone || longest > 1)) return false;
  const { table } = codes;
  const size = 1 << longest;
  codes.mask = size - 1;
  if (left > 0) table.fill(NO_CODE, 0, size);
  for (let symbol = 0; symbol < count; symbol++) {
    const bits = lengths[from + symbol]!;
    if (bits === 0) continue;
    const entry = (symbol << 4) | bits;
    const step = 1 << bits;
    for (let at = REVERSED[nextCode[bits]!++]! >> (LONGEST_CODE - bits); at < size; at += step) table[at] = entry;
  }
  return true;
}

const lengths = new Uint8Array(320);
setCodes(fixedLiterals, lengths.fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280, 288), 0, 288, false);
setCodes(fixedDistances, lengths.fill(5, 0, 32), 0, 32, false);

export interface Inflated {
  readonly ok: true;
  readonly bytes: Uint8Array;
  /** Bytes read: what follows the last block is not looked at. */
  readonly consumed: number;
}

let keptInput: Uint8Array = new Uint8Array(64 * 1024);

type Bytes = Uint8Array<ArrayBuffer>;

const malformed = (): DecodeFailure => decodeFailure('malformed', 'not a deflate stream');
const truncated = (): DecodeFailure => decodeFailure('truncated', 'the deflate stream does not end');

function padded(bytes: Uint8Array): Uint8Array {
  const needed = bytes.length + PADDING;
  let input = keptInput;
  if (input.length < needed) {
    input = new Uint8Array(needed * 2);
    if (input.length <= LARGEST_KEPT) keptInput = input;
  }
  input.set(bytes);
  input.fill(0, bytes.length, needed);
  return input;
}

/** Room for `count` more bytes behind those written, as far as the limit allows. */
function larger(output: Bytes, written: number, count: number, limit: number): Bytes {
  const most = Math.max(written, limit + LONGEST_STEP + 1);
  const grown = scratch(Math.min(Math.max(output.length * 2, written + count), most));
  if (grown !== output) grown.set(output.subarray(0, written));
  return grown;
}

/** @param limit most bytes that may come out */
export function inflateRaw(bytes: Uint8Array, limit: number): Inflated | DecodeFailure {
  const input = padded(bytes);
  const end = bytes.length;
  let output = scratch(0);
  let view = new DataView(output.buffer);
  let written = 0;
  let at = 0;
  let hold = 0;
  let held = 0;

  for (let last = 0; last === 0; ) {
    while (held < 17) {
      hold |= input[at++]! << held;
      held += 8;
    }
    if (at - (held >> 3) > end) return truncated();
    last = hold & 1;
    const kind = (hold >> 1) & 3;
    hold >>>= 3;
    held -= 3;
    if (kind === 3) return malformed();
    if (kind === 0) {
      at -= held >> 3;
      hold = 0;
      held = 0;
      if (at + 4 > end) return truncated();
      const length = input[at]! | (input[at + 1]! << 8);
      if (length !== (~(input[at + 2]! | (input[at + 3]! << 8)) & 0xffff)) return malformed();
      at += 4;
      if (at + length > end) return truncated();
      if (written + length > limit) return decodeFailure('limit', `more than ${limit} bytes come out`);
      if (written + length > output.length) {
        output = larger(output, written, length, limit);
        view = new DataView(output.buffer);
      }
      output.set(input.subarray(at, at + length), written);
      at += length;
      written += length;
      continue;
    }
    let symbols = fixedLiterals;
    let places = fixedDistances;
    if (kind === 2) {
      symbols = literals;
      places = distances;
      const literalCount = (hold & 31) + 257;
      const distanceCount = ((hold >> 5) & 31) + 1;
      const lengthCount = ((hold >> 10) & 15) + 4;
      hold >>>= 14;
      held -= 14;
      if (literalCount > 286 || distanceCount > 30) return malformed();
      lengths.fill(0, 0, 19);
      for (let i = 0; i < lengthCount; i++) {
        if (held < 3) {
          hold |= input[at++]! << held;
          held += 8;
        }
        lengths[LENGTH_ORDER[i]!] = hold & 7;
        hold >>>= 3;
        held -= 3;
      }
      if (at - (held >> 3) > end) return truncated();
      if (!setCodes(codeLengths, lengths, 0, 19, false)) return malformed();
      const total = literalCount + distanceCount;
      for (let i = 0; i < total; ) {
        while (held < 17) {
          hold |= input[at++]! << held;
          held += 8;
        }
        if (at - (held >> 3) > end) return truncated();
        const entry = codeLengths.table[hold & codeLengths.mask]!;
        const bits = entry & 15;
        const symbol = entry >> 4;
        hold >>>= bits;
        held -= bits;
        if (symbol < 16) {
          lengths[i++] = symbol;
          continue;
        }
        const width = symbol === 16 ? 2 : symbol === 17 ? 3 : 7;
        const repeats = (hold & ((1 << width) - 1)) + (symbol === 18 ? 11 : 3);
        hold >>>= width;
        held -= width;
        if (i + repeats > total || (symbol === 16 && i === 0)) return malformed();
        lengths.fill(symbol === 16 ? lengths[i - 1]! : 0, i, i + repeats);
        i += repeats;
      }
      if (lengths[256] === 0) return malformed();
      if (!setCodes(literals, lengths, 0, literalCount, true)) return malformed();
      if (!setCodes(distances, lengths, literalCount, distanceCount, true)) return malformed();
    }
    const symbolTable = symbols.table;
    const symbolMask = symbols.mask;
    const placeTable = places.table;
    const placeMask = places.mask;
    let room = output.length - LONGEST_STEP;
    for (;;) {
      if (held < LONGEST_CODE) {
        hold |= (input[at]! | (input[at + 1]! << 8)) << held;
        at += 2;
        held += 16;
        if (at > end + 8) return truncated();
      }
      if (written >= room) {
        if (written > limit) return decodeFailure('limit', `more than ${limit} bytes come out`);
        output = larger(output, written, LONGEST_STEP, limit);
        view = new DataView(output.buffer);
        room = output.length - LONGEST_STEP;
      }
      const entry = symbolTable[hold & symbolMask]!;
      const bits = entry & 15;
      hold >>>= bits;
      held -= bits;
      if (entry < FIRST_OTHER) {
        output[written++] = entry >> 4;
        continue;
      }
      const symbol = entry >> 4;
      if (symbol === 256) break;
      if (symbol > 285) return malformed();
      if (held < LONGEST_CODE) {
        hold |= (input[at]! | (input[at + 1]! << 8)) << held;
        at += 2;
        held += 16;
      }
      const lengthExtra = LENGTH_EXTRA[symbol - 257]!;
      const length = LENGTH_BASE[symbol - 257]! + (hold & ((1 << lengthExtra) - 1));
      hold >>>= lengthExtra;
      held -= lengthExtra;
      if (held < LONGEST_CODE) {
        hold |= (input[at]! | (input[at + 1]! << 8)) << held;
        at += 2;
        held += 16;
      }
      const place = placeTable[hold & placeMask]!;
      const placeBits = place & 15;
      if (place >> 4 > 29) return malformed();
      hold >>>= placeBits;
      held -= placeBits;
      if (held < LONGEST_CODE) {
        hold |= (input[at]! | (input[at + 1]! << 8)) << held;
        at += 2;
        held += 16;
      }
      const placeExtra = DISTANCE_EXTRA[place >> 4]!;
      const distance = DISTANCE_BASE[place >> 4]! + (hold & ((1 << placeExtra) - 1));
      hold >>>= placeExtra;
      held -= placeExtra;
      if (distance > written) return malformed();
      const stop = written + length;
      let from = written - distance;
      if (distance >= 4) {
        for (; written < stop; written += 4, from += 4) view.setInt32(written, view.getInt32(from));
        written = stop;
      } else while (written < stop) output[written++] = output[from++]!;
    }
    if (at - (held >> 3) > end) return truncated();
  }
  if (written > limit) return decodeFailure('limit', `more than ${limit} bytes come out`);
  return { ok: true, bytes: output.subarray(0, written), consumed: at - (held >> 3) };
}
