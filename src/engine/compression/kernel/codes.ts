/**
 * The lengths of codes → a table for decoding. The first bits are an index into the main table. For longer codes, the
 * entry there refers to a further table, and the following bits are an index into that table.
 *
 *   entry   value×16 │ 0 LINK END NONE │ length of the code×4 │ bits taken in all×8       LITERAL is the top bit
 *
 * The value is a literal, or the base of a length or a distance. Extra bits are the consumed bits beyond the code. In a
 * LINK, the value is the first entry of the other table, and the length is the number of its index bits.
 */
import { CODE_LENGTHS, COUNTS, PLACES, SYMBOLS } from '../kernel-memory.ts';

export const LITERAL: u32 = 0x80000000;
export const LINK: u32 = 0x4000;
export const END: u32 = 0x2000;
/** No code begins with these bits. */
export const NONE: u32 = 0x1000;
/** Entries other than literals, lengths and distances. */
export const OTHER: u32 = LINK | END | NONE;

/** The kinds of symbols. */
export const LENGTHS_OF_CODES: u32 = 0;
export const LITERALS_AND_LENGTHS: u32 = 1;
export const DISTANCES_BACK: u32 = 2;

const LONGEST: u32 = 15;

/** Number of index bits of the last main table. */
export let mainBits: u32 = 0;

/** The entry of a symbol, without the length of its code. */
function meaning(symbol: u32, kind: u32): u32 {
  if (kind === LENGTHS_OF_CODES) return symbol << 16;
  if (kind === DISTANCES_BACK) {
    if (symbol > 29) return NONE;
    if (symbol < 4) return (symbol + 1) << 16;
    const extra = (symbol >> 1) - 1;
    return ((((2 + (symbol & 1)) << extra) + 1) << 16) | extra;
  }
  if (symbol < 256) return LITERAL | (symbol << 16);
  if (symbol === 256) return END;
  if (symbol > 285) return NONE;
  const place = symbol - 257;
  if (place < 8) return (place + 3) << 16;
  if (symbol === 285) return 258 << 16;
  const extra = (place >> 2) - 1;
  return ((((4 + (place & 3)) << extra) + 3) << 16) | extra;
}

/** The code with its bits in reverse order. */
function reversed(code: u32, length: u32): u32 {
  let bits = ((code & 0x5555) << 1) | ((code >> 1) & 0x5555);
  bits = ((bits & 0x3333) << 2) | ((bits >> 2) & 0x3333);
  bits = ((bits & 0x0f0f) << 4) | ((bits >> 4) & 0x0f0f);
  bits = ((bits & 0x00ff) << 8) | (bits >> 8);
  return bits >> (16 - length);
}

/**
 * Fills `table` for the `count` lengths at CODE_LENGTHS + `from`.
 * @param most maximum index bits of the main table @param lone whether a single code of one bit, or no code, is valid.
 * Returns false if the lengths do not form a code: too many or too few.
 */
export function makeTable(table: usize, from: u32, count: u32, most: u32, kind: u32, lone: bool): bool {
  memory.fill(COUNTS, 0, (LONGEST + 1) << 2);
  const lengths = usize(CODE_LENGTHS + from);
  for (let symbol: u32 = 0; symbol < count; symbol++) {
    const cell = usize(COUNTS) + (usize(load<u8>(lengths + symbol)) << 2);
    store<u32>(cell, load<u32>(cell) + 1);
  }
  let longest = LONGEST;
  while (longest > 0 && load<u32>(COUNTS + (longest << 2)) === 0) longest--;
  let left = 1;
  let place: u32 = 0;
  for (let bits: u32 = 1; bits <= longest; bits++) {
    const codes = load<u32>(COUNTS + (bits << 2));
    left = left * 2 - i32(codes);
    if (left < 0) return false;
    store<u32>(PLACES + (bits << 2), place);
    place += codes;
  }
  mainBits = longest < most ? longest : most;
  if (left > 0) {
    if (!lone || longest > 1) return false;
    mainBits = 1;
    store<u32>(table, NONE);
    store<u32>(table + 4, NONE);
  }
  for (let symbol: u32 = 0; symbol < count; symbol++) {
    const bits: u32 = load<u8>(lengths + symbol);
    if (bits === 0) continue;
    const cell = usize(PLACES + (bits << 2));
    const at = load<u32>(cell);
    store<u32>(cell, at + 1);
    store<u16>(SYMBOLS + (at << 1), u16(symbol));
  }
  const linkBits = longest - mainBits;
  const mask = (u32(1) << mainBits) - 1;
  let next = table + ((usize(1) << mainBits) << 2);
  let linked: u32 = 0xffffffff;
  let code: u32 = 0;
  let at: u32 = 0;
  for (let bits: u32 = 1; bits <= longest; bits++) {
    code <<= 1;
    if (bits <= mainBits) {
      // An entry is repeated for all values of the bits that follow its code.
      const half = (usize(1) << (bits - 1)) << 2;
      memory.copy(table + half, table, half);
    }
    for (let codes = load<u32>(COUNTS + (bits << 2)); codes > 0; codes--, at++, code++) {
      const meant = meaning(load<u16>(SYMBOLS + (at << 1)), kind);
      const turned = reversed(code, bits);
      if (bits <= mainBits) {
        store<u32>(table + (turned << 2), (meant + bits) | (bits << 8));
        continue;
      }
      const first = turned & mask;
      if (first !== linked) {
        linked = first;
        store<u32>(table + (first << 2), (u32((next - table) >> 2) << 16) | LINK | (linkBits << 8) | mainBits);
        next += (usize(1) << linkBits) << 2;
      }
      const own = bits - mainBits;
      const entry = (meant + own) | (own << 8);
      const step = (usize(1) << own) << 2;
      const begin = next - ((usize(1) << linkBits) << 2);
      for (let cell = begin + ((turned >> mainBits) << 2); cell < next; cell += step) store<u32>(cell, entry);
    }
  }
  return true;
}
