/**
 * The compiled schema: the facts that protoc computes, in the terms of protobuf.dev, linked by reference. Facts of a
 * type from a descriptor set are computed on first use. The descriptors do not depend on their source (text or set);
 * only `link.ts` builds them.
 */

export type ScalarType =
  | 'double'
  | 'float'
  | 'int64'
  | 'uint64'
  | 'int32'
  | 'fixed64'
  | 'fixed32'
  | 'bool'
  | 'string'
  | 'bytes'
  | 'uint32'
  | 'sfixed32'
  | 'sfixed64'
  | 'sint32'
  | 'sint64';

/** `group` is the delimited encoding: a proto2 group, or an edition's DELIMITED feature. */
export type FieldType = ScalarType | 'enum' | 'message' | 'group';

/** protobuf.dev/programming-guides/field_presence. `none`: repeated and map fields. */
export type Presence = 'explicit' | 'implicit' | 'required' | 'none';

export interface FieldDescriptor {
  readonly kind: 'field';
  readonly name: string;
  readonly jsonName: string;
  /** `package.Message.field`. For an extension: the scope that it is declared in, and its name. */
  readonly fullName: string;
  readonly number: number;
  readonly type: FieldType;
  readonly cardinality: 'singular' | 'repeated' | 'map';
  readonly presence: Presence;
  /** Whether writers pack the repeated field. Readers accept both forms. */
  readonly packed: boolean;
  /** The file that declares it. */
  readonly file: string;
  /** The message that it belongs to; for an extension, the extended message. */
  readonly parent: MessageDescriptor;
  /** The type of `message` and `group` fields; the map entry type of a map field. */
  readonly message: MessageDescriptor | undefined;
  readonly enum: EnumDescriptor | undefined;
  /** The message that the option `(wirecost.native.content)` of a bytes field names. */
  readonly content?: MessageDescriptor | undefined;
  readonly oneof: OneofDescriptor | undefined;
  readonly isExtension: boolean;
  /** As in FieldDescriptorProto.default_value; undefined: no default is declared. */
  readonly defaultValue: string | undefined;
  readonly deprecated: boolean;
  /** Custom options by full extension name (`(wirecost.native.write)` without the parentheses), as read. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Where the field may be set, if it is an option or part of an option. */
  readonly usage?: OptionUsage | undefined;
  readonly comment: string | undefined;
  /** Plain options and effective features as text, by name, for comparisons: `jstype`, `features.json_format`. */
  readonly plain?: Readonly<Record<string, string>>;
}

/** The elements that an option may be set on, and its first and last edition, as `EDITION_2023`. */
export interface OptionUsage {
  /** `TARGET_TYPE_FIELD` and similar; undefined: all elements. */
  readonly targets: readonly string[] | undefined;
  readonly introduced: string | undefined;
  readonly removed: string | undefined;
  readonly removalError: string | undefined;
}

/**
 * The facts that are needed to read and name a field's value: a descriptor without links, so that a worker can post it.
 */
export type FieldFacts = Pick<
  FieldDescriptor,
  'name' | 'fullName' | 'number' | 'type' | 'cardinality' | 'presence' | 'packed' | 'isExtension'
> & {
  readonly enum:
    | { readonly fullName: string; readonly values: readonly Pick<EnumValueDescriptor, 'name' | 'number'>[] }
    | undefined;
  readonly oneof: Pick<OneofDescriptor, 'fullName'> | undefined;
};

/** A oneof in the file. Synthetic oneofs of proto3 `optional` are left out, because presence expresses them. */
export interface OneofDescriptor {
  readonly kind: 'oneof';
  readonly name: string;
  readonly fullName: string;
  readonly fields: readonly FieldDescriptor[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly comment: string | undefined;
}

export interface MessageDescriptor {
  readonly kind: 'message';
  readonly name: string;
  /** Without a leading dot. */
  readonly fullName: string;
  readonly file: string;
  /** In declaration order, which is the order of a native stream. */
  readonly fields: readonly FieldDescriptor[];
  readonly byNumber: ReadonlyMap<number, FieldDescriptor>;
  /** Extensions of this message in the registry, by number. */
  readonly extensions: ReadonlyMap<number, FieldDescriptor>;
  /** The types of the registry, by full name, if this is google.protobuf.Any, whose URL names one of them. */
  readonly namedTypes?: { readonly get: (fullName: string) => MessageDescriptor | undefined } | undefined;
  readonly oneofs: readonly OneofDescriptor[];
  readonly messages: readonly MessageDescriptor[];
  readonly enums: readonly EnumDescriptor[];
  readonly isMapEntry: boolean;
  readonly extensionRanges: readonly NumberRange[];
  readonly reservedRanges: readonly NumberRange[];
  readonly reservedNames: readonly string[];
  readonly deprecated: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  readonly comment: string | undefined;
  /**
   * Names and types of its fields, if they are known without linking. They usually are for types of descriptor sets.
   */
  readonly namedFields?: () => readonly NamedField[] | undefined;
  /** Plain options and effective features as text, by name, for comparisons: `jstype`, `features.json_format`. */
  readonly plain?: Readonly<Record<string, string>>;
}

/** A field as it is declared. */
export interface NamedField {
  readonly name: string;
  /** A scalar's keyword, or the full name of a message or enum. */
  readonly type: string;
  readonly isRepeated: boolean;
}

/** Half-open: `5 to 10` is {start: 5, end: 11}. */
export interface NumberRange {
  readonly start: number;
  readonly end: number;
}

export interface EnumDescriptor {
  readonly kind: 'enum';
  readonly name: string;
  readonly fullName: string;
  readonly file: string;
  readonly closed: boolean;
  readonly values: readonly EnumValueDescriptor[];
  readonly reservedRanges: readonly NumberRange[];
  readonly reservedNames: readonly string[];
  readonly deprecated: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  readonly comment: string | undefined;
  /** Plain options and effective features as text, by name, for comparisons: `jstype`, `features.json_format`. */
  readonly plain?: Readonly<Record<string, string>>;
}

export interface EnumValueDescriptor {
  readonly name: string;
  readonly number: number;
  readonly deprecated: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  readonly usage?: OptionUsage | undefined;
  readonly comment: string | undefined;
}

export interface MethodDescriptor {
  readonly name: string;
  /** `package.Service.Method`. */
  readonly fullName: string;
  readonly input: MessageDescriptor;
  readonly output: MessageDescriptor;
  readonly clientStreaming: boolean;
  readonly serverStreaming: boolean;
  readonly deprecated: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  readonly comment: string | undefined;
  /** Plain options and effective features as text, by name, for comparisons: `jstype`, `features.json_format`. */
  readonly plain?: Readonly<Record<string, string>>;
}

export interface ServiceDescriptor {
  readonly kind: 'service';
  readonly name: string;
  readonly fullName: string;
  readonly file: string;
  readonly methods: readonly MethodDescriptor[];
  readonly deprecated: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  readonly comment: string | undefined;
}

export interface FileDescriptor {
  readonly path: string;
  readonly package: string;
  /** `proto2`, `proto3`, or an edition's year. */
  readonly syntax: 'proto2' | 'proto3' | '2023' | '2024' | '2026';
  readonly imports: readonly ImportDescriptor[];
  readonly options: Readonly<Record<string, unknown>>;
  /** Plain options and effective features as text, by name, for comparisons: `jstype`, `features.json_format`. */
  readonly plain?: Readonly<Record<string, string>>;
}

export interface ImportDescriptor {
  /** As written. */
  readonly path: string;
  readonly kind: 'plain' | 'public' | 'option';
  /** The path of the imported file; undefined: the file is missing. */
  readonly file: string | undefined;
}

export interface Registry {
  readonly files: readonly FileDescriptor[];
  /** Every message by full name, including nested ones and map entry types. */
  readonly messages: ReadonlyMap<string, MessageDescriptor>;
  readonly enums: ReadonlyMap<string, EnumDescriptor>;
  readonly services: ReadonlyMap<string, ServiceDescriptor>;
  readonly extensions: ReadonlyMap<string, FieldDescriptor>;
}

/** The message's own fields and its extensions. */
export const fieldsOf = ({
  fields,
  extensions,
}: Pick<MessageDescriptor, 'fields' | 'extensions'>): readonly FieldDescriptor[] => [...fields, ...extensions.values()];

/** The name of a field in a path: `labels`, or `[full.name]` for an extension. */
export const pathSegment = (field: Pick<FieldDescriptor, 'name' | 'fullName' | 'isExtension'>): string =>
  field.isExtension ? `[${field.fullName}]` : field.name;
