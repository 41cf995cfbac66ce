/**
 * Base64 → bytes: RFC 4648, both alphabets (`+/` and `-_`), with or without padding and line breaks, in quotes or as a
 * data: URL.
 *
 *   ┌ 6 ┬ 6 ┬ 6 ┬ 6 ┐  four characters are three bytes; two are one, three are two, a single one is a fault.
 *   └── 8 ┴ 8 ┴ 8 ──┘  Padding ends a group of four, so concatenated texts decode as one.
 */
import { latin1 } from '../../bytes/latin1.ts';
import { isQuote, isSpace, textStart } from './ascii.ts';
import { literalForm } from './literal-forms.ts';
import { oddCharacters } from './odd-characters.ts';
import type { DecodedText, Judgement, TextEncoding } from './text-encoding.ts';
import { TEXT_LABELS } from './text-labels.ts';
import { isUuid } from './uuid.ts';

const SEXTET: Int8Array = new Int8Array(256).fill(-1);
[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach((c, n) => {
  SEXTET[c.charCodeAt(0)] = n;
});
SEXTET[0x2d] = 62;
SEXTET[0x5f] = 63;
const PADDING = 0x3d;

export const base64: TextEncoding = { id: 'base64', label: TEXT_LABELS.base64, sniff, read };

function sniff(head: Uint8Array, size: number): Judgement {
  if (isUuid(head)) return { score: 0.03, reason: 'a UUID' };
  const url = dataUrlBody(head);
  if (url !== undefined) return { score: 1, reason: 'a data: URL' };
  const literal = literalForm(head, 'base64');
  if (literal !== undefined) return { score: 0.98, reason: literal.form.tool };
  const start = textStart(head);
  const words: number[] = [];
  let characters = 0;
  let padded = false;
  let word = 0;
  const kinds = { upper: false, lower: false, digit: false };
  for (let at = start; at < head.length; at++) {
    const byte = head[at]!;
    if (isSpace(byte)) {
      if (word > 0) words.push(word);
      word = 0;
    } else if (SEXTET[byte]! >= 0) {
      characters++;
      word++;
      if (byte >= 0x61) kinds.lower = true;
      else if (byte >= 0x41) kinds.upper = true;
      else kinds.digit = true;
    } else if (byte === PADDING && characters > 1) {
      padded = true;
      word++;
    } else if (!isQuote(byte)) return { score: 0, reason: 'holds characters outside base64' };
  }
  if (word > 0) words.push(word);
  if (characters < 2) return { score: 0, reason: 'too short to be base64' };
  if (head.length === size && !padded && characters % 4 === 1) return { score: 0, reason: 'one character too many' };
  const width = words[0]!;
  const lines =
    words.length === 1 || (width >= 16 && words.slice(1, -1).every((w) => w === width) && words.at(-1)! <= width);
  if (!lines) return { score: 0.2, reason: 'the characters of base64, but in words of any length' };
  if (padded) return { score: 0.9, reason: 'the characters of base64, and its padding' };
  const mixed = kinds.upper && (kinds.lower || kinds.digit);
  return { score: mixed ? 0.8 : 0.5, reason: 'only characters of base64' };
}

function read(input: Uint8Array): DecodedText {
  const bytes = new Uint8Array(Math.ceil((input.length * 3) / 4));
  const odd = oddCharacters();
  let length = 0;
  let bits = 0;
  let held = 0;
  const endGroup = (at: number) => {
    if (held === 6) odd.add(input, at, 'capture/half-byte', 'One base64 character left over before %');
    bits = 0;
    held = 0;
  };
  const literal = literalForm(input, 'base64');
  const end = literal?.end ?? input.length;
  for (let at = literal?.start ?? dataUrlBody(input) ?? textStart(input); at < end; at++) {
    const byte = input[at]!;
    const sextet = SEXTET[byte]!;
    if (sextet >= 0) {
      bits = ((bits << 6) | sextet) & 0xfff;
      held += 6;
      if (held >= 8) {
        held -= 8;
        bytes[length++] = (bits >> held) & 0xff;
        if (held === 0) bits = 0;
      }
    } else if (byte === PADDING) endGroup(at);
    else if (!isSpace(byte) && !isQuote(byte)) odd.add(input, at, 'capture/odd-character', 'Base64 expected, found %');
  }
  endGroup(end);
  return { bytes: bytes.subarray(0, length), diagnostics: odd.diagnostics() };
}

/** Start of the data in a base64 data: URL; undefined: the input is not such a URL. */
function dataUrlBody(input: Uint8Array): number | undefined {
  const start = textStart(input);
  const match = /^"?data:[^,]{0,200};base64,/i.exec(latin1(input.subarray(start, start + 256)));
  return match ? start + match[0].length : undefined;
}
