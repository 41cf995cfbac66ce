/** A registry as text, one element a line, for golden files and comparisons: equal texts mean equal schemas. */
import type { EnumDescriptor, FieldDescriptor, MessageDescriptor, Registry } from './descriptor.ts';

export function printRegistry(registry: Registry, includes: (file: string) => boolean = () => true): string {
  const lines: string[] = [];
  const print = (indent: number, ...words: readonly (string | undefined)[]) =>
    lines.push('  '.repeat(indent) + words.filter((word) => word !== undefined && word !== '').join(' '));
  for (const file of registry.files) {
    if (includes(file.path)) print(0, 'file', file.path, file.syntax, `package=${file.package}`);
  }
  for (const message of byName(registry.messages)) if (includes(message.file)) printMessage(message, print);
  for (const enumeration of byName(registry.enums)) if (includes(enumeration.file)) printEnum(enumeration, print);
  for (const extension of byName(registry.extensions)) {
    if (!includes(extension.file)) continue;
    print(0, 'extension', extension.fullName, 'of', extension.parent.fullName);
    printField(extension, print);
  }
  for (const service of byName(registry.services)) {
    if (!includes(service.file)) continue;
    print(0, 'service', service.fullName, `(${service.file})`);
    for (const { name, input, output, clientStreaming, serverStreaming } of service.methods) {
      const [up, down] = [clientStreaming ? 'stream' : '', serverStreaming ? 'stream' : ''];
      print(1, 'rpc', name, up, input.fullName, '→', down, output.fullName);
    }
  }
  return `${lines.join('\n')}\n`;
}

type Print = (indent: number, ...words: readonly (string | undefined)[]) => void;

const byName = <T>(map: ReadonlyMap<string, T>): readonly T[] =>
  [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, value]) => value);

function printMessage(message: MessageDescriptor, print: Print): void {
  print(0, 'message', message.fullName, `(${message.file})`, message.isMapEntry ? 'map-entry' : '', note(message));
  for (const field of message.fields) printField(field, print);
  for (const { name, fields } of message.oneofs) print(1, 'oneof', name, ...fields.map((field) => field.name));
  for (const { start, end } of message.reservedRanges) print(1, 'reserved', `${start}–${end - 1}`);
  for (const { start, end } of message.extensionRanges) print(1, 'extensions', `${start}–${end - 1}`);
  if (message.reservedNames.length > 0) print(1, 'reserved', ...message.reservedNames);
  const nested = [...message.messages, ...message.enums].map(({ name }) => name);
  if (nested.length > 0) print(1, 'holds', ...nested);
  for (const extension of byName(new Map([...message.extensions.values()].map((field) => [field.fullName, field])))) {
    print(1, 'extended by', extension.fullName);
  }
}

function printField(field: FieldDescriptor, print: Print): void {
  const type = field.message ?? field.enum;
  print(
    1,
    `${field.number}`,
    field.name,
    field.cardinality,
    field.type,
    type?.fullName,
    field.presence,
    field.packed ? 'packed' : '',
    field.oneof && `oneof=${field.oneof.name}`,
    field.isExtension ? '' : `json=${field.jsonName}`,
    field.defaultValue === undefined ? '' : `default=${JSON.stringify(field.defaultValue)}`,
    field.deprecated ? 'deprecated' : '',
    note(field),
  );
}

function printEnum(enumeration: EnumDescriptor, print: Print): void {
  print(0, 'enum', enumeration.fullName, `(${enumeration.file})`, enumeration.closed ? 'closed' : 'open');
  for (const { name, number } of enumeration.values) print(1, `${number}`, name);
}

/** Custom options and the comment. */
function note({ options, comment }: Pick<FieldDescriptor, 'options' | 'comment'>): string {
  const custom = Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = custom.map(([name, value]) => `(${name})=${printValue(value)}`);
  if (comment !== undefined) texts.push(`// ${JSON.stringify(comment)}`);
  return texts.join(' ');
}

function printValue(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return String(value);
  if (value instanceof Uint8Array) return `<${[...value].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')}>`;
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([name, inner]) => `${name}: ${printValue(inner)}`).join(', ')}}`;
  }
  return JSON.stringify(value) ?? 'undefined';
}
