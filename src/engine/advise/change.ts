/** The vocabulary of changes: what is proposed, asked for by file, measured, and written into patches. */
import type { CompatibilityLevel } from '../schema/compare/compare-fields.ts';
import type { Forms } from './forms.ts';
import type { TreeNode } from './value-tree.ts';

/** `to` may begin with `optional`; `value` says how a value becomes another (conversions/). */
export interface TypeChange {
  readonly change: 'type';
  readonly message: string;
  readonly field: string;
  readonly from: string;
  readonly to: string;
  readonly value?: string;
}

export interface NumberChange {
  readonly change: 'number';
  readonly message: string;
  readonly field: string;
  readonly from: number;
  readonly to: number;
}

export interface PackedChange {
  readonly change: 'packed';
  readonly message: string;
  readonly field: string;
  readonly to: boolean;
}

export interface PresenceChange {
  readonly change: 'presence';
  readonly message: string;
  readonly field: string;
  readonly from: string;
  /** `explicit`, `explicit, always set`, `implicit`. */
  readonly to: string;
}

export interface LeftOutChange {
  readonly change: 'left out';
  readonly message: string;
  readonly field: string;
  /** A whole number, or `the message is empty`. */
  readonly when: string;
}

export interface NewFieldChange {
  readonly change: 'new field';
  readonly message: string;
  readonly field: string;
  readonly number: number;
  readonly type: string;
  readonly when: string;
}

/** The value that all records of a list share moves to the message that holds the list. */
export interface ConstantChange {
  readonly change: 'constant';
  /** The message that holds the list, and its new field. */
  readonly message: string;
  readonly field: string;
  readonly number: number;
  /** The list, and the field of its records. */
  readonly list: string;
  readonly of: string;
}

export interface MapChange {
  readonly change: 'map';
  readonly message: string;
  readonly field: string;
  /** `repeated`. */
  readonly to: string;
}

/** One kind of waste less. */
export interface WrittenChange {
  readonly change: 'written';
  /** `overlong varints` and its like. */
  readonly without: string;
}

/** Ids of compressors. */
export interface CompressorChange {
  readonly change: 'compressor';
  readonly from: string;
  readonly to: string;
}

/** zstd with a dictionary of at most so many bytes, trained on messages of the capture. */
export interface DictionaryChange {
  readonly change: 'dictionary';
  readonly from: string;
  readonly to: string;
  readonly bytes: number;
}

export interface MessageEncodingChange {
  readonly change: 'message encoding';
  readonly message: string;
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

/** Names of oneofs, '' for no oneof. One that the message does not have is made. */
export interface OneofChange {
  readonly change: 'oneof';
  readonly message: string;
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

export interface SymbolTableChange {
  readonly change: 'symbol table';
  readonly table: {
    readonly message: string;
    readonly field: string;
    readonly number: number;
    readonly first: string;
  };
  /** Full names of text fields. */
  readonly fields: readonly string[];
  readonly type: string;
  readonly order: string;
}

export interface OtherSchemaChange {
  readonly change: 'other schema';
  readonly from: string;
  readonly to: string;
  readonly how: string;
}

export type Change =
  | TypeChange
  | NumberChange
  | PackedChange
  | PresenceChange
  | LeftOutChange
  | NewFieldChange
  | ConstantChange
  | MapChange
  | CompressorChange
  | DictionaryChange
  | WrittenChange
  | MessageEncodingChange
  | OneofChange
  | SymbolTableChange
  | OtherSchemaChange;

export interface Reason {
  readonly about: 'binary' | 'json' | 'source';
  readonly text: string;
  /** The rule behind it. */
  readonly link: string;
}

/** Whether messages of the two versions are read by each other, and code compiles against both. */
export interface Compatibility {
  readonly binary: CompatibilityLevel;
  readonly json: CompatibilityLevel;
  readonly source: CompatibilityLevel;
  readonly reasons: readonly Reason[];
}

/** The effort of bringing a change to production, least first. */
export const EFFORTS = ['writer only', 'schema compatible', 'new field needed', 'new message version'] as const;
export type Effort = (typeof EFFORTS)[number];

/** Before and after one change; `root`: type of the whole message before it. */
export interface ChangeStep {
  readonly before: Forms;
  readonly after: Forms;
  readonly root: string;
}

/** A field whose records a change alters: what the formula sums over. */
export interface Touched {
  readonly message: string;
  readonly field: string;
}

/** Thrown where a change cannot be made; its text is for the user. */
export class ImpossibleChange extends Error {}

export interface ChangeKind<C extends Change> {
  /** @throws ImpossibleChange */
  readonly alter: (change: C, forms: Forms, root: string) => Forms;
  /** Maps values: the tree, changed, or another one; left out where every value stays. @throws ImpossibleChange where the way back would lose one. */
  readonly forward?: (change: C, tree: TreeNode, step: ChangeStep) => TreeNode;
  /** The way back. */
  readonly backward?: (change: C, tree: TreeNode, step: ChangeStep) => TreeNode;
  /** `forms`: before the change. */
  readonly touches: (change: C, forms: Forms) => readonly Touched[];
  readonly compatibility: (change: C, forms: Forms) => Compatibility;
  readonly effort: (change: C, forms: Forms) => Effort;
}
