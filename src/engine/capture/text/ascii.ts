/**
 * Tests of single characters for the text encodings. They work on bytes, because a captureOffset always counts bytes.
 */

export const HEX_DIGIT: Int8Array = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit++) {
  HEX_DIGIT[digit.toString(16).charCodeAt(0)] = digit;
  HEX_DIGIT[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}

export const isSpace = (byte: number): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

export const isQuote = (byte: number): boolean => byte === 0x22 || byte === 0x27 || byte === 0x60;

/** Where the text begins, after a byte order mark and white space. */
export function textStart(bytes: Uint8Array): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length && isSpace(bytes[at]!)) at++;
  return at;
}

export type TextKind = 'ascii' | 'utf8' | 'none';

/**
 * Whether bytes are text. The last character may be cut off.
 * @param allowed a control character that the text may contain
 */
export function textKind(bytes: Uint8Array, allowed?: number): TextKind {
  let kind: TextKind = 'ascii';
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === 0x7f || (byte < 0x20 && !isSpace(byte) && byte !== allowed)) return 'none';
    if (byte < 0x80) continue;
    kind = 'utf8';
    const more =
      byte >= 0xc2 && byte < 0xe0 ? 1 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xf0 && byte < 0xf5 ? 3 : -1;
    if (more < 0) return 'none';
    for (let n = 0; n < more && ++at < bytes.length; n++) if ((bytes[at]! & 0xc0) !== 0x80) return 'none';
  }
  return kind;
}
