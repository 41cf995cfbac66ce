/** The page's calls about schemas. */
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import type { MissingImport } from '#engine/schema/compile.ts';

export type { MissingImport } from '#engine/schema/compile.ts';

export interface SchemaFile {
  /** Path as imports name it, or the name it was dropped under. */
  readonly path: string;
  /**
   * Text of a .proto file, or bytes of a descriptor set. A Blob is read in the worker: text if its path says .proto.
   */
  readonly content: string | Uint8Array | Blob;
}

/** A file as the page sends it. Contents that the worker already has are not sent again. */
export interface SentFile {
  readonly path: string;
  /** null: as it was sent before under this path. */
  readonly content: SchemaFile['content'] | null;
}

export interface SchemaSummary {
  /** Paths of the loaded files and of the well-known files that they import; files of the shelf are left out. */
  readonly files: readonly string[];
  /** How many message types a person may choose from. */
  readonly types: number;
  /** Imports, as written, that no file answers, and by whom. */
  readonly missing: readonly MissingImport[];
  /** Findings; the contents of descriptor sets are checked later, by `lookThrough`. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The schemas that ship with the app. */
export interface BundledSummary {
  /** Paths of the files. */
  readonly files: readonly string[];
  /** How many message types a person may choose from. */
  readonly types: number;
}

export interface UnpackedFiles {
  /** Empty: there are no more. */
  readonly files: readonly SchemaFile[];
  /** Archives that could not be unpacked. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface SchemaApi {
  /**
   * Loads the bundled schemas. Types are searched in them if the loaded schema does not have them, and they can be
   * browsed.
   */
  setBundled(params: { readonly files: readonly SchemaFile[] }): BundledSummary;
  /** Files sent ahead of `setSchema`, some at a time, so that thousands of them do not block the page. */
  holdFiles(params: { readonly files: readonly SchemaFile[] }): void;
  /** The schemas in a zip archive, in batches, stored as if they had been sent. null: continue with the last archive. */
  unpackArchive(params: { readonly archive: SchemaFile | null }): UnpackedFiles;
  /** `shelf`: files that exist only to be imported; their types are not offered. */
  setSchema(params: { readonly files: readonly SentFile[]; readonly shelf?: readonly SchemaFile[] }): SchemaSummary;
}
