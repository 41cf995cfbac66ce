/** A file of the registry → its FileDescriptorProto, as protoc would write it, without custom options and comments. */

import { create } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  Edition,
  type EnumDescriptorProto,
  EnumDescriptorProtoSchema,
  EnumOptionsSchema,
  FeatureSet_EnumType,
  FeatureSet_FieldPresence,
  FeatureSet_MessageEncoding,
  FeatureSet_RepeatedFieldEncoding,
  FeatureSetSchema,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  MessageOptionsSchema,
  MethodDescriptorProtoSchema,
  OneofDescriptorProtoSchema,
  type ServiceDescriptorProto,
  ServiceDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import type {
  EnumDescriptor,
  FieldDescriptor,
  FieldType,
  FileDescriptor,
  MessageDescriptor,
  Registry,
  ServiceDescriptor,
} from '../descriptor.ts';
import { isPackable } from '../wire-types.ts';

export function fileOfRegistry(registry: Registry, file: FileDescriptor): FileDescriptorProto {
  const inFile = <T extends { readonly file: string }>(types: ReadonlyMap<string, T>): T[] =>
    [...types.values()].filter((type) => type.file === file.path);
  const prefix = file.package === '' ? '' : `${file.package}.`;
  const isOutermost = ({ fullName }: { readonly fullName: string }): boolean =>
    fullName.startsWith(prefix) && !fullName.slice(prefix.length).includes('.');
  const writer = new FileWriter(file.syntax, inFile(registry.extensions));
  const imports = file.imports.filter(({ kind }) => kind !== 'option');
  const isEdition = !file.syntax.startsWith('proto');
  return create(FileDescriptorProtoSchema, {
    name: file.path,
    package: file.package,
    dependency: imports.map(({ file: found, path }) => found ?? path),
    publicDependency: imports.flatMap(({ kind }, index) => (kind === 'public' ? [index] : [])),
    optionDependency: file.imports
      .filter(({ kind }) => kind === 'option')
      .map(({ file: found, path }) => found ?? path),
    messageType: inFile(registry.messages).filter(isOutermost).map(writer.message),
    enumType: inFile(registry.enums).filter(isOutermost).map(writer.enumeration),
    service: inFile(registry.services).map(writer.service),
    extension: writer.extensionsIn(file.package),
    ...(isEdition ? { syntax: 'editions', edition: EDITIONS[file.syntax] ?? Edition.EDITION_2023 } : {}),
    ...(file.syntax === 'proto3' ? { syntax: 'proto3' } : {}),
  });
}

const EDITIONS: Readonly<Record<string, Edition>> = { 2023: Edition.EDITION_2023, 2024: Edition.EDITION_2024 };

class FileWriter {
  readonly #syntax: FileDescriptor['syntax'];
  readonly #extensions: readonly FieldDescriptor[];

  constructor(syntax: FileDescriptor['syntax'], extensions: readonly FieldDescriptor[]) {
    this.#syntax = syntax;
    this.#extensions = extensions;
  }

  /** Extensions declared directly in a package or message. */
  extensionsIn(scope: string): FieldDescriptorProto[] {
    return this.#extensions
      .filter(({ fullName, name }) => fullName === (scope === '' ? name : `${scope}.${name}`))
      .map((field) => ({ ...this.#field(field, []), extendee: `.${field.parent.fullName}` }));
  }

  readonly message = (message: MessageDescriptor): DescriptorProto => {
    const oneofs = message.oneofs.map(({ name }) => name);
    const field = message.fields.map((one) => this.#field(one, oneofs));
    return create(DescriptorProtoSchema, {
      name: message.name,
      field,
      nestedType: message.messages.map(this.message),
      enumType: message.enums.map(this.enumeration),
      extension: this.extensionsIn(message.fullName),
      oneofDecl: oneofs.map((name) => create(OneofDescriptorProtoSchema, { name })),
      extensionRange: message.extensionRanges.map(({ start, end }) => ({
        start,
        end,
      })),
      reservedRange: message.reservedRanges.map(({ start, end }) => ({
        start,
        end,
      })),
      reservedName: [...message.reservedNames],
      ...(message.isMapEntry || message.deprecated
        ? {
            options: create(MessageOptionsSchema, {
              ...(message.isMapEntry ? { mapEntry: true } : {}),
              ...(message.deprecated ? { deprecated: true } : {}),
            }),
          }
        : {}),
    });
  };

  /** @param oneofs the names of synthetic oneofs are added to it */
  #field(field: FieldDescriptor, oneofs: string[]): FieldDescriptorProto {
    const isEdition = !this.#syntax.startsWith('proto');
    const isOptional =
      this.#syntax === 'proto3' &&
      field.presence === 'explicit' &&
      !field.oneof &&
      !field.message &&
      !field.isExtension;
    if (isOptional) oneofs.push(`_${field.name}`);
    const oneof = field.oneof?.name ?? (isOptional ? `_${field.name}` : undefined);
    const named = field.message ?? field.enum;
    const isGroup = field.type === 'group' && !isEdition;
    const features = isEdition ? featuresOf(field) : undefined;
    const packs = field.cardinality === 'repeated' && isPackable(field.type);
    const usual = this.#syntax !== 'proto2';
    return create(FieldDescriptorProtoSchema, {
      name: field.name,
      number: field.number,
      label:
        field.cardinality !== 'singular'
          ? FieldDescriptorProto_Label.REPEATED
          : field.presence === 'required' && !isEdition
            ? FieldDescriptorProto_Label.REQUIRED
            : FieldDescriptorProto_Label.OPTIONAL,
      type: isGroup ? FieldDescriptorProto_Type.GROUP : TYPES[field.type],
      ...(named === undefined ? {} : { typeName: `.${named.fullName}` }),
      ...(field.defaultValue === undefined ? {} : { defaultValue: field.defaultValue }),
      ...(oneof === undefined ? {} : { oneofIndex: oneofs.indexOf(oneof) }),
      ...(isOptional ? { proto3Optional: true } : {}),
      ...(field.isExtension ? {} : { jsonName: field.jsonName }),
      ...((packs && !isEdition && field.packed !== usual) || field.deprecated || features !== undefined
        ? {
            options: create(FieldOptionsSchema, {
              ...(packs && !isEdition && field.packed !== usual ? { packed: field.packed } : {}),
              ...(field.deprecated ? { deprecated: true } : {}),
              ...(features === undefined ? {} : { features }),
            }),
          }
        : {}),
    });
  }

  readonly enumeration = (named: EnumDescriptor): EnumDescriptorProto => {
    const numbers = new Set(named.values.map(({ number }) => number));
    const isClosed = named.closed && !this.#syntax.startsWith('proto');
    const hasAlias = numbers.size < named.values.length;
    return create(EnumDescriptorProtoSchema, {
      name: named.name,
      value: named.values.map(({ name, number }) => ({
        name,
        number,
      })),
      reservedRange: named.reservedRanges.map(({ start, end }) => ({
        start,
        end: end - 1,
      })),
      reservedName: [...named.reservedNames],
      ...(isClosed || hasAlias
        ? {
            options: create(EnumOptionsSchema, {
              ...(hasAlias ? { allowAlias: true } : {}),
              ...(isClosed ? { features: create(FeatureSetSchema, { enumType: FeatureSet_EnumType.CLOSED }) } : {}),
            }),
          }
        : {}),
    });
  };

  readonly service = (service: ServiceDescriptor): ServiceDescriptorProto =>
    create(ServiceDescriptorProtoSchema, {
      name: service.name,
      method: service.methods.map((method) =>
        create(MethodDescriptorProtoSchema, {
          name: method.name,
          inputType: `.${method.input.fullName}`,
          outputType: `.${method.output.fullName}`,
          clientStreaming: method.clientStreaming,
          serverStreaming: method.serverStreaming,
        }),
      ),
    });
}

/** Features of a field that differ from its edition's defaults. */
function featuresOf(field: FieldDescriptor) {
  const { presence, type, cardinality, packed, isExtension, oneof, message } = field;
  const own = {
    ...(presence === 'implicit' ? { fieldPresence: FeatureSet_FieldPresence.IMPLICIT } : {}),
    ...(presence === 'required' ? { fieldPresence: FeatureSet_FieldPresence.LEGACY_REQUIRED } : {}),
    ...(cardinality === 'repeated' && isPackable(type) && !packed
      ? { repeatedFieldEncoding: FeatureSet_RepeatedFieldEncoding.EXPANDED }
      : {}),
    ...(type === 'group' ? { messageEncoding: FeatureSet_MessageEncoding.DELIMITED } : {}),
  };
  const saysNothing = Object.keys(own).length === 0 || (presence === 'implicit' && (isExtension || oneof || message));
  return saysNothing ? undefined : create(FeatureSetSchema, own);
}

const TYPES: Readonly<Record<FieldType, FieldDescriptorProto_Type>> = {
  double: FieldDescriptorProto_Type.DOUBLE,
  float: FieldDescriptorProto_Type.FLOAT,
  int64: FieldDescriptorProto_Type.INT64,
  uint64: FieldDescriptorProto_Type.UINT64,
  int32: FieldDescriptorProto_Type.INT32,
  fixed64: FieldDescriptorProto_Type.FIXED64,
  fixed32: FieldDescriptorProto_Type.FIXED32,
  bool: FieldDescriptorProto_Type.BOOL,
  string: FieldDescriptorProto_Type.STRING,
  bytes: FieldDescriptorProto_Type.BYTES,
  uint32: FieldDescriptorProto_Type.UINT32,
  sfixed32: FieldDescriptorProto_Type.SFIXED32,
  sfixed64: FieldDescriptorProto_Type.SFIXED64,
  sint32: FieldDescriptorProto_Type.SINT32,
  sint64: FieldDescriptorProto_Type.SINT64,
  enum: FieldDescriptorProto_Type.ENUM,
  message: FieldDescriptorProto_Type.MESSAGE,
  group: FieldDescriptorProto_Type.MESSAGE,
};

export { TYPES as FIELD_TYPES };
