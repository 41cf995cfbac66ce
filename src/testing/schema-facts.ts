/**
 * Facts of a descriptor set from a second runtime, and from our registry, in one form: equal strings under equal names
 * mean the same schema.
 */
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
  file_google_protobuf_api,
  file_google_protobuf_descriptor,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_source_context,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_type,
  file_google_protobuf_wrappers,
} from '@bufbuild/protobuf/wkt';
import type { FieldDescriptor, MessageDescriptor, Registry } from '#engine/schema/descriptor.ts';

/** Facts of every declaration by `kind full.name`, as plain data. */
export type SchemaFacts = ReadonlyMap<string, unknown>;

/**
 * Files of google/protobuf/ that protobuf-es brings, in the order of their imports: a file imports only files before
 * it.
 */
export const WELL_KNOWN_FILES = [
  file_google_protobuf_descriptor,
  file_google_protobuf_any,
  file_google_protobuf_source_context,
  file_google_protobuf_type,
  file_google_protobuf_api,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
];

/** Paths of the files a set holds. */
export const filesOfSet = (content: Uint8Array): readonly string[] =>
  fromBinary(FileDescriptorSetSchema, content).file.map(({ name }) => name);

/** @param includes the files of the set whose declarations are wanted. */
export function factsOfSet(content: Uint8Array, includes: (file: string) => boolean = () => true): SchemaFacts {
  const set = fromBinary(FileDescriptorSetSchema, content);
  const files = new Set(set.file.map(({ name }) => name));
  const imported = new Set(set.file.flatMap(({ dependency }) => dependency));
  const added = WELL_KNOWN_FILES.map(({ proto }) => proto).filter(({ name }) => imported.has(name) && !files.has(name));
  set.file.unshift(...added);
  const facts = new Map<string, unknown>();
  for (const type of createFileRegistry(set)) {
    const { name: file } = type.file.proto;
    if (!files.has(file) || !includes(file)) continue;
    const name = `${type.kind} ${type.typeName}`;
    if (type.kind === 'message') facts.set(name, expectedMessage(type));
    else if (type.kind === 'enum') {
      const values = type.values.map(({ name: value, number, deprecated }) => ({ name: value, number, deprecated }));
      facts.set(name, { closed: !type.open, values });
    } else if (type.kind === 'extension') {
      facts.set(name, { ...expectedField(type), extendee: type.extendee.typeName });
    } else {
      const methods = type.methods.map(({ name: method, input, output, methodKind }) => {
        return [
          method,
          input.typeName,
          output.typeName,
          /client|bidi/.test(methodKind),
          /server|bidi/.test(methodKind),
        ];
      });
      facts.set(name, methods);
    }
  }
  return facts;
}

/** The same of a registry. */
export function factsOfRegistry(registry: Registry, includes: (file: string) => boolean = () => true): SchemaFacts {
  const facts = new Map<string, unknown>();
  for (const message of registry.messages.values()) {
    if (!message.isMapEntry && includes(message.file)) facts.set(`message ${message.fullName}`, messageFacts(message));
  }
  for (const { fullName, closed, values, file } of registry.enums.values()) {
    if (!includes(file)) continue;
    const known = values.map(({ name, number, deprecated }) => ({ name, number, deprecated }));
    facts.set(`enum ${fullName}`, { closed, values: known });
  }
  for (const extension of registry.extensions.values()) {
    if (!includes(extension.file)) continue;
    facts.set(`extension ${extension.fullName}`, { ...fieldFacts(extension), extendee: extension.parent.fullName });
  }
  for (const { fullName, methods, file } of registry.services.values()) {
    if (!includes(file)) continue;
    const known = methods.map(({ name, input, output, clientStreaming, serverStreaming }) => {
      return [name, input.fullName, output.fullName, clientStreaming, serverStreaming];
    });
    facts.set(`service ${fullName}`, known);
  }
  return facts;
}

/** Facts of a field, in a form that both sides can produce. */
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

const messageFacts = (message: MessageDescriptor) => ({
  fields: message.fields.map(fieldFacts),
  oneofs: message.oneofs.map(({ name, fields }) => [name, ...fields.map((field) => field.name)]),
  messages: message.messages.filter(({ isMapEntry }) => !isMapEntry).map(({ name }) => name),
  enums: message.enums.map(({ name }) => name),
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
