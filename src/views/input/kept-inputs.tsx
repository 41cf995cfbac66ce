/** Inputs that this browser keeps: a list, with controls to open and to forget each. */

import { type ReactNode, useEffect, useState } from 'react';
import { useActions, useApp } from '#state/context.tsx';
import { type FolderHandle, forgetFolder, type KeptFolder, listFolders, mayRead } from '#state/kept/kept-folders.ts';
import type { KeptFacts } from '#state/kept/kept-inputs.ts';
import type { Keeping } from '#state/session-state.ts';
import { notAllowed } from '#wording/input-notes.ts';
import { KEPT_NOTES, keptFiles } from '#wording/kept-notes.ts';
import { formatBytes } from '#wording/number-text.ts';
import { visible } from '#wording/visible.ts';
import { ForgetAll } from './forget-all.tsx';

const KEPT_WORDS: Readonly<Record<Keeping, string>> = {
  kept: KEPT_NOTES.kept,
  'too-large': KEPT_NOTES.tooLarge,
  refused: KEPT_NOTES.noStorage,
  secret: KEPT_NOTES.secrets,
  unread: KEPT_NOTES.unread,
  forgotten: KEPT_NOTES.forgotten,
};

/** Shows whether a reload returns to the open input. */
export function KeptNote(): ReactNode {
  const kept = useApp(({ session }) => session.kept);
  const place = useApp(({ session }) => session.input?.place ?? '');
  const { forgetKept } = useActions();
  if (kept === null) return null;
  return (
    <p className="mb-3 text-ink-muted" role="status">
      {KEPT_WORDS[kept]}{' '}
      {kept === 'kept' && (
        <button
          type="button"
          className="text-accent underline"
          onClick={() => void forgetKept(place.slice(place.lastIndexOf('/') + 1))}
        >
          Forget it
        </button>
      )}
    </p>
  );
}

export function KeptInputsPanel(): ReactNode {
  const kept = useApp(({ session }) => session.kept);
  const { listKept, forgetKept, openFolder, forgetOwnSchema } = useActions();
  const schemaFiles = useApp(({ session: { isSchemaKept, setAside, schemaFiles: loaded } }) =>
    isSchemaKept ? (setAside ?? loaded).length : 0,
  );
  const [inputs, setInputs] = useState<readonly KeptFacts[]>([]);
  const [folders, setFolders] = useState<readonly KeptFolder[]>([]);
  const [forgotten, setForgotten] = useState(0);
  const [refused, setRefused] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another input is kept, or one is forgotten
  useEffect(() => {
    let isStill = true;
    void Promise.all([listKept(), listFolders()]).then(([found, foundFolders]) => {
      if (!isStill) return;
      setInputs(found);
      setFolders(foundFolders);
    });
    return () => {
      isStill = false;
    };
  }, [listKept, kept, forgotten]);
  if (inputs.length + folders.length + schemaFiles === 0) return null;
  const again = (): void => setForgotten((count) => count + 1);
  const forget = (id: string): void => void forgetKept(id).then(again);
  const forgetAll = (): void => void Promise.all([forgetKept(null), forgetFolder(null), forgetOwnSchema()]).then(again);
  const open = async (handle: FolderHandle): Promise<void> => {
    const isAllowed = await mayRead(handle);
    setRefused(isAllowed ? null : visible(handle.name));
    if (isAllowed) await openFolder(handle);
  };
  return (
    <section aria-label="Kept on this machine">
      <div className="flex items-baseline gap-2 border-b border-rule-strong pb-1.5">
        <h2 className="panel-title">Kept on this machine</h2>
        <ForgetAll isAtEnd onForget={forgetAll} />
      </div>
      <ul>
        {inputs.map(({ id, name, size, opened }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-2 border-b border-rule py-0.5">
            <a
              className="min-w-[8rem] flex-1 truncate text-accent underline"
              href={`#/local/${id}`}
              title={visible(name)}
            >
              {visible(name)}
            </a>
            <span className="text-ink-muted">
              {formatBytes(size)}, {new Date(opened).toISOString().slice(0, 16).replace('T', ' ')}
            </span>
            <button type="button" className="control" aria-label={`Forget ${visible(name)}`} onClick={() => forget(id)}>
              Forget
            </button>
          </li>
        ))}
        {folders.map(({ id, name, opened, handle }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-2 border-b border-rule py-0.5">
            <button
              type="button"
              className="min-w-[8rem] flex-1 truncate text-left text-accent underline"
              title={KEPT_NOTES.folders}
              onClick={() => void open(handle)}
            >
              {visible(name)}/
            </button>
            <span className="text-ink-muted">
              folder, {new Date(opened).toISOString().slice(0, 16).replace('T', ' ')}
            </span>
            <button
              type="button"
              className="control"
              aria-label={`Forget ${visible(name)}/`}
              onClick={() => void forgetFolder(id).then(again)}
            >
              Forget
            </button>
          </li>
        ))}
        {schemaFiles > 0 && (
          <li className="flex flex-wrap items-baseline gap-x-2 border-b border-rule py-0.5">
            <a className="min-w-[8rem] flex-1 truncate text-accent underline" href="#/schema">
              Schema
            </a>
            <span className="text-ink-muted">{keptFiles(schemaFiles)}</span>
            <button
              type="button"
              className="control"
              aria-label="Forget the schema"
              onClick={() => void forgetOwnSchema()}
            >
              Forget
            </button>
          </li>
        )}
      </ul>
      {refused !== null && (
        <p role="status" className="py-1 text-ink-muted">
          {notAllowed(refused)}
        </p>
      )}
    </section>
  );
}
