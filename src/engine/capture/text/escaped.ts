/**
 * A string literal → bytes: letters stand for themselves, escapes for the rest, as C, Go, Python and protobuf's
 * text format print bytes. Quotes around it, and between pieces, are dropped.
 *
 *   "\n\003foo"   b'\x0a\x03foo'   \012\003foo
 */
import { HEX_DIGIT, isQuote, isSpace, textKind, textStart } from './ascii.ts';
import { oddCharacters } from './odd-characters.ts';
import type { DecodedText, Judgement, TextEncoding } from './text-encoding.ts';

const BACKSLASH = 0x5c;
const SIMPLE: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  e: 27,
  '"': 0x22,
  "'": 0x27,
  '`': 0x60,
  '?': 0x3f,
  '\\': BACKSLASH,
};

export const escaped: TextEncoding = { id: 'escaped', label: 'Escaped text', sniff, read };

function sniff(head: Uint8Array): Judgement {
  if (textKind(head) === 'none') return { score: 0, reason: 'not text' };
  let escapes = 0;
  for (let at = head.indexOf(BACKSLASH); at >= 0; at = head.indexOf(BACKSLASH, at + 2)) {
    const next = head[at + 1]!;
    if (next === 0x78 && HEX_DIGIT[head[at + 2]!]! >= 0) escapes++;
    else if (next >= 0x30 && next <= 0x37) escapes++;
  }
  if (escapes === 0) return { score: 0, reason: 'no \\x or octal escapes' };
  const start = textStart(head);
  const literal =
    head[start] === BACKSLASH || isQuote(head[start]!) || (head[start] === 0x62 && isQuote(head[start + 1]!));
  return literal
    ? { score: 0.85, reason: 'a string literal with escapes' }
    : { score: 0.5, reason: 'text with escapes in it' };
}

function read(input: Uint8Array): DecodedText {
  const bytes = new Uint8Array(input.length);
  const odd = oddCharacters();
  let length = 0;
  let at = textStart(input);
  if (input[at] === 0x62 && isQuote(input[at + 1]!)) at++;
  let quote = 0;
  const quoted = isQuote(input[at]!);
  let end = input.length;
  while (!quoted && end > at && isSpace(input[end - 1]!)) end--;
  while (at < end) {
    const byte = input[at]!;
    if (quoted && quote === 0) {
      if (isQuote(byte)) quote = byte;
      else if (!isSpace(byte) && byte !== 0x2b && byte !== BACKSLASH && byte !== 0x3b && byte !== 0x62) {
        odd.add(input, at, 'capture/odd-character', 'A quote expected, found %');
      }
      at++;
    } else if (quoted && byte === quote) {
      quote = 0;
      at++;
    } else if (byte !== BACKSLASH) {
      bytes[length++] = byte;
      at++;
    } else if (input[at + 1] === 0x78 && HEX_DIGIT[input[at + 2]!]! >= 0) {
      let digits = 1;
      if (HEX_DIGIT[input[at + 3]!]! >= 0) digits = 2;
      bytes[length++] =
        digits === 2 ? (HEX_DIGIT[input[at + 2]!]! << 4) | HEX_DIGIT[input[at + 3]!]! : HEX_DIGIT[input[at + 2]!]!;
      at += 2 + digits;
    } else if (isOctal(input[at + 1])) {
      let value = 0;
      let digits = 0;
      while (digits < 3 && isOctal(input[at + 1 + digits])) value = value * 8 + input[at + 1 + digits++]! - 0x30;
      if (value > 0xff) odd.add(input, at, 'capture/odd-character', `An octal escape above \\377 after %`);
      bytes[length++] = value & 0xff;
      at += 1 + digits;
    } else {
      const value = at + 1 < end ? SIMPLE[String.fromCharCode(input[at + 1]!)] : undefined;
      if (value === undefined)
        odd.add(input, Math.min(at + 1, input.length), 'capture/odd-character', 'An escape expected, found %');
      else bytes[length++] = value;
      at += 2;
    }
  }
  return { bytes: bytes.subarray(0, length), diagnostics: odd.diagnostics() };
}

const isOctal = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x37;
