/**
 * One option's written value → plain data, by the type that its field gives it: 64-bit integers as bigint, enum values
 * by name, messages as objects by field name, repeated ones as lists. Inside braces, the rules of protobuf's text
 * format apply. https://protobuf.dev/reference/protobuf/textformat-spec/
 */
import type { NamePart, RawField, RawValue } from '../declaration.ts';
import { type EnumValueDescriptor, type FieldDescriptor, fieldsOf, type MessageDescriptor } from '../descriptor.ts';
import { ANY } from '../names.ts';
import { integerOf, numberOf } from '../text/literal.ts';
import { encodeValues } from './encode-values.ts';
import { completeEntry, isSet, isValues, keyOf, merge, noValues, type Values } from './values.ts';

/** A value that the option's type cannot hold. The message follows the words "must be". */
export class OptionTypeMismatch extends Error {}

/** The parts of the schema that are needed to read a value. */
export interface ValueReading {
  /** The extension that a name in brackets means in a message. */
  readonly extension: (name: string, of: MessageDescriptor) => FieldDescriptor | undefined;
  readonly message: (fullName: string) => MessageDescriptor | undefined;
  /** Called with each field that is set, and with each enum value. @param isTargeted false inside groups */
  readonly use: (used: FieldDescriptor | EnumValueDescriptor, isTargeted: boolean) => void;
}

/** The place of a value. */
interface Place {
  readonly inBraces: boolean;
  readonly inGroup: boolean;
}

export const readOptionValue = (field: FieldDescriptor, value: RawValue, reading: ValueReading): unknown => {
  const place = { inBraces: false, inGroup: false };
  return readField(field, value, reading, place);
};

function readField(field: FieldDescriptor, value: RawValue, reading: ValueReading, place: Place): unknown {
  reading.use(field, !place.inGroup);
  if (value.kind === 'list') {
    if (field.cardinality === 'singular') throw new OptionTypeMismatch('one value, not a list');
    return value.values.map((inner) => readOne(field, inner, reading, place));
  }
  const one = readOne(field, value, reading, place);
  return field.cardinality === 'singular' ? one : [one];
}

function readOne(field: FieldDescriptor, value: RawValue, reading: ValueReading, place: Place): unknown {
  const { type } = field;
  const { inBraces } = place;
  switch (type) {
    case 'message':
    case 'group': {
      const values = readMessage(field.message!, value, reading, place.inGroup || type === 'group');
      // A nested message is checked together with the outermost one.
      if (!inBraces) requireAll(field.message!, values);
      return values;
    }
    case 'enum': {
      const { values, fullName } = field.enum!;
      const known = values.find(({ name, number }) =>
        value.kind === 'identifier'
          ? name === value.text
          : inBraces && value.kind === 'number' && integerOf(value, 'int32') === BigInt(number),
      );
      if (known === undefined) {
        // An open enum accepts every number.
        const number = inBraces && !field.enum!.closed ? integerOf(value, 'int32') : undefined;
        if (number === undefined) throw new OptionTypeMismatch(`a value of the enum ${fullName}`);
        return Number(number);
      }
      reading.use(known, false);
      return known.name;
    }
    case 'bool': {
      if (value.kind === 'identifier' && /^(true|false)$/.test(value.text)) return value.text === 'true';
      if (inBraces && value.kind === 'identifier' && /^(True|t|False|f)$/.test(value.text)) {
        return /^[Tt]/.test(value.text);
      }
      const integer = inBraces && value.kind === 'number' && !value.negative ? integerOf(value, 'uint32') : undefined;
      if (integer === 0n || integer === 1n) return integer === 1n;
      throw new OptionTypeMismatch('true or false');
    }
    case 'string':
    case 'bytes':
      if (value.kind !== 'string') throw new OptionTypeMismatch('text in quotes');
      return type === 'string' ? new TextDecoder().decode(value.bytes) : value.bytes;
    case 'float':
    case 'double': {
      const number = numberOf(value, inBraces);
      if (number === undefined) throw new OptionTypeMismatch('a number');
      return type === 'float' ? Math.fround(number) : number;
    }
    default: {
      const integer = integerOf(value, type);
      if (integer === undefined) throw new OptionTypeMismatch(`a whole number that ${type} holds`);
      return type.endsWith('64') ? integer : Number(integer);
    }
  }
}

function readMessage(message: MessageDescriptor, value: RawValue, reading: ValueReading, inGroup: boolean): Values {
  if (value.kind !== 'aggregate') throw new OptionTypeMismatch(`a message in braces, ${message.fullName}`);
  const values = noValues();
  const place = { inBraces: true, inGroup };
  const oneofs = new Map<string, string>();
  for (const written of value.fields) {
    const { name, value: inner, hasColon } = written;
    if (name.isExtension && name.text.includes('/')) {
      const contents = contentsOfAny(message, written, reading, inGroup);
      if (message.fields.some((field) => isSet(field, values[field.name]))) {
        throw new OptionTypeMismatch(`a ${message.fullName} with its contents once`);
      }
      values['type_url'] = name.text;
      if (contents.length > 0) values['value'] = contents;
      continue;
    }
    const field = fieldOf(message, name, reading);
    if (field === undefined) {
      if (!name.isExtension && message.reservedNames.includes(name.text)) continue;
      throw new OptionTypeMismatch(`a ${message.fullName}, which has no "${name.text}"`);
    }
    if (!hasColon && field.message === undefined) throw new OptionTypeMismatch(`written with ":" after "${name.text}"`);
    const key = keyOf(field);
    if (field.cardinality === 'singular') {
      if (isSet(field, values[key])) throw new OptionTypeMismatch(`a ${message.fullName} with "${name.text}" once`);
      const other = field.oneof && oneofs.get(field.oneof.name);
      if (other !== undefined)
        throw new OptionTypeMismatch(`a ${message.fullName} with "${other}" or "${name.text}", not both`);
      if (field.oneof) oneofs.set(field.oneof.name, name.text);
    }
    merge(values, field, readField(field, inner, reading, place));
  }
  completeEntry(message, values);
  return values;
}

/** A group may also be named by its message. */
const fieldOf = (message: MessageDescriptor, name: NamePart, reading: ValueReading): FieldDescriptor | undefined =>
  name.isExtension
    ? reading.extension(name.text, message)
    : message.fields.find(
        (known) => known.name === name.text || (known.type === 'group' && known.message?.name === name.text),
      );

/** The bytes of an Any's contents, `[type.googleapis.com/full.Name] { … }`. */
function contentsOfAny(
  message: MessageDescriptor,
  { name, value }: RawField,
  reading: ValueReading,
  inGroup: boolean,
): Uint8Array {
  const [, type] = /^type\.google(?:apis|prod)\.com\/([^/]+)$/.exec(name.text) ?? [];
  const target = message.fullName === ANY && type !== undefined ? reading.message(type) : undefined;
  if (target === undefined) throw new OptionTypeMismatch(`a ${message.fullName}, which has no "[${name.text}]"`);
  const values = readMessage(target, value, reading, inGroup);
  requireAll(target, values);
  return encodeValues(target, values);
}

function requireAll(message: MessageDescriptor, values: Values): void {
  for (const field of fieldsOf(message)) {
    const key = keyOf(field);
    if (field.presence === 'required' && !(key in values)) {
      throw new OptionTypeMismatch(`a ${message.fullName} with its required "${field.name}"`);
    }
    if (field.message === undefined || !(key in values)) continue;
    for (const value of [values[key]].flat()) if (isValues(value)) requireAll(field.message, value);
  }
}
