/**
 * Options of descriptor sets → values, by the extensions in the registry. The result is the same as for written
 * options.
 */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import type { RawOption } from '../declaration.ts';
import type { FieldDescriptor, MessageDescriptor } from '../descriptor.ts';
import { isPackable, wireTypeOf } from '../wire-types.ts';
import { completeEntry, merge, noValues, type Values } from './values.ts';

/** Reads one record of an options message. A record without an extension in the registry is left out. */
export function readRecordOf(
  option: Extract<RawOption, { kind: 'wire' }>,
  target: MessageDescriptor,
  values: Values,
): void {
  const field = target.extensions.get(option.number);
  if (field === undefined) return;
  try {
    readRecord(new BinaryReader(option.data), option.wireType, field, values, 0);
  } catch {
    // Bytes that do not fit the extension are treated as unknown.
  }
}

const MAX_DEPTH = 60;

function readRecord(reader: BinaryReader, wireType: number, field: FieldDescriptor, into: Values, depth: number): void {
  if (depth > MAX_DEPTH) throw new RangeError('too deep');
  const isPackedRun = wireType === WireType.LengthDelimited && isPackable(field.type);
  if (isPackedRun && field.cardinality !== 'singular') {
    const end = reader.uint32() + reader.pos;
    const run: unknown[] = [];
    while (reader.pos < end) run.push(readScalar(reader, field));
    merge(into, field, run);
    return;
  }
  if (wireType !== wireTypeOf(field.type)) {
    reader.skip(wireType);
    return;
  }
  const value = field.message ? readMessageValue(reader, field, depth) : readScalar(reader, field);
  merge(into, field, field.cardinality === 'singular' ? value : [value]);
}

function readMessageValue(reader: BinaryReader, field: FieldDescriptor, depth: number): Values {
  const values = noValues();
  const message = field.message!;
  const end = field.type === 'group' ? reader.len : reader.uint32() + reader.pos;
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    if (wireType === WireType.EndGroup) break;
    const member = message.byNumber.get(number) ?? message.extensions.get(number);
    if (member === undefined) reader.skip(wireType, number);
    else readRecord(reader, wireType, member, values, depth + 1);
  }
  completeEntry(message, values);
  return values;
}

function readScalar(reader: BinaryReader, field: FieldDescriptor): unknown {
  const { type } = field;
  if (type === 'enum') {
    const number = reader.int32();
    return field.enum!.values.find((value) => value.number === number)?.name ?? number;
  }
  if (type === 'message' || type === 'group') return undefined;
  const value = reader[type]();
  return type.endsWith('64') ? BigInt(value as bigint | string) : value;
}
