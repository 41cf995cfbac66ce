/** What should change? Every change that saves bytes, measured; a tick applies it. */
import { shortNameOf } from '#engine/schema/names.ts';
import {
  computedNote,
  foundChanges,
  leftOut,
  measuredKinds,
  piecesText,
  refusedAdvice,
  sampledMessages,
} from '#wording/advice-notes.ts';
import { rewrittenText } from '#wording/advice-words.ts';
import { capturedWithWords } from '#wording/matrix-words.ts';
import './advice.css';
import { type ReactNode, useState } from 'react';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import type { Advised } from '#state/advice-actions.ts';
import { useActions, useApp } from '#state/context.tsx';
import { formatBytes } from '#wording/number-text.ts';
import { AdviceTable } from './advice-table.tsx';
import { AppliedChangeList } from './applied-changes.tsx';
import { BatchTable } from './batch-table.tsx';
import { EditedSchema } from './edited-schema.tsx';
import { LimitQuestion } from './limit-question.tsx';
import { useAdvice } from './use-advice.ts';
import { useApplied } from './use-applied.ts';
import { WasteTable } from './waste-table.tsx';

const NO_FAULTS: readonly Diagnostic[] = [];

export function AdvicePanel(): ReactNode {
  const { advised, refused, compressors, progress, cancel } = useAdvice();
  const changes = useApp(({ view }) => view.changes);
  const [rate, setRate] = useState(1000);
  const answer = useApplied(advised);
  const faults = answer !== null && 'faults' in answer ? answer.faults : NO_FAULTS;
  return (
    <div className="printed advice h-full overflow-auto px-4 py-3">
      <Choices advised={advised} compressors={compressors} rate={rate} onRate={setRate} />
      {refused !== null && <p>{refusedAdvice(refused)}</p>}
      <p role="status" className="sr-only">
        {refused !== null
          ? refusedAdvice(refused)
          : advised !== null && progress === null && foundChanges(advised.rows.map(({ title }) => title))}
      </p>
      {advised !== null && <Subject advised={advised} />}
      {progress !== null && (
        <p className="advice-progress">
          <progress value={progress.done} max={Math.max(1, progress.total)} aria-label="Changes measured" />
          {measuredKinds(progress.done, progress.total)}
          <button type="button" className="control control-framed" onClick={cancel}>
            Cancel
          </button>
        </p>
      )}
      {advised !== null && (
        <>
          {changes.length > 0 && <AppliedChangeList advised={advised} answer={answer} />}
          {advised.waste !== null && (
            <WasteTable report={advised.waste} rankedBy={advised.rankedBy} compressor={advised.compressor} />
          )}
          <AdviceTable advised={advised} isGrowing={progress !== null} rate={rate} />
          {advised.batches !== null && (
            <BatchTable batches={advised.batches} rankedBy={advised.rankedBy} compressor={advised.compressor} />
          )}
          {progress === null && <EditedSchema advised={advised} faults={faults} />}
          {progress === null && <LimitQuestion advised={advised} />}
        </>
      )}
    </div>
  );
}

function Choices({
  advised,
  compressors,
  rate,
  onRate,
}: {
  readonly advised: Advised | null;
  readonly compressors: readonly string[];
  readonly rate: number;
  readonly onRate: (rate: number) => void;
}): ReactNode {
  const compressor = useApp(({ view }) => view.compressor);
  const { rankAdviceBy } = useActions();
  const rankedBy = compressor ?? advised?.rankedBy ?? 'zstd';
  return (
    <div className="advice-choices">
      <label data-term="label-ranked-by">
        Ranked by
        <select className="field" value={rankedBy} onChange={({ target }) => rankAdviceBy(target.value)}>
          {(compressors.length > 0 ? compressors : [rankedBy]).map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
      <label data-term="label-rate">
        Messages a second
        <input
          className="field"
          type="number"
          min={0}
          value={rate}
          onChange={({ target }) => onRate(Math.max(0, target.valueAsNumber || 0))}
        />
      </label>
    </div>
  );
}

/** The measured messages, out of all. */
function Subject({ advised }: { readonly advised: Advised }): ReactNode {
  const { type, before, captured, rankedBy, compressor, messages, outOf, computed, capturedWith } = advised;
  const name = shortNameOf(type);
  const part = messages < outOf ? sampledMessages(messages, outOf) : '';
  return (
    <p>
      <strong>{name}</strong>: {part}
      {formatBytes(before.bytes)}, {formatBytes(before.compressed[rankedBy] ?? 0)} with {compressor}
      {piecesText(advised)}.
      {` ${computedNote(computed, messages)} ${capturedWithWords(capturedWith)} ${rewrittenText(before, captured, rankedBy, compressor)} ${leftOut(advised)}`}
    </p>
  );
}
