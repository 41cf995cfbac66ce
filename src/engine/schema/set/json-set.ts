/**
 * A FileDescriptorSet as ProtoJSON (https://protobuf.dev/programming-guides/json/) → its bytes, by the descriptors of
 * descriptor.proto. Names that descriptor.proto does not have are left out, because buf adds its own to each file.
 */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { FieldDescriptor, MessageDescriptor } from '../descriptor.ts';

/** @throws TypeError for a value that is impossible for its field; a caller turns it into a finding */
export function writeJsonSet(value: unknown, type: MessageDescriptor): Uint8Array {
  const writer = new BinaryWriter();
  writeMessage(writer, value, type, 0);
  return writer.finish();
}

/** The depth limit of protobuf's own parsers. */
const MAX_DEPTH = 100;

function writeMessage(writer: BinaryWriter, value: unknown, type: MessageDescriptor, depth: number): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > MAX_DEPTH) throw wrong(type.name);
  for (const [name, member] of Object.entries(value)) {
    const field = type.fields.find((candidate) => candidate.jsonName === name || candidate.name === name);
    if (field === undefined || member === null) continue;
    if (field.cardinality === 'singular') writeValue(writer, member, field, depth);
    else if (!Array.isArray(member)) throw wrong(name);
    else for (const element of member) writeValue(writer, element, field, depth);
  }
}

/** Each element is written as a record, because readers accept packed fields in both forms. */
function writeValue(writer: BinaryWriter, value: unknown, field: FieldDescriptor, depth: number): void {
  const { number, type, name } = field;
  if (type === 'message' && field.message !== undefined) {
    writer.tag(number, WireType.LengthDelimited).fork();
    writeMessage(writer, value, field.message, depth + 1);
    writer.join();
  } else if (type === 'string' && typeof value === 'string') {
    writer.tag(number, WireType.LengthDelimited).string(value);
  } else if (type === 'bytes' && typeof value === 'string') {
    const bytes = Uint8Array.from(atob(value.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    writer.tag(number, WireType.LengthDelimited).bytes(bytes);
  } else if (type === 'bool' && typeof value === 'boolean') {
    writer.tag(number, WireType.Varint).bool(value);
  } else if (type === 'enum') {
    const known = typeof value === 'string' ? field.enum?.values.find((entry) => entry.name === value)?.number : value;
    writer.tag(number, WireType.Varint).int32(integer(known, name));
  } else if (type === 'int32') {
    writer.tag(number, WireType.Varint).int32(integer(value, name));
  } else if (type === 'int64' || type === 'uint64') {
    if (typeof value !== 'string' && typeof value !== 'number') throw wrong(name);
    writer.tag(number, WireType.Varint);
    if (type === 'int64') writer.int64(value);
    else writer.uint64(value);
  } else if (type === 'double' && (typeof value === 'number' || typeof value === 'string')) {
    writer.tag(number, WireType.Bit64).double(Number(value));
  } else throw wrong(name);
}

function integer(value: unknown, name: string): number {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) throw wrong(name);
  return number;
}

const wrong = (name: string): TypeError => new TypeError(`${name} cannot have this value`);
