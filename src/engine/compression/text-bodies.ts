/**
 * Bodies in text formats: base64 (RFC 4648, both alphabets), the contents of a JSON string (RFC 8259 §7), the value of
 * a query (https://url.spec.whatwg.org/#urlencoded-parsing) → bytes.
 */
import { type Decode, decodeFailure } from './codec.ts';

const SEXTETS = new Int8Array(256).fill(-1);
for (const [value, char] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  SEXTETS[char.charCodeAt(0)] = value;
}
SEXTETS[0x2d] = 62;
SEXTETS[0x5f] = 63;
const PADDING = 0x3d;
const [PERCENT, PLUS, SPACE] = [0x25, 0x2b, 0x20];

/**
 * Consecutive padded runs are decoded as one, because gRPC-web's text form contains them. JSON's `\/` and line breaks
 * are skipped.
 */
export const decodeBase64: Decode = (bytes, limit) => {
  const plain = new Uint8Array(Math.min(limit, Math.ceil((bytes.length * 3) / 4)));
  let size = 0;
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
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
    if (size >= limit) return decodeFailure('limit', `more than ${limit} bytes come out`);
    plain[size++] = held >> bits;
  }
  return { ok: true, bytes: plain.subarray(0, size) };
};

/** The text between the quotes of a JSON string → its UTF-8. */
export const decodeJsonString: Decode = (bytes, limit) => {
  try {
    const value: unknown = JSON.parse(`"${new TextDecoder().decode(bytes)}"`);
    const plain = new TextEncoder().encode(String(value));
    return plain.length > limit
      ? decodeFailure('limit', `more than ${limit} bytes come out`)
      : { ok: true, bytes: plain };
  } catch {
    return decodeFailure('malformed', 'not the inside of a JSON string');
  }
};

/** The text between the quotes of a JSON string of octets → the octets: U+00FF is the byte 0xff. */
export const decodeJsonLatin1: Decode = (bytes, limit) => {
  const text = decodeJsonString(bytes, Number.POSITIVE_INFINITY);
  if (!text.ok) return text;
  const chars = new TextDecoder().decode(text.bytes);
  if (chars.length > limit) return decodeFailure('limit', `more than ${limit} bytes come out`);
  const plain = new Uint8Array(chars.length);
  for (let at = 0; at < chars.length; at++) {
    const code = chars.charCodeAt(at);
    if (code > 0xff) return decodeFailure('malformed', 'a character beyond U+00FF');
    plain[at] = code;
  }
  return { ok: true, bytes: plain };
};

/** `+` is a space, `%2B` a plus. */
export const decodeQuery: Decode = (bytes, limit) => {
  const plain = new Uint8Array(Math.min(limit, bytes.length));
  let size = 0;
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at]!;
    if (byte === PLUS) byte = SPACE;
    else if (byte === PERCENT) {
      const digits = String.fromCharCode(...bytes.subarray(at + 1, at + 3));
      if (!/^[0-9a-f]{2}$/i.test(digits)) return decodeFailure('malformed', 'a percent sign without two hex digits');
      byte = Number.parseInt(digits, 16);
      at += 2;
    }
    if (size >= limit) return decodeFailure('limit', `more than ${limit} bytes come out`);
    plain[size++] = byte;
  }
  return { ok: true, bytes: plain.subarray(0, size) };
};
