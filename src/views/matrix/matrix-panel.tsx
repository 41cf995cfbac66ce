/** Every encoding before and after every compressor, with controls for the compressor and the compared encoding. */

import { type ReactNode, useEffect, useId, useMemo, useState } from 'react';
import { matrixFindings } from '#engine/analysis/measure/matrix-findings.ts';
import type { MatrixSizes } from '#engine/analysis/measure/matrix-sizes.ts';
import { useActions, useApp } from '#state/context.tsx';
import { matrixByOf, shownMatrix } from '#state/measured/shown-matrix.ts';
import type { CompressionUnit, MeasuredMatrix, Progress } from '#state/session-state.ts';
import { inputName, shownProfile } from '#state/shown-profile.ts';
import { FirstLoss } from '#views/message/first-loss.tsx';
import { MATRIX_NOTES } from '#wording/matrix-notes.ts';
import {
  capturedWithWords,
  inAnyWords,
  matrixWords,
  measuredAs,
  referenceRow,
  STREAM_CONTENTS,
} from '#wording/matrix-words.ts';
import { formatPercent } from '#wording/number-text.ts';
import { EncodingFields } from './encoding-fields.tsx';
import { EncodingList } from './encoding-list.tsx';

export function MatrixPanel(): ReactNode {
  const measured = useApp(shownMatrix);
  const last = useApp(({ session }) => session.matrix?.measured ?? null);
  const came = useApp(({ session }) => session.sharedFrom?.matrix ?? null);
  const hasBytes = useApp(({ session }) => session.input?.data != null);
  const by = useApp(matrixByOf);
  const isKnown = useApp(({ session }) => session.analysis !== null);
  if (!hasBytes) {
    if (came === null) return <Note>{MATRIX_NOTES.notShared}</Note>;
    return <Matrix sizes={came.sizes} by={by} measured={null} controls={null} />;
  }
  if (!isKnown) return <Note>Reading…</Note>;
  if (measured === null) return <Note>{MATRIX_NOTES.noneWhole}</Note>;
  return (
    <Matrix
      sizes={measured ?? null}
      by={by}
      measured={measured ?? null}
      controls={last && <Controls compressors={last.compressors} measuredPer={last.per} by={by} />}
    />
  );
}

const Note = ({ children }: { readonly children: ReactNode }): ReactNode => (
  <p className="p-4 text-ink-muted">{children}</p>
);

/** Measures as soon as it is shown. */
function Measuring(): ReactNode {
  const { measureMatrix } = useActions();
  const asked = useApp(({ view }) => view.matrix);
  const profile = useApp(shownProfile);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [isStopped, setStopped] = useState(false);
  const [running, setRunning] = useState<AbortController | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was asked for and what it is of begin it anew
  useEffect(() => {
    if (isStopped || profile === undefined) return;
    const mine = new AbortController();
    setRunning(mine);
    setProgress(null);
    void measureMatrix(mine.signal, setProgress).then((isDone) => {
      if (!isDone && !mine.signal.aborted) setStopped(true);
    });
    return () => mine.abort();
  }, [asked, profile, isStopped]);
  const ratio = progress === null || progress.total === 0 ? 0 : progress.done / progress.total;
  return (
    <div className="mb-3">
      {isStopped ? (
        <p>{MATRIX_NOTES.notMeasured}</p>
      ) : (
        <>
          <p>
            {MATRIX_NOTES.measuring} {ratio > 0 && <span className="text-ink-muted">{formatPercent(ratio)}</span>}
          </p>
          <div
            role="progressbar"
            aria-label={MATRIX_NOTES.progress}
            aria-valuenow={Math.floor(ratio * 100)}
            className="mt-2 h-0.5 bg-rule"
          >
            <div className="h-full bg-accent forced-color-adjust-none" style={{ width: `${ratio * 100}%` }} />
          </div>
        </>
      )}
      <button
        type="button"
        className="control control-framed mt-3"
        onClick={() => {
          running?.abort();
          setStopped(!isStopped);
        }}
      >
        {isStopped ? 'Measure' : 'Cancel'}
      </button>
    </div>
  );
}

function Matrix({
  sizes,
  by,
  measured,
  controls,
}: {
  /** null: to be measured. */
  readonly sizes: MatrixSizes | null;
  readonly by: string | null;
  /** With the bytes of each field; null: only the sizes were shared, or it is to be measured. */
  readonly measured: MeasuredMatrix | null;
  /** They stay, and keep the focus, while another choice is measured. */
  readonly controls: ReactNode;
}): ReactNode {
  const against = useApp(({ view }) => view.matrix.against);
  const name = useApp(inputName);
  const profile = useApp(shownProfile);
  const other = measured?.rows.find(({ id }) => id === against);
  const captured = measured ? referenceRow(measured) : undefined;
  return (
    <div className="printed h-full overflow-auto p-4">
      <p className="hidden print:block">{name}</p>
      <p role="status" className="text-base text-balance">
        {sizes && matrixWords(sizes, by)}
      </p>
      {sizes ? (
        <p className="mt-1 text-ink-muted">
          {measuredAs(sizes, profile)} {capturedWithWords(sizes.capturedWith)} {profile && inAnyWords(profile)}
        </p>
      ) : (
        <Measuring />
      )}
      {controls}
      {sizes && <EncodingList sizes={sizes} by={by} against={other?.id ?? null} canChoose={measured !== null} />}
      {other && captured && other !== captured && other.bytes !== null && (
        <EncodingFields captured={captured} other={other} />
      )}
      {sizes && <Notes sizes={sizes} hasMessages={measured !== null} />}
    </div>
  );
}

const PER_WORDS: Readonly<Record<CompressionUnit, string>> = {
  joined: 'all messages at once',
  request: 'request by request',
  message: 'each message alone',
};

/** The choices of the last measurement, with those made since. */
function Controls({
  compressors,
  measuredPer,
  by,
}: {
  readonly compressors: MeasuredMatrix['compressors'];
  readonly measuredPer: CompressionUnit;
  readonly by: string | null;
}): ReactNode {
  const id = useId();
  const { setMatrix } = useActions();
  const { isAll, per, level } = useApp(({ view }) => view.matrix);
  const isCapture = useApp(({ session }) => session.inputSummary?.kind === 'capture');
  const compressor = compressors.find((one) => one.id === by);
  const ways = (['joined', 'request', 'message'] as const).filter((way) => isCapture || way !== 'request');
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
      <label htmlFor={`${id}-per`} data-term="label-compress" className="flex items-center gap-2 text-ink-muted">
        Compress
        <select
          id={`${id}-per`}
          className="field w-auto text-ink"
          value={per ?? measuredPer}
          onChange={({ target }) => setMatrix({ per: target.value as CompressionUnit })}
        >
          {ways.map((way) => (
            <option key={way} value={way} title={STREAM_CONTENTS[way]}>
              {PER_WORDS[way]}
            </option>
          ))}
        </select>
      </label>
      {compressor && compressor.levels.length > 0 && (
        <label htmlFor={`${id}-level`} data-term="label-level" className="flex items-center gap-2 text-ink-muted">
          Level of {compressor.id}
          <select
            id={`${id}-level`}
            className="field w-auto text-ink"
            value={level ?? compressor.level}
            onChange={({ target }) => setMatrix({ by, level: Number(target.value) })}
          >
            {compressor.levels.map((level) => (
              <option key={level} value={level}>
                {level}
              </option>
            ))}
          </select>
        </label>
      )}
      <label className="flex items-center gap-2 text-ink-muted" data-term="label-all-encodings">
        <input type="checkbox" checked={isAll} onChange={({ target }) => setMatrix({ isAll: target.checked })} />
        All encodings
      </label>
    </div>
  );
}

/** The source of the sizes, and the values that an encoding cannot carry. */
function Notes({
  sizes,
  hasMessages,
}: {
  readonly sizes: MatrixSizes;
  /** Whether the messages can be searched. */
  readonly hasMessages: boolean;
}): ReactNode {
  const findings = useMemo(() => matrixFindings(sizes), [sizes]);
  return (
    <div className="mt-4 grid gap-3 text-ink-muted">
      {findings.length > 0 && (
        <section aria-label="Not carried">
          <h2 className="panel-title" data-term="label-not-carried">
            Not carried
          </h2>
          <ul>
            {findings.map(({ words, lost }) => (
              <li key={words} className="flex flex-wrap items-center gap-x-2">
                {words}
                {hasMessages && <FirstLoss lost={lost} />}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-label="Compressors">
        <h2 className="panel-title" data-term="label-compressors">
          Compressors
        </h2>
        <ul>
          {sizes.compressors.map(({ id, label, library, version, parameters }) => (
            <li key={id}>
              {label}: {library} {version}, {parameters}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
