/**
 * How a UTF-8 text's native size differs: StreamOutput.writeString counts UTF-16 units in its length and writes each
 * unit alone in 1 to 3 bytes, so that a character beyond U+FFFF takes 6 bytes where UTF-8 takes 4.
 */
import { varintWidth } from './varint-width.ts';

export interface TextMeasure {
  /** Width of the VInt of the UTF-16 units minus the width of the varint of the bytes; ≤ 0. */
  lengthDelta: number;
  /** Bytes that the body takes beyond its UTF-8 bytes; ≥ 0. */
  bodyDelta: number;
  valid: boolean;
}

let wordsOf: ArrayBufferLike | undefined;
let words: Int32Array = new Int32Array(0);

/** True if bytes[p, end) is all ASCII; otherwise fills `into`. */
export function measureText(bytes: Uint8Array, p: number, end: number, into: TextMeasure): boolean {
  let at = p;
  if (end - at >= 16) {
    if (bytes.buffer !== wordsOf) {
      wordsOf = bytes.buffer;
      words = new Int32Array(wordsOf, 0, wordsOf.byteLength >> 2);
    }
    const shift = bytes.byteOffset;
    while (((at + shift) & 3) !== 0 && bytes[at]! < 128) at++;
    if (((at + shift) & 3) === 0) {
      let word = (at + shift) >> 2;
      const last = (end + shift) >> 2;
      while (word < last && (words[word]! & 0x80808080) === 0) word++;
      at = (word << 2) - shift;
    }
  }
  while (at < end && bytes[at]! < 128) at++;
  if (at >= end) return true;
  measureBeyondAscii(bytes, p, at, end, into);
  return false;
}

/** `at` is the first byte that is not ASCII. UTF-8 as Unicode 16.0 table 3-7 has it: no surrogates, no overlong forms. */
function measureBeyondAscii(bytes: Uint8Array, start: number, at: number, end: number, into: TextMeasure): void {
  let units = at - start;
  let astral = 0;
  into.valid = true;
  while (at < end) {
    const lead = bytes[at]!;
    if (lead < 0x80) {
      at++;
      units++;
      continue;
    }
    const size = sequenceSize(bytes, at, end);
    if (size === 0) {
      into.valid = false;
      into.lengthDelta = 0;
      into.bodyDelta = 0;
      return;
    }
    at += size;
    units += size === 4 ? 2 : 1;
    if (size === 4) astral++;
  }
  into.lengthDelta = varintWidth(units) - varintWidth(end - start);
  into.bodyDelta = astral * 2;
}

/** Bytes of the well-formed sequence at `at` that does not begin with ASCII; 0 if there is none. */
export function sequenceSize(bytes: Uint8Array, at: number, end: number): number {
  const lead = bytes[at]!;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (end - at < size) return 0;
  const second = bytes[at + 1]!;
  if ((second & 0xc0) !== 0x80) return 0;
  if (lead === 0xe0 && second < 0xa0) return 0;
  if (lead === 0xed && second > 0x9f) return 0;
  if (lead === 0xf0 && second < 0x90) return 0;
  if (lead === 0xf4 && second > 0x8f) return 0;
  for (let i = at + 2; i < at + size; i++) if ((bytes[i]! & 0xc0) !== 0x80) return 0;
  return size;
}
