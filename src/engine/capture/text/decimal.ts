/**
 * A printed list of numbers → bytes: `[10, 3, 102]` of JavaScript, Java (−128 to 127) and Python, `[10 3 102]` of Go.
 */
import { isSpace, latin1, textStart } from './ascii.ts';
import { oddCharacters } from './odd-characters.ts';
import type { DecodedText, Judgement, TextEncoding } from './text-encoding.ts';

export const decimal: TextEncoding = { id: 'decimal', label: 'List of numbers', sniff, read };

function sniff(head: Uint8Array): Judgement {
  const start = textStart(head);
  if (head[start] !== 0x5b) return { score: 0, reason: 'no list in brackets' };
  const text = latin1(head.subarray(start + 1, start + 4096));
  if (!/^\s*-?\d{1,3}(?:[\s,]+-?\d{1,3})*[\s,]*(?:\]|$)/.test(text))
    return { score: 0, reason: 'not a list of numbers' };
  // In [10, 20, 30] nothing tells decimal from hex; brackets are how programs print decimals.
  return { score: 0.97, reason: 'a list of numbers in brackets' };
}

function read(input: Uint8Array): DecodedText {
  const bytes = new Uint8Array((input.length + 1) >> 1);
  const odd = oddCharacters();
  let length = 0;
  for (let at = textStart(input); at < input.length; ) {
    const from = at;
    const negative = input[at] === 0x2d && isDigit(input[at + 1]);
    if (negative) at++;
    if (isDigit(input[at])) {
      let value = 0;
      while (isDigit(input[at])) value = Math.min(999, value * 10 + input[at++]! - 0x30);
      if (value > (negative ? 128 : 255))
        odd.add(input, from, 'capture/not-a-byte', 'A number from −128 to 255 expected, found one that starts with %');
      else bytes[length++] = negative ? 256 - value : value;
    } else {
      const byte = input[at]!;
      if (!isSpace(byte) && byte !== 0x2c && byte !== 0x5b && byte !== 0x5d) {
        odd.add(input, at, 'capture/odd-character', 'A number expected, found %');
      }
      at++;
    }
  }
  return { bytes: bytes.subarray(0, length), diagnostics: odd.diagnostics() };
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;
