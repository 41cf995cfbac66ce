/**
 * The declarations of a schema file before names are resolved. Both readers, of `.proto` text and of descriptor sets,
 * produce them; the linker takes them. The shape follows google/protobuf/descriptor.proto; names are as written,
 * defaults and presence are not yet filled in.
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

/** Where nothing is written: descriptor sets, and what a reader makes up. */
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
  /** Between name and value; messages need none. */
  readonly hasColon: boolean;
  readonly value: RawValue;
}

export interface NamePart extends Span {
  readonly text: string;
  /** Written in parentheses, or in brackets inside of an aggregate. */
  readonly isExtension: boolean;
}

export type RawOption =
  | { readonly kind: 'text'; readonly name: readonly NamePart[]; readonly value: RawValue; readonly span: Span }
  /** A record of an options message that its reader did not know. */
  | { readonly kind: 'wire'; readonly number: number; readonly wireType: number; readonly data: Uint8Array };

/** A comment, or the way to it: those of a descriptor set stand apart from what they speak of. */
export type Comment = string | undefined | (() => string | undefined);

export const commentText = (comment: Comment): string | undefined =>
  typeof comment === 'function' ? comment() : comment;

interface Declaration {
  readonly name: string;
  /** Where the name is written. */
  readonly span: Span;
  /** The whole declaration, with its block. */
  readonly extent: Span;
  readonly options: readonly RawOption[];
  readonly comment: Comment;
}

export interface FieldDeclaration extends Declaration {
  readonly number: number;
  readonly numberSpan: Span;
  /** As written; undefined where no label is. */
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
  /** As written; a reader of descriptor sets gives a text as protoc prints it. */
  readonly defaultValue: { readonly value: RawValue | string; readonly span: Span } | undefined;
  /** The message that an extension extends, as written. */
  readonly extendee: string | undefined;
  readonly extendeeSpan: Span;
}

/** One that the file declares: those made for a proto3 `optional` are left out by the readers. */
export type OneofDeclaration = Declaration;

export interface RangeDeclaration extends NumberRange {
  readonly span: Span;
}

export interface ExtensionRangeDeclaration extends RangeDeclaration {
  readonly options: readonly RawOption[];
}

/** Its body is read when it is asked for, and anew each time where it comes from a descriptor set. */
export interface MessageDeclaration extends Declaration {
  readonly messages: readonly MessageDeclaration[];
  readonly enums: readonly EnumDeclaration[];
  readonly extensions: readonly FieldDeclaration[];
  readonly isMapEntry: boolean;
  readonly visibility: Visibility | undefined;
  readonly body: () => MessageBody;
}

export interface MessageBody {
  readonly fields: readonly FieldDeclaration[];
  readonly oneofs: readonly OneofDeclaration[];
  readonly extensionRanges: readonly ExtensionRangeDeclaration[];
  readonly reservedRanges: readonly RangeDeclaration[];
  readonly reservedNames: readonly string[];
  /** Bytes that could not be read to their end: what came before them is here. */
  readonly isDamaged: boolean;
}

export type Visibility = 'export' | 'local';

export interface EnumDeclaration extends Declaration {
  readonly visibility: Visibility | undefined;
  readonly body: () => EnumBody;
}

export interface EnumBody {
  readonly values: readonly EnumValueDeclaration[];
  /** Inclusive at both ends here, as descriptor.proto has it, since they may reach 2³¹ − 1. */
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

/** The types of a file in a descriptor set by their names; what they hold waits to be asked for. */
export interface Outline {
  /** @returns false if bytes are not descriptors; the names before them have been passed on. */
  readonly visit: (packageName: string, visitor: TypeVisitor) => boolean;
}

export interface TypeVisitor {
  /** Takes a name; false: it is refused, and the names inside it are not passed on. */
  readonly name: (fullName: string, kind: WaitingDeclaration['kind'], outermost: WaitingDeclaration) => boolean;
  /** Extensions are declared inside of it. */
  readonly extensions: (outermost: WaitingDeclaration) => void;
}

/** A declaration at the top of a file that is linked on demand, with the declarations in it. */
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
  /** Offsets at which the lines of its text begin; undefined where it was not read from text. */
  readonly lines: readonly number[] | undefined;
  /** Read with errors: names missing from it are not worth a further word. */
  readonly isPartial: boolean;
  /** The types of a descriptor set, read on demand. The lists of declarations are then empty. */
  readonly outline: Outline | undefined;
}
