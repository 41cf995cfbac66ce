/** The shown profile of an analysis, and the messages that were chosen. */
import { formatOf as compressionOf } from '#engine/compression/formats.ts';
import { capturedLedger, PROTOBUF, type Profile } from '#engine/cost/profile.ts';
import { profileById } from '#engine/native/profiles.ts';
import { visible } from '#wording/visible.ts';
import type { Origin } from '#worker/analysis-api.ts';
import type { GroupReading } from '#worker/input-api.ts';
import type { ShownMessages } from '#worker/matrix-api.ts';
import { isShape } from './is-shape.ts';
import type { ReadingPlan, SessionState } from './session-state.ts';
import type { AppState } from './store.ts';
import {
  asksNative,
  HAS_PANEL,
  isEveryMessage,
  isOneMessage,
  type OpenData,
  type Panel,
  QUESTIONS,
  type Question,
} from './view-state.ts';

/** Index of the profile whose messages hold the chosen group; 0, the largest, if none does. */
export function shownIndex({ session, view }: AppState): number {
  const { shown } = view;
  const index =
    shown === null ? -1 : (session.analysis?.origins.findIndex(({ groups }) => groups.includes(shown)) ?? -1);
  return Math.max(0, index);
}

export const shownProfile = (state: AppState): Profile | undefined =>
  state.session.analysis?.profiles[shownIndex(state)];

const NO_OVERRIDES: AppState['view']['overrides'] = {};

/** The writers that the user changed, if the chosen native profile has them: others have their own writers. */
export function overridesInUse(state: AppState): AppState['view']['overrides'] {
  const id = state.view.nativeProfile ?? shownProfile(state)?.pair[1];
  return id != null && profileById(id)?.overridable === true ? state.view.overrides : NO_OVERRIDES;
}

/** The shown messages, as the worker measures them. */
export const shownMessages = (state: AppState): ShownMessages => messagesAt(state, shownIndex(state));

/** The messages of the profile at `index`. */
export function messagesAt(state: AppState, index: number): ShownMessages {
  const { type, types, scope, nativeProfile, overrides } = state.view;
  const { profiles, origins } = state.session.analysis ?? {};
  const of = formatOf(state, origins?.[index]);
  return { type, types, scope, nativeProfile, overrides, shown: profiles?.[index]?.type ?? '', ...of };
}

/** Bytes of the messages of the profile at `index` as they were captured, compressed or not; null: it is not known. */
export function capturedSize(state: AppState, index: number = shownIndex(state)): number | null {
  const { inputSummary: summary, analysis, sharedFrom } = state.session;
  // Neither figures nor filler are compressed as the messages that they stand for.
  if (sharedFrom?.kind === 'profile' || sharedFrom?.kind === 'shape')
    return isEveryMessage(state.view.scope) ? (sharedFrom.source.captured ?? null) : null;
  if (summary === null || !summary.complete || analysis === null) return null;
  if (summary.kind === 'capture') return analysis.origins[index]?.capturedBytes ?? null;
  // The size of a file is that of its messages where it holds little but them. Action lines may be as large as documents.
  const isBinary = summary.textEncoding.id === 'binary' && summary.framingBytes * 8 < summary.bytes;
  const isWhole = isBinary && analysis.profiles.length === 1 && isEveryMessage(state.view.scope);
  return isWhole && summary.steps.every(({ id }) => compressionOf(id) !== undefined) ? summary.size : null;
}

/** The captured format of the messages of a profile; empty: it is not known. */
export function formatOf({ session }: AppState, origin: Origin | undefined): Pick<ShownMessages, 'format'> {
  const group = session.inputSummary?.groups.find(({ key }) => key === origin?.groups[0]);
  return group === undefined ? {} : { format: group.format ?? null };
}

/** The encoding of the streams that are compressed for a profile: `captured` where it is not protobuf. */
export const streamEncodingOf = (profile: Profile | undefined): 'captured' | 'protobuf' =>
  profile !== undefined && capturedLedger(profile) !== PROTOBUF ? 'captured' : 'protobuf';

export const streamEncoding = (state: AppState): 'captured' | 'protobuf' => streamEncodingOf(shownProfile(state));

export const shownOrigin = (state: AppState): Origin | undefined => state.session.analysis?.origins[shownIndex(state)];

/** Whether it has two sides. A captured JSON or text format that fits no type has one. */
const isCompared = (profile: Profile | undefined): boolean =>
  profile?.pair[1] !== null && profile?.other?.isAlone !== true;

/** Whether a native side can be computed for it. */
const canBeCompared = (state: AppState): boolean =>
  state.session.input?.data != null && shownType(state) !== null && shownProfile(state)?.other === undefined;

/** Whether the comparison with a native profile is chosen, and the analysis does not have it yet. */
export const lacksNative = (state: AppState): boolean =>
  asksNative(state.view) && state.session.input?.data != null && shownProfile(state)?.pair[1] == null;

/** The open data, as far as a view depends on it. */
export function offerOf(state: AppState): OpenData {
  const { input, inputSummary, sharedFrom, schema, analysis, inspection } = state.session;
  const hasBytes = input !== null && input.data !== null;
  const summary = inputSummary?.complete ? inputSummary : null;
  const isCapture = inputSummary?.kind === 'capture' || (hasBytes && summary === null ? null : false);
  return {
    isOpen: input !== null,
    hasBytes,
    messages: hasBytes ? (summary?.messages ?? null) : 0,
    isCapture,
    hasLayers: sharedFrom?.layers ? true : isCapture,
    hasType: shownType(state) !== null && !isShape(state),
    hasFindings: [schema, inputSummary, analysis, inspection].some((part) => part && part.diagnostics.length > 0),
    hasNative: analysis && (isCompared(shownProfile(state)) || canBeCompared(state)),
  };
}

/** The panels that have something to show. */
export function panelsOf(state: AppState): readonly Panel[] {
  const offer = offerOf(state);
  return (Object.keys(HAS_PANEL) as Panel[]).filter((panel) => HAS_PANEL[panel](offer));
}

export const isOffered = (state: AppState, question: Question): boolean =>
  QUESTIONS[question].isOffered(offerOf(state));

/** Whether a capture was opened of which nothing was read yet. */
export const isCaptureAwaited = ({ session, view }: AppState): boolean =>
  session.job !== null && session.inputSummary === null && view.panel === 'messages';

/**
 * The question: the chosen one, or else composition. For messages captured in a native layout, as OpenSearch's, the
 * default is the comparison with it.
 */
export function chosenQuestion(state: AppState): Question {
  const { question } = state.view;
  if (question !== null && isOffered(state, question)) return question;
  return shownProfile(state)?.pair[1] === 'laid-out' ? 'native' : 'composition';
}

/** Whether A and B are asked about, and the next input that is opened is B: the open one becomes A. */
export const awaitsB = (state: AppState): boolean =>
  chosenQuestion(state) === 'another' && state.session.baseline === null && shownProfile(state) !== undefined;

/** The question that is answered. The native side is computed once it is asked for; until then, composition is shown. */
export function shownQuestion(state: AppState): Question {
  const question = chosenQuestion(state);
  return question === 'native' && shownProfile(state)?.pair[1] === null ? 'composition' : question;
}

/** Full name of the shown type; null: none, field numbers or a guess. */
export function shownType(state: AppState): string | null {
  const { inputSummary } = state.session;
  return inputSummary?.kind === 'capture' ? (shownProfile(state)?.type ?? '') || null : state.view.type;
}

/** The reason for the type of the shown messages; for a capture, by group. */
export function shownReading(state: AppState): GroupReading['by'] | undefined {
  const group = shownOrigin(state)?.groups[0];
  return group === undefined ? undefined : state.session.groupReadings[group]?.by;
}

/** The plan that decided the type of the shown messages; null: another was chosen, or their groups have plans. */
export const shownPlan = (state: AppState): ReadingPlan | null => {
  const { plan } = state.session;
  return plan?.type === shownType(state) ? plan : null;
};

/** The type that the transport of the shown messages names and that they contradict; undefined: none. */
export const shownContradiction = (state: AppState): string | undefined =>
  shownOrigin(state)
    ?.groups.map((group) => state.session.groupReadings[group]?.contradicted)
    .find((named) => named !== undefined);

/** The finding that errors of the schema touch the type of the shown messages; undefined: none does. */
export const shownTouched = (state: AppState): string | undefined =>
  shownOrigin(state)?.findings.diagnostics.find(({ code }) => code === 'schema/touched-type')?.message;

/** Whether the input was read to its end and no message is in it. */
export const holdsNoMessage = ({ session: { inputSummary } }: AppState): boolean =>
  inputSummary?.complete === true && inputSummary.messages === 0;

/** Whether none of the chosen messages is protobuf, or no message passes the filter: there is no type to choose. */
export const isOpaqueShown = (state: AppState): boolean =>
  state.session.analysis !== null && shownProfile(state) === undefined;

/** The number of messages that are added up; null: not known yet. */
export const chosenMessages = ({ session: { analysis } }: AppState): number | null =>
  analysis && [...analysis.origins, analysis.opaque].reduce((sum, { messages }) => sum + messages, 0);

/** Whether no message passes the filter. */
export const isNoneChosen = (state: AppState): boolean => isOpaqueShown(state) && chosenMessages(state) === 0;

/** Whether there are figures. */
export const canShare = (state: AppState): boolean =>
  state.session.input !== null && state.session.analysis !== null && !isNoneChosen(state);

/** The name of the open input, with the characters that are not seen; empty: nothing is open. */
export const inputName = ({ session }: AppState): string => visible(session.input?.name ?? '');

/** The open input, and the messages that are added up if they are not all: `a.pcap, message 3`. */
export function nameOfShown(state: AppState): string {
  const { session, view } = state;
  const { ordinals, groups, text, name, flow, time, minBytes, maxBytes } = view.scope;
  const isFiltered =
    [text, name].some((word) => word !== '') || [flow, time, minBytes, maxBytes].some((it) => it !== null);
  const [first] = ordinals;
  const of = isOneMessage(view.scope)
    ? `message ${first![0]}`
    : ordinals.length > 0
      ? 'chosen messages'
      : groups.length > 0
        ? groupName(session.inputSummary, groups)
        : isFiltered
          ? 'filtered'
          : null;
  return [inputName(state), of].filter(Boolean).join(', ');
}

function groupName(summary: SessionState['inputSummary'], keys: readonly string[]): string {
  const group = summary?.groups.find(({ key }) => key === keys[0]);
  return keys.length === 1 && group
    ? [group.method, group.direction].filter(Boolean).join(' ')
    : `${keys.length} groups`;
}
