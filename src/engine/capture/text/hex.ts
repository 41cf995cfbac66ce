/**
 * Hex digits → bytes, in many forms:
 *
 *   0a03666f6f   0a 03 66   0A:03:66   0a-03   0x0a, 0x03   \x0a\x03   unsigned char a[] = { 0x0a, 0x03 };
 *   <Buffer 0a 03>   and the other forms of `literal-forms.ts`
 *
 * Two digits are a byte; a single digit between separators is a byte too (`0xa, 0x3`). Dumps with an offset column are
 * `hexdump.ts`; text with escapes among letters is `escaped.ts`. In a line of a log, the one long run of digits is read (`hex-run.ts`).
 */

import { latin1 } from '../../bytes/latin1.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { HEX_DIGIT, isQuote, isSpace, textStart } from './ascii.ts';
import { withoutComments } from './comments.ts';
import { elided, repeated } from './elided.ts';
import { type Beside, besideRun, type Span } from './hex-run.ts';
import { literalForm } from './literal-forms.ts';
import { oddCharacters } from './odd-characters.ts';
import { pcapngOfDumps } from './packet-dumps.ts';
import type { DecodedText, Judgement, TextEncoding } from './text-encoding.ts';
import { TEXT_LABELS } from './text-labels.ts';
import { isUuid } from './uuid.ts';

const BACKSLASH = 0x5c;
const SEPARATORS = new Set([...',;:-_[](){}'].map((c) => c.charCodeAt(0)));
/** U+00A0 in UTF-8, which web pages may have between the bytes. */
const NO_BREAK_SPACE = [0xc2, 0xa0] as const;

export const hex: TextEncoding = { id: 'hex', label: TEXT_LABELS.hex, sniff, read };

/** A packet as Wireshark prints it: addresses and numbers among words. */
const PRINTED = /^Frame \d+: \d+ bytes on wire /;

function sniff(printed: Uint8Array): Judgement {
  const head = withoutComments(printed);
  if (PRINTED.test(latin1(head.subarray(0, 64)))) return { score: 0, reason: 'packets as Wireshark prints them' };
  if (/^(?:\[\s*)?\{\s*["']/.test(latin1(head.subarray(textStart(head), textStart(head) + 64)))) {
    return { score: 0, reason: 'an object in braces' };
  }
  if (isUuid(head)) return { score: 0.03, reason: 'a UUID' };
  const { digits, odd, tokens, halves, beside } = body(head);
  if (digits < 2) return { score: 0, reason: 'no hex digits' };
  const form = literalForm(head, 'hex')?.form;
  if (form !== undefined) return odd === 0 ? { score: 0.98, reason: form.tool } : { score: 0.6, reason: form.tool };
  const share = digits / (digits + odd);
  if (beside?.run != null && (beside.hasDate || share >= 0.95)) {
    // A date stands beside the bytes, so little else may.
    const score = share < 0.5 ? 0 : beside.hasDate ? 0.7 : 0.5;
    return { score, reason: 'one run of hex digits; the text beside it is left out' };
  }
  if (beside?.hasDate) return { score: 0, reason: 'a date and more text beside the hex digits' };
  if (odd === 0) return { score: 0.95, reason: 'only hex digits and separators' };
  // Words may consist of the letters a to f, but bytes have two digits, and numbers in a call may have three.
  return share >= 0.8 && digits / tokens <= 2.5 && halves === 0
    ? { score: 0.6, reason: `hex digits with ${odd === 1 ? 'an odd character' : `${odd} odd characters`}` }
    : { score: share >= 0.95 ? 0.5 : 0, reason: 'holds characters that are not hex digits' };
}

function read(printed: Uint8Array): DecodedText {
  const input = withoutComments(printed);
  const { start, end, diagnostics } = body(input);
  const bytes = new Uint8Array((end - start + 1) >> 1);
  const odd = oddCharacters();
  let length = 0;
  walk(input, start, end, {
    token(from, to) {
      if (to - from === 1) bytes[length++] = HEX_DIGIT[input[from]!]!;
      else {
        for (let at = from; at + 1 < to; at += 2) {
          bytes[length++] = (HEX_DIGIT[input[at]!]! << 4) | HEX_DIGIT[input[at + 1]!]!;
        }
        if ((to - from) % 2 === 1)
          odd.add(input, to - 1, 'capture/half-byte', 'Half a byte: hex digit % has no second one');
      }
    },
    odd: (at) => odd.add(input, at, 'capture/odd-character', 'Hex expected, found %'),
  });
  const whole = bytes.subarray(0, length);
  return { bytes: pcapngOfDumps([whole]) ?? whole, diagnostics: [...odd.diagnostics(), ...diagnostics] };
}

interface Body extends Span {
  readonly diagnostics: readonly Diagnostic[];
  /** The counts of the part, or of all text if a run of digits in it is the part. */
  readonly digits: number;
  readonly odd: number;
  readonly tokens: number;
  /** Runs of three, five, … digits. */
  readonly halves: number;
  /** Other text beside a run of digits. */
  readonly beside: Beside | null;
}

/** The part with the bytes: inside a literal, inside a C array's initializer, one run of digits, or the whole text. */
function body(input: Uint8Array): Body {
  const literal = literalForm(input, 'hex');
  const start = literal?.start ?? textStart(input);
  const { start: end, diagnostics } =
    literal === undefined ? repeated(input, start, input.length) : elided(input, start, literal.end);
  const open = literal === undefined ? input.indexOf(0x7b, start) : -1;
  const close = open < 0 ? -1 : input.indexOf(0x7d, open);
  const part = open < 0 ? { start, end } : { start: open + 1, end: close < 0 ? input.length : close };
  let [digits, odd, tokens, halves] = [0, 0, 0, 0];
  let longest: Span = { start: part.start, end: part.start };
  walk(input, part.start, part.end, {
    token(from, to) {
      tokens++;
      if (to - from > 1 && (to - from) % 2 === 1) halves++;
      digits += to - from;
      if (to - from > longest.end - longest.start) longest = { start: from, end: to };
    },
    odd: () => odd++,
  });
  const beside = literal === undefined ? besideRun(input, part, longest, digits, odd) : null;
  return { ...(beside?.run ?? part), diagnostics, digits, odd, tokens, halves, beside };
}

interface Visitor {
  /** Called with each run of hex digits. */
  token(from: number, to: number): void;
  odd(at: number): void;
}

function walk(input: Uint8Array, start: number, end: number, visitor: Visitor): void {
  for (let at = start; at < end; ) {
    const byte = input[at]!;
    const next = input[at + 1]! | 0x20;
    const word = wordEnd(input, at, end);
    if ((byte === 0x30 || byte === BACKSLASH) && next === 0x78 && at + 1 < end) at += 2;
    else if (word > at) while (at < word) visitor.odd(at++);
    else if (HEX_DIGIT[byte]! >= 0) {
      const from = at;
      while (at < end && HEX_DIGIT[input[at]!]! >= 0 && !(at > from && isPrefix(input, at))) at++;
      visitor.token(from, at);
    } else {
      if (byte === NO_BREAK_SPACE[0] && input[at + 1] === NO_BREAK_SPACE[1]) at++;
      else if (isQuote(byte) && input[at + 2] === byte && isLetter(input[at + 1]!)) {
        // A character literal.
        visitor.odd(at + 1);
        at += 2;
      } else if (!isSpace(byte) && !isQuote(byte) && !SEPARATORS.has(byte)) visitor.odd(at);
      at++;
    }
  }
}

/** The end of a word at `at`: it begins with a letter, and not all of it is hex digits. @returns `at` if there is no word */
function wordEnd(input: Uint8Array, at: number, end: number): number {
  if (!isLetter(input[at]!)) return at;
  let isHex = true;
  let to = at;
  for (; to < end && (isLetter(input[to]!) || HEX_DIGIT[input[to]!]! >= 0) && !isPrefix(input, to); to++)
    isHex &&= HEX_DIGIT[input[to]!]! >= 0;
  return isHex ? at : to;
}

const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;

const isPrefix = (input: Uint8Array, at: number): boolean => input[at] === 0x30 && (input[at + 1]! | 0x20) === 0x78;
