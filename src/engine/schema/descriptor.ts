/**
 * The compiled schema: protoc's facts in protobuf.dev's words, linked by reference. Facts of a type from a descriptor
 * set are computed on first use. The descriptors do not depend on their source (text or set); only `link.ts` builds
 * them.
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

/** `group` is the delimited encoding, whether written as a proto2 group or as an edition's DELIMITED feature. */
export type FieldType = ScalarType | 'enum' | 'message' | 'group';

/** protobuf.dev/programming-guides/field_presence. `none` for repeated and map fields. */
export type Presence = 'explicit' | 'implicit' | 'required' | 'none';

export interface FieldDescriptor {
  readonly kind: 'field';
  readonly name: string;
  readonly jsonName: string;
  /** `package.Message.field`; of an extension, the scope it is declared in. */
  readonly fullName: string;
  readonly number: number;
  readonly type: FieldType;
  readonly cardinality: 'singular' | 'repeated' | 'map';
  readonly presence: Presence;
  /** A repeated field whose writer packs it. Readers accept both forms. */
  readonly packed: boolean;
  /** The file that declares it. */
  readonly file: string;
  /** The message it belongs to; of an extension, the one it extends. */
  readonly parent: MessageDescriptor;
  /** The type of `message` and `group` fields; the map entry type of a map field. */
  readonly message: MessageDescriptor | undefined;
  readonly enum: EnumDescriptor | undefined;
  /** The message that a bytes field's option `(wirecost.native.content)` names. */
  readonly content?: MessageDescriptor | undefined;
  readonly oneof: OneofDescriptor | undefined;
  readonly isExtension: boolean;
  /** As protoc prints it in FieldDescriptorProto.default_value; undefined where none is declared. */
  readonly defaultValue: string | undefined;
  readonly deprecated: boolean;
  /** Custom options by full extension name (`(wirecost.native.write)` without the parentheses), as read. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Usage of a field that is an option or part of one. */
  readonly usage?: OptionUsage | undefined;
  readonly comment: string | undefined;
  /** Plain options, and features that hold, by name and in words: `jstype`, `features.json_format`; to be compared. */
  readonly plain?: Readonly<Record<string, string>>;
}

/** Where an option can be set, and from and until which edition, as `EDITION_2023`. */
export interface OptionUsage {
  /** `TARGET_TYPE_FIELD` and its like; undefined: everywhere. */
  readonly targets: readonly string[] | undefined;
  readonly introduced: string | undefined;
  readonly removed: string | undefined;
  readonly removalError: string | undefined;
}

/**
 * Facts that reading and naming a field's value takes: a descriptor without its links, so that a worker can post it.
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

/** A oneof that the file declares. The synthetic ones of proto3 `optional` are not kept: presence says it. */
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
  /** In declaration order: the order of a native stream. */
  readonly fields: readonly FieldDescriptor[];
  readonly byNumber: ReadonlyMap<number, FieldDescriptor>;
  /** Extensions of this message known to the registry, by number. */
  readonly extensions: ReadonlyMap<number, FieldDescriptor>;
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
  /** Names and types of its fields where they are known without linking. Types of sets mostly know them. */
  readonly namedFields?: () => readonly NamedField[] | undefined;
  /** Plain options, and features that hold, by name and in words: `jstype`, `features.json_format`; to be compared. */
  readonly plain?: Readonly<Record<string, string>>;
}

/** A field by what is declared of it. */
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
  /** Plain options, and features that hold, by name and in words: `jstype`, `features.json_format`; to be compared. */
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
  /** Plain options, and features that hold, by name and in words: `jstype`, `features.json_format`; to be compared. */
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
  /** Plain options, and features that hold, by name and in words: `jstype`, `features.json_format`; to be compared. */
  readonly plain?: Readonly<Record<string, string>>;
}

export interface ImportDescriptor {
  /** As written. */
  readonly path: string;
  readonly kind: 'plain' | 'public' | 'option';
  /** The path of the file it names; undefined where that is missing. */
  readonly file: string | undefined;
}

export interface Registry {
  readonly files: readonly FileDescriptor[];
  /** Every message, nested and map entry types too, by full name. */
  readonly messages: ReadonlyMap<string, MessageDescriptor>;
  readonly enums: ReadonlyMap<string, EnumDescriptor>;
  readonly services: ReadonlyMap<string, ServiceDescriptor>;
  readonly extensions: ReadonlyMap<string, FieldDescriptor>;
}

/** The name of a field in a path: `labels`, or `[full.name]` for an extension. */
export const pathSegment = (field: Pick<FieldDescriptor, 'name' | 'fullName' | 'isExtension'>): string =>
  field.isExtension ? `[${field.fullName}]` : field.name;
