/**
 * How protobuf writes each type of field. protobuf.dev/programming-guides/encoding#structure
 *
 *   VARINT  int32 int64 uint32 uint64 sint32 sint64 bool enum     LEN     string bytes message, packed runs
 *   I64     fixed64 sfixed64 double                               SGROUP  group
 *   I32     fixed32 sfixed32 float
 */
import { WireType } from '../model/annotation.ts';
import type { FieldType } from './descriptor.ts';

const WIRE_TYPES: Readonly<Record<FieldType, number>> = {
  double: WireType.I64,
  float: WireType.I32,
  int64: WireType.VARINT,
  uint64: WireType.VARINT,
  int32: WireType.VARINT,
  fixed64: WireType.I64,
  fixed32: WireType.I32,
  bool: WireType.VARINT,
  string: WireType.LEN,
  bytes: WireType.LEN,
  uint32: WireType.VARINT,
  sfixed32: WireType.I32,
  sfixed64: WireType.I64,
  sint32: WireType.VARINT,
  sint64: WireType.VARINT,
  enum: WireType.VARINT,
  message: WireType.LEN,
  group: WireType.SGROUP,
};

/** Wire type of a value that is not packed. */
export const wireTypeOf = (type: FieldType): number => WIRE_TYPES[type];

/** Whether a repeated field of this type may be written as one record. */
export const isPackable = (type: FieldType): boolean =>
  WIRE_TYPES[type] !== WireType.LEN && WIRE_TYPES[type] !== WireType.SGROUP;
