/** Compares the loaded schema with a second version of it. */
import { VersionMeter, type VersionSizes } from '#engine/advise/version-sizes.ts';
import { collectUnits } from '#engine/analysis/measure/collect-units.ts';
import { compareSchemas, type SchemaComparison } from '#engine/schema/compare/compare-schemas.ts';
import type { Registry } from '#engine/schema/descriptor.ts';
import type { CompareApi } from './compare-api.ts';
import type { HandlersOf } from './protocol.ts';
import { findShownMessages, MEASURED_LIMIT, pauses } from './sample-messages.ts';
import { offeredTypes } from './schema-handlers.ts';
import { compileFiles, runWithPauses } from './schema-sources.ts';
import { opened, type Session, type SessionSchema, sessionLibrary } from './session-state.ts';

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
      return { verdict, types: types.slice(0, limit), more: Math.max(0, types.length - limit), unchanged };
    },

    async versionSizes({ profiles }, context) {
      if (other === null) return null;
      const sizes: VersionSizes[] = [];
      let outOf = 0;
      const pause = pauses(context);
      for (const shown of profiles) {
        const meter = VersionMeter.open(session.schema.registry, other.registry, shown.shown);
        const found = meter && (await findShownMessages(session, shown, context));
        if (found === null) continue;
        const input = { store: opened(session), ...found };
        const units = await collectUnits([input], sessionLibrary(session), MEASURED_LIMIT, pause);
        for (const [done, message] of units.units.flatMap(({ messages }) => messages).entries()) {
          await pause(done, units.messages);
          meter!.add(message);
        }
        sizes.push(meter!.sizes());
        outOf += units.outOf;
      }
      return { sizes, outOf };
    },
  };
}
