/**
 * Messages as Thrift structs with the same field numbers: the common part of the compact and the binary protocol.
 * 32-bit integers and enums are i32, 64-bit integers are i64 (unsigned ones by their bits), float and double are
 * `double`. github.com/apache/thrift/blob/master/doc/specs/
 */
import type { FieldDescriptor } from '../schema/descriptor.ts';
import type { EncodedRows } from './encoded-rows.ts';
import type { EncodingSubject } from './encoding-row.ts';
import { addLosses, countLoss } from './losses.ts';
import {
  type Item,
  isMessageField,
  type MessageValue,
  type Scalar,
  type SetField,
  turnsNegative,
} from './message-value.ts';
import { TokenWriter, type Written } from './token-writer.ts';

export type ThriftType = 'bool' | 'i32' | 'i64' | 'double' | 'string' | 'struct' | 'list' | 'map';

export interface ThriftProtocol {
  /** Writes the bytes before a field's value. `last`: the number of the previous field, initially 0. */
  readonly field: (
    writer: TokenWriter,
    type: ThriftType,
    number: number,
    last: number,
    value: Scalar | undefined,
  ) => void;
  readonly list: (writer: TokenWriter, type: ThriftType, length: number) => void;
  readonly map: (writer: TokenWriter, key: ThriftType, value: ThriftType, length: number) => void;
  /** `isField`: a compact boolean is already in its field's header. */
  readonly bool: (writer: TokenWriter, value: boolean, isField: boolean) => void;
  readonly i32: (writer: TokenWriter, value: number) => void;
  readonly i64: (writer: TokenWriter, value: bigint) => void;
  /** Eight bytes, little-endian. */
  readonly double: (writer: TokenWriter, value: Uint8Array) => void;
  readonly length: (writer: TokenWriter, length: number) => void;
}

/** Numbers of fields are 16-bit. */
const LAST_NUMBER = 32767;

export function encodeThrift(subject: EncodingSubject, rows: EncodedRows, protocol: ThriftProtocol): Written {
  const writer = new TokenWriter(rows, subject.table);
  addLosses(writer.losses, subject.dropped);
  writer.begin(undefined, 0);
  new Structs(writer, protocol).struct(subject.value);
  writer.end();
  return writer.finish();
}

function typeOf({ type }: FieldDescriptor): ThriftType {
  switch (type) {
    case 'message':
    case 'group':
      return 'struct';
    case 'string':
    case 'bytes':
      return 'string';
    case 'float':
    case 'double':
      return 'double';
    case 'bool':
      return 'bool';
    default:
      return type.endsWith('64') ? 'i64' : 'i32';
  }
}

class Structs {
  readonly #writer: TokenWriter;
  readonly #protocol: ThriftProtocol;

  constructor(writer: TokenWriter, protocol: ThriftProtocol) {
    this.#writer = writer;
    this.#protocol = protocol;
  }

  struct({ fields }: MessageValue): void {
    const writer = this.#writer;
    let last = 0;
    for (const set of fields) {
      const { field, items } = set;
      if (field.number > LAST_NUMBER) {
        countLoss(writer.losses, 'field-number');
        continue;
      }
      const isSingular = field.cardinality === 'singular';
      const type = isSingular ? typeOf(field) : field.cardinality === 'map' ? 'map' : 'list';
      writer.begin(field, set.row);
      writer.token('key');
      const value = isSingular && !isMessageField(field) ? (items[0]!.value as Scalar) : undefined;
      this.#protocol.field(writer, type, field.number, last, value);
      writer.end();
      if (isSingular) this.#value(field, items[0]!, true);
      else if (field.cardinality === 'map') this.#map(set);
      else this.#list(set);
      writer.end();
      last = field.number;
    }
    writer.byte('group-end', 0);
  }

  #list({ field, items }: SetField): void {
    const writer = this.#writer;
    writer.token('count');
    this.#protocol.list(writer, typeOf(field), items.length);
    writer.end();
    for (const item of items) {
      writer.begin(undefined, item.row);
      this.#value(field, item, false);
      writer.end();
    }
  }

  #map({ field, entries }: SetField): void {
    const writer = this.#writer;
    const [key, value] = [field.message!.byNumber.get(1)!, field.message!.byNumber.get(2)!];
    writer.token('count');
    this.#protocol.map(writer, typeOf(key), typeOf(value), entries.length);
    writer.end();
    for (const entry of entries) {
      writer.begin(undefined, entry.row);
      this.#part(key, entry.key);
      this.#part(value, entry.value);
      writer.end();
    }
  }

  #part(field: FieldDescriptor, item: Item): void {
    this.#writer.begin(field, item.row);
    this.#value(field, item, false);
    this.#writer.end();
  }

  #value(field: FieldDescriptor, { row, value, contents }: Item, isField: boolean): void {
    if (isMessageField(field)) {
      this.struct(value as MessageValue);
      return;
    }
    const writer = this.#writer;
    if (value instanceof Uint8Array && typeOf(field) === 'string') {
      writer.token('length');
      this.#protocol.length(writer, value.length);
      writer.end();
    }
    if (contents !== undefined) {
      writer.value(row, value as Uint8Array);
      return;
    }
    writer.token('value');
    this.#scalar(field, value as Scalar, isField);
    writer.end();
  }

  #scalar(field: FieldDescriptor, value: Scalar, isField: boolean): void {
    const writer = this.#writer;
    if (typeof value === 'boolean') this.#protocol.bool(writer, value, isField);
    else if (value instanceof Uint8Array) {
      if (field.type === 'float') countLoss(writer.losses, 'float32');
      if (typeOf(field) === 'double') this.#protocol.double(writer, value.length === 4 ? widened(value) : value);
      else writer.out.raw(value);
    } else {
      if (turnsNegative(value, typeof value === 'bigint' ? 64 : 32)) countLoss(writer.losses, 'unsigned');
      if (typeof value === 'bigint') this.#protocol.i64(writer, BigInt.asIntN(64, value));
      else this.#protocol.i32(writer, value | 0);
    }
  }
}

/** A float as a double with the same value; both little-endian. A NaN keeps its bits, which arithmetic may change. */
export function widened(value: Uint8Array): Uint8Array {
  const double = new Uint8Array(8);
  const [from, to] = [new DataView(value.buffer, value.byteOffset, 4), new DataView(double.buffer)];
  const bits = from.getUint32(0, true);
  if ((bits & 0x7fffffff) > 0x7f800000) {
    to.setUint32(0, bits << 29, true);
    to.setUint32(4, (bits & 0x80000000) | 0x7ff00000 | ((bits & 0x7fffff) >>> 3), true);
  } else to.setFloat64(0, from.getFloat32(0, true), true);
  return double;
}
