/** Size prefixes: a varint (parseDelimitedFrom), or an integer of fixed width. */
import { integerAt } from '../../bytes/integers.ts';
import { varintNumber } from '../../bytes/varint.ts';
import type { SizedFrame, SizePrefix } from './size-prefixed-framer.ts';

/** Longer varints are not accepted as sizes: a varint of more than eight bytes would lose precision. */
const VARINT_BYTES = 8;

export const varintPrefix: SizePrefix = (header, length) => {
  const last = header[length - 1]!;
  if (last >= 0x80) return length < VARINT_BYTES ? 'more' : 'bad';
  return { size: varintNumber(header, 0, length), kind: 'plain' };
};

/** `kcat -f '%R%s'` writes −1 as the size of a record without a value. */
const NO_VALUE = 0xffffffff;

export const fixedPrefix =
  (bytes: 2 | 4, order: 'big' | 'little'): SizePrefix =>
  (header, length) => {
    if (length < bytes) return 'more';
    const size = integerAt(header, 0, bytes, order === 'little');
    if (size === NO_VALUE && order === 'big') return { size: 0, kind: 'trailer' } satisfies SizedFrame;
    return { size, kind: 'plain' } satisfies SizedFrame;
  };
