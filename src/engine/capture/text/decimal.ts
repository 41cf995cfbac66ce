/**
 * A printed list of numbers → bytes: `[10, 3, 102]` of JavaScript, Java (−128 to 127) and Python, `[10 3 102]` of Go,
 * `[]byte{10, 3}`, `Uint8Array(2) [10, 3]` and the other forms of `literal-forms.ts`. A number with 0x is hexadecimal.
 */
import { latin1 } from '../../bytes/latin1.ts';
import { HEX_DIGIT, isSpace, textKind, textStart } from './ascii.ts';
import { withoutComments } from './comments.ts';
import { elided } from './elided.ts';
import { literalForm } from './literal-forms.ts';
import { oddCharacters } from './odd-characters.ts';
import type { DecodedText, Judgement, TextEncoding } from './text-encoding.ts';
import { TEXT_LABELS } from './text-labels.ts';

export const decimal: TextEncoding = { id: 'decimal', label: TEXT_LABELS.decimal, sniff, read };

const NUMBER = '(?:\\((?:s?byte)\\)\\s*)?-?(?:0x[\\da-f]{1,2}|\\d{1,3})(?:u8|i8|b|u)?';
const LIST = new RegExp(`^\\s*(?:${NUMBER}(?:[\\s,]+${NUMBER})*)?[\\s,]*(?:$|\\.{3})`, 'i');
/** Number of characters of a list that are judged. */
const JUDGED = 4096;

function sniff(printed: Uint8Array, size: number): Judgement {
  const head = withoutComments(printed);
  const found = literalForm(head, 'decimal');
  if (found === undefined) return sniffBare(head, size);
  const isWhole = found.end - found.start <= JUDGED && found.end < head.length;
  const judged = latin1(found.text.subarray(found.start, Math.min(found.end, found.start + JUDGED)));
  const text = isWhole ? judged : judged.replace(/[^\s,]*$/, '');
  if (!/\d/.test(text) || !LIST.test(text)) return { score: 0, reason: 'not a list of numbers' };
  // If every number has 0x, both encodings give the same bytes, and hex is the better name.
  const onlyHex = !/(?:^|[\s,])-?\d+(?=[\s,]|$)/.test(text.replace(/0x[\da-f]+/gi, 'x'));
  return { score: onlyHex ? 0.94 : 0.97, reason: found.form.tool };
}

/** `10, 3, 102`: looks like hex, but a number of three digits is not a hex byte. */
function sniffBare(head: Uint8Array, size: number): Judgement {
  const none = { score: 0, reason: 'no list of numbers' };
  if (textKind(head) === 'none') return none;
  const start = textStart(head);
  const text = latin1(head.subarray(start, start + JUDGED)).trimEnd();
  const whole = head.length === size && head.length - start <= JUDGED ? text : text.replace(/[^\s,]*$/, '').trimEnd();
  if (!/^-?\d{1,3}(?:(?:\s*,\s*|\s+)-?\d{1,3})+\s*,?$/.test(whole)) return none;
  const numbers = whole.replace(/,$/, '').split(/[\s,]+/);
  const threeDigits = numbers.some((number) => /^-?[12]\d\d$/.test(number));
  return threeDigits && numbers.every((number) => number === '0' || !/^-?0/.test(number))
    ? { score: 0.96, reason: 'numbers from −128 to 255' }
    : { score: 0.3, reason: 'numbers, or hex digits' };
}

function read(printed: Uint8Array): DecodedText {
  const plain = withoutComments(printed);
  const found = literalForm(plain, 'decimal');
  const { text: input, start, end } = found ?? { text: plain, start: textStart(plain), end: plain.length };
  const bytes = new Uint8Array((end - start + 1) >> 1);
  const odd = oddCharacters();
  const shortened = elided(input, start, end);
  let length = 0;
  for (let at = start; at < shortened.start; ) {
    const from = at;
    const negative = input[at] === 0x2d && isDigit(input[at + 1]);
    if (negative) at++;
    if (input[at] === 0x30 && (input[at + 1]! | 0x20) === 0x78 && HEX_DIGIT[input[at + 2]!]! >= 0) {
      let value = 0;
      for (at += 2; HEX_DIGIT[input[at]!]! >= 0; at++) value = Math.min(999, value * 16 + HEX_DIGIT[input[at]!]!);
      if (value > 255)
        odd.add(input, from, 'capture/not-a-byte', 'Expected a number up to 0xff, found one that starts with %');
      else bytes[length++] = negative ? 256 - value : value;
    } else if (isDigit(input[at])) {
      let value = 0;
      while (isDigit(input[at])) value = Math.min(999, value * 10 + input[at++]! - 0x30);
      if (value > (negative ? 128 : 255))
        odd.add(input, from, 'capture/not-a-byte', 'Expected a number from −128 to 255, found one that starts with %');
      else bytes[length++] = negative ? 256 - value : value;
      // A type suffix, as in Rust's 10u8.
      if (/^[ui]8/.test(latin1(input.subarray(at, at + 2)))) at += 2;
    } else {
      const cast = /^\(s?byte\)/.exec(latin1(input.subarray(at, at + 7)));
      if (cast !== null) at += cast[0].length;
      else {
        const byte = input[at]!;
        if (!isSpace(byte) && byte !== 0x2c) odd.add(input, at, 'capture/odd-character', 'Expected a number, found %');
        at++;
      }
    }
  }
  return { bytes: bytes.subarray(0, length), diagnostics: [...odd.diagnostics(), ...shortened.diagnostics] };
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;
