/** Skippable frames, which Zstandard and LZ4 share: 5? 2a 4d 18 │ size×4 │ anything. */

export const SKIPPABLE = 0x184d2a50;

export const isSkippable = (magic: number): boolean => (magic & 0xfffffff0) >>> 0 === SKIPPABLE;

/** The magic number of the first frame with content; 0: all frames are skippable. */
export function firstMagic(bytes: Uint8Array): number {
  const number = (at: number): number =>
    (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
  for (let at = 0; at + 4 <= bytes.length; ) {
    const magic = number(at);
    if (!isSkippable(magic)) return magic;
    if (at + 8 > bytes.length) return 0;
    at += 8 + number(at + 4);
  }
  return 0;
}
