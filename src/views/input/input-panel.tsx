/** The opened input: how it was read, why, and how else it could be; and the ways to open another. */
import { type ReactNode, useId } from 'react';
import { formatBytes, formatCount } from '#charts/figures.ts';
import { useActions, useApp } from '#state/context.tsx';
import type { InputSummary, Reading } from '#state/session-state.ts';
import { OpenBox } from './open-box.tsx';

export function InputPanel(): ReactNode {
  const summary = useApp(({ session }) => session.inputSummary);
  const input = useApp(({ session }) => session.input);
  const { overruleReading, closeInput } = useActions();
  return (
    <div className="flex h-full flex-col gap-4 overflow-auto p-4">
      {input && (
        <section aria-label="Opened input">
          <div className="flex items-baseline gap-2">
            <h2 className="min-w-0 truncate font-semibold" title={input.name}>
              {input.name}
            </h2>
            <button type="button" className="control ml-auto" onClick={closeInput}>
              Close
            </button>
          </div>
          {summary && (
            <>
              <Figures summary={summary} />
              <ReadingSelect
                label="Written as"
                chosen={summary.dress}
                all={summary.dresses}
                overruled={input.dress !== undefined}
                onChoose={(dress) => void overruleReading({ dress })}
              />
              <ReadingSelect
                label="Messages are"
                chosen={summary.framing}
                all={summary.framings}
                overruled={input.framing !== undefined}
                onChoose={(framing) => void overruleReading({ framing })}
              />
            </>
          )}
        </section>
      )}
      <section aria-label="Open another input" className={input ? 'border-t border-rule pt-3' : ''}>
        {input && <h2 className="panel-title mb-2">Open another</h2>}
        <OpenBox />
      </section>
    </div>
  );
}

function Figures({ summary }: { readonly summary: InputSummary }): ReactNode {
  const { size, bytes, messages, payloadBytes, framingBytes, unattributedBytes } = summary;
  const rows: readonly (readonly [string, string])[] = [
    ['As given', formatBytes(size)],
    ...(bytes === size ? [] : [['Decoded', formatBytes(bytes)] as const]),
    ['Messages', formatCount(messages)],
    ['Payload', formatBytes(payloadBytes)],
    ['Framing', formatBytes(framingBytes)],
    ...(unattributedBytes === 0 ? [] : [['Unattributed', formatBytes(unattributedBytes)] as const]),
  ];
  return (
    <dl className="mt-1 mb-3 grid grid-cols-[auto_1fr] gap-x-4">
      {rows.map(([term, figure]) => (
        <div key={term} className="col-span-2 grid grid-cols-subgrid border-b border-rule py-0.5">
          <dt className="text-ink-muted">{term}</dt>
          <dd className="text-right">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Detected unless overruled; each choice says why it is or is not likely. */
function ReadingSelect({
  label,
  chosen,
  all,
  overruled,
  onChoose,
}: {
  readonly label: string;
  readonly chosen: Reading;
  readonly all: readonly Reading[];
  readonly overruled: boolean;
  readonly onChoose: (id: string | undefined) => void;
}): ReactNode {
  const id = useId();
  return (
    <div className="mt-2">
      <label htmlFor={id} className="panel-title">
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
        {overruled ? 'Chosen by you.' : ''} {chosen.reason}
      </p>
    </div>
  );
}
