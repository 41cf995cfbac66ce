/** Custom options, as read → the statements that set them, in the syntax of .proto. */
import { type FieldDescriptor, fieldsOf, type Registry } from '../schema/descriptor.ts';
import { escapeBytes } from '../schema/link/default-value.ts';
import { keyOf } from '../schema/options/values.ts';
import type { OptionText } from './pages.ts';

/** In the order in which the options were set; a repeated option has a statement for each of its values. */
export function optionTexts(registry: Registry, options: Readonly<Record<string, unknown>>): readonly OptionText[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const field = registry.extensions.get(name);
    return listOf(value).map((one) => ({ name: `(${name})`, value: valueText(field, one) }));
  });
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** @param field undefined: the schema does not declare it */
function valueText(field: FieldDescriptor | undefined, value: unknown): string {
  if (value instanceof Uint8Array) return `"${escapeBytes(value)}"`;
  if (typeof value === 'object' && value !== null) return messageText(field, value);
  if (typeof value === 'string') return field?.type === 'enum' ? value : JSON.stringify(value);
  return String(value).replace('Infinity', 'inf').replace('NaN', 'nan');
}

function messageText(field: FieldDescriptor | undefined, values: object): string {
  const members = field?.message === undefined ? [] : fieldsOf(field.message);
  const texts = Object.entries(values).map(([key, value]) => {
    const member = members.find((candidate) => keyOf(candidate) === key);
    const inner = listOf(value).map((one) => valueText(member, one));
    return `${nameText(member, key)}: ${Array.isArray(value) ? `[${inner.join(', ')}]` : inner[0]}`;
  });
  return texts.length === 0 ? '{}' : `{ ${texts.join(' ')} }`;
}

function nameText(member: FieldDescriptor | undefined, key: string): string {
  if (member?.isExtension || /\W/.test(key)) return `[${key}]`;
  // Text format calls a group by the name of its type.
  const group = member?.type === 'group' ? member.message!.name : '';
  return group.toLowerCase() === key ? group : key;
}
