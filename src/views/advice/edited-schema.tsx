/** The schema's text, to be edited: the same messages written by it, with the fields that were paired, before and after. */
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import type { Reencoded, TextFile } from '#engine/advise/edited-schema.ts';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import type { FieldChange } from '#engine/schema/compare/compare-fields.ts';
import type { Advised, Faulty, Refused } from '#state/advice-actions.ts';
import { useActions } from '#state/context.tsx';
import { compatibilityText, writtenText } from '#wording/advice-words.ts';
import { formatCount } from '#wording/number-text.ts';
import { saveFile } from '../message/save-file.ts';
import { lazyPart } from '../progress/lazy-part.tsx';
import { Causes, Fields } from './before-after.tsx';
import { PatchText } from './patch-text.tsx';

const ProtoEditor = lazyPart(async () => (await import('../schema/proto-editor.tsx')).ProtoEditor);

/** Milliseconds without a key before the messages are written again. */
const PAUSE = 400;
const NO_FAULTS: readonly Diagnostic[] = [];

export function EditedSchema({ advised }: { readonly advised: Advised }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="advice-edited" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Edit the .proto: the same messages by another schema</summary>
      {isOpen && <Editing key={advised.type} advised={advised} />}
    </details>
  );
}

function Editing({ advised }: { readonly advised: Advised }): ReactNode {
  const { editableFiles, reencode } = useActions();
  const [files, setFiles] = useState<readonly TextFile[] | Refused | null>(null);
  const [path, setPath] = useState<string | null>(null);
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  const [answer, setAnswer] = useState<Reencoded | Faulty | Refused | null>(null);
  const { rankedBy, messages } = advised;

  useEffect(() => {
    const mine = new AbortController();
    void editableFiles(mine.signal).then((found) => {
      if (!mine.signal.aborted) setFiles(found);
    });
    return () => mine.abort();
  }, [editableFiles]);

  const list = useMemo(() => (files !== null && 'length' in files ? files : []), [files]);
  const edited = useMemo(
    () =>
      list.flatMap((file) => {
        const text = texts.get(file.path);
        return text === undefined || text === file.text ? [] : [{ path: file.path, text }];
      }),
    [list, texts],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another compressor or other messages are measured again
  useEffect(() => {
    if (edited.length === 0) {
      setAnswer(null);
      return;
    }
    const mine = new AbortController();
    const timer = setTimeout(() => {
      void reencode(edited, mine.signal).then((found) => {
        if (!mine.signal.aborted && found !== null) setAnswer(found);
      });
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      mine.abort();
    };
  }, [edited, reencode, rankedBy, messages]);

  if (files === null) return <p>Reading…</p>;
  if ('refused' in files) return <p>{files.refused}.</p>;
  const shown = files.find((file) => file.path === path) ?? files[0];
  if (shown === undefined) return <p>The schema has no file that can be edited.</p>;
  const faults = answer !== null && 'faults' in answer ? answer.faults : NO_FAULTS;
  return (
    <>
      <div className="advice-bar">
        {files.length > 1 && (
          <label>
            File{' '}
            <select className="field" value={shown.path} onChange={({ target }) => setPath(target.value)}>
              {files.map((file) => (
                <option key={file.path}>{file.path}</option>
              ))}
            </select>
          </label>
        )}
        {edited.length > 0 && (
          <button type="button" className="control control-framed" onClick={() => setTexts(new Map())}>
            Undo all edits
          </button>
        )}
      </div>
      <div className="advice-editor">
        <Suspense fallback={<p>Loading the editor…</p>}>
          <ProtoEditor
            path={shown.path}
            text={texts.get(shown.path) ?? shown.text}
            diagnostics={faults.filter(({ file }) => file === shown.path)}
            at={null}
            isReadOnly={false}
            language={null}
            onEdit={(at, text) => setTexts((known) => new Map(known).set(at, text))}
          />
        </Suspense>
      </div>
      <section className="advice-applied" aria-label="By the edited schema" aria-live="polite">
        {edited.length === 0 && <p>Nothing is edited yet.</p>}
        {edited.length > 0 && answer === null && <p>Measuring…</p>}
        {answer !== null && 'refused' in answer && <p className="text-bad">{answer.refused}.</p>}
        {faults.map(({ file, line, column, message }) => (
          <p key={`${file} ${line} ${column} ${message}`} className="text-bad">
            {file === undefined ? '' : `${file}:${line}:${column} `}
            {message}
          </p>
        ))}
        {answer !== null && 'diff' in answer && <Outcome found={answer} advised={advised} />}
      </section>
    </>
  );
}

function Outcome({ found, advised }: { readonly found: Reencoded; readonly advised: Advised }): ReactNode {
  const { after, saved, noise, diff, lost, comparison, patch } = found;
  const { before, rankedBy, compressor } = advised;
  const fields = comparison.types.flatMap((type) =>
    type.fields.map((field) => ({ type: type.after ?? type.before, field })),
  );
  return (
    <>
      {writtenText({ after, saved, noise }, before, { id: rankedBy, label: compressor }).map((sentence, at) => (
        <p key={sentence} className={at === 0 ? 'advice-headline' : undefined}>
          {sentence}
        </p>
      ))}
      <p className="text-ink-muted">{compatibilityText(comparison.sides)}</p>
      {lost.length > 0 && (
        <p className="text-bad">
          The edited schema has no place for the values of <code>{lost.join(', ')}</code>: they are not written.
        </p>
      )}
      <Mapping found={found} />
      {fields.length > 0 && (
        <ul aria-label="What the edits change" className="advice-changes">
          {fields.map(({ type, field }) => (
            <li key={`${type} ${field.before?.name} ${field.after?.name}`}>
              <code>{declarations(field)}</code>: {compatibilityText(field.sides)}
              {field.reasons.map(({ message }) => ` · ${message}`)}
            </li>
          ))}
        </ul>
      )}
      <Causes diff={diff} />
      <Fields diff={diff} />
      {patch !== '' && (
        <>
          <div className="advice-bar">
            <button
              type="button"
              className="control control-framed"
              onClick={() => saveFile('wirecost.patch', new TextEncoder().encode(patch))}
            >
              Save patch
            </button>
          </div>
          <PatchText label="Patch of the edits" patch={patch} />
        </>
      )}
    </>
  );
}

const declarations = ({ before, after }: FieldChange): string =>
  [before, after]
    .flatMap((side) => (side === undefined ? [] : [`${side.type} ${side.name} = ${side.number}`]))
    .join(' → ');

/** Most fields are paired with themselves. */
function Mapping({ found: { pairs } }: { readonly found: Reencoded }): ReactNode {
  const moved = pairs.filter(({ before, after }) => before !== after);
  const same = pairs.length - moved.length;
  return (
    <>
      <p>
        {formatCount(same)} of {formatCount(pairs.length)} fields are paired with those of the same name
        {moved.length > 0 ? '; the others:' : '.'}
      </p>
      {moved.length > 0 && (
        <table className="advice-table" aria-label="Fields that were paired">
          <thead>
            <tr>
              <th scope="col">Before</th>
              <th scope="col">After</th>
              <th scope="col">Paired by</th>
            </tr>
          </thead>
          <tbody>
            {moved.map(({ before, after, by }) => (
              <tr key={`${before} ${after}`}>
                <th scope="row">{before}</th>
                <td>{after}</td>
                <td>{by}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
