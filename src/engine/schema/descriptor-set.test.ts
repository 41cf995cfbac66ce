import { readdirSync, readFileSync } from 'node:fs';
import {
  createFileRegistry,
  type DescExtension,
  type DescField,
  type DescMessage,
  fromBinary,
} from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Type,
  FileDescriptorSetSchema,
  file_google_protobuf_any,
  file_google_protobuf_descriptor,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
} from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import { compileSchema } from './compile.ts';
import type { FieldDescriptor, MessageDescriptor } from './descriptor.ts';

const FIXTURES = new URL('../../../fixtures/schema/', import.meta.url);
const SETS = [...readdirSync(new URL('sets/', FIXTURES)).map((name) => `sets/${name}`), 'rules/rules.binpb'];
const WELL_KNOWN = [
  file_google_protobuf_any,
  file_google_protobuf_descriptor,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
];

test.each(SETS)('%s means what a second runtime says it means', (path) => {
  const content = new Uint8Array(readFileSync(new URL(path, FIXTURES)));
  const { registry, diagnostics } = compileSchema([{ path, content }]);
  expect(diagnostics).toEqual([]);

  const set = fromBinary(FileDescriptorSetSchema, content);
  const own = new Set(set.file.map(({ name }) => name));
  set.file.unshift(...WELL_KNOWN.map(({ proto }) => proto).filter(({ name }) => !own.has(name)));
  const expected: Record<string, unknown> = {};
  const actual: Record<string, unknown> = {};
  let count = 0;
  for (const type of createFileRegistry(set)) {
    if (!own.has(type.file.proto.name)) continue;
    const name = `${type.kind} ${type.typeName}`;
    if (type.kind === 'message') {
      count++;
      expected[name] = expectedMessage(type);
      actual[name] = messageFacts(registry.messages.get(type.typeName));
    } else if (type.kind === 'enum') {
      expected[name] = {
        closed: !type.open,
        values: type.values.map(({ name, number, deprecated }) => ({ name, number, deprecated })),
      };
      const { closed, values } = registry.enums.get(type.typeName)!;
      actual[name] = {
        closed,
        values: values.map(({ name: value, number, deprecated }) => ({ name: value, number, deprecated })),
      };
    } else if (type.kind === 'extension') {
      expected[name] = { ...expectedField(type), extendee: type.extendee.typeName };
      const extension = registry.extensions.get(type.typeName)!;
      actual[name] = { ...fieldFacts(extension), extendee: extension.parent.fullName };
    } else {
      expected[name] = type.methods.map(({ name, input, output, methodKind }) => {
        return [name, input.typeName, output.typeName, /client|bidi/.test(methodKind), /server|bidi/.test(methodKind)];
      });
      actual[name] = registry.services
        .get(type.typeName)!
        .methods.map(({ name, input, output, clientStreaming, serverStreaming }) => {
          return [name, input.fullName, output.fullName, clientStreaming, serverStreaming];
        });
    }
  }
  expect(actual).toEqual(expected);
  const mine = [...registry.messages.values()].filter(({ isMapEntry, file }) => !isMapEntry && own.has(file));
  expect(count).toBe(mine.length);
});

test.each([
  ['nothing', new Uint8Array(), 'schema/empty-set'],
  ['text in bytes', new TextEncoder().encode('syntax = "proto3";'), 'schema/not-a-set'],
  ['a field without an end', Uint8Array.of(0x0a, 0x7f, 0x0a), 'schema/not-a-set'],
])('%s is no descriptor set', (_, content, code) => {
  const { registry, diagnostics } = compileSchema([{ path: 'x.binpb', content }]);
  expect(diagnostics).toMatchObject([{ code, severity: 'error', file: 'x.binpb', start: 0 }]);
  expect(registry.messages.size).toBe(0);
});

/** What a field is, in a form that both sides can be brought to. */
const fieldFacts = (field: FieldDescriptor) => ({
  name: field.name,
  jsonName: field.jsonName,
  number: field.number,
  cardinality: field.cardinality,
  type: field.type,
  refers: field.cardinality === 'map' ? undefined : (field.message?.fullName ?? field.enum?.fullName),
  presence: field.presence,
  packed: field.packed,
  oneof: field.oneof?.name,
  deprecated: field.deprecated,
  defaultValue: field.defaultValue,
  map: field.cardinality === 'map' ? field.message?.fields.map(({ type, number }) => `${number} ${type}`) : undefined,
});

const messageFacts = (message: MessageDescriptor | undefined) => ({
  fields: message?.fields.map(fieldFacts),
  oneofs: message?.oneofs.map(({ name, fields }) => [name, ...fields.map((field) => field.name)]),
  messages: message?.messages.filter(({ isMapEntry }) => !isMapEntry).map(({ name }) => name),
  enums: message?.enums.map(({ name }) => name),
});

const expectedMessage = (message: DescMessage): ReturnType<typeof messageFacts> => ({
  fields: message.fields.map(expectedField),
  oneofs: message.oneofs.map(({ name, fields }) => [name, ...fields.map((field) => field.name)]),
  messages: message.nestedMessages.map(({ name }) => name),
  enums: message.nestedEnums.map(({ name }) => name),
});

/** Numbers of google.protobuf.FeatureSet.FieldPresence. */
const PRESENCE: Readonly<Record<number, FieldDescriptor['presence']>> = { 1: 'explicit', 2: 'implicit', 3: 'required' };

function expectedField(field: DescField | DescExtension): ReturnType<typeof fieldFacts> {
  const declared = FieldDescriptorProto_Type[field.proto.type]!.toLowerCase() as FieldDescriptor['type'];
  const isDelimited = 'delimitedEncoding' in field && field.delimitedEncoding;
  const kind: string = field.fieldKind;
  const scalarName = (type: number) => FieldDescriptorProto_Type[type]!.toLowerCase();
  return {
    name: field.name,
    jsonName: field.jsonName,
    number: field.number,
    cardinality: kind === 'map' ? 'map' : kind === 'list' ? 'repeated' : 'singular',
    type: isDelimited ? 'group' : declared,
    refers: kind === 'map' ? undefined : (field.message?.typeName ?? field.enum?.typeName),
    presence: kind === 'map' || kind === 'list' ? 'none' : PRESENCE[field.presence]!,
    packed: field.fieldKind === 'list' && field.packed,
    oneof: field.oneof?.name,
    deprecated: field.deprecated,
    defaultValue: Object.hasOwn(field.proto, 'defaultValue') ? field.proto.defaultValue : undefined,
    map:
      'mapKey' in field && field.mapKey !== undefined
        ? [
            `1 ${scalarName(field.mapKey)}`,
            `2 ${field.scalar === undefined ? field.mapKind : scalarName(field.scalar)}`,
          ]
        : undefined,
  };
}
