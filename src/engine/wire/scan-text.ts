/**
 * How a UTF-8 text's native size differs: StreamOutput.writeString counts UTF-16 units in its length and writes each
 * unit alone in 1 to 3 bytes, so that a character beyond U+FFFF takes 6 bytes where UTF-8 takes 4.
 */
import { sequenceLength } from '../bytes/utf8.ts';
import { varintWidth } from '../bytes/varint.ts';

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

/** `at` is the first byte that is not ASCII. */
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
    const size = sequenceLength(bytes, at, end);
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
  into.lengthDelta = varintWidth(units, 0) - varintWidth(end - start, 0);
  into.bodyDelta = astral * 2;
}
