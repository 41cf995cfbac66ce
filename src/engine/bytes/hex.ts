/** Bytes as hex digits. */

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** `ac 02`; longer than `most` bytes: the first `most` bytes and `…`. */
export function printHex(bytes: Uint8Array, start: number, end: number, most = Number.POSITIVE_INFINITY): string {
  const shown: string[] = [];
  const last = end - start > most ? start + most : end;
  for (let p = start; p < last; p++) shown.push(DIGITS[bytes[p]!]!);
  if (last < end) shown.push('…');
  return shown.join(' ');
}

/** `ac02` */
export const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => DIGITS[byte]).join('');
