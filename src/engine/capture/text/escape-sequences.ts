/**
 * One escape of a string literal → its bytes, as in C, Go, Python, JavaScript, bash and protobuf's text format.
 *
 *   \n \t …   one byte      \x0a   one byte, one or two digits      \012   one byte, up to three octal digits
 *   \u00e9  \U0001f600  \u{e9}   a code point, in UTF-8
 */
import { HEX_DIGIT } from './ascii.ts';

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
  '\\': 0x5c,
};

export interface EscapeSequence {
  readonly bytes: Uint8Array;
  /** Number of characters, including the backslash. */
  readonly length: number;
  /** An octal escape above \377. */
  readonly tooLarge: boolean;
}

const UTF8 = new TextEncoder();

/** `at`: the backslash. undefined: not an escape. */
export function escapeAt(input: Uint8Array, at: number, end: number): EscapeSequence | undefined {
  if (at + 1 >= end) return undefined;
  const kind = String.fromCharCode(input[at + 1]!);
  if (kind === 'x') return codeOf(input, at + 2, end, 2, (value) => Uint8Array.of(value), 2);
  if (kind === 'u' && input[at + 2] === 0x7b) {
    const inner = codeOf(input, at + 3, end, 6, utf8, 3);
    return inner !== undefined && input[at + inner.length] === 0x7d
      ? { ...inner, length: inner.length + 1 }
      : undefined;
  }
  if (kind === 'u') return codeOf(input, at + 2, end, 4, utf8, 2);
  if (kind === 'U') return codeOf(input, at + 2, end, 8, utf8, 2);
  if (isOctal(input[at + 1])) {
    let value = 0;
    let digits = 0;
    while (digits < 3 && at + 1 + digits < end && isOctal(input[at + 1 + digits])) {
      value = value * 8 + input[at + 1 + digits++]! - 0x30;
    }
    return { bytes: Uint8Array.of(value & 0xff), length: 1 + digits, tooLarge: value > 0xff };
  }
  const byte = SIMPLE[kind];
  return byte === undefined ? undefined : { bytes: Uint8Array.of(byte), length: 2, tooLarge: false };
}

function codeOf(
  input: Uint8Array,
  from: number,
  end: number,
  most: number,
  bytesOf: (value: number) => Uint8Array,
  head: number,
): EscapeSequence | undefined {
  let value = 0;
  let digits = 0;
  while (digits < most && from + digits < end && HEX_DIGIT[input[from + digits]!]! >= 0) {
    value = value * 16 + HEX_DIGIT[input[from + digits++]!]!;
  }
  if (digits === 0 || value > 0x10ffff) return undefined;
  return { bytes: bytesOf(value), length: head + digits, tooLarge: false };
}

const utf8 = (code: number): Uint8Array => UTF8.encode(String.fromCodePoint(code));

const isOctal = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x37;
