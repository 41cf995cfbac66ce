/** Descriptors for tests from a descriptor set, through another library's reading of it. */
import {
  ScalarType as BufScalar,
  createFileRegistry,
  type DescEnum,
  type DescExtension,
  type DescField,
  type DescMessage,
  type FileRegistry,
  fromBinary,
} from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type { EnumDescriptor, FieldDescriptor, FieldType, MessageDescriptor, Presence } from '../schema/descriptor.ts';

type Draft<T> = { -readonly [K in keyof T]: T[K] };

const SCALARS: Record<BufScalar, FieldType> = {
  [BufScalar.DOUBLE]: 'double',
  [BufScalar.FLOAT]: 'float',
  [BufScalar.INT64]: 'int64',
  [BufScalar.UINT64]: 'uint64',
  [BufScalar.INT32]: 'int32',
  [BufScalar.FIXED64]: 'fixed64',
  [BufScalar.FIXED32]: 'fixed32',
  [BufScalar.BOOL]: 'bool',
  [BufScalar.STRING]: 'string',
  [BufScalar.BYTES]: 'bytes',
  [BufScalar.UINT32]: 'uint32',
  [BufScalar.SFIXED32]: 'sfixed32',
  [BufScalar.SFIXED64]: 'sfixed64',
  [BufScalar.SINT32]: 'sint32',
  [BufScalar.SINT64]: 'sint64',
};

export const bufbuildRegistry = (set: Uint8Array): FileRegistry =>
  createFileRegistry(fromBinary(FileDescriptorSetSchema, set));

/** Our descriptors of every message of a registry, by full name. */
export function descriptorsOf(registry: FileRegistry): ReadonlyMap<string, MessageDescriptor> {
  const messages = new Map<string, Draft<MessageDescriptor>>();
  const enums = new Map<string, EnumDescriptor>();

  const enumOf = (desc: DescEnum): EnumDescriptor => {
    let found = enums.get(desc.typeName);
    if (found === undefined) {
      found = {
        kind: 'enum',
        name: desc.name,
        fullName: desc.typeName,
        file: desc.file.name,
        closed: !desc.open,
        values: desc.values.map(({ name, number }) => ({ name, number })),
      };
      enums.set(desc.typeName, found);
    }
    return found;
  };

  const entryOf = (field: DescField, parent: MessageDescriptor): MessageDescriptor => {
    const fullName = `${parent.fullName}.${field.name}.Entry`;
    const entry = emptyMessage(fullName, field.parent.file.name, true);
    const common = {
      kind: 'field',
      cardinality: 'singular',
      presence: 'explicit',
      packed: false,
      parent: entry,
      oneof: undefined,
      isExtension: false,
      defaultValue: undefined,
      deprecated: false,
      options: {},
      comment: undefined,
    } as const;
    if (field.fieldKind !== 'map') throw new Error('not a map');
    const value =
      field.mapKind === 'message'
        ? { type: 'message' as const, message: messageOf(field.message), enum: undefined }
        : field.mapKind === 'enum'
          ? { type: 'enum' as const, message: undefined, enum: enumOf(field.enum) }
          : { type: SCALARS[field.scalar], message: undefined, enum: undefined };
    const fields: FieldDescriptor[] = [
      {
        ...common,
        name: 'key',
        jsonName: 'key',
        fullName: `${fullName}.key`,
        number: 1,
        type: SCALARS[field.mapKey],
        message: undefined,
        enum: undefined,
      },
      { ...common, name: 'value', jsonName: 'value', fullName: `${fullName}.value`, number: 2, ...value },
    ];
    entry.fields = fields;
    entry.byNumber = new Map(fields.map((f) => [f.number, f]));
    return entry;
  };

  const fieldOf = (field: DescField | DescExtension, parent: MessageDescriptor): FieldDescriptor => {
    const isExtension = field.kind === 'extension';
    const element = field.fieldKind === 'list' ? field.listKind : field.fieldKind;
    const delimited = 'delimitedEncoding' in field && field.delimitedEncoding;
    const type: FieldType =
      element === 'scalar'
        ? SCALARS[field.scalar!]
        : element === 'enum'
          ? 'enum'
          : element === 'map' || !delimited
            ? 'message'
            : 'group';
    const cardinality = field.fieldKind === 'list' ? 'repeated' : field.fieldKind === 'map' ? 'map' : 'singular';
    return {
      kind: 'field',
      name: field.name,
      jsonName: field.jsonName,
      fullName: isExtension ? field.typeName : `${parent.fullName}.${field.name}`,
      number: field.number,
      type,
      cardinality,
      presence: cardinality === 'singular' ? (PRESENCE[field.presence] ?? 'explicit') : 'none',
      packed: field.fieldKind === 'list' && field.packed,
      parent,
      message:
        element === 'map'
          ? entryOf(field as DescField, parent)
          : element === 'message'
            ? messageOf(field.message!)
            : undefined,
      enum: element === 'enum' ? enumOf(field.enum!) : undefined,
      oneof: undefined,
      isExtension,
      defaultValue: undefined,
      deprecated: false,
      options: {},
      comment: undefined,
    };
  };

  const messageOf = (desc: DescMessage): MessageDescriptor => {
    const known = messages.get(desc.typeName);
    if (known !== undefined) return known;
    const made = emptyMessage(desc.typeName, desc.file.name, false);
    messages.set(desc.typeName, made);
    const fields = desc.fields.map((field) => fieldOf(field, made));
    made.fields = fields;
    made.byNumber = new Map(fields.map((f) => [f.number, f]));
    const extensions = [...registry].filter(
      (type) => type.kind === 'extension' && type.extendee.typeName === desc.typeName,
    ) as DescExtension[];
    made.extensions = new Map(extensions.map((type) => [type.number, fieldOf(type, made)]));
    return made;
  };

  for (const type of registry) if (type.kind === 'message') messageOf(type);
  return messages;
}

const PRESENCE: Partial<Record<FeatureSet_FieldPresence, Presence>> = {
  [FeatureSet_FieldPresence.EXPLICIT]: 'explicit',
  [FeatureSet_FieldPresence.IMPLICIT]: 'implicit',
  [FeatureSet_FieldPresence.LEGACY_REQUIRED]: 'required',
};

export const emptyMessage = (fullName: string, file: string, isMapEntry: boolean): Draft<MessageDescriptor> => ({
  kind: 'message',
  name: fullName.slice(fullName.lastIndexOf('.') + 1),
  fullName,
  file,
  fields: [],
  byNumber: new Map(),
  extensions: new Map(),
  oneofs: [],
  messages: [],
  enums: [],
  isMapEntry,
  extensionRanges: [],
  reservedRanges: [],
  reservedNames: [],
  options: {},
  comment: undefined,
});
