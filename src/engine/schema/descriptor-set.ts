/**
 * A FileDescriptorSet's bytes into the declarations of its files: the same plain data that text is read into.
 * https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/descriptor.proto
 */
import { fromBinary, isFieldSet, type Message, toBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  Edition,
  type EnumDescriptorProto,
  FeatureSetSchema,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  type ServiceDescriptorProto,
  SymbolVisibility,
} from '@bufbuild/protobuf/wkt';
import { cleanComment, joinComments } from './comments.ts';
import {
  type EnumDeclaration,
  type FieldDeclaration,
  type FileDeclaration,
  type MessageDeclaration,
  NOWHERE,
  type RangeDeclaration,
  type RawOption,
  type RawValue,
  SCALAR_TYPES,
  type ServiceDeclaration,
  type Syntax,
  type Visibility,
} from './declaration.ts';

export interface SetFile {
  readonly file: FileDeclaration;
  /** The file's serialized form, by which two copies are told apart. */
  readonly identity: string;
}

/** Throws what the decoder throws: the caller turns it into a finding. */
export function readDescriptorSet(bytes: Uint8Array): readonly SetFile[] {
  const set = fromBinary(FileDescriptorSetSchema, bytes);
  return set.file.map((proto) => ({ file: readFileProto(proto), identity: identityOf(proto) }));
}

function identityOf(proto: FileDescriptorProto): string {
  const { sourceCodeInfo: _, ...rest } = proto;
  const bytes = toBinary(FileDescriptorProtoSchema, { ...rest });
  let hash = 0;
  for (const byte of bytes) hash = (Math.imul(hash, 31) + byte) | 0;
  return `${bytes.length}:${hash}`;
}

type CommentAt = (...path: readonly number[]) => string | undefined;

export function readFileProto(proto: FileDescriptorProto): FileDeclaration {
  const comments = new Map<string, string | undefined>();
  for (const { path, leadingComments, trailingComments } of proto.sourceCodeInfo?.location ?? []) {
    const text = joinComments(cleanComment(leadingComments), cleanComment(trailingComments));
    if (text !== undefined) comments.set(path.join('.'), text);
  }
  const commentAt: CommentAt = (...path) => comments.get(path.join('.'));
  return {
    path: proto.name,
    package: proto.package,
    packageSpan: NOWHERE,
    syntax: syntaxOf(proto),
    imports: [
      ...proto.dependency.map((path, index) => {
        const kind = proto.publicDependency.includes(index) ? ('public' as const) : ('plain' as const);
        return { path, kind, span: NOWHERE };
      }),
      ...proto.optionDependency.map((path) => ({ path, kind: 'option' as const, span: NOWHERE })),
    ],
    options: optionsOf(proto.options),
    messages: proto.messageType.map((message, index) => messageOf(message, commentAt, [4, index])),
    enums: proto.enumType.map((enumeration, index) => enumOf(enumeration, commentAt, [5, index])),
    services: proto.service.map((service, index) => serviceOf(service, commentAt, [6, index])),
    extensions: proto.extension.map((field, index) => fieldOf(field, undefined, commentAt(7, index))),
    lines: undefined,
    isPartial: false,
  };
}

function syntaxOf(proto: FileDescriptorProto): Syntax {
  if (proto.syntax === 'proto3') return 'proto3';
  if (proto.syntax !== 'editions') return 'proto2';
  if (proto.edition === Edition.EDITION_2023) return '2023';
  return proto.edition === Edition.EDITION_2024 ? '2024' : '2026';
}

const visibilityOf = (visibility: SymbolVisibility): Visibility | undefined => {
  if (visibility === SymbolVisibility.VISIBILITY_EXPORT) return 'export';
  return visibility === SymbolVisibility.VISIBILITY_LOCAL ? 'local' : undefined;
};

function messageOf(proto: DescriptorProto, commentAt: CommentAt, path: readonly number[]): MessageDeclaration {
  const synthetic = new Set(proto.field.filter((field) => field.proto3Optional).map((field) => field.oneofIndex));
  const kept = proto.oneofDecl.flatMap((_, index) => (synthetic.has(index) ? [] : [index]));
  const oneofIndex = new Map(kept.map((original, index) => [original, index]));
  return {
    name: proto.name,
    span: NOWHERE,
    extent: NOWHERE,
    options: optionsOf(proto.options),
    comment: commentAt(...path),
    fields: proto.field.map((field, index) => {
      const oneof = isFieldSet(field, FieldDescriptorProtoSchema.field.oneofIndex) ? field.oneofIndex : undefined;
      return fieldOf(field, oneof === undefined ? undefined : oneofIndex.get(oneof), commentAt(...path, 2, index));
    }),
    oneofs: kept.map((index) => {
      const { name, options } = proto.oneofDecl[index]!;
      return {
        name,
        span: NOWHERE,
        extent: NOWHERE,
        options: optionsOf(options),
        comment: commentAt(...path, 8, index),
      };
    }),
    messages: proto.nestedType.map((message, index) => messageOf(message, commentAt, [...path, 3, index])),
    enums: proto.enumType.map((enumeration, index) => enumOf(enumeration, commentAt, [...path, 4, index])),
    extensions: proto.extension.map((field, index) => fieldOf(field, undefined, commentAt(...path, 6, index))),
    extensionRanges: proto.extensionRange.map(rangeOf),
    reservedRanges: proto.reservedRange.map(rangeOf),
    reservedNames: proto.reservedName,
    isMapEntry: proto.options?.mapEntry === true,
    visibility: visibilityOf(proto.visibility),
  };
}

const rangeOf = ({ start, end }: { start: number; end: number }): RangeDeclaration => ({ start, end, span: NOWHERE });

const LABELS: Readonly<Record<number, FieldDeclaration['label']>> = {
  [FieldDescriptorProto_Label.REQUIRED]: 'required',
  [FieldDescriptorProto_Label.REPEATED]: 'repeated',
};

function fieldOf(
  proto: FieldDescriptorProto,
  oneof: number | undefined,
  comment: string | undefined,
): FieldDeclaration {
  const typeName = FieldDescriptorProto_Type[proto.type]?.toLowerCase();
  const isSet = (name: 'typeName' | 'jsonName' | 'defaultValue' | 'extendee') =>
    isFieldSet(proto, FieldDescriptorProtoSchema.field[name]);
  const isNamed = isSet('typeName');
  return {
    name: proto.name,
    span: NOWHERE,
    extent: NOWHERE,
    number: proto.number,
    numberSpan: NOWHERE,
    label: proto.proto3Optional ? 'optional' : LABELS[proto.label],
    type: typeName === 'group' ? 'group' : isNamed ? undefined : SCALAR_TYPES.find((known) => known === typeName),
    typeName: isNamed ? proto.typeName : undefined,
    typeSpan: NOWHERE,
    typeKind: typeName === 'enum' ? 'enum' : typeName === 'message' || typeName === 'group' ? 'message' : undefined,
    isMap: false,
    oneof,
    jsonName: isSet('jsonName') ? proto.jsonName : undefined,
    defaultValue: isSet('defaultValue') ? { value: proto.defaultValue, span: NOWHERE } : undefined,
    extendee: isSet('extendee') ? proto.extendee : undefined,
    extendeeSpan: NOWHERE,
    options: optionsOf(proto.options),
    comment,
  };
}

function enumOf(proto: EnumDescriptorProto, commentAt: CommentAt, path: readonly number[]): EnumDeclaration {
  return {
    name: proto.name,
    span: NOWHERE,
    extent: NOWHERE,
    options: optionsOf(proto.options),
    comment: commentAt(...path),
    values: proto.value.map(({ name, number, options }, index) => ({
      name,
      number,
      span: NOWHERE,
      extent: NOWHERE,
      numberSpan: NOWHERE,
      options: optionsOf(options),
      comment: commentAt(...path, 2, index),
    })),
    reservedRanges: proto.reservedRange.map(rangeOf),
    reservedNames: proto.reservedName,
    visibility: visibilityOf(proto.visibility),
  };
}

function serviceOf(proto: ServiceDescriptorProto, commentAt: CommentAt, path: readonly number[]): ServiceDeclaration {
  return {
    name: proto.name,
    span: NOWHERE,
    extent: NOWHERE,
    options: optionsOf(proto.options),
    comment: commentAt(...path),
    methods: proto.method.map((method, index) => ({
      name: method.name,
      span: NOWHERE,
      extent: NOWHERE,
      input: method.inputType,
      inputSpan: NOWHERE,
      output: method.outputType,
      outputSpan: NOWHERE,
      clientStreaming: method.clientStreaming,
      serverStreaming: method.serverStreaming,
      options: optionsOf(method.options),
      comment: commentAt(...path, 2, index),
    })),
  };
}

/** The options that change how a schema compiles, as if they were written; custom ones stay bytes until they are known. */
const FLAGS = { packed: 'packed', deprecated: 'deprecated', allowAlias: 'allow_alias' } as const;
const MESSAGE_SET = 'messageSetWireFormat';

function optionsOf(options: Message | undefined): readonly RawOption[] {
  if (options === undefined) return [];
  const raw: RawOption[] = [];
  const values = options as Message & Readonly<Record<string, unknown>>;
  for (const [property, name] of [...Object.entries(FLAGS), [MESSAGE_SET, 'message_set_wire_format'] as const]) {
    const isPacked = property === 'packed' && options.$typeName === FieldOptionsSchema.typeName;
    const isGiven = isPacked ? Object.hasOwn(values, property) : values[property] === true;
    if (isGiven) raw.push(written([name], { kind: 'identifier', text: String(values[property]) }));
  }
  const features = values['features'] as (Message & Readonly<Record<string, unknown>>) | undefined;
  if (features !== undefined) {
    for (const field of FeatureSetSchema.fields) {
      if (field.fieldKind !== 'enum' || !Object.hasOwn(features, field.localName)) continue;
      const value = field.enum.value[features[field.localName] as number];
      if (value !== undefined) raw.push(written(['features', field.name], { kind: 'identifier', text: value.name }));
    }
  }
  for (const { no, wireType, data } of options.$unknown ?? []) {
    raw.push({ kind: 'wire', number: no, wireType, data });
  }
  return raw;
}

const written = (name: readonly string[], value: RawValue): RawOption => ({
  kind: 'text',
  name: name.map((text) => ({ text, isExtension: false, ...NOWHERE })),
  value,
  span: NOWHERE,
});
