/** What the page may ask about schemas. */
import type { Diagnostic } from '#engine/diagnostic.ts';
import type { MissingImport } from '#engine/schema/compile.ts';

export type { MissingImport } from '#engine/schema/compile.ts';

export interface SchemaFile {
  /** Path as imports name it, or the name it was dropped under. */
  readonly path: string;
  /** Text of a .proto file, or bytes of a descriptor set. */
  readonly content: string | Uint8Array;
}

export interface TypeSummary {
  readonly fullName: string;
  readonly file: string;
  readonly fields: number;
  /** Map entries and types nested in others are offered last. */
  readonly nested: boolean;
}

export interface SchemaSummary {
  /** Paths of the loaded files and of the well-known ones they import; those of the shelf are left out. */
  readonly files: readonly string[];
  readonly types: readonly TypeSummary[];
  /** Imports, as written, that no file answers, and by whom. */
  readonly missing: readonly MissingImport[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface SchemaApi {
  /** What ships with the app: a capture's messages are looked up in it where no loaded type is theirs. */
  setBundled(params: { readonly files: readonly SchemaFile[] }): readonly TypeSummary[];
  /** `shelf`: files that are there to be imported; their types are not offered. */
  setSchema(params: { readonly files: readonly SchemaFile[]; readonly shelf?: readonly SchemaFile[] }): SchemaSummary;
}
