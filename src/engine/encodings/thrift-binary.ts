/** Thrift's binary protocol. github.com/apache/thrift/blob/master/doc/specs/thrift-binary-protocol.md */
import { writeReversed, writeUint } from './big-endian.ts';
import type { EncodingRow } from './encoding-row.ts';
import { encodeThrift, type ThriftProtocol, type ThriftType } from './thrift.ts';

const TYPES: Readonly<Record<ThriftType, number>> = {
  bool: 2,
  double: 4,
  i32: 8,
  i64: 10,
  string: 11,
  struct: 12,
  map: 13,
  list: 15,
};

const BINARY: ThriftProtocol = {
  field(writer, type, number) {
    writer.out.byte(TYPES[type]);
    writeUint(writer, 2, number);
  },
  list(writer, type, length) {
    writer.out.byte(TYPES[type]);
    writeUint(writer, 4, length);
  },
  map(writer, key, value, length) {
    writer.out.byte(TYPES[key]);
    writer.out.byte(TYPES[value]);
    writeUint(writer, 4, length);
  },
  bool: ({ out }, value) => out.byte(value ? 1 : 0),
  i32: (writer, value) => writeUint(writer, 4, value),
  i64: (writer, value) => writeUint(writer, 8, value),
  double: writeReversed,
  length: (writer, length) => writeUint(writer, 4, length),
};

export const THRIFT_BINARY: EncodingRow = {
  id: 'thrift-binary',
  label: 'Thrift binary',
  mapping: 'A struct with the same field numbers: 3 bytes before a field, integers and lengths in fixed widths.',
  isCommon: false,
  write: (subject, rows) => encodeThrift(subject, rows, BINARY),
};
