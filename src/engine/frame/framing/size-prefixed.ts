/**
 * Messages one after the other, each behind its size.
 *
 *   ┌ prefix ┬ payload ┬ prefix ┬ payload ┬ …    prefix: a varint (parseDelimitedFrom), or 2 or 4 fixed bytes
 */

import type { Framing } from './framing.ts';
import { type Frame, framed, type Prefix } from './size-prefixed-framer.ts';

/** Sizes above this are no sizes: a varint of more than eight bytes would lose precision. */
const VARINT_BYTES = 8;

const varintPrefix: Prefix = (header, length) => {
  const last = header[length - 1]!;
  if (last >= 0x80) return length < VARINT_BYTES ? 'more' : 'bad';
  let size = 0;
  for (let at = length - 1; at >= 0; at--) size = size * 128 + (header[at]! & 0x7f);
  return { size, kind: 'plain' };
};

const fixedPrefix =
  (bytes: 2 | 4, order: 'big' | 'little'): Prefix =>
  (header, length) => {
    if (length < bytes) return 'more';
    let size = 0;
    for (let n = 0; n < bytes; n++) size = size * 256 + header[order === 'big' ? n : bytes - 1 - n]!;
    return { size, kind: 'plain' } satisfies Frame;
  };

export const SIZE_PREFIXED: readonly Framing[] = [
  framed({ id: 'varint', label: 'Size-prefixed, varint', prefix: varintPrefix }),
  framed({ id: 'be32', label: 'Size-prefixed, 4 bytes big-endian', prefix: fixedPrefix(4, 'big') }),
  framed({ id: 'le32', label: 'Size-prefixed, 4 bytes little-endian', prefix: fixedPrefix(4, 'little') }),
  framed({ id: 'be16', label: 'Size-prefixed, 2 bytes big-endian', prefix: fixedPrefix(2, 'big') }),
  framed({ id: 'le16', label: 'Size-prefixed, 2 bytes little-endian', prefix: fixedPrefix(2, 'little') }),
];
