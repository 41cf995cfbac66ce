/**
 * Text → filler with the same numbers of bytes, characters and UTF-16 units: each character becomes one of the same
 * length. Bytes that are not UTF-8 stay invalid and decode to the same number of replacement characters.
 */
import { sequenceLength } from '../bytes/utf8.ts';

/**
 * Characters of one to four bytes, from ten scripts, so that no real text is similar to all of them. The low three
 * bits of one-byte characters are 6 or 7, which are invalid wire types, so such text never reads as a message.
 */
const FILLERS = [
  'oø—\u{10102}',
  'nяあ\u{1f7e0}',
  'vع가\u{20000}',
  'wωก\u{1d11e}',
  '~שሀ\u{f0000}',
  '^ա中\u{100000}',
  '/ɐ龍\u{e0100}',
  '.ĸ豈\u{2a6d0}',
  'gݐ꒐\u{12000}',
  '\u0006߀ⵣ\u{1b001}',
].map((set) => Array.from(set, (character) => new TextEncoder().encode(character)).sort((a, b) => a.length - b.length));
/**
 * Ill-formed sequences of one to three bytes. Each decodes to one replacement character unless a continuation byte
 * follows.
 */
const ILL_FORMED = [0xff, 0xfe, 0xf7, 0xf6, 0xc6, 0xce, 0xcf, 0xd6, 0xd7, 0xde].map((lone, salt) => {
  const next = 0x80 + 4 * salt;
  return [[lone], [0xee + (salt % 2), next], [0xf1 + (salt % 3), next, next]] as const;
});

export const TEXT_SALTS = FILLERS.length;

export function fillText(bytes: Uint8Array, start: number, end: number, salt: number): void {
  const fillers = FILLERS[salt % FILLERS.length]!;
  const illFormed = ILL_FORMED[salt % ILL_FORMED.length]!;
  for (let p = start; p < end; ) {
    const length = sequenceLength(bytes, p, end);
    const filler = length > 0 ? fillers[length - 1]! : illFormed[illFormedLength(bytes, p, end) - 1]!;
    bytes.set(filler, p);
    p += filler.length;
  }
}

/**
 * Length of the longest beginning of a well-formed sequence, at least one byte. Decoders replace it by one character.
 */
function illFormedLength(bytes: Uint8Array, start: number, end: number): number {
  const lead = bytes[start]!;
  if (lead < 0xe0 || lead > 0xf4 || start + 1 >= end) return 1;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[start + 1]!;
  if (second < lowest || second > highest) return 1;
  return lead >= 0xf0 && start + 2 < end && (bytes[start + 2]! & 0xc0) === 0x80 ? 3 : 2;
}
