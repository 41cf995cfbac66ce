/** Thrift's compact protocol. github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md */
import type { EncodingRow } from './encoding-row.ts';
import { encodeThrift, type ThriftProtocol, type ThriftType } from './thrift.ts';
import type { TokenWriter } from './token-writer.ts';

const TYPES: Readonly<Record<ThriftType, number>> = {
  bool: 1,
  i32: 5,
  i64: 6,
  double: 7,
  string: 8,
  list: 9,
  map: 11,
  struct: 12,
};
const FALSE = 2;
/** Maximum difference from the previous field's number that fits in a field's header byte. */
const LONGEST_STEP = 15;

const varint = ({ out }: TokenWriter, value: number): void => out.varint64(value, 0);
const zigzag32 = ({ out }: TokenWriter, value: number): void => out.varint64((value << 1) ^ (value >> 31), 0);

function zigzag64({ out }: TokenWriter, value: bigint): void {
  const folded = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  out.varint64(Number(folded & 0xffffffffn) | 0, Number(folded >> 32n) | 0);
}

const COMPACT: ThriftProtocol = {
  field(writer, type, number, last, value) {
    const code = value === false ? FALSE : TYPES[type];
    const step = number - last;
    if (step > 0 && step <= LONGEST_STEP) writer.out.byte((step << 4) | code);
    else {
      writer.out.byte(code);
      zigzag32(writer, number);
    }
  },
  list(writer, type, length) {
    if (length < 15) writer.out.byte((length << 4) | TYPES[type]);
    else {
      writer.out.byte(0xf0 | TYPES[type]);
      varint(writer, length);
    }
  },
  map(writer, key, value, length) {
    varint(writer, length);
    if (length > 0) writer.out.byte((TYPES[key] << 4) | TYPES[value]);
  },
  bool(writer, value, isField) {
    if (!isField) writer.out.byte(value ? 1 : FALSE);
  },
  i32: zigzag32,
  i64: zigzag64,
  double: ({ out }, value) => out.raw(value),
  length: varint,
};

export const THRIFT_COMPACT: EncodingRow = {
  id: 'thrift-compact',
  label: 'Thrift compact',
  mapping: 'A struct with the same field numbers; zigzag varints, float and double in 8 bytes, a stop byte.',
  isCommon: true,
  write: (subject, rows) => encodeThrift(subject, rows, COMPACT),
};
