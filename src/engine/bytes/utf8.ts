/**
 * UTF-8 as Unicode defines it (table 3-7 of the standard): no surrogates, no overlong forms, nothing beyond U+10FFFF.
 *
 *   00–7F · C2–DF xx · E0 A0–BF xx · E1–EC xx xx · ED 80–9F xx · EE–EF xx xx · F0 90–BF xx xx · F1–F3 xx xx xx · F4 80–8F xx xx
 */

/** Offset of the first byte of `bytes[start, end)` that is not ASCII, or `end`. */
export function asciiEnd(bytes: Uint8Array, start: number, end: number): number {
  let p = start;
  // Reads four bytes a step, because branches are the main cost.
  const last = end - 3;
  while (p < last && (bytes[p]! | bytes[p + 1]! | bytes[p + 2]! | bytes[p + 3]!) < 128) p += 4;
  while (p < end && bytes[p]! < 128) p++;
  return p;
}

/** Bytes of the well-formed sequence at `p`; 0 if `p` begins no such sequence. */
export function sequenceLength(bytes: Uint8Array, p: number, end: number): number {
  const lead = bytes[p]!;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (end - p < length) return 0;
  const second = bytes[p + 1]!;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let i = p + 2; i < p + length; i++) if ((bytes[i]! & 0xc0) !== 0x80) return 0;
  return length;
}

/** Offset of the first byte that is not a part of well-formed UTF-8, or −1. */
export function invalidUtf8At(bytes: Uint8Array, start: number, end: number): number {
  let p = asciiEnd(bytes, start, end);
  while (p < end) {
    const length = sequenceLength(bytes, p, end);
    if (length === 0) return p;
    p += length;
    if (p < end && bytes[p]! < 0x80) p = asciiEnd(bytes, p, end);
  }
  return -1;
}
