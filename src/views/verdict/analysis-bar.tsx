/** The bar above the analysis: the question, the messages, their type and the native profile. */
import { type ReactNode, Suspense } from 'react';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { shortNameOf } from '#engine/schema/names.ts';
import { useActions, useApp } from '#state/context.tsx';
import { isUnwrapped } from '#state/is-unwrapped.ts';
import {
  chosenQuestion,
  isCaptureAwaited,
  isNoneChosen,
  isOffered,
  isOpaqueShown,
  shownOrigin,
  shownProfile,
  shownQuestion,
  shownReading,
  shownType,
} from '#state/shown-profile.ts';
import type { AppState } from '#state/store.ts';
import { isEveryMessage, isOneMessage, QUESTIONS, type Question } from '#state/view-state.ts';
import { formatCount } from '#wording/number-text.ts';
import { countWords } from '#wording/read-messages.ts';
import { untypedFields } from '#wording/type-words.ts';
import { VERDICT_NOTES } from '#wording/verdict-notes.ts';
import { lazyPart } from '../progress/lazy-part.tsx';
import { NativePicker } from '../schema/native-picker.tsx';
import { TypePicker } from '../schema/type-picker.tsx';

const Trail = lazyPart(async () => (await import('../trail/trail.tsx')).Trail);

const isWrapped = ({ session: { inputSummary: of } }: AppState): boolean => of !== null && isUnwrapped(of);

/** Whether the input was unwrapped, or only a part of it is added up or shown. */
const isInside = (state: AppState): boolean =>
  state.view.root !== null || !isEveryMessage(state.view.scope) || isWrapped(state);

/** A message alone has no scope to choose. */
const isAlone = (state: AppState): boolean => {
  const { inputSummary: of, analysis } = state.session;
  return analysis !== null && of?.kind === 'payloads' && of.messages === 1 && !isWrapped(state);
};

/**
 * Two lines from the start, each with its place, so that the answer below stays where it is. A message alone has one, if
 * all fits.
 */
export function AnalysisBar(): ReactNode {
  const hasBytes = useApp(({ session }) => session.input?.data != null);
  const hasType = useApp((state) => shownType(state) !== null);
  const hasNoType = useApp(isOpaqueShown);
  // A native message of a capture is read by the layout of its action; in a file it has no action.
  const isFile = useApp(({ session }) => session.inputSummary?.kind === 'payloads');
  const question = useApp(shownQuestion);
  // Out of sight until the type is known: its place depends on the length of its name. After a cancelled reading, too.
  const isUnknown = useApp(({ session }) => session.analysis === null && session.failure === null);
  // The list of types names it, and no other can be chosen.
  const isListed = useApp(
    (state) => shownReading(state) === 'layout' && (state.session.analysis?.profiles.length ?? 0) > 1,
  );
  const hasTrail = useApp(isInside);
  const isOneLine = useApp(isAlone);
  const hasTypeChoice = hasBytes && (!hasNoType || isFile) && !isListed;
  const hasNativeChoice = hasBytes && hasType && question === 'native';
  return (
    <div className={`analysis-bar ${isOneLine ? 'is-one-line' : ''}`}>
      <QuestionChoice />
      {hasBytes && <ScopeChoice />}
      <Suspense fallback={null}>{hasTrail && <Trail />}</Suspense>
      <span className={`analysis-pickers ${isUnknown ? 'invisible' : ''}`}>
        {hasTypeChoice && <TypePicker />}
        {hasNativeChoice && <NativePicker />}
        {!hasBytes && <FixedType />}
      </span>
    </div>
  );
}

const KEYS = Object.keys(QUESTIONS) as Question[];

function QuestionChoice(): ReactNode {
  const question = useApp(chosenQuestion);
  const offered = useApp((state) => KEYS.filter((key) => isOffered(state, key)).join(' ')).split(' ');
  // Messages that were captured in another encoding are compared with protobuf.
  const other = useApp((state) => {
    const side = shownProfile(state)?.other;
    return side?.isAlone ? undefined : side?.isCaptured ? 'protobuf' : side?.label;
  });
  const { chooseQuestion } = useActions();
  return (
    <fieldset className="segments">
      <legend className="sr-only">Question</legend>
      {KEYS.map((key) => (
        <button
          key={key}
          type="button"
          data-term="question"
          aria-pressed={key === question}
          disabled={!offered.includes(key)}
          onClick={() => chooseQuestion(key)}
        >
          {key === 'native' && other !== undefined ? `Against ${other}` : QUESTIONS[key].label}
        </button>
      ))}
    </fieldset>
  );
}

/** The scope has its place from the start: the width of this many messages. */
const AWAITED = 10_000;

/** All messages, the shown type's groups, or the message whose bytes are shown. */
function ScopeChoice(): ReactNode {
  const summary = useApp(({ session }) => session.inputSummary);
  const scope = useApp(({ view }) => view.scope);
  const ordinal = useApp(({ view }) => view.selection.ordinal);
  const groups = useApp((state) => shownOrigin(state)?.groups);
  const isWithout = useApp(isNoneChosen);
  const isAwaited = useApp(isCaptureAwaited);
  const { chooseAllMessages, chooseGroups, chooseMessages } = useActions();
  const isCapture = isAwaited || summary?.kind === 'capture';
  const messages = isAwaited ? AWAITED : (summary?.messages ?? 0);
  if (messages < 2) return null;
  const isOne = isOneMessage(scope);
  const isGroup = !isOne && scope.groups.length > 0;
  return (
    <fieldset className={`segments analysis-scope ${isAwaited ? 'invisible' : ''}`} data-term="scope">
      <legend className="sr-only">{VERDICT_NOTES.scope}</legend>
      <button type="button" aria-pressed={isEveryMessage(scope)} onClick={() => void chooseAllMessages()}>
        All {isAwaited || summary === null ? formatCount(messages) : countWords(summary)}
      </button>
      {isCapture && (
        <button
          type="button"
          aria-pressed={isGroup}
          disabled={groups === undefined}
          onClick={() => groups && void chooseGroups(groups)}
        >
          Group
        </button>
      )}
      <button
        type="button"
        aria-pressed={isOne}
        disabled={isWithout}
        onClick={() => void chooseMessages([[ordinal, ordinal + 1]])}
      >
        Message {formatCount(ordinal)}
      </button>
    </fieldset>
  );
}

/** Figures without their messages have one fixed type and native profile. */
function FixedType(): ReactNode {
  const profile = useApp(shownProfile);
  const native = NATIVE_PROFILES.find(({ id }) => id === profile?.pair[1]);
  return (
    <span className="flex min-w-0 items-baseline gap-x-4 px-2">
      <span className="truncate" title={profile?.type}>
        <span className="text-ink-muted">Type</span> {profile && (shortNameOf(profile.type) || untypedFields(profile))}
      </span>
      {native && (
        <span className="truncate" title={native.description}>
          <span className="text-ink-muted">Native</span> {native.label}
        </span>
      )}
    </span>
  );
}
