/** The page of one name of a schema, as plain data that the worker posts to the page. It has names instead of links. */
import type { FieldCost, MessageCost } from '../cost/schema-cost.ts';
import type { Presence } from '../schema/descriptor.ts';
import type { CatalogNode } from './catalog.ts';

/** A type as it is written in a field, and the name that it refers to. */
export interface TypeText {
  /** `repeated Hit`, `map<string, Hit>`, `sint64`. */
  readonly text: string;
  /** Full name of the message or enum; for a map, of its value type. null: a scalar. */
  readonly leadsTo: string | null;
}

export interface OptionText {
  /** Full extension name in parentheses. */
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
  /** Its cost, from the schema alone. */
  readonly cost: FieldCost;
}

/** A field or method that uses a type. */
export interface UseEntry {
  readonly kind: 'field' | 'extension' | 'method';
  readonly fullName: string;
  /** `Hit.id`, `Search.Query`. */
  readonly label: string;
  /** The type as written in the field or method. */
  readonly type: string;
}

interface PageBase {
  readonly fullName: string;
  readonly name: string;
  readonly package: string;
  readonly file: string;
  /** Full name of the enclosing message; null: top level. */
  readonly parent: string | null;
  /** The place of its name; null: not read from text. */
  readonly place: { readonly file: string; readonly line: number; readonly column: number } | null;
  readonly deprecated: boolean;
  readonly comment: string | null;
  readonly options: readonly OptionText[];
  readonly usedBy: readonly UseEntry[];
  /** Number of uses that are not listed. */
  readonly moreUses: number;
}

export interface MessagePage extends PageBase {
  readonly kind: 'message';
  readonly cost: Omit<MessageCost, 'fields'>;
  readonly syntax: string;
  readonly fields: readonly FieldEntry[];
  /** Number of fields that are not listed. */
  readonly moreFields: number;
  readonly oneofs: readonly {
    readonly name: string;
    readonly options: readonly OptionText[];
    readonly comment: string | null;
  }[];
  readonly extensions: readonly FieldEntry[];
  readonly nested: readonly CatalogNode[];
  /** Full names of the distinct messages and enums that its fields use, in the order of the fields. */
  readonly uses: readonly string[];
  /** Maximum number of nested messages, including itself; null: infinite, because one of them is recursive. */
  readonly depth: number | null;
  /** Field names on a shortest path back to itself: `children`; `node`, `parent`. Empty: not recursive. */
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
    /** The path in gRPC: `/package.Service/Method`. */
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
    /** The imported file; null: missing. */
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
