/**
 * The declarations of a schema file before names are resolved. Both readers, of `.proto` text and of descriptor sets,
 * produce them, and the linker consumes them. Their structure follows google/protobuf/descriptor.proto. Names are as
 * written; defaults and presence are not filled in yet.
 */
import type { NumberRange, ScalarType } from './descriptor.ts';
import type { Span } from './text/tokens.ts';

export const SYNTAXES = ['proto2', 'proto3', '2023', '2024', '2026'] as const;
export type Syntax = (typeof SYNTAXES)[number];

export const SCALAR_TYPES: readonly ScalarType[] = [
  'double',
  'float',
  'int64',
  'uint64',
  'int32',
  'fixed64',
  'fixed32',
  'bool',
  'string',
  'bytes',
  'uint32',
  'sfixed32',
  'sfixed64',
  'sint32',
  'sint64',
];

/** The span of declarations without text: from descriptor sets, or made by a reader. */
export const NOWHERE: Span = { start: 0, end: 0 };

/** The value of an option before the option's type is known. */
export type RawValue =
  | { readonly kind: 'identifier'; readonly text: string }
  /** `text` is the literal without its sign. */
  | { readonly kind: 'number'; readonly text: string; readonly negative: boolean }
  | { readonly kind: 'string'; readonly bytes: Uint8Array }
  | { readonly kind: 'list'; readonly values: readonly RawValue[] }
  | { readonly kind: 'aggregate'; readonly fields: readonly RawField[] };

export interface RawField {
  readonly name: NamePart;
  /** Whether a colon separates name and value; messages need none. */
  readonly hasColon: boolean;
  readonly value: RawValue;
}

export interface NamePart extends Span {
  readonly text: string;
  /** Written in parentheses, or in brackets in an aggregate. */
  readonly isExtension: boolean;
}

export type RawOption =
  | { readonly kind: 'text'; readonly name: readonly NamePart[]; readonly value: RawValue; readonly span: Span }
  /** A record of an options message that its reader did not know. */
  | { readonly kind: 'wire'; readonly number: number; readonly wireType: number; readonly data: Uint8Array };

/** A comment, or a function that finds it: descriptor sets store comments apart from the declarations. */
export type Comment = string | undefined | (() => string | undefined);

export const commentText = (comment: Comment): string | undefined =>
  typeof comment === 'function' ? comment() : comment;

interface Declaration {
  readonly name: string;
  /** The span of the name. */
  readonly span: Span;
  /** The span of the whole declaration with its block. */
  readonly extent: Span;
  readonly options: readonly RawOption[];
  readonly comment: Comment;
}

export interface FieldDeclaration extends Declaration {
  readonly number: number;
  readonly numberSpan: Span;
  /** As written; undefined: no label. */
  readonly label: 'optional' | 'required' | 'repeated' | undefined;
  readonly type: ScalarType | 'group' | undefined;
  /** Type name of messages, groups and enums, as written: with a leading dot it is absolute. */
  readonly typeName: string | undefined;
  readonly typeSpan: Span;
  /** The kind of `typeName`, if the reader knows it. */
  readonly typeKind: 'message' | 'enum' | undefined;
  readonly isMap: boolean;
  /** Index into the message's oneofs. */
  readonly oneof: number | undefined;
  readonly jsonName: string | undefined;
  /** As written. A reader of descriptor sets returns the text that protoc prints. */
  readonly defaultValue: { readonly value: RawValue | string; readonly span: Span } | undefined;
  /** The extended message of an extension, as written. */
  readonly extendee: string | undefined;
  readonly extendeeSpan: Span;
}

/** A oneof in the file. Readers leave out the ones that protoc makes for a proto3 `optional`. */
export type OneofDeclaration = Declaration;

export interface RangeDeclaration extends NumberRange {
  readonly span: Span;
}

export interface ExtensionRangeDeclaration extends RangeDeclaration {
  readonly options: readonly RawOption[];
}

/** The body is read on demand, and again for each access if it comes from a descriptor set. */
export interface MessageDeclaration extends Declaration {
  readonly messages: readonly MessageDeclaration[];
  readonly enums: readonly EnumDeclaration[];
  readonly extensions: readonly FieldDeclaration[];
  readonly isMapEntry: boolean;
  readonly visibility: Visibility | undefined;
  readonly body: () => MessageBody;
  /** The declaration of a text without its members, which take more memory. It is kept when they are linked. */
  readonly withoutMembers?: () => MessageDeclaration;
}

export interface MessageBody {
  readonly fields: readonly FieldDeclaration[];
  readonly oneofs: readonly OneofDeclaration[];
  readonly extensionRanges: readonly ExtensionRangeDeclaration[];
  readonly reservedRanges: readonly RangeDeclaration[];
  readonly reservedNames: readonly string[];
  /** Some bytes could not be read. The body has the declarations before them. */
  readonly isDamaged: boolean;
}

export type Visibility = 'export' | 'local';

export interface EnumDeclaration extends Declaration {
  readonly visibility: Visibility | undefined;
  readonly body: () => EnumBody;
  /** As of a message. */
  readonly withoutMembers?: () => EnumDeclaration;
}

export interface EnumBody {
  readonly values: readonly EnumValueDeclaration[];
  /** Inclusive at both ends, as in descriptor.proto, because they may reach 2³¹ − 1. */
  readonly reservedRanges: readonly RangeDeclaration[];
  readonly reservedNames: readonly string[];
  readonly isDamaged: boolean;
}

export interface EnumValueDeclaration extends Declaration {
  readonly number: number;
  readonly numberSpan: Span;
}

export interface MethodDeclaration extends Declaration {
  readonly input: string;
  readonly inputSpan: Span;
  readonly output: string;
  readonly outputSpan: Span;
  readonly clientStreaming: boolean;
  readonly serverStreaming: boolean;
}

export interface ServiceDeclaration extends Declaration {
  readonly body: () => ServiceBody;
}

export interface ServiceBody {
  readonly methods: readonly MethodDeclaration[];
  readonly isDamaged: boolean;
}

export interface ImportDeclaration {
  readonly path: string;
  /** `option`: for the options of this file only. */
  readonly kind: 'plain' | 'public' | 'option';
  readonly span: Span;
}

/** The type names of a file whose types are read on demand: of a descriptor set, or of a text without faults. */
export interface Outline {
  /** Whether every name that the declarations use is known to have its declaration. */
  readonly isSound: boolean;
  /** @returns false: some bytes are not descriptors; the names before them were visited */
  readonly visit: (packageName: string, visitor: TypeVisitor) => boolean;
}

export interface TypeVisitor {
  /** Visits a name. false: the name is rejected, and the names in it are not visited. */
  readonly name: (fullName: string, kind: WaitingDeclaration['kind'], outermost: WaitingDeclaration) => boolean;
  /** Called if extensions are declared inside the outermost declaration. */
  readonly extensions: (outermost: WaitingDeclaration) => void;
}

/** A top-level declaration that is linked on demand, together with the declarations in it. */
export interface WaitingDeclaration {
  readonly kind: 'message' | 'enum' | 'service';
  readonly readMessage: () => MessageDeclaration;
  readonly readEnum: () => EnumDeclaration;
  readonly readService: () => ServiceDeclaration;
}

export interface FileDeclaration {
  readonly path: string;
  readonly package: string;
  readonly packageSpan: Span;
  readonly syntax: Syntax;
  readonly syntaxSpan: Span;
  readonly imports: readonly ImportDeclaration[];
  readonly options: readonly RawOption[];
  readonly messages: readonly MessageDeclaration[];
  readonly enums: readonly EnumDeclaration[];
  readonly services: readonly ServiceDeclaration[];
  readonly extensions: readonly FieldDeclaration[];
  /** Offsets of the beginnings of the text's lines; undefined: the file was not read from text. */
  readonly lines: readonly number[] | undefined;
  /** The file was read with errors, so names that are missing from it are not reported. */
  readonly isPartial: boolean;
  /** The types that are read on demand. They are not in the lists of declarations. */
  readonly outline: Outline | undefined;
  /** Drops the lists of declarations, which the linker has taken. */
  readonly release?: () => void;
}
