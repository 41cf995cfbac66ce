/** Bytes ⇄ base64url without padding (RFC 4648, section 5). Strict: each sequence of bytes has exactly one string. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const CODES = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0));
const VALUES = new Int8Array(128).fill(-1);
CODES.forEach((code, value) => {
  VALUES[code] = value;
});

const ascii = new TextDecoder();

export function encodeBase64url(bytes: Uint8Array): string {
  const out = new Uint8Array(Math.ceil((bytes.length * 4) / 3));
  let length = 0;
  for (let at = 0; at < bytes.length; at += 3) {
    const triple = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    for (let shift = 18; shift >= 0 && length < out.length; shift -= 6) out[length++] = CODES[(triple >> shift) & 63]!;
  }
  return ascii.decode(out);
}

/** undefined: an invalid character, an impossible length, or non-zero bits after the last byte. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const out = new Uint8Array(Math.floor((text.length * 3) / 4));
  if (text.length % 4 === 1) return undefined;
  let bits = 0;
  let held = 0;
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const value = VALUES[text.charCodeAt(at)] ?? -1;
    if (value < 0) return undefined;
    bits = ((bits << 6) | value) & 0xfff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      out[length++] = bits >> held;
    }
  }
  return (bits & ((1 << held) - 1)) === 0 ? out : undefined;
}
