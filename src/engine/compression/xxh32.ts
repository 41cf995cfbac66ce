/** XXH32 with seed 0: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md */
import { int32 } from '../bytes/integers.ts';

const [P1, P2, P3, P4, P5] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1] as const;
const STRIPE = 16;

const rotated = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

export function xxh32(bytes: Uint8Array): number {
  const { length } = bytes;
  const round = (sum: number, at: number): number =>
    Math.imul(rotated((sum + Math.imul(int32(bytes, at), P2)) | 0, 13), P1);
  let at = 0;
  let hash: number = P5;
  if (length >= STRIPE) {
    let a = (P1 + P2) | 0;
    let b = P2 | 0;
    let c = 0;
    let d = -P1 | 0;
    for (; at + STRIPE <= length; at += STRIPE) {
      a = round(a, at);
      b = round(b, at + 4);
      c = round(c, at + 8);
      d = round(d, at + 12);
    }
    hash = rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18);
  }
  hash = (hash + length) | 0;
  for (; at + 4 <= length; at += 4) hash = Math.imul(rotated((hash + Math.imul(int32(bytes, at), P3)) | 0, 17), P4);
  for (; at < length; at++) hash = Math.imul(rotated((hash + Math.imul(bytes[at]!, P5)) | 0, 11), P1);
  hash = Math.imul(hash ^ (hash >>> 15), P2);
  hash = Math.imul(hash ^ (hash >>> 13), P3);
  return (hash ^ (hash >>> 16)) >>> 0;
}
