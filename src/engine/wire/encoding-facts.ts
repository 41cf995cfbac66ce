/** Widths of protobuf tags and values. protobuf.dev/programming-guides/encoding#structure */
import { WireType } from '../model/annotation.ts';
import type { FieldType } from '../schema/descriptor.ts';
import { wireTypeOf } from '../schema/wire-types.ts';

/** Bytes of a value of fixed width, 8 or 4; 0: the type has no fixed width. */
export function fixedSize(type: FieldType): number {
  const wireType = wireTypeOf(type);
  return wireType === WireType.I64 ? 8 : wireType === WireType.I32 ? 4 : 0;
}

export const isFloat = (type: FieldType): boolean => type === 'float' || type === 'double';
export const isVarint = (type: FieldType): boolean => wireTypeOf(type) === WireType.VARINT;
export const isLengthPrefixed = (type: FieldType): boolean => wireTypeOf(type) === WireType.LEN;
/** Bytes of the shortest tag of a field number: 1 up to 15, 2 up to 2047, then 3, 4, 5. */
export const tagWidth = (number: number): number =>
  number < 16 ? 1 : number < 2048 ? 2 : number < 262144 ? 3 : number < 33554432 ? 4 : 5;
