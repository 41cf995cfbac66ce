/** The opened input: how it was read, the reasons, the other possible readings; and controls to open another input. */

import { type ReactNode, useId } from 'react';
import { NO_STEP, WRAPPER_LABELS } from '#engine/frame/unwrap/wrapper-labels.ts';
import { plural } from '#engine/model/count-text.ts';
import { useActions, useApp } from '#state/context.tsx';
import type { CaptureSummary, InputSummary, PayloadsSummary, ReadingChoice } from '#state/session-state.ts';
import { inputName } from '#state/shown-profile.ts';
import { framingWord } from '#wording/beside-words.ts';
import { INPUT_NOTES, smallerFlows, withKeyLogs } from '#wording/input-notes.ts';
import { formatBytes, formatCount, formatSeconds } from '#wording/number-text.ts';
import type { TermName } from '#wording/terms.ts';
import { DescribedFraming } from './described-framing.tsx';
import { DroppedCaptures } from './dropped-captures.tsx';
import { KeptInputsPanel, KeptNote } from './kept-inputs.tsx';
import { OpenBox } from './open-box.tsx';
import { UnreadTraffic } from './unread-traffic.tsx';

export function InputPanel(): ReactNode {
  const summary = useApp(({ session }) => session.inputSummary);
  const input = useApp(({ session }) => session.input);
  const name = useApp(inputName);
  const { overruleReading, closeInput } = useActions();
  return (
    <div className="flex h-full flex-col gap-4 overflow-auto p-4">
      {input && (
        <section aria-label="Opened input">
          <div className="flex items-baseline gap-2">
            <h2 className="min-w-0 truncate font-semibold" title={name}>
              {name}
            </h2>
            <button type="button" className="control ml-auto" onClick={closeInput}>
              Close
            </button>
          </div>
          <KeptNote />
          {summary?.kind === 'capture' && <CaptureFacts summary={summary} />}
          {summary?.kind === 'capture' && summary.steps.length > 0 && <UnwrapSelect steps={summary.steps} />}
          {summary?.kind === 'payloads' && (
            <>
              <Figures rows={payloadFigures(summary)} />
              <ReadingSelect
                label="Written as"
                term="label-written-as"
                chosen={summary.textEncoding}
                all={summary.textEncodings}
                overruled={input.textEncoding !== undefined}
                onChoose={(textEncoding) => void overruleReading({ textEncoding })}
              />
              <UnwrapSelect steps={summary.steps} />
              <ReadingSelect
                label="Messages are"
                term="label-messages-are"
                chosen={summary.framing}
                all={summary.framings}
                overruled={input.framing !== undefined}
                onChoose={(framing) => void overruleReading({ framing })}
              />
              <DescribedFraming chosen={summary.framing.id} />
            </>
          )}
        </section>
      )}
      <section aria-label="Open another input" className={input ? 'border-t border-rule pt-3' : ''}>
        {input && <h2 className="panel-title mb-2">Open another</h2>}
        <OpenBox />
      </section>
      <DroppedCaptures />
      <KeptInputsPanel />
    </div>
  );
}

type FigureRow = readonly [label: string, figure: string, term?: TermName];

const sizeFigures = ({ size, bytes }: InputSummary): readonly FigureRow[] => [
  ['As given', formatBytes(size), 'label-given'],
  ...(bytes === size ? [] : [['Decoded', formatBytes(bytes), 'label-decoded'] as const]),
];

const payloadFigures = (summary: PayloadsSummary): readonly FigureRow[] => [
  ...sizeFigures(summary),
  ['Messages', formatCount(summary.messages)],
  ['Payload', formatBytes(summary.payloadBytes), 'label-messages'],
  framingRow(framingWord(summary.framing.id), formatBytes(summary.framingBytes)),
  ...(summary.unattributedBytes === 0
    ? []
    : [['Unattributed', formatBytes(summary.unattributedBytes), 'unattributed'] as const]),
];

const framingRow = (word: ReturnType<typeof framingWord>, figure: string): FigureRow => [
  word,
  figure,
  word === 'Framing' ? 'label-framing' : 'layer-actions',
];

/** Facts of the capture: its protocols and its flows. */
function CaptureFacts({ summary }: { readonly summary: CaptureSummary }): ReactNode {
  const { format, packets, connections, messages, payloadBytes, capturedBytes, span, flows, flowCount } = summary;
  const { filterMessages, showPanel } = useActions();
  const flow = useApp(({ view }) => view.scope.flow);
  const framing = useApp(({ session }) => session.input?.framing ?? '');
  const transports = new Map<string, { messages: number; capturedBytes: number }>();
  for (const group of summary.groups) {
    const sum = transports.get(group.transport) ?? { messages: 0, capturedBytes: 0 };
    sum.messages += group.messages;
    sum.capturedBytes += group.capturedBytes;
    transports.set(group.transport, sum);
  }
  return (
    <>
      <Figures
        rows={[
          ...sizeFigures(summary),
          ...(format === '' ? [] : [['Format', format] as const]),
          ...(packets === 0 ? [] : [['Packets', formatCount(packets), 'label-packets'] as const]),
          ...(connections === 0 ? [] : [['TCP connections', formatCount(connections), 'label-connections'] as const]),
          ...(span === null
            ? []
            : [
                ['Begins', new Date(span[0]).toISOString().replace('T', ' ')] as const,
                ['Lasts', `${formatSeconds(span[1] - span[0], 3)}\u00a0s`] as const,
              ]),
          ['Messages', formatCount(messages)],
          ['Payload as captured', formatBytes(capturedBytes), 'column-capturedBytes'],
          ...(payloadBytes === capturedBytes
            ? []
            : [['Payload, decoded', formatBytes(payloadBytes), 'column-bytes'] as const]),
        ]}
      />
      <button
        type="button"
        className="control control-framed mb-3 py-0.5 text-left whitespace-normal"
        onClick={() => showPanel('layers')}
      >
        {INPUT_NOTES.layers}
      </button>
      <h3 className="panel-title mb-1" data-term="column-transport">
        Protocols
      </h3>
      {transports.size === 0 && summary.complete && <p className="mb-3 text-ink-muted">{INPUT_NOTES.noProtocol}</p>}
      <Figures
        rows={[...transports].map(([name, sum]) => [
          name,
          `${plural(sum.messages, 'message')}, ${formatBytes(sum.capturedBytes)}`,
        ])}
      />
      <UnreadTraffic />
      <DescribedFraming chosen={framing} />
      {flows.length > 0 && (
        <h3 className="panel-title mb-1" data-term="column-flow">
          Flows
        </h3>
      )}
      <ul aria-label="Flows" className="mb-3">
        {flows.slice(0, SHOWN_FLOWS).map(({ name, messages: count, capturedBytes: bytes }) => (
          <li key={name} className="border-b border-rule">
            <button
              type="button"
              aria-pressed={flow === name}
              className="flex w-full gap-2 py-0.5 text-left hover:bg-hover aria-pressed:bg-selected"
              title={INPUT_NOTES.oneFlow}
              onClick={() => {
                filterMessages({ flow: flow === name ? null : name });
                showPanel('messages');
              }}
            >
              <span className="min-w-0 flex-1 break-words">{name}</span>
              <span className="text-ink-muted">{formatCount(count)}</span>
              <span className="min-w-14 text-right">{formatCount(bytes)}</span>
            </button>
          </li>
        ))}
      </ul>
      {flowCount > SHOWN_FLOWS && <p className="text-ink-muted">{smallerFlows(flowCount - SHOWN_FLOWS)}</p>}
    </>
  );
}

/** The number of flows shown, those with the most bytes. */
const SHOWN_FLOWS = 50;

const Figures = ({ rows }: { readonly rows: readonly FigureRow[] }): ReactNode => (
  <dl className="mt-1 mb-3 grid grid-cols-[auto_1fr] gap-x-4">
    {rows.map(([label, figure, term]) => (
      <div key={label} className="col-span-2 grid grid-cols-subgrid border-b border-rule py-0.5">
        <dt className="text-ink-muted" data-term={term}>
          {label}
        </dt>
        <dd className="text-right">{figure}</dd>
      </div>
    ))}
  </dl>
);

/** The steps that unwrap the input, and one choice more, which is "nothing" at the end. */
function UnwrapSelect({ steps }: { readonly steps: PayloadsSummary['steps'] }): ReactNode {
  const id = useId();
  const { overruleReading } = useActions();
  const isByHand = useApp(({ session }) => session.input?.steps !== undefined);
  const taken = steps.map((step) => (step.member === null ? step.id : `${step.id}:${step.member}`));
  const reasons = steps.map(({ label, reason, count, files, keyLogs }) =>
    files === null
      ? `${label}${withKeyLogs(keyLogs)}: ${reason}`
      : `${label}: ${plural(count, 'file')}${withKeyLogs(keyLogs)}, ${reason}`,
  );
  return (
    <div className="mt-2">
      <span id={id} className="panel-title" data-term="label-unwrapped-by">
        Unwrapped by
      </span>
      {[...steps, null].map((step, at) => (
        <select
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
          key={at}
          className="field mt-0.5"
          aria-labelledby={id}
          value={step?.id ?? NO_STEP}
          onChange={({ target }) => void overruleReading({ steps: [...taken.slice(0, at), target.value] })}
        >
          <option value={NO_STEP}>{at === 0 ? 'nothing' : 'nothing more'}</option>
          {step !== null && !(step.id in WRAPPER_LABELS) && <option value={step.id}>{step.label}</option>}
          {Object.entries(WRAPPER_LABELS).map(([wrapper, label]) => (
            <option key={wrapper} value={wrapper}>
              {label}
            </option>
          ))}
        </select>
      ))}
      <p className="mt-0.5 text-2xs text-ink-muted">
        {reasons.join('. ')}
        {isByHand && (
          <button
            type="button"
            className="ml-1 text-accent underline"
            onClick={() => void overruleReading({ steps: undefined })}
          >
            As detected
          </button>
        )}
      </p>
    </div>
  );
}

/** Detected unless the user chooses; each choice shows why it is or is not likely. */
function ReadingSelect({
  label,
  term,
  chosen,
  all,
  overruled,
  onChoose,
}: {
  readonly label: string;
  readonly term: TermName;
  readonly chosen: ReadingChoice;
  readonly all: readonly ReadingChoice[];
  readonly overruled: boolean;
  readonly onChoose: (id: string | undefined) => void;
}): ReactNode {
  const id = useId();
  return (
    <div className="mt-2">
      <label htmlFor={id} className="panel-title" data-term={term}>
        {label}
      </label>
      <select
        id={id}
        className="field mt-0.5"
        value={overruled ? chosen.id : ''}
        onChange={(event) => onChoose(event.target.value || undefined)}
        aria-describedby={`${id}-reason`}
      >
        <option value="">{overruled ? 'Detect' : `${chosen.label} (detected)`}</option>
        {all.map(({ id: reading, label: name }) => (
          <option key={reading} value={reading}>
            {name}
          </option>
        ))}
      </select>
      <p id={`${id}-reason`} className="mt-0.5 text-2xs text-ink-muted">
        {chosen.reason}
      </p>
    </div>
  );
}
