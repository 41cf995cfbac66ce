/** The line above the answer: the steps that unwrapped the input, each changeable, and the path of the current zoom. */
import { plural } from '#engine/model/count-text.ts';
import { shortNameOf } from '#engine/schema/names.ts';
import './trail.css';
import { type ReactNode, useId } from 'react';
import { NO_STEP, WRAPPER_LABELS } from '#engine/frame/unwrap/wrapper-labels.ts';
import { useActions, useApp } from '#state/context.tsx';
import { isUnwrapped } from '#state/is-unwrapped.ts';
import type { InputSummary, ReadingChoice, UnwrapStep } from '#state/session-state.ts';
import { chosenMessages, inputName, shownOrigin, shownType } from '#state/shown-profile.ts';
import { isEveryMessage, isOneMessage, NO_SCOPE } from '#state/view-state.ts';
import { chosenPart } from '#wording/message-notes.ts';
import { formatCount, formatPercent } from '#wording/number-text.ts';
import type { TermName } from '#wording/terms.ts';
import { visible } from '#wording/visible.ts';

export function Trail(): ReactNode {
  const summary = useApp(({ session }) => session.inputSummary);
  return (
    <div className="trail strip">
      <div className="trail-line">
        {summary !== null && isUnwrapped(summary) && <Steps summary={summary} />}
        <Crumbs />
      </div>
    </div>
  );
}

/** A choice names a step by its id, and one file of an archive by its path. */
const chosenOf = ({ id, member }: UnwrapStep): string => (member === null ? id : `${id}:${member}`);

/** Also where no message was found. */
export function Steps({ summary }: { readonly summary: InputSummary }): ReactNode {
  const { overruleReading } = useActions();
  const { steps } = summary;
  const payloads = summary.kind === 'payloads' ? summary : null;
  const isByHand = useApp(({ session }) => session.input?.steps !== undefined);
  const taken = steps.map(chosenOf);
  const change = (at: number, to: string): void => void overruleReading({ steps: [...taken.slice(0, at), to] });
  return (
    <fieldset className="contents">
      <legend className="sr-only">Unwrapped by</legend>
      {payloads !== null && payloads.textEncoding.id !== 'binary' && (
        <Chip
          label="Written as"
          term="label-written-as"
          shown={payloads.textEncoding}
          choices={payloads.textEncodings}
          onChoose={(id) => void overruleReading({ textEncoding: id })}
        />
      )}
      {steps.map((step, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
        <StepChip key={at} step={step} onChoose={(to) => change(at, to)} />
      ))}
      {payloads !== null && (
        <>
          <Chip
            label="Messages are"
            term="label-messages-are"
            shown={payloads.framing}
            choices={payloads.framings}
            onChoose={(id) => void overruleReading({ framing: id })}
          />
          <TypeChip />
        </>
      )}
      {isByHand && (
        <button type="button" className="control" onClick={() => void overruleReading({ steps: undefined })}>
          As detected
        </button>
      )}
    </fieldset>
  );
}

const WRAPPERS = Object.entries(WRAPPER_LABELS).map(([id, label]) => ({ id, label }));

function StepChip({
  step,
  onChoose,
}: {
  readonly step: UnwrapStep;
  readonly onChoose: (to: string) => void;
}): ReactNode {
  const { id, label, reason, files, count, member } = step;
  const choices = [
    { id: NO_STEP, label: 'as it is' },
    ...WRAPPERS,
    ...(WRAPPERS.some((one) => one.id === id) ? [] : [{ id, label }]),
  ];
  return (
    <>
      <Chip
        label="Unwrapped by"
        term="label-unwrapped-by"
        shown={{ id, label, reason }}
        choices={choices}
        onChoose={onChoose}
      />
      {files !== null && (
        <Chip
          label="Files of it"
          term="label-member"
          shown={{
            id: member === null ? id : `${id}:${member}`,
            label: member === null ? plural(count, 'file') : visible(member),
            reason,
          }}
          choices={[
            { id, label: plural(count, 'file') },
            ...files.map((path) => ({ id: `${id}:${path}`, label: visible(path) })),
          ]}
          onChoose={onChoose}
        />
      )}
    </>
  );
}

function Chip({
  label,
  term,
  shown,
  choices,
  onChoose,
}: {
  readonly label: string;
  readonly term: TermName;
  readonly shown: ReadingChoice;
  readonly choices: readonly Pick<ReadingChoice, 'id' | 'label'>[];
  readonly onChoose: (id: string) => void;
}): ReactNode {
  const id = useId();
  return (
    <span className="trail-step" data-term={term}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <select
        id={id}
        className="trail-chip"
        title={shown.reason}
        value={shown.id}
        onChange={({ target }) => onChoose(target.value)}
      >
        {choices.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.label}
          </option>
        ))}
      </select>
    </span>
  );
}

/** The type of the messages, and the share of them that it explains. */
function TypeChip(): ReactNode {
  const type = useApp(shownType);
  const share = useApp(({ session }) => session.plan?.candidates.find((one) => one.type === type)?.score);
  if (type === null) return null;
  return (
    <span className="trail-step" data-term="label-type">
      <span className="trail-chip border-transparent" title={type}>
        {shortNameOf(type)} {share !== undefined && formatPercent(share)}
      </span>
    </span>
  );
}

/** Input, group, chosen messages, field: a click on one zooms out to it. */
function Crumbs(): ReactNode {
  const root = useApp(({ view }) => view.root);
  const scope = useApp(({ view }) => view.scope);
  const name = useApp(inputName);
  const groups = useApp((state) => shownOrigin(state)?.groups);
  const ordinal = useApp(({ view }) => view.selection.ordinal);
  const chosen = useApp(chosenMessages);
  const messages = useApp(({ session }) => session.inputSummary?.messages ?? 0);
  const { zoomInto, chooseAllMessages, filterMessages } = useActions();
  const isOne = isOneMessage(scope);
  const isGroup = scope.groups.length > 0;
  const isPart = !isEveryMessage(scope);
  // The figures are of fewer messages than the list of groups says.
  const isFiltered = isPart && !isOne && !isEveryMessage({ ...scope, groups: [] });
  if (root === null && !isPart) return null;
  const outOf = [
    {
      label: name,
      go: () => {
        zoomInto(null);
        if (isPart) void chooseAllMessages();
      },
    },
    ...(isGroup && groups
      ? [
          {
            label: groupName(groups),
            go: () => {
              zoomInto(null);
              filterMessages({ ...NO_SCOPE, groups });
            },
          },
        ]
      : []),
    ...(isOne ? [{ label: `Message ${formatCount(ordinal)}`, go: () => zoomInto(null) }] : []),
    ...(isFiltered && chosen !== null
      ? [{ label: chosenPart(chosen, messages, scope.ordinals.length > 0), go: () => zoomInto(null) }]
      : []),
    ...(root === null ? [] : pathsTo(root).map((path) => ({ label: lastOf(path), go: () => zoomInto(path) }))),
  ];
  return (
    <nav aria-label="Zoomed into">
      {outOf.map(({ label, go }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a crumb is its place
        <span key={at} className="trail-crumb">
          {at === outOf.length - 1 ? (
            <strong title={label}>{label}</strong>
          ) : (
            <button type="button" title={label} onClick={go}>
              {label}
            </button>
          )}
        </span>
      ))}
    </nav>
  );
}

/** `grpc request /a.B/Method` → `/a.B/Method` */
const groupName = (groups: readonly string[]): string =>
  groups.length === 1 ? groups[0]!.split(' ').slice(1).join(' ') || groups[0]! : `${groups.length} groups`;

/** `a.b[x.y].c` → `a`, `a.b[x.y]`, `a.b[x.y].c`. Dots within brackets belong to the name of an extension. */
const pathsTo = (path: string): readonly string[] => [
  ...[...path.matchAll(/\.(?![^[]*\])/g)].map(({ index }) => path.slice(0, index)),
  path,
];
const lastOf = (path: string): string => /(\[[^\]]*\]|[^.]*)$/.exec(path)![0];
