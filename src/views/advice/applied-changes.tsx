/** The chosen changes, made and measured together: before and after, by cause and by field, and the patch. */
import { type ReactNode, useEffect, useState } from 'react';
import { FitWidth } from '#charts/fit-width.tsx';
import { Waterfall } from '#charts/waterfall.tsx';
import type { DiffRow, ProfileDiff } from '#engine/cost/diff-profiles.ts';
import type { Advised, Applied, Refused } from '#state/advice-actions.ts';
import { useActions, useApp } from '#state/context.tsx';
import { adviceMarkdown, appliedText, compatibilityText, EFFORT_WORDS } from '#wording/advice-words.ts';
import { formatCount, formatSigned } from '#wording/number-text.ts';
import { saveFile } from '../message/save-file.ts';
import { COPY_REFUSED, copyText } from '../share/copy-text.ts';

export function AppliedChanges({ advised }: { readonly advised: Advised }): ReactNode {
  const changes = useApp(({ view }) => view.changes);
  const { applyChanges, tryChanges } = useActions();
  const [answer, setAnswer] = useState<Applied | Refused | null>(null);
  const { type, rankedBy, messages, before } = advised;
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the advice only its subject matters, not each new row
  useEffect(() => {
    const mine = new AbortController();
    void applyChanges(changes, mine.signal).then((found) => {
      if (!mine.signal.aborted) setAnswer(found);
    });
    return () => mine.abort();
  }, [applyChanges, changes, type, rankedBy, messages]);
  return (
    <section className="advice-applied" aria-label="Applied changes" aria-live="polite">
      <div className="advice-bar">
        <h3>
          {formatCount(changes.length)} {changes.length === 1 ? 'change' : 'changes'} applied
        </h3>
        <button type="button" className="control control-framed" onClick={() => tryChanges([])}>
          Take all back
        </button>
      </div>
      {answer === null && <p>Measuring…</p>}
      {answer !== null && 'refused' in answer && (
        <p className="text-bad">These changes do not go together: {answer.refused}.</p>
      )}
      {answer !== null && 'row' in answer && (
        <>
          {appliedText(answer.row, before, { id: rankedBy, label: advised.compressor }).map((sentence, at) => (
            <p key={sentence} className={at === 0 ? 'advice-headline' : undefined}>
              {sentence}
            </p>
          ))}
          <p className="text-ink-muted">
            {EFFORT_WORDS[answer.row.effort]} · {compatibilityText(answer.row.compatibility)}
          </p>
          <Causes diff={answer.diff} />
          <Fields diff={answer.diff} />
          <Patch applied={answer} markdown={markdownOf(answer, advised)} />
        </>
      )}
    </section>
  );
}

const markdownOf = ({ row, diff }: Applied, { type, before, rankedBy, compressor }: Advised): string =>
  adviceMarkdown(type, row, before, { id: rankedBy, label: compressor }, diff);

const CAUSES: Readonly<Record<string, string>> = {
  tag: 'Tags',
  length: 'Lengths',
  value: 'Values',
  'only A': 'Fields that are gone',
  'only B': 'New fields',
  unattributed: 'Unattributed',
};

function Causes({ diff: { a, b, causes } }: { readonly diff: ProfileDiff }): ReactNode {
  if (causes.length === 0) return null;
  const steps = causes.map(({ cause, bytes }) => ({ key: cause, label: CAUSES[cause] ?? cause, bytes }));
  return (
    <FitWidth>
      {(width, id) => (
        <Waterfall
          id={id}
          from={{ label: 'Before', bytes: a.bytes }}
          to={{ label: 'After', bytes: b.bytes }}
          steps={steps}
          width={width}
        />
      )}
    </FitWidth>
  );
}

function Fields({ diff: { rows } }: { readonly diff: ProfileDiff }): ReactNode {
  const [isAll, setAll] = useState(false);
  const change = ({ bytes }: DiffRow): number => bytes.b - bytes.a;
  const changed = rows.filter((row) => change(row) !== 0);
  const shown = isAll ? rows : changed.toSorted((x, y) => Math.abs(change(y)) - Math.abs(change(x)));
  const unchanged = rows.length - changed.length;
  return (
    <>
      <table className="advice-table" aria-label="Fields before and after">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col" className="is-figure">
              Before
            </th>
            <th scope="col" className="is-figure">
              After
            </th>
            <th scope="col" className="is-figure">
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={`${row.a} ${row.b}`}>
              <th scope="row">{nameOf(row)}</th>
              <td className="is-figure">{formatCount(row.bytes.a)}</td>
              <td className="is-figure">{formatCount(row.bytes.b)}</td>
              <td className={`is-figure ${change(row) > 0 ? 'is-more' : change(row) < 0 ? 'is-less' : ''}`}>
                {formatSigned(change(row))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {unchanged > 0 && (
        <button type="button" className="control" aria-pressed={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? 'Changed fields only' : `Show ${formatCount(unchanged)} unchanged`}
        </button>
      )}
    </>
  );
}

/** A field that is paired with one of another path has both. */
function nameOf({ a, b }: DiffRow): string {
  if (a === null || b === null) return a ?? b ?? 'unattributed';
  return a === b ? a : `${a} → ${b}`;
}

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
      {unwritable !== null && <p>There is no patch: {unwritable}.</p>}
      {patch !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <section className="advice-patch" aria-label="Patch of the schema" tabIndex={0}>
          {patch.split('\n').map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a patch have no identity but their place
            <div key={at} className={lineClass(line)}>
              {line || ' '}
            </div>
          ))}
        </section>
      )}
    </>
  );
}

function lineClass(line: string): string | undefined {
  if (line.startsWith('+')) return 'is-added';
  return line.startsWith('-') ? 'is-removed' : undefined;
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
