/** Messages of the open input → ranked types, profiles, and both sides' rows of one of them. */

import { TypeClassifier } from '#engine/analysis/classify-type.ts';
import { isNative } from '#engine/analysis/native-reading.ts';
import { bundledSource, planReading } from '#engine/analysis/plan-reading.ts';
import { type Inspected, type InspectedSide, inspect, inspectNative } from '#engine/inspect/inspect.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import { LAID_OUT, profileById } from '#engine/native/profiles.ts';
import { toWire } from '#engine/native/to-wire.ts';
import type { MessageDescriptor } from '#engine/schema/descriptor.ts';
import type { AnalysisApi } from './analysis-api.ts';
import { analyzeMessages, headerByLayout, readByLayout, readingOfMessage } from './analyze-messages.ts';
import { bodyAt, headerOf } from './message-body.ts';
import { opaqueSide } from './opaque-side.ts';
import type { HandlersOf } from './protocol.ts';
import { selectMessages } from './select-messages.ts';
import { opened, type Session } from './session-state.ts';

export const analysisHandlers = (session: Session): HandlersOf<AnalysisApi> => ({
  async planReading({ scope, types }, context) {
    const { schema, bundled } = session;
    const open = opened(session);
    const { messages } = open;
    const chosen = await selectMessages(session, scope, types, context, true);
    const ordinals = chosen.filter((ordinal) => !isNative(messages.groups.at(messages.groupAt(ordinal))));
    const classifier = new TypeClassifier([
      { registry: schema.registry, isOffered: ({ file }) => !schema.shelved.has(file) },
      bundledSource(bundled.registry),
    ]);
    for (const ordinal of ordinals) {
      if (!classifier.sample.wantsNext) classifier.sample.skip();
      else {
        context.signal.throwIfAborted();
        classifier.sample.add(await bodyAt(open, ordinal));
      }
    }
    return planReading(classifier);
  },

  analyze: ({ scope, ...params }, context) =>
    analyzeMessages(session, scope, { ...params, nativeProfile: profileById(params.nativeProfile) }, context),

  async inspect({ ordinal, ...params }, { transfer }) {
    const open = opened(session);
    const nativeProfile = profileById(params.nativeProfile);
    const reading = await readingOfMessage(session, params, ordinal);
    const group = open.messages.groups.at(open.messages.groupAt(ordinal)).key;
    // A copy: the source may hand out a view of bytes it keeps, and these leave the worker.
    const bytes = (await bodyAt(open, ordinal)).slice();
    const around = headerByLayout(session, ordinal, await headerOf(open, ordinal));
    const header = around === undefined ? null : inspectNative(around.bytes, around.reading);
    transfer(...sidesBuffers(header));
    const found = reading === 'native' ? readByLayout(session, ordinal, bytes) : undefined;
    if (found === null) {
      const wire = opaqueSide(bytes);
      transfer(...buffersOf(wire));
      return { ordinal, group, captured: 'native', wire, native: null, header, diagnostics: [] };
    }
    const isAsCaptured = nativeProfile === LAID_OUT && Object.keys(params.overrides).length === 0;
    const layoutOf = deriveLayouts(nativeProfile, params.overrides);
    const inspected =
      found === undefined
        ? inspect(bytes, { type: reading as MessageDescriptor | undefined, layoutOf, ordinal })
        : isAsCaptured || found.read.diagnostics.length > 0
          ? inspectNative(bytes, found, ordinal)
          : inspect(toWire(bytes, found.read).bytes.slice(), { type: found.type, layoutOf, ordinal });
    transfer(...sidesBuffers(inspected));
    return { ordinal, group, captured: reading === 'native' ? 'native' : 'wire', header, ...inspected };
  },
});

const sidesBuffers = (sides: Pick<Inspected, 'wire' | 'native'> | null): readonly ArrayBuffer[] =>
  [sides?.wire, sides?.native].flatMap((side) => (side ? buffersOf(side) : []));

/** Every buffer of a side, once: columns may share one. */
const buffersOf = ({ bytes, table, path, paths, counterpart }: InspectedSide): readonly ArrayBuffer[] => {
  const { start, end, parent, field, head, flags } = table;
  const columns = [bytes, start, end, parent, field, head, flags, path, counterpart, paths.parent, paths.field];
  return [...new Set(columns.map(({ buffer }) => buffer as ArrayBuffer))];
};
