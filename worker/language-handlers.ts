/** The editor's questions, answered by the engine from the schema as it was last compiled. */
import {
  completionsAt,
  definitionAt,
  filesAround,
  hoverAt,
  outlineOf,
  referencesAt,
} from '#engine/explore/language.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import { lineStarts } from '#engine/schema/text/tokens.ts';
import type { LanguageApi } from './language-api.ts';
import { layoutProfileOf } from './native-profile.ts';
import type { HandlersOf } from './protocol.ts';
import type { Session } from './session-state.ts';

export function languageHandlers(session: Session): HandlersOf<LanguageApi> {
  const words = (nativeProfile: string | null = null, overrides: Readonly<Record<string, string>> = {}) => {
    const { registry, symbols } = session.schema;
    const profile = layoutProfileOf(nativeProfile);
    return { registry, symbols, layoutOf: deriveLayouts(profile, overrides) };
  };
  return {
    placeNames({ path, text, names }) {
      const { symbols } = session.schema;
      const file = { path, lines: lineStarts(text) };
      for (const { kind, fullName, extent, ...span } of symbols.in(path) ? [] : names) {
        if (extent) symbols.define(file, { kind, fullName }, span, extent);
        else symbols.refer(file, { kind, fullName }, span);
      }
    },

    unplacedFiles({ file, offset, users }) {
      const { symbols, graph } = session.schema;
      return filesAround({ ...words(), graph }, file, offset, users).filter((path) => symbols.in(path) === undefined);
    },

    hoverAt: ({ file, offset, nativeProfile, overrides }) => hoverAt(words(nativeProfile, overrides), file, offset),
    definitionAt: ({ file, offset }) => definitionAt(words(), file, offset),
    referencesAt: ({ file, offset, limit }) => referencesAt(words(), file, offset).slice(0, limit),
    outlineOf: ({ file }) => outlineOf(words(), file),
    completionsAt: ({ before }) => completionsAt(words(), before),
  };
}
