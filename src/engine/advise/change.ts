/** The kinds of changes, as data: they are proposed, requested in a file, measured, and written as patches. */
import type { CompatibilityLevel } from '../schema/compare/type-verdicts.ts';
import type { FieldEncodings } from './forms.ts';
import type { TreeNode } from './value-tree.ts';

/** `to` may begin with `optional`. `value` describes the conversion of values (conversions/). */
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
  /** An integer, or `the message is empty`. */
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

/** Moves a value that all records of a list share into the message that holds the list. */
export interface ConstantChange {
  readonly change: 'constant';
  /** The message that holds the list, and the new field in it. */
  readonly message: string;
  readonly field: string;
  readonly number: number;
  /** The list, and the moved field of its records. */
  readonly list: string;
  readonly of: string;
}

/** The records of a list become parallel lists of the message that has it: one for each of their fields. */
export interface ColumnsChange {
  readonly change: 'columns';
  readonly message: string;
  readonly field: string;
  /** The new fields, each with the field of the records that it holds. */
  readonly columns: readonly Column[];
}

export interface Column {
  readonly field: string;
  readonly number: number;
  readonly of: string;
}

export interface MapChange {
  readonly change: 'map';
  readonly message: string;
  readonly field: string;
  /** `repeated`. */
  readonly to: string;
}

/** The writer avoids one kind of waste, or all of it. */
export interface WrittenChange {
  readonly change: 'written';
  /** `overlong varints`, for example, or `any`. */
  readonly without: string;
}

/** In place of a compressor's id: the messages are sent as they are. */
export const UNCOMPRESSED = 'none';

/** Ids of compressors. */
export interface CompressorChange {
  readonly change: 'compressor';
  readonly from: string;
  /** Or `UNCOMPRESSED`. */
  readonly to: string;
}

/** zstd with a dictionary of a maximum size, trained on messages of the capture. */
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

/** Names of oneofs; '': no oneof. If the message does not have the oneof, it is created. */
export interface OneofChange {
  readonly change: 'oneof';
  readonly message: string;
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

/** The texts of a field become the constants of a new enum. */
export interface EnumChange {
  readonly change: 'enum';
  readonly message: string;
  readonly field: string;
  /**
   * Name of the enum, which the message declares, or the message of a map. Changes of its fields that have equal names
   * and texts share one.
   */
  readonly name: string;
  /** The texts. Each is also the name of its constant; their numbers are 1, 2, …. The empty text is 0. */
  readonly constants: readonly string[];
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
  | ColumnsChange
  | MapChange
  | CompressorChange
  | DictionaryChange
  | WrittenChange
  | MessageEncodingChange
  | OneofChange
  | EnumChange
  | SymbolTableChange
  | OtherSchemaChange;

export interface Reason {
  readonly about: 'binary' | 'json' | 'source';
  readonly text: string;
  /** Link to the rule that gives the reason. */
  readonly link: string;
}

/** Whether each version reads the other's messages, and whether code compiles against both. */
export interface Compatibility {
  readonly binary: CompatibilityLevel;
  readonly json: CompatibilityLevel;
  readonly source: CompatibilityLevel;
  readonly reasons: readonly Reason[];
}

/** The effort of deploying a change, least first. */
export const EFFORTS = ['writer only', 'schema compatible', 'new field needed', 'new message version'] as const;
export type Effort = (typeof EFFORTS)[number];

/** Forms before and after one change. `root`: type of the outermost message before it. */
export interface ChangeStep {
  readonly before: FieldEncodings;
  readonly after: FieldEncodings;
  readonly root: string;
}

/** A field whose records a change modifies: the formula sums over it. */
export interface ChangedField {
  readonly message: string;
  readonly field: string;
}

/** Thrown if a change is impossible. The text is for the user. */
export class ImpossibleChange extends Error {}

export interface ChangeKind<C extends Change> {
  /** @throws ImpossibleChange */
  readonly alter: (change: C, forms: FieldEncodings, root: string) => FieldEncodings;
  /**
   * Converts values: modifies the tree, or returns another one. Absent: values are unchanged. @throws ImpossibleChange
   * if a value cannot be converted back
   */
  readonly forward?: (change: C, tree: TreeNode, step: ChangeStep) => TreeNode;
  /** The reverse conversion. */
  readonly backward?: (change: C, tree: TreeNode, step: ChangeStep) => TreeNode;
  /** @param forms before the change */
  readonly touches: (change: C, forms: FieldEncodings) => readonly ChangedField[];
  /** Changed fields that it adds to the schema. */
  readonly adds?: (change: C) => readonly ChangedField[];
  /** Changed fields that have no values after it. */
  readonly empties?: (change: C) => readonly ChangedField[];
  /**
   * Whether the other changes of a set leave it nothing to change. It is then left out, and not refused, because it is
   * asked for with many of its kind. @param first before all changes of the set
   */
  readonly isMoot?: (change: C, forms: FieldEncodings, first: FieldEncodings) => boolean;
  readonly compatibility: (change: C, forms: FieldEncodings) => Compatibility;
  readonly effort: (change: C, forms: FieldEncodings) => Effort;
}
