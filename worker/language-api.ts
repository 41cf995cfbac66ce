/** The editor's calls about a place in the text of a loaded file. Offsets are UTF-16 units of the text as compiled. */
import type { Completion, Hover, OutlineEntry } from '#engine/explore/language.ts';
import type { PrintedName } from '#engine/explore/print-pages.ts';
import type { SymbolPlace } from '#engine/schema/symbols.ts';

export interface TextPlace {
  readonly file: string;
  readonly offset: number;
  /** The native profile, for the native cost of a field. */
  readonly nativeProfile: string | null;
  readonly overrides: Readonly<Record<string, string>>;
}

export interface LanguageApi {
  /**
   * Stores the positions of names in text that was printed from descriptors. From now on they have places like names in
   * files.
   */
  placeNames(params: { readonly path: string; readonly text: string; readonly names: readonly PrintedName[] }): void;
  /**
   * Files whose names have no places yet, as they were not read from text: the one that declares what stands at an
   * offset, and of those that use it no more than `users`.
   */
  unplacedFiles(params: Pick<TextPlace, 'file' | 'offset'> & { readonly users: number }): readonly string[];
  hoverAt(params: TextPlace): Hover | null;
  definitionAt(params: Pick<TextPlace, 'file' | 'offset'>): SymbolPlace | null;
  /** The definition first. No more than `limit`. */
  referencesAt(params: Pick<TextPlace, 'file' | 'offset'> & { readonly limit: number }): readonly SymbolPlace[];
  outlineOf(params: Pick<TextPlace, 'file'>): readonly OutlineEntry[];
  /** `before`: the text of the file up to the cursor. */
  completionsAt(params: { readonly before: string }): readonly Completion[];
}
