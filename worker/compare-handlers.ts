/** Compares the loaded schema with a second version of it. */
import { compareSchemas, type SchemaComparison } from '#engine/schema/compare/compare-schemas.ts';
import type { Registry } from '#engine/schema/descriptor.ts';
import type { CompareApi } from './compare-api.ts';
import type { HandlersOf } from './protocol.ts';
import { offeredTypes } from './schema-handlers.ts';
import { compileFiles, runWithPauses } from './schema-sources.ts';
import type { Session, SessionSchema } from './session-state.ts';

const WORST_FIRST = ['unsafe', 'conditional', 'safe'] as const;

export function compareHandlers(session: Session): HandlersOf<CompareApi> {
  let other: Pick<SessionSchema, 'registry' | 'shelved'> | null = null;
  let known: { readonly of: readonly [Registry, Registry]; readonly comparison: SchemaComparison } | null = null;

  return {
    async setOther({ files, shelf }, context) {
      const { registry, diagnostics, missing, check } = await compileFiles([...files, ...shelf], context);
      const shelved = new Set(shelf.map(({ path }) => path));
      const loaded = { registry, shelved };
      other = files.length === 0 ? null : loaded;
      return {
        files: registry.files.map(({ path }) => path).filter((path) => !shelved.has(path)),
        types: offeredTypes(loaded).length,
        missing,
        diagnostics: [...diagnostics, ...(await runWithPauses(check(), context.signal))],
      };
    },

    compare({ limit }) {
      if (other === null) return null;
      const { registry, shelved } = session.schema;
      const theirs = other;
      if (known?.of[0] !== registry || known.of[1] !== theirs.registry) {
        const isOwn = (file: string) => !shelved.has(file) && !theirs.shelved.has(file);
        known = { of: [registry, theirs.registry], comparison: compareSchemas(registry, theirs.registry, isOwn) };
      }
      const { verdict, types, unchanged } = known.comparison;
      const sorted = WORST_FIRST.flatMap((worst) => types.filter((type) => type.verdict === worst));
      return { verdict, types: sorted.slice(0, limit), more: Math.max(0, sorted.length - limit), unchanged };
    },
  };
}
