/** The page of one name of a schema, as plain data that passes between worker and page: names instead of links. */
import type { FieldCost, MessageCost } from '../cost/schema-cost.ts';
import type { Presence } from '../schema/descriptor.ts';
import type { CatalogNode } from './catalog.ts';

/** A type as it is written in a field, and where it leads. */
export interface TypeText {
  /** `repeated Hit`, `map<string, Hit>`, `sint64`. */
  readonly text: string;
  /** Full name of the message or enum meant; of a map, its value's. null: a scalar. */
  readonly leadsTo: string | null;
}

export interface OptionText {
  /** Full extension name in parentheses, or a plain option's. */
  readonly name: string;
  readonly value: string;
}

export interface FieldEntry {
  readonly name: string;
  readonly fullName: string;
  readonly jsonName: string;
  readonly number: number;
  readonly type: TypeText;
  readonly presence: Presence;
  readonly packed: boolean;
  readonly oneof: string | null;
  readonly isExtension: boolean;
  readonly deprecated: boolean;
  readonly defaultValue: string | null;
  readonly options: readonly OptionText[];
  readonly comment: string | null;
  readonly tagBytes: number;
  /** Its cost by the schema alone. */
  readonly cost: FieldCost;
}

/** A field or method that uses a type. */
export interface UseEntry {
  readonly kind: 'field' | 'extension' | 'method';
  readonly fullName: string;
  /** `Hit.id`, `Search.Query`. */
  readonly label: string;
  /** The type as written there. */
  readonly type: string;
}

interface PageBase {
  readonly fullName: string;
  readonly name: string;
  readonly package: string;
  readonly file: string;
  /** Full name of the message around it; null at the top of a file. */
  readonly parent: string | null;
  /** Where its name is written; null where it was not read from text. */
  readonly place: { readonly file: string; readonly line: number; readonly column: number } | null;
  readonly deprecated: boolean;
  readonly comment: string | null;
  readonly options: readonly OptionText[];
  readonly usedBy: readonly UseEntry[];
  /** Uses beyond those listed. */
  readonly moreUses: number;
}

export interface MessagePage extends PageBase {
  readonly kind: 'message';
  readonly cost: Omit<MessageCost, 'fields'>;
  readonly syntax: string;
  readonly fields: readonly FieldEntry[];
  /** Fields beyond those listed: a page stays a page. */
  readonly moreFields: number;
  readonly extensions: readonly FieldEntry[];
  readonly nested: readonly CatalogNode[];
  /** Full names of the messages and enums its fields use, once each, in the order of the fields. */
  readonly uses: readonly string[];
  /** Messages nested in each other at most, itself included; null: without end, as one of them holds itself. */
  readonly depth: number | null;
  /** Field names along a shortest way back to itself: `children`; `node`, `parent`. Empty without a cycle. */
  readonly cycle: readonly string[];
  readonly reserved: readonly string[];
  readonly extensionRanges: readonly string[];
}

export interface EnumPage extends PageBase {
  readonly kind: 'enum';
  readonly closed: boolean;
  readonly values: readonly {
    readonly name: string;
    readonly number: number;
    readonly valueBytes: number;
    readonly deprecated: boolean;
    readonly options: readonly OptionText[];
    readonly comment: string | null;
  }[];
  readonly reserved: readonly string[];
}

export interface ServicePage extends PageBase {
  readonly kind: 'service';
  readonly methods: readonly {
    readonly name: string;
    /** As gRPC calls it: `/package.Service/Method`. */
    readonly path: string;
    readonly input: string;
    readonly output: string;
    readonly clientStreaming: boolean;
    readonly serverStreaming: boolean;
    readonly deprecated: boolean;
    readonly options: readonly OptionText[];
    readonly comment: string | null;
  }[];
}

export interface ExtensionPage extends Omit<PageBase, 'file'> {
  readonly kind: 'extension';
  readonly extended: string;
  readonly field: FieldEntry;
}

export interface FilePage {
  readonly kind: 'file';
  readonly path: string;
  readonly package: string;
  readonly syntax: string;
  readonly options: readonly OptionText[];
  readonly imports: readonly {
    readonly path: string;
    readonly kind: 'plain' | 'public' | 'option';
    /** The loaded file it means; null: missing. */
    readonly file: string | null;
  }[];
  readonly importedBy: readonly string[];
  readonly declares: readonly CatalogNode[];
}

export interface WholeFile {
  readonly file: FilePage;
  readonly symbols: readonly SymbolPage[];
}

export interface PackagePage {
  readonly kind: 'package' | 'folder';
  readonly name: string;
  readonly contents: readonly CatalogNode[];
}

export type SymbolPage = MessagePage | EnumPage | ServicePage | ExtensionPage;
export type Page = SymbolPage | FilePage | PackagePage;
