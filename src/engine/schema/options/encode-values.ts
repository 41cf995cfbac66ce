/**
 * Values of a message → its bytes, as protoc writes the contents of an Any: fields sorted by number, lists in order.
 */
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { type FieldDescriptor, fieldsOf, type MessageDescriptor } from '../descriptor.ts';
import { wireTypeOf } from '../wire-types.ts';
import { isSet, keyOf, type Values } from './values.ts';

export function encodeValues(message: MessageDescriptor, values: Values): Uint8Array {
  const writer = new BinaryWriter();
  writeMessage(writer, message, values);
  return writer.finish();
}

function writeMessage(writer: BinaryWriter, message: MessageDescriptor, values: Values): void {
  for (const field of [...fieldsOf(message)].sort((a, b) => a.number - b.number)) {
    const value = values[keyOf(field)];
    if (!message.isMapEntry && !isSet(field, value)) continue;
    if (!Array.isArray(value)) writeRecord(writer, field, value);
    else if (field.packed && value.length > 0) {
      writer.tag(field.number, WireType.LengthDelimited).fork();
      for (const element of value) writeScalar(writer, field, element);
      writer.join();
    } else for (const element of value) writeRecord(writer, field, element);
  }
}

function writeRecord(writer: BinaryWriter, field: FieldDescriptor, value: unknown): void {
  writer.tag(field.number, wireTypeOf(field.type));
  if (field.type === 'group') {
    writeMessage(writer, field.message!, value as Values);
    writer.tag(field.number, WireType.EndGroup);
  } else if (field.message !== undefined) {
    writer.fork();
    writeMessage(writer, field.message, value as Values);
    writer.join();
  } else writeScalar(writer, field, value);
}

function writeScalar(writer: BinaryWriter, { type, enum: values }: FieldDescriptor, value: unknown): void {
  if (type === 'message' || type === 'group') return;
  if (type === 'enum') {
    writer.int32(typeof value === 'number' ? value : values!.values.find(({ name }) => name === value)!.number);
  } else (writer[type] as (value: unknown) => void).call(writer, value);
}
