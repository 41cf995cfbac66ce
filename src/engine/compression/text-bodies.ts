/**
 * Bodies in text formats: base64 (RFC 4648, both alphabets), the contents of a JSON string (RFC 8259 §7), the value of
 * a query (https://url.spec.whatwg.org/#urlencoded-parsing) → bytes.
 */
import { joinBytes } from '../bytes/join.ts';
import { latin1 } from '../bytes/latin1.ts';
import { atOnce, type Decode, type Decoded, decodeFailure, limitFailure, SLICE, type Slices } from './codec.ts';

const SEXTETS = new Int8Array(256).fill(-1);
for (const [value, char] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  SEXTETS[char.charCodeAt(0)] = value;
}
SEXTETS[0x2d] = 62;
SEXTETS[0x5f] = 63;
const PADDING = 0x3d;
const [PERCENT, PLUS, SPACE, BACKSLASH, LOWER_U] = [0x25, 0x2b, 0x20, 0x5c, 0x75];
/** A character beyond U+FFFF: two escapes. */
const PAIR = /^\\ud[89ab]..\\ud[c-f]/i;

type TextSlices = (bytes: Uint8Array, limit: number) => Slices<Decoded>;

const atOnceBy =
  (slices: TextSlices): Decode =>
  (bytes, limit) =>
    atOnce(slices(bytes, limit));

/**
 * Consecutive padded runs are decoded as one, because gRPC-web's text form contains them. JSON's `\/` and line breaks
 * are skipped.
 */
export const base64Slices: TextSlices = function* (bytes, limit) {
  const plain = new Uint8Array(Math.min(limit, Math.ceil((bytes.length * 3) / 4)));
  let size = 0;
  let bits = 0;
  let held = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (at > 0 && at % SLICE === 0) yield;
    const byte = bytes[at]!;
    const sextet = SEXTETS[byte]!;
    if (sextet < 0) {
      if (byte === PADDING) {
        bits = 0;
        held = 0;
      } else if (byte > 0x20 && byte !== 0x5c) return decodeFailure('malformed', 'a character outside base64');
      continue;
    }
    held = ((held << 6) | sextet) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    if (size >= limit) return limitFailure(limit);
    plain[size++] = held >> bits;
  }
  return { ok: true, bytes: plain.subarray(0, size) };
};

export const decodeBase64 = atOnceBy(base64Slices);

/** The text between the quotes of a JSON string → its UTF-8. */
export const jsonStringSlices: TextSlices = function* (bytes, limit) {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let at = 0; at < bytes.length; ) {
    if (at > 0) yield;
    const end = pieceEnd(bytes, at);
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(at, end));
    try {
      const value: unknown = JSON.parse(`"${text}"`);
      parts.push(new TextEncoder().encode(String(value)));
    } catch {
      return decodeFailure('malformed', 'not the inside of a JSON string');
    }
    size += parts.at(-1)!.length;
    if (size > limit) return limitFailure(limit);
    at = end;
  }
  return { ok: true, bytes: joinBytes(parts) };
};

export const decodeJsonString = atOnceBy(jsonStringSlices);

/** The end of a piece of a JSON string, about a slice long: outside of escapes, pairs of them and UTF-8. */
function pieceEnd(bytes: Uint8Array, start: number): number {
  const stop = start + SLICE;
  let at = start;
  while (at < stop) {
    const next = bytes[at] === BACKSLASH ? 0 : bytes.subarray(at, stop).indexOf(BACKSLASH);
    if (next < 0) break;
    const mark = at + next;
    const isUnicode = bytes[mark + 1] === LOWER_U;
    at = mark + (isUnicode ? 6 : 2);
    if (isUnicode && at >= stop && PAIR.test(latin1(bytes.subarray(mark, mark + 10)))) at += 6;
  }
  at = Math.max(at, stop);
  while (at < bytes.length && (bytes[at]! & 0xc0) === 0x80) at++;
  return Math.min(at, bytes.length);
}

/** The text between the quotes of a JSON string of octets → the octets: U+00FF is the byte 0xff. */
export const jsonLatin1Slices: TextSlices = function* (bytes, limit) {
  const text = yield* jsonStringSlices(bytes, Number.POSITIVE_INFINITY);
  if (!text.ok) return text;
  const chars = new TextDecoder('utf-8', { ignoreBOM: true }).decode(text.bytes);
  if (chars.length > limit) return limitFailure(limit);
  const plain = new Uint8Array(chars.length);
  for (let at = 0; at < chars.length; at++) {
    if (at > 0 && at % SLICE === 0) yield;
    const code = chars.charCodeAt(at);
    if (code > 0xff) return decodeFailure('malformed', 'a character beyond U+00FF');
    plain[at] = code;
  }
  return { ok: true, bytes: plain };
};

export const decodeJsonLatin1 = atOnceBy(jsonLatin1Slices);

/** `+` is a space, `%2B` a plus. */
export const querySlices: TextSlices = function* (bytes, limit) {
  const plain = new Uint8Array(Math.min(limit, bytes.length));
  let size = 0;
  let due = SLICE;
  for (let at = 0; at < bytes.length; at++) {
    if (at >= due) {
      due = at + SLICE;
      yield;
    }
    let byte = bytes[at]!;
    if (byte === PLUS) byte = SPACE;
    else if (byte === PERCENT) {
      const digits = String.fromCharCode(...bytes.subarray(at + 1, at + 3));
      if (!/^[0-9a-f]{2}$/i.test(digits)) return decodeFailure('malformed', 'a percent sign without two hex digits');
      byte = Number.parseInt(digits, 16);
      at += 2;
    }
    if (size >= limit) return limitFailure(limit);
    plain[size++] = byte;
  }
  return { ok: true, bytes: plain.subarray(0, size) };
};

export const decodeQuery = atOnceBy(querySlices);
