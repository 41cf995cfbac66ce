/** The schema's text in an editor. An edit is handled like other changes: applied with them and carried by a link. */

import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import type { TextFile } from '#engine/advise/edited-text.ts';
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { applyUnifiedDiff, lineDiff } from '#engine/schema/edit/unified-diff.ts';
import type { Advised, RefusedAdvice } from '#state/advice-actions.ts';
import { useActions, useApp } from '#state/context.tsx';
import type { TriedChange } from '#state/view-state.ts';
import { ADVICE_NOTES } from '#wording/advice-notes.ts';
import { lazyPart } from '../progress/lazy-part.tsx';

const ProtoEditor = lazyPart(async () => (await import('../schema/proto-editor.tsx')).ProtoEditor);

/** Milliseconds without a key press until the messages are written again. */
const PAUSE = 400;

type Texts = ReadonlyMap<string, string>;

export function EditedSchema({
  advised,
  faults,
}: {
  readonly advised: Advised;
  readonly faults: readonly Diagnostic[];
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="advice-edited" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{ADVICE_NOTES.edit}</summary>
      {isOpen && <Editing key={advised.type} faults={faults} />}
    </details>
  );
}

function Editing({ faults }: { readonly faults: readonly Diagnostic[] }): ReactNode {
  const { editableFiles } = useActions();
  const [files, setFiles] = useState<readonly TextFile[] | RefusedAdvice | null>(null);
  useEffect(() => {
    const mine = new AbortController();
    void editableFiles(mine.signal).then((found) => {
      if (!mine.signal.aborted) setFiles(found);
    });
    return () => mine.abort();
  }, [editableFiles]);
  if (files === null) return <p>Reading…</p>;
  if ('refused' in files) return <p>{files.refused}.</p>;
  if (files.length === 0) return <p>{ADVICE_NOTES.noFile}</p>;
  return <Files files={files} faults={faults} />;
}

function Files({
  files,
  faults,
}: {
  readonly files: readonly TextFile[];
  readonly faults: readonly Diagnostic[];
}): ReactNode {
  const { texts, edit, takeBack } = useEditedTexts(files);
  const [path, setPath] = useState<string | null>(null);
  const shown = files.find((file) => file.path === path) ?? files[0]!;
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
        {texts.size > 0 && (
          <button type="button" className="control control-framed" onClick={takeBack}>
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
            onEdit={edit}
          />
        </Suspense>
      </div>
    </>
  );
}

const isEdit = ({ change }: TriedChange): boolean => change === 'edited text';

/**
 * The texts that differ from the loaded files. They follow the applied changes: Back, Forward and links change them.
 */
function useEditedTexts(files: readonly TextFile[]) {
  const changes = useApp(({ view }) => view.changes);
  const { tryChanges } = useActions();
  const applied = useMemo(() => JSON.stringify(changes.filter(isEdit)), [changes]);
  const [texts, setTexts] = useState<Texts>(() => textsOf(files, changes));
  /** For edits made before the next rendering. */
  const held = useRef(texts);
  /** The edits that were applied last; the texts show them. */
  const own = useRef(applied);
  const latest = useRef(changes);
  latest.current = changes;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    if (own.current === applied) return;
    own.current = applied;
    clearTimeout(timer.current);
    held.current = textsOf(files, latest.current);
    setTexts(held.current);
  }, [applied, files]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const apply = (known: Texts): void => {
    const edits = files.flatMap(({ path, text }): TriedChange[] => {
      const diff = lineDiff(path, text, known.get(path) ?? text);
      return diff === '' ? [] : [{ change: 'edited text', file: path, diff: diff.split('\n').slice(0, -1) }];
    });
    const next = JSON.stringify(edits);
    if (next === own.current) return;
    own.current = next;
    tryChanges([...latest.current.filter((change) => !isEdit(change)), ...edits]);
  };
  const edit = (path: string, text: string): void => {
    const isAsLoaded = files.some((file) => file.path === path && file.text === text);
    const known = new Map(held.current).set(path, text);
    if (isAsLoaded) known.delete(path);
    held.current = known;
    setTexts(known);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => apply(known), PAUSE);
  };
  const takeBack = (): void => {
    clearTimeout(timer.current);
    held.current = new Map();
    setTexts(held.current);
    apply(held.current);
  };
  return { texts, edit, takeBack };
}

function textsOf(files: readonly TextFile[], changes: readonly TriedChange[]): Texts {
  const texts = new Map<string, string>();
  for (const { file, diff } of changes.filter(isEdit)) {
    const text = files.find(({ path }) => path === file)?.text;
    const edited = text !== undefined && Array.isArray(diff) ? applyUnifiedDiff(text, diff as string[]) : undefined;
    if (edited !== undefined) texts.set(file as string, edited);
  }
  return texts;
}
