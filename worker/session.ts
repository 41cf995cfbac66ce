/**
 * All calls of the page over one state. They answer by calling the engine; they know no rule of any format themselves.
 */
import { NativeLayouts } from '#engine/analysis/native-reading.ts';
import { openSchema } from '#engine/schema/compile.ts';
import { typeGraph } from '#engine/schema/type-graph.ts';
import { analysisHandlers } from './analysis-handlers.ts';
import { compareHandlers } from './compare-handlers.ts';
import { compressionHandlers } from './compression-handlers.ts';
import { exploreHandlers } from './explore-handlers.ts';
import { inputHandlers } from './input-handlers.ts';
import { languageHandlers } from './language-handlers.ts';
import type { Handlers } from './protocol.ts';
import { schemaHandlers } from './schema-handlers.ts';
import type { Session } from './session-state.ts';
import { shareHandlers } from './share-handlers.ts';

export function createSession(): Handlers {
  const { registry, symbols, check } = openSchema([]);
  const session: Session = {
    schema: { registry, symbols, shelved: new Set(), graph: typeGraph(registry), check },
    bundled: registry,
    layouts: new NativeLayouts(registry),
    input: null,
    brotliAddress: null,
  };
  return {
    ...schemaHandlers(session),
    ...exploreHandlers(session),
    ...languageHandlers(session),
    ...compareHandlers(session),
    ...inputHandlers(session),
    ...analysisHandlers(session),
    ...compressionHandlers(session),
    ...shareHandlers(session),
  };
}
