/**
 * All calls of the page over one state. They answer by calling the engine; they know no rule of any format themselves.
 * Calls that the first analysis of a payload does not need are loaded with their first use.
 */
import { NativeLayouts } from '#engine/analysis/plan/native-reading.ts';
import { openSchema } from '#engine/schema/compile.ts';
import { typeGraph } from '#engine/schema/type-graph.ts';
import type { AdviseApi } from './advise-api.ts';
import { analysisHandlers } from './analysis-handlers.ts';
import type { BitsApi } from './bits-api.ts';
import type { CompareApi } from './compare-api.ts';
import type { ExploreApi } from './explore-api.ts';
import { inputHandlers } from './input-handlers.ts';
import type { LanguageApi } from './language-api.ts';
import type { MatrixApi } from './matrix-api.ts';
import { onDemand } from './on-demand.ts';
import type { Handlers } from './protocol.ts';
import { schemaHandlers } from './schema-handlers.ts';
import type { Session, SessionSchema } from './session-state.ts';
import type { ShareApi } from './share-api.ts';

export function createSession(): Handlers {
  const { registry, symbols, check } = openSchema([]);
  const nothing: SessionSchema = {
    registry,
    symbols,
    files: [],
    shelved: new Set(),
    graph: typeGraph(registry),
    check,
  };
  const session: Session = {
    schema: nothing,
    bundled: nothing,
    layouts: new NativeLayouts(registry),
    input: null,
  };
  return {
    ...schemaHandlers(session),
    ...inputHandlers(session),
    ...analysisHandlers(session),
    ...onDemand<ExploreApi>(
      {
        treeNodes: true,
        treeWay: true,
        lookThrough: true,
        findNames: true,
        chooseTypes: true,
        costlyFields: true,
        typeCosts: true,
        sourcesOf: true,
        hasType: true,
        pagesIn: true,
        describe: true,
      },
      async () => (await import('./explore-handlers.ts')).exploreHandlers(session),
    ),
    ...onDemand<LanguageApi>(
      {
        placeNames: true,
        unplacedFiles: true,
        hoverAt: true,
        definitionAt: true,
        referencesAt: true,
        outlineOf: true,
        completionsAt: true,
      },
      async () => (await import('./language-handlers.ts')).languageHandlers(session),
    ),
    ...onDemand<CompareApi>({ setOther: true, compare: true, versionSizes: true }, async () =>
      (await import('./compare-handlers.ts')).compareHandlers(session),
    ),
    ...onDemand<MatrixApi>({ matrix: true }, async () =>
      (await import('./matrix-handlers.ts')).matrixHandlers(session),
    ),
    ...onDemand<BitsApi>({ bits: true, copiedFrom: true, saved: true }, async () =>
      (await import('./bits-handlers.ts')).bitsHandlers(session),
    ),
    ...onDemand<ShareApi>({ neededFiles: true, shape: true }, async () =>
      (await import('./share-handlers.ts')).shareHandlers(session),
    ),
    ...onDemand<AdviseApi>(
      { advise: true, applyChanges: true, editableFiles: true, appliedMessage: true, belowLimit: true },
      async () => (await import('./advise-handlers.ts')).adviseHandlers(session),
    ),
  };
}
