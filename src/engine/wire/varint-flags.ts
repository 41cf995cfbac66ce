/**
 * Whether a varint is longer than the encoding that protobuf would write for its value.
 * Values of 32-bit types are cut to 32 bits first; a negative int32 or enum takes ten bytes, as int64 does.
 */
import { Flag } from '../annotation.ts';
import { varintHigh, varintLow, varintWidth } from '../bytes/varint.ts';
import { Kind } from './tag-plan.ts';

/** By kind: varints below this width that do not end in a zero byte are as short as can be, and not negative. */
export const ODD_WIDTH = [11, 11, 5, 5, 10, 11, 2];

/** Bits of Flag for the varint `bytes[start, end)`: OVERLONG, NEGATIVE, and DEFAULT where the value is 0. */
export function varintFlags(kind: number, bytes: Uint8Array, start: number, end: number): number {
  const low = varintLow(bytes, start, end);
  const high = kind === Kind.INT32 ? low >> 31 : kind === Kind.UINT32 ? 0 : varintHigh(bytes, start, end);
  const shortest = kind === Kind.BOOL ? 1 : varintWidth(low, high);
  const isNegative = high < 0 && (kind === Kind.INT32 || kind === Kind.INT64);
  return (
    (end - start > shortest ? Flag.OVERLONG : 0) |
    (isNegative && end - start === 10 ? Flag.NEGATIVE : 0) |
    ((low | high) === 0 ? Flag.DEFAULT : 0)
  );
}
