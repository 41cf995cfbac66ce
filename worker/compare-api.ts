/** The page's calls about a second version of the schema, B beside the loaded A. */
import type { CompatibilityLevel } from '#engine/schema/compare/compare-fields.ts';
import type { SymbolChange } from '#engine/schema/compare/compare-schemas.ts';
import type { SchemaFile, SchemaSummary } from './schema-api.ts';

export interface Comparison {
  readonly verdict: CompatibilityLevel;
  /** The worst first; at most the requested number. */
  readonly types: readonly SymbolChange[];
  readonly more: number;
  readonly unchanged: number;
}

export interface CompareApi {
  /** No files: there is no second version any more. */
  setOther(params: { readonly files: readonly SchemaFile[]; readonly shelf: readonly SchemaFile[] }): SchemaSummary;
  /** null: no second version is loaded. */
  compare(params: { readonly limit: number }): Comparison | null;
}
