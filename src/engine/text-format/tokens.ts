/** Finds the ends of tokens in protobuf's text format. protobuf.dev/reference/protobuf/textformat-spec */

export const QUOTE = 0x22;
export const APOSTROPHE = 0x27;
export const BACKSLASH = 0x5c;
export const COLON = 0x3a;
export const COMMA = 0x2c;
export const SEMICOLON = 0x3b;
export const MINUS = 0x2d;
export const [OPEN_LIST, CLOSE_LIST, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
export const [OPEN_ANGLE, CLOSE_ANGLE] = [0x3c, 0x3e];
const [HASH, NEWLINE, POINT] = [0x23, 0x0a, 0x2e];

export const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

const isLetter = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || byte === 0x5f;

const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

export const isQuote = (byte: number): boolean => byte === QUOTE || byte === APOSTROPHE;

/** The byte that closes a message; −1: the byte does not open a message. */
export const closeOf = (byte: number): number =>
  byte === OPEN_BRACE ? CLOSE_BRACE : byte === OPEN_ANGLE ? CLOSE_ANGLE : -1;

/** Offset after white space and comments. A comment extends from `#` to the end of its line. */
export function spaceEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte === HASH) {
      const line = bytes.indexOf(NEWLINE, at);
      at = line < 0 || line >= end ? end : line + 1;
    } else if (isSpace(byte)) at++;
    else break;
  }
  return at;
}

const FILE_COMMENT = /^#\s*proto-(?:file|message|import)\s*:/;

/**
 * Offset after the comments that belong to the whole text: those that a blank line separates from the first field, and
 * those that name its schema and type. `from`: there are none.
 */
export function headEnd(bytes: Uint8Array, from: number, end: number): number {
  const stop = spaceEnd(bytes, from, end);
  let head = from;
  let hasComment = false;
  for (let at = from; at < stop; ) {
    const newline = bytes.indexOf(NEWLINE, at);
    if (newline < 0 || newline >= stop) break;
    const line = decoder.decode(bytes.subarray(at, newline)).trim();
    at = newline + 1;
    if (line.startsWith('#')) hasComment = true;
    if (FILE_COMMENT.test(line) || (line === '' && hasComment)) head = at;
  }
  return head;
}

/** Offset after letters and digits that begin with a letter; `from`: there is no letter. */
export function wordEnd(bytes: Uint8Array, from: number, end: number): number {
  if (from >= end || !isLetter(bytes[from]!)) return from;
  let at = from + 1;
  while (at < end && (isLetter(bytes[at]!) || isDigit(bytes[at]!))) at++;
  return at;
}

const NUMBER = /^(?:0[xX][\da-fA-F]+|0[0-7]+|(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[fF]?)$/;
/** Maximum number of characters in a number. */
const LONGEST_NUMBER = 2000;
const decoder = new TextDecoder('latin1');

/** Offset after a number without its sign; `from`: there is no number, or letters follow it directly. */
export function numberEnd(bytes: Uint8Array, from: number, end: number): number {
  const first = bytes[from]!;
  if (from >= end || !(isDigit(first) || (first === POINT && from + 1 < end && isDigit(bytes[from + 1]!)))) return from;
  let at = from;
  for (; at < end; at++) {
    const byte = bytes[at]!;
    const isSign = (byte === 0x2b || byte === MINUS) && (bytes[at - 1]! | 0x20) === 0x65;
    if (!isDigit(byte) && !isLetter(byte) && byte !== POINT && !isSign) break;
  }
  if (at - from > LONGEST_NUMBER) return from;
  return NUMBER.test(decoder.decode(bytes.subarray(from, at))) ? at : from;
}

/** Offset after the digits of a field number; `from`: there are no digits. */
export function fieldNumberEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && isDigit(bytes[at]!)) at++;
  return at - from > 9 || bytes[from] === 0x30 ? from : at;
}

/**
 * Offset of the quote that ends the string whose contents begin at `from`; −1: the string is not terminated on its
 * line.
 */
export function textEnd(bytes: Uint8Array, from: number, end: number, quote: number): number {
  for (let at = from; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === quote) return at;
    if (byte === NEWLINE || byte === 0) return -1;
    if (byte === BACKSLASH) at++;
  }
  return -1;
}

/** Offset after the `]` of `[full.name]` or `[host/full.Name]`; −1: not such a name. */
export function bracketEnd(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from + 1; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === CLOSE_LIST) return at + 1;
    if (isSpace(byte) || byte === HASH) at = spaceEnd(bytes, at, end) - 1;
    else if (!isLetter(byte) && !isDigit(byte) && !URL_BYTES.has(byte)) return -1;
  }
  return -1;
}

const URL_BYTES = new Set(Array.from('-./%~!$&()*+,;=', (character) => character.charCodeAt(0)));
