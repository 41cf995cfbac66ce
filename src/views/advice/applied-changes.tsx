/**
 * The chosen changes, applied and measured together: before and after by cause, by field and by byte, and the patch.
 */

import { type ReactNode, useState } from 'react';
import { plural } from '#engine/model/count-text.ts';
import type { Advised, Applied, Faulty, RefusedAdvice } from '#state/advice-actions.ts';
import { useActions, useApp } from '#state/context.tsx';
import { ADVICE_NOTES, lostCount, refusedChanges } from '#wording/advice-notes.ts';
import { adviceMarkdown, appliedText, compatibilityText, EFFORT_WORDS, prefixesText } from '#wording/advice-words.ts';
import { saveFile } from '../message/save-file.ts';
import { COPY_REFUSED, copyText } from '../share/copy-text.ts';
import { Causes, Fields } from './before-after.tsx';
import { BytesBeforeAfter } from './bytes-before-after.tsx';
import { EditedOutcome } from './edited-outcome.tsx';
import { PatchText } from './patch-text.tsx';
import { countApplied } from './tried-rows.ts';

export function AppliedChangeList({
  advised,
  answer,
}: {
  readonly advised: Advised;
  readonly answer: Applied | Faulty | RefusedAdvice | null;
}): ReactNode {
  const changes = useApp(({ view }) => view.changes);
  const { tryChanges } = useActions();
  const { rankedBy, rows } = advised;
  const count = countApplied(changes, rows);
  const [sum, compressed, ...more] =
    answer !== null && 'row' in answer
      ? appliedText(answer.row, advised[answer.row.against], { id: rankedBy, label: advised.compressor }, answer.edited)
      : [];
  const lost = answer !== null && 'row' in answer ? (answer.edited?.lost ?? []) : [];
  return (
    <section className="advice-applied" aria-label="Applied changes">
      {/* It stays in view over the list, where the next change is ticked. */}
      <div className="advice-sum">
        <div className="advice-bar">
          <h2>
            {plural(count, 'change')} {answer !== null && !('row' in answer) ? 'not applied' : 'applied'}
          </h2>
          <button type="button" className="control control-framed" onClick={() => tryChanges([])}>
            Take all back
          </button>
        </div>
        <p role="status" className={sum === undefined ? undefined : 'advice-headline'}>
          {sum ?? (answer === null && 'Measuring…')}
        </p>
        {compressed !== undefined && <p>{compressed}</p>}
        {lost.length > 0 && <p className="text-bad">{lostCount(lost.length)}</p>}
      </div>
      {answer !== null && 'refused' in answer && (
        <p className="text-bad">{refusedChanges(answer.refused, count, count === 1 ? [] : (answer.clashing ?? []))}</p>
      )}
      {answer !== null &&
        'faults' in answer &&
        answer.faults.map(({ file, line, column, message }) => (
          <p key={`${file} ${line} ${column} ${message}`} className="text-bad">
            {file === undefined ? '' : `${file}:${line}:${column} `}
            {message}
          </p>
        ))}
      {answer !== null && 'row' in answer && (
        <div className="advice-details">
          {more.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
          <p className="text-ink-muted">
            {EFFORT_WORDS[answer.row.effort]} · {compatibilityText(answer.row.compatibility)}
          </p>
          {answer.edited !== null && <EditedOutcome edited={answer.edited} />}
          <p className="text-ink-muted">
            {prefixesText(advised[answer.row.against].bytes, answer.row.deployed.after.bytes, answer.diff)}
          </p>
          <Causes diff={answer.diff} />
          <Fields diff={answer.diff} />
          <BytesBeforeAfter applied={answer} changes={changes} />
          <Patch applied={answer} markdown={markdownOf(answer, advised)} />
        </div>
      )}
    </section>
  );
}

const markdownOf = (applied: Applied, { type, rankedBy, compressor, ...baseline }: Advised): string => {
  const { row, diff, edited } = applied;
  return adviceMarkdown(type, row, baseline[row.against], { id: rankedBy, label: compressor }, diff, edited);
};

function Patch({ applied, markdown }: { readonly applied: Applied; readonly markdown: string }): ReactNode {
  const { patch, files, unwritable } = applied;
  const save = (name: string, text: string): void => saveFile(name, new TextEncoder().encode(text));
  return (
    <>
      <div className="advice-bar">
        <CopyButton label="Copy as Markdown" text={markdown} />
        {patch !== '' && (
          <>
            <CopyButton label="Copy patch" text={patch} />
            <button type="button" className="control control-framed" onClick={() => save('wirecost.patch', patch)}>
              Save patch
            </button>
          </>
        )}
        {files.map(({ path, text }) => (
          <button
            key={path}
            type="button"
            className="control control-framed"
            onClick={() => save(path.slice(path.lastIndexOf('/') + 1), text)}
          >
            Save {path}
          </button>
        ))}
      </div>
      {unwritable !== null && (
        <p>
          {ADVICE_NOTES.noPatch} {unwritable}.
        </p>
      )}
      {patch !== '' && <PatchText label="Patch of the schema" patch={patch} />}
    </>
  );
}

function CopyButton({ label, text }: { readonly label: string; readonly text: string }): ReactNode {
  const [copied, setCopied] = useState<{ readonly text: string; readonly is: boolean } | null>(null);
  return (
    <button
      type="button"
      className="control control-framed"
      onClick={() => void copyText(text).then((is) => setCopied({ text, is }))}
    >
      {copied?.text !== text ? label : copied.is ? 'Copied' : COPY_REFUSED}
    </button>
  );
}
