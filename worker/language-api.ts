/** What the editor may ask about a place in the text of a loaded file. Offsets are UTF-16 units of the text as compiled. */
import type { Completion, Hover, OutlineEntry } from '#engine/explore/language.ts';
import type { Place } from '#engine/schema/symbols.ts';

export interface TextPlace {
  readonly file: string;
  readonly offset: number;
  /** For what a field costs natively. */
  readonly nativeProfile: string;
  readonly overrides: Readonly<Record<string, string>>;
}

export interface LanguageApi {
  hoverAt(params: TextPlace): Hover | null;
  definitionAt(params: Pick<TextPlace, 'file' | 'offset'>): Place | null;
  /** The definition first. No more than `limit`. */
  referencesAt(params: Pick<TextPlace, 'file' | 'offset'> & { readonly limit: number }): readonly Place[];
  outlineOf(params: Pick<TextPlace, 'file'>): readonly OutlineEntry[];
  /** `before`: the text of the file up to the cursor. */
  completionsAt(params: { readonly before: string }): readonly Completion[];
}
