/**
 * Checks whether strings are UTF-8, and measures how their native size differs. StreamOutput.writeString counts UTF-16
 * units in its length and writes each unit alone in 1 to 3 bytes, so a character beyond U+FFFF takes 6 bytes where
 * UTF-8 takes 4.
 *
 *   00–7F · C2–DF xx · E0 A0–BF xx · E1–EC xx xx · ED 80–9F xx · EE–EF xx xx · F0 90–BF xx xx · F1–F3 xx xx xx · F4 80–8F xx xx
 *
 * (table 3-7 of the Unicode standard)
 */
import { widthOf } from './varints.ts';

/** The last measured string: change of its length prefix (≤ 0), and of its body (≥ 0). */
export let lengthDelta: i32 = 0;
export let bodyDelta: i32 = 0;

/** Address of the first byte of [start, end) that is not ASCII, or `end`. Reads up to fifteen bytes beyond `end`. */
export function asciiEnd(start: usize, end: usize): usize {
  for (let p = start; p < end; p += 16) {
    const beyond: u32 = i8x16.bitmask(v128.load(p));
    if (beyond !== 0) {
      const at = p + ctz(beyond);
      return at < end ? at : end;
    }
  }
  return end;
}

/** Measures a string whose first byte that is not ASCII is at `at`. Returns the first byte that is not UTF-8, or 0. */
export function measure(start: usize, at: usize, end: usize): usize {
  let units = u32(at - start);
  let astral = 0;
  lengthDelta = 0;
  bodyDelta = 0;
  for (let p = at; p < end; ) {
    const lead: u32 = load<u8>(p);
    if (lead < 0x80) {
      const next = asciiEnd(p, end);
      units += u32(next - p);
      p = next;
      continue;
    }
    if (lead < 0xc2 || lead > 0xf4) return p;
    const length: u32 = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (u32(end - p) < length) return p;
    const second: u32 = load<u8>(p + 1);
    const lowest: u32 = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const highest: u32 = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (second < lowest || second > highest) return p;
    if (length > 2 && (load<u8>(p + 2) & 0xc0) !== 0x80) return p;
    if (length > 3 && (load<u8>(p + 3) & 0xc0) !== 0x80) return p;
    p += length;
    units++;
    if (length === 4) {
      units++;
      astral++;
    }
  }
  lengthDelta = i32(widthOf(units)) - i32(widthOf(u64(end - start)));
  bodyDelta = astral * 2;
  return 0;
}
