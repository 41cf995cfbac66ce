/** The page's calls about a second version of the schema, B beside the loaded A. */
import type { VersionSizes } from '#engine/advise/version-sizes.ts';
import type { SymbolChange } from '#engine/schema/compare/symbol-change.ts';
import type { CompatibilityLevel } from '#engine/schema/compare/type-verdicts.ts';
import type { ShownMessages } from './matrix-api.ts';
import type { SchemaFile, SchemaSummary } from './schema-api.ts';

export interface Comparison {
  readonly verdict: CompatibilityLevel;
  /** The worst first; at most the requested number. */
  readonly types: readonly SymbolChange[];
  readonly more: number;
  readonly unchanged: number;
}

export interface MeasuredVersions {
  /** Sizes of the types that both versions have. */
  readonly sizes: readonly VersionSizes[];
  /** All messages of these types. There is a limit to how many are measured. */
  readonly outOf: number;
}

export interface CompareApi {
  /** No files: there is no second version any more. */
  setOther(params: { readonly files: readonly SchemaFile[]; readonly shelf: readonly SchemaFile[] }): SchemaSummary;
  /** null: no second version is loaded. */
  compare(params: { readonly limit: number }): Comparison | null;
  /** The messages, written in both versions; null: no second version is loaded. */
  versionSizes(params: { readonly profiles: readonly ShownMessages[] }): MeasuredVersions | null;
}
