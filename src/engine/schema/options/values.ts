/** The values of options as plain data, and the rules for merging two values of one field. */
import { type FieldDescriptor, fieldsOf, type MessageDescriptor } from '../descriptor.ts';

export type Values = Record<string, unknown>;

export const noValues = (): Values => Object.create(null) as Values;

export const keyOf = ({ isExtension, fullName, name }: FieldDescriptor): string => (isExtension ? fullName : name);

/**
 * Adds a field's value to the known ones. Lists are appended, messages are merged, and of other values the last one
 * counts. A oneof keeps one member. An empty list is not a value.
 */
export function merge(into: Values, field: FieldDescriptor, value: unknown): void {
  const key = keyOf(field);
  const known = into[key];
  for (const other of field.oneof?.fields ?? []) if (other !== field) delete into[keyOf(other)];
  if (Array.isArray(known) && Array.isArray(value)) known.push(...value);
  else if (isValues(known) && isValues(value) && field.message !== undefined) {
    for (const member of fieldsOf(field.message)) {
      const inner = value[keyOf(member)];
      if (inner !== undefined) merge(known, member, inner);
    }
  } else if (!Array.isArray(value) || value.length > 0) into[key] = value;
}

/** A map entry always has its key and its value. */
export function completeEntry(message: MessageDescriptor, values: Values): void {
  if (!message.isMapEntry) return;
  for (const field of message.fields) values[field.name] ??= zeroOf(field);
}

function zeroOf({ type, enum: values }: FieldDescriptor): unknown {
  switch (type) {
    case 'message':
    case 'group':
      return noValues();
    case 'enum':
      return values!.values[0]!.name;
    case 'string':
      return '';
    case 'bytes':
      return new Uint8Array();
    case 'bool':
      return false;
    default:
      return type.endsWith('64') ? 0n : 0;
  }
}

/** Whether a field has a value. Without presence, zero is not a value, but −0 is. */
export function isSet(field: FieldDescriptor, value: unknown): boolean {
  if (value === undefined) return false;
  if (field.presence !== 'implicit') return true;
  if (value instanceof Uint8Array) return value.length > 0;
  const number = field.enum?.values.find(({ name }) => name === value)?.number ?? value;
  return !(Object.is(number, 0) || number === 0n || number === '' || number === false);
}

export const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
