/**
 * Whether a text may contain the byte: printable ASCII, a byte of multi-byte UTF-8, tab, line feed, carriage return.
 */
export const isTextByte = (byte: number): boolean =>
  (byte >= 0x20 && byte !== 0x7f) || byte === 9 || byte === 10 || byte === 13;

export function isText(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if (!isTextByte(bytes[at]!)) return false;
  return true;
}
