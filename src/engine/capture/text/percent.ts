/** Percent-encoding (RFC 3986, section 2.1) → bytes: `%0A%03foo`, and the data: URLs (RFC 2397) that are not base64. */
import { latin1 } from '../../bytes/latin1.ts';
import { HEX_DIGIT, isSpace, textKind, textStart } from './ascii.ts';
import { oddCharacters } from './odd-characters.ts';
import type { DecodedText, Judgement, TextEncoding } from './text-encoding.ts';
import { TEXT_LABELS } from './text-labels.ts';

const PERCENT = 0x25;

export const percent: TextEncoding = { id: 'percent', label: TEXT_LABELS.percent, sniff, read };

function sniff(head: Uint8Array): Judgement {
  if (textKind(head) === 'none') return { score: 0, reason: 'not text' };
  const body = dataUrlBody(head);
  if (body !== undefined) return { score: 1, reason: 'a data: URL' };
  const text = latin1(head.subarray(textStart(head))).trimEnd();
  if (!text.includes('%') || /\s/.test(text)) return { score: 0, reason: 'no percent signs' };
  // A path has slashes, too, but no control characters, which bytes of messages have.
  if (text.includes('/') && !/%[01][\da-f]/i.test(text)) return { score: 0, reason: 'a path' };
  return /^(?:%[\da-f]{2}|[\w.~!*'()+/-])+%?[\da-f]?$/i.test(text)
    ? { score: 0.8, reason: 'characters of a URL, the others as %' }
    : { score: 0, reason: 'characters that a URL cannot hold' };
}

function read(input: Uint8Array): DecodedText {
  const bytes = new Uint8Array(input.length);
  const odd = oddCharacters();
  let length = 0;
  let end = input.length;
  let at = dataUrlBody(input) ?? textStart(input);
  while (end > at && isSpace(input[end - 1]!)) end--;
  while (at < end) {
    const high = HEX_DIGIT[input[at + 1]!]!;
    const low = HEX_DIGIT[input[at + 2]!]!;
    if (input[at] === PERCENT && high >= 0 && low >= 0) {
      bytes[length++] = (high << 4) | low;
      at += 3;
    } else {
      if (input[at] === PERCENT) odd.add(input, at, 'capture/odd-character', 'Expected two hex digits after %');
      bytes[length++] = input[at++]!;
    }
  }
  return { bytes: bytes.subarray(0, length), diagnostics: odd.diagnostics() };
}

/** Start of the data in a data: URL without base64; undefined: the input is not such a URL. */
function dataUrlBody(input: Uint8Array): number | undefined {
  const start = textStart(input);
  const match = /^data:([^,]{0,200}),/i.exec(latin1(input.subarray(start, start + 256)));
  return match && !/;base64$/i.test(match[1]!) ? start + match[0].length : undefined;
}
