/** Messages of the open input → ranked types, profiles, and both sides' rows of one of them. */
import { loadAgainst, loadLossCounter } from '#engine/analysis/against.ts';
import type { RunRequest } from '#engine/analysis/messages-run.ts';
import { planMessages } from '#engine/analysis/plan/plan-messages.ts';
import { runMessages } from '#engine/analysis/run-messages.ts';
import type { Inspected, InspectedSide } from '#engine/inspect/inspect.ts';
import { needed } from '#engine/model/needed-file.ts';
import type { AnalysisApi, AnalyzeParams } from './analysis-api.ts';
import { withPool } from './load-pool.ts';
import { holdsNative, nativeProfileOf } from './native-profile.ts';
import { type HandlersOf, readControl } from './protocol.ts';
import { readingRequest } from './reading-request.ts';
import { selectMessages } from './select-messages.ts';
import { opened, type Session } from './session-state.ts';
import { sessionTypeSources } from './type-sources.ts';

export const analysisHandlers = (session: Session): HandlersOf<AnalysisApi> => ({
  async planReading({ scope, types }, context) {
    const store = opened(session);
    const ordinals = await selectMessages(session, scope, types, context, true);
    return planMessages([{ store, ordinals }], sessionTypeSources(session), readControl(context));
  },

  async analyze({ scope, overrides, ...params }, context) {
    const store = opened(session);
    const ordinals = await selectMessages(session, scope, params.types, context, true);
    const request = {
      ...readingRequest(session, params),
      ...(await secondSide(session, overrides, params)),
      overrides,
    };
    const [run] = await withPool(store.messages.plainBytes, (pool) =>
      runMessages([{ store, ordinals }], request, { ...readControl(context), pool }),
    );
    const { profiles, origins, opaque, diagnostics } = run!;
    return { profiles, origins, opaque, diagnostics };
  },

  async inspect({ ordinal, part, overrides, ...params }, context) {
    const second = await secondSide(session, overrides, params);
    const request = { ...readingRequest(session, params), ...second, overrides, part };
    const { inspectMessage } = await needed(() => import('#engine/analysis/inspect-message.ts'));
    const inspected = await inspectMessage(opened(session), ordinal, request, readControl(context));
    context.transfer(...[inspected, inspected.header, ...inspected.contents].flatMap(sidesBuffers));
    return inspected;
  },

  async firstWith({ scope, path, overrides, ...params }, context) {
    const store = opened(session);
    const ordinals = await selectMessages(session, scope, params.types, context, true);
    const second = await secondSide(session, overrides, params);
    const { firstWithField } = await needed(() => import('#engine/analysis/first-with-field.ts'));
    const request = { ...readingRequest(session, params), ...second, overrides };
    return firstWithField({ store, ordinals }, path, request, readControl(context));
  },

  async firstLoss({ scope, lost, ...params }, context) {
    const store = opened(session);
    const ordinals = await selectMessages(session, scope, params.types, context, true);
    const { firstLosses } = await needed(() => import('#engine/analysis/first-loss.ts'));
    const request = readingRequest(session, params);
    const [place] = await firstLosses({ store, ordinals }, [lost], request, readControl(context));
    return place!;
  },
});

/** A native profile, or an encoding in its place; null: it was not requested. */
async function secondSide(
  session: Session,
  overrides: AnalyzeParams['overrides'],
  { nativeProfile: id, compares = false, type }: Pick<AnalyzeParams, 'nativeProfile' | 'compares' | 'type'>,
): Promise<Pick<RunRequest, 'nativeProfile' | 'isNativeChosen' | 'countLosses' | 'against'>> {
  const nativeProfile = nativeProfileOf(session, id, type);
  const isAsked = compares || Object.keys(overrides).length > 0 || holdsNative(session);
  if (id === null) return { nativeProfile: isAsked ? nativeProfile : null };
  if (nativeProfile.id === id)
    return { nativeProfile, isNativeChosen: true, countLosses: await loadLossCounter(nativeProfile) };
  return { nativeProfile: holdsNative(session) ? nativeProfile : null, against: await loadAgainst(id) };
}

const sidesBuffers = (sides: Pick<Inspected, 'protobuf' | 'native'> | null): readonly ArrayBuffer[] =>
  [sides?.protobuf, sides?.native].flatMap((side) => (side ? buffersOf(side) : []));

/** Every buffer that belongs only to this side; the row kinds are shared with other tables. */
const buffersOf = ({ bytes, table, path, paths, counterpart }: InspectedSide): readonly ArrayBuffer[] => {
  const columns = [bytes, table.cells, path, counterpart, paths.parent, paths.field];
  return [...new Set(columns.map(({ buffer }) => buffer as ArrayBuffer))];
};
