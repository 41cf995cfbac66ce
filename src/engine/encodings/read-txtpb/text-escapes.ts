/**
 * Escapes in strings of protobuf's text format → their bytes. protobuf.dev/reference/protobuf/textformat-spec#string
 */

const SIMPLE: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '?': 0x3f,
  '\\': 0x5c,
  "'": 0x27,
  '"': 0x22,
};
/** Numeric escapes: base, minimum and maximum number of digits. */
const NUMERIC: Readonly<Record<string, readonly [base: 8 | 16, least: number, most: number]>> = {
  x: [16, 1, 2],
  X: [16, 1, 2],
  u: [16, 4, 4],
  U: [16, 8, 8],
};
const LOW_HALF = /^\\u(d[c-f][\da-f]{2})$/i;
const OCTAL = [8, 1, 3] as const;
const encoder = new TextEncoder();

export interface Escape {
  /** Offset after the escape. */
  readonly end: number;
  /** The bytes of the escape; null: it is not valid. */
  readonly bytes: ArrayLike<number> | null;
}

/** Reads the escape whose backslash is at `at`. @param end of the string */
export function escapeAt(bytes: Uint8Array, at: number, end: number): Escape {
  if (at + 1 >= end) return { end, bytes: null };
  const letter = String.fromCharCode(bytes[at + 1]!);
  const simple = SIMPLE[letter];
  if (simple !== undefined) return { end: at + 2, bytes: [simple] };
  const isOctal = letter >= '0' && letter <= '7';
  const form = isOctal ? OCTAL : NUMERIC[letter];
  if (form === undefined) return { end: at + 2, bytes: null };
  const [base, least, most] = form;
  const start = isOctal ? at + 1 : at + 2;
  let to = start;
  let value = 0;
  for (; to < end && to - start < most; to++) {
    const digit = Number.parseInt(String.fromCharCode(bytes[to]!), base);
    if (Number.isNaN(digit)) break;
    value = value * base + digit;
  }
  if (to - start < least) return { end: to, bytes: null };
  if (least < 4) return { end: to, bytes: value > 255 ? null : [value] };
  // A surrogate pair, as C++ and Go read it.
  if (value >= 0xd800 && value < 0xdc00) {
    const low = LOW_HALF.exec(String.fromCharCode(...bytes.subarray(to, Math.min(to + 6, end))))?.[1];
    if (low !== undefined) {
      value = 0x10000 + ((value - 0xd800) << 10) + (Number.parseInt(low, 16) - 0xdc00);
      to += 6;
    }
  }
  const isCharacter = value <= 0x10ffff && !(value >= 0xd800 && value < 0xe000);
  return { end: to, bytes: isCharacter ? encoder.encode(String.fromCodePoint(value)) : null };
}
