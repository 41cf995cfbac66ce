/**
 * A sequence of messages, each preceded by its size.
 *
 *   ┌ prefix ┬ payload ┬ prefix ┬ payload ┬ …    prefix: a varint (parseDelimitedFrom), or 2 or 4 fixed bytes
 */

import type { Framing } from './framing.ts';
import { framed } from './size-prefixed-framer.ts';
import { fixedPrefix, varintPrefix } from './sizes.ts';

export const SIZE_PREFIXED: readonly Framing[] = [
  framed({ id: 'varint', label: 'Size-prefixed, varint', prefix: varintPrefix }),
  framed({ id: 'be32', label: 'Size-prefixed, 4 bytes big-endian', prefix: fixedPrefix(4, 'big') }),
  framed({ id: 'le32', label: 'Size-prefixed, 4 bytes little-endian', prefix: fixedPrefix(4, 'little') }),
  framed({ id: 'be16', label: 'Size-prefixed, 2 bytes big-endian', prefix: fixedPrefix(2, 'big') }),
  framed({ id: 'le16', label: 'Size-prefixed, 2 bytes little-endian', prefix: fixedPrefix(2, 'little') }),
];
