/**
 * HPACK's Huffman-coded strings (RFC 7541 §5.2) → their octets. Only the lengths of the codes (appendix B) are stored.
 * The code is canonical, so the codes follow from them.
 */
import { type Decode, decodeFailure, limitFailure } from './codec.ts';

const LONGEST_CODE = 30;
const SHORTEST_CODE = 5;
const END_OF_STRING = 256;

/** Bits of the code of each octet, and of the end of string (256). */
// biome-ignore format: sixteen octets a line, as hex digits go
export const HUFFMAN_LENGTHS: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
  28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
  5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
  15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
  6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
  24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
  21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
  19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
  26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
  30,
];

/**
 * Codes of one length are consecutive and increase with the symbol. By length: its first code, that code's place among
 * the symbols, and the number of codes.
 */
const { FIRST_CODE, FIRST_PLACE, COUNT, SYMBOLS } = (() => {
  const symbols = HUFFMAN_LENGTHS.map((length, symbol) => ({ length, symbol })).sort(
    (a, b) => a.length - b.length || a.symbol - b.symbol,
  );
  const firstCode: number[] = [];
  const firstPlace: number[] = [];
  const count: number[] = [];
  let code = 0;
  let place = 0;
  for (let length = 0; length <= LONGEST_CODE; length++) {
    code *= 2;
    firstCode.push(code);
    firstPlace.push(place);
    const ofLength = symbols.filter((row) => row.length === length).length;
    count.push(ofLength);
    code += ofLength;
    place += ofLength;
  }
  return {
    FIRST_CODE: firstCode,
    FIRST_PLACE: firstPlace,
    COUNT: count,
    SYMBOLS: symbols.map((row) => row.symbol),
  };
})();

/** null: invalid code, or padding that is not a prefix of the EOS code. */
export function decodeHuffman(octets: Uint8Array): Uint8Array | null {
  const plain = new Uint8Array(Math.floor((octets.length * 8) / SHORTEST_CODE));
  let size = 0;
  let code = 0;
  let length = 0;
  for (const octet of octets) {
    for (let bit = 7; bit >= 0; bit--) {
      code = code * 2 + ((octet >> bit) & 1);
      length++;
      const place = code - FIRST_CODE[length]!;
      if (place < COUNT[length]!) {
        const symbol = SYMBOLS[FIRST_PLACE[length]! + place]!;
        if (symbol === END_OF_STRING) return null;
        plain[size++] = symbol;
        code = 0;
        length = 0;
      } else if (length === LONGEST_CODE) return null;
    }
  }
  return length < 8 && code === 2 ** length - 1 ? plain.subarray(0, size) : null;
}

export const decodeHpackHuffman: Decode = (bytes, limit) => {
  const plain = decodeHuffman(bytes);
  if (plain === null) return decodeFailure('malformed', 'no such Huffman code');
  return plain.length > limit ? limitFailure(limit) : { ok: true, bytes: plain };
};

/** Bits that the characters [from, to) of a text take. Each character is an octet. */
export function huffmanBits(text: string, from: number, to: number): number {
  let bits = 0;
  for (let at = from; at < to; at++) bits += HUFFMAN_LENGTHS[text.charCodeAt(at)]!;
  return bits;
}
