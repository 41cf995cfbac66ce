/**
 * A string literal → bytes, as C, Go, Python and protobuf's text format print them: letters as they are, other bytes as
 * escapes. Quotes around the literal and between its pieces are dropped.
 *
 *   "\n\003foo"   b'\x0a\x03foo'   \012\003foo   $'\n\u0003foo'
 */
import { HEX_DIGIT, isQuote, isSpace, textKind, textStart } from './ascii.ts';
import { escapeAt } from './escape-sequences.ts';
import { literalForm } from './literal-forms.ts';
import { oddCharacters } from './odd-characters.ts';
import type { DecodedText, Judgement, TextEncoding } from './text-encoding.ts';
import { TEXT_LABELS } from './text-labels.ts';

const BACKSLASH = 0x5c;

export const escaped: TextEncoding = { id: 'escaped', label: TEXT_LABELS.escaped, sniff, read };

function sniff(head: Uint8Array, size: number): Judgement {
  if (textKind(head) === 'none') return { score: 0, reason: 'not text' };
  const form = literalForm(head, 'escaped')?.form;
  const { numeric, simple } = countEscapes(head);
  if (form !== undefined) return { score: numeric + simple > 0 ? 0.98 : 0.6, reason: form.tool };
  const start = textStart(head);
  const quoted = isQuote(head[start]!);
  if (numeric > 0) {
    if (quoted || head[start] === BACKSLASH) return { score: 0.85, reason: 'a string literal with escapes' };
    // A literal among other text, such as a line of a log: the text before it has no bytes.
    return head.subarray(start, head.indexOf(BACKSLASH)).some(isQuote)
      ? { score: 0, reason: 'text before a string literal' }
      : { score: 0.5, reason: 'text with escapes in it' };
  }
  return simple > 0 && quoted && (head.length < size || endsWithQuote(head))
    ? { score: 0.7, reason: 'a string literal with escapes' }
    : { score: 0, reason: 'no escapes' };
}

function countEscapes(head: Uint8Array): { readonly numeric: number; readonly simple: number } {
  let numeric = 0;
  let simple = 0;
  for (let at = head.indexOf(BACKSLASH); at >= 0; at = head.indexOf(BACKSLASH, at + 2)) {
    const next = head[at + 1]!;
    if (next === 0x78 && HEX_DIGIT[head[at + 2]!]! >= 0) numeric++;
    else if (next >= 0x30 && next <= 0x37) numeric++;
    else if (escapeAt(head, at, head.length) !== undefined) simple++;
  }
  return { numeric, simple };
}

function endsWithQuote(head: Uint8Array): boolean {
  let end = head.length;
  while (end > 0 && isSpace(head[end - 1]!)) end--;
  return isQuote(head[end - 1]!);
}

function read(input: Uint8Array): DecodedText {
  const bytes = new Uint8Array(input.length);
  const odd = oddCharacters();
  let length = 0;
  const form = literalForm(input, 'escaped');
  let at = form?.start ?? textStart(input);
  let quote = 0;
  const quoted = isQuote(input[at]!);
  let end = form?.end ?? input.length;
  while (!quoted && end > at && isSpace(input[end - 1]!)) end--;
  while (at < end) {
    const byte = input[at]!;
    if (quoted && quote === 0) {
      if (isQuote(byte)) quote = byte;
      else if (!isSpace(byte) && byte !== 0x2b && byte !== BACKSLASH && byte !== 0x3b && byte !== 0x62) {
        odd.add(input, at, 'capture/odd-character', 'Expected a quote, found %');
      }
      at++;
    } else if (quoted && byte === quote) {
      quote = 0;
      at++;
    } else if (byte !== BACKSLASH) {
      bytes[length++] = byte;
      at++;
    } else {
      const sequence = escapeAt(input, at, end);
      if (sequence === undefined) {
        odd.add(input, Math.min(at + 1, input.length), 'capture/odd-character', 'Expected an escape, found %');
        at += 2;
      } else {
        if (sequence.tooLarge) odd.add(input, at, 'capture/odd-character', 'An octal escape above \\377 after %');
        bytes.set(sequence.bytes, length);
        length += sequence.bytes.length;
        at += sequence.length;
      }
    }
  }
  return { bytes: bytes.subarray(0, length), diagnostics: odd.diagnostics() };
}
