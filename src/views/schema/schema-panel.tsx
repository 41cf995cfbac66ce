/** The schema's files as tabs over an editor, with their faults below. The editor is loaded when it is first shown. */

import { type KeyboardEvent, type ReactNode, Suspense, useEffect, useId, useMemo, useRef } from 'react';
import { countText } from '#engine/model/count-text.ts';
import { fragmentOf, goTo, parsePlace } from '#state/addresses/place.ts';
import { useActions, useApp } from '#state/context.tsx';
import type { NamedFile } from '#state/opening/dropped-folder.ts';
import type { ReadText } from '#state/opening/read-texts.ts';
import { REFLECTED_FILE, type SchemaFile } from '#state/session-state.ts';
import { shownType } from '#state/shown-profile.ts';
import { descriptorSet, namesOf, noneOpen, SCHEMA_PANEL_NOTES } from '#wording/schema-panel-notes.ts';
import { visible } from '#wording/visible.ts';
import { FileChoice } from '../explorer/file-choice.tsx';
import { lazyPart } from '../progress/lazy-part.tsx';
import { hasLongLine, LongText } from './long-text.tsx';
import { SchemaKeptNote } from './schema-kept-note.tsx';
import { ShippedInUse, useShippedInUse } from './shipped-in-use.tsx';

const ProtoEditor = lazyPart(async () => (await import('./proto-editor.tsx')).ProtoEditor);
const NO_DIAGNOSTICS: readonly never[] = [];

/** Up to this number each file has its tab; with more, only opened files have. */
const ALL_TABS = 12;

export function SchemaPanel(): ReactNode {
  const id = useId();
  const files = useApp(({ session }) => session.schemaFiles);
  const openFile = useApp(({ session }) => session.openFile);
  const diagnostics = useApp(({ session }) => session.schema?.diagnostics) ?? NO_DIAGNOSTICS;
  const { openSchemaFile, addSchemaFile, closeSchemaTab, removeSchemaFile, editSchema, openFiles, addFolder } =
    useActions();
  const tabs = useApp(({ session }) => session.schemaTabs);
  const readTexts = useApp(({ session }) => session.readTexts);
  const hasSchema = useApp(({ session }) => session.schema !== null);
  const type = useApp(shownType);
  const isText = useApp(({ session }) => session.plan?.isText ?? false);
  const shipped = useShippedInUse();
  const own = files.find(({ path }) => path === openFile);
  // A file that is not loaded: its text is shown, or being fetched.
  const read = own === undefined && openFile !== null ? readTexts[openFile] : undefined;
  const isElsewhere = own === undefined && openFile !== null && files.length > 0 && read !== null;
  const file: Shown | undefined =
    own ??
    (isElsewhere
      ? { path: openFile, content: read?.text ?? null, from: read?.from }
      : files.length <= ALL_TABS
        ? files[0]
        : undefined);
  const shown: readonly Pick<Shown, 'path'>[] = [
    ...(files.length <= ALL_TABS ? files : files.filter(({ path }) => tabs.includes(path))),
    ...tabs.filter((path) => readTexts[path] || (isElsewhere && path === openFile)).map((path) => ({ path })),
  ];
  const text = typeof file?.content === 'string' ? file.content : '';
  const isLong = useMemo(() => hasLongLine(text), [text]);
  const wanted = file?.content instanceof Blob || file?.content === null ? file.path : null;
  useEffect(() => {
    if (wanted !== null && hasSchema) void openSchemaFile(wanted);
  }, [wanted, hasSchema, openSchemaFile]);
  const openAt = useApp(({ session }) => (session.openFile === file?.path ? session.openAt : null));
  const language = useLanguage();
  const faults = diagnostics.filter((diagnostic) => diagnostic.file === file?.path);

  const show = (path: string): void => {
    if (parsePlace(location.hash)) goTo({ at: 'edit', name: path, line: 1, column: 1 });
    else void openSchemaFile(path);
  };
  /** On a page of the explorer the address names the file that is open. */
  const write = (): void => {
    const path = addSchemaFile();
    if (parsePlace(location.hash)) goTo({ at: 'edit', name: path, line: 1, column: 1 });
  };
  const choose = (chosen: readonly NamedFile[]): void => void openFiles(chosen.map(({ file }) => file));
  const leave = (close: (path: string) => void, path: string): void => {
    close(path);
    if (!parsePlace(location.hash)) return;
    const next = shown.find((other) => other.path !== path);
    goTo(next === undefined ? { at: 'schema' } : { at: 'edit', name: next.path, line: 1, column: 1 });
  };
  const walkTabs = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0 || !file) return;
    const at = shown.findIndex(({ path }) => path === file.path);
    const next = shown[(at + step + shown.length) % shown.length]!;
    show(next.path);
    document.getElementById(`${id}-${next.path}`)?.focus();
    event.preventDefault();
  };

  if (!file && files.length > 0) {
    return (
      <div className="p-4">
        <p>{noneOpen(files.length)}</p>
        <p className="mt-2">
          <a className="control control-framed" href={fragmentOf({ at: 'schema' })}>
            Find one
          </a>
        </p>
      </div>
    );
  }
  if (!file) {
    return (
      <div className="p-4">
        {shipped.length > 0 ? (
          <ShippedInUse files={shipped} />
        ) : type === null ? (
          <p>{isText ? SCHEMA_PANEL_NOTES.noneFitsText : SCHEMA_PANEL_NOTES.noneFits}</p>
        ) : (
          <p>{namesOf(type)}</p>
        )}
        <p className="mt-3">
          <a className="text-accent hover:underline" href={fragmentOf({ at: 'schema' })}>
            {SCHEMA_PANEL_NOTES.allShipped}
          </a>
        </p>
        <p className="mt-1 text-ink-muted">{SCHEMA_PANEL_NOTES.drop}</p>
        <div className="mt-2 flex flex-wrap gap-2">
          <FileChoice label={SCHEMA_PANEL_NOTES.files} onFiles={choose}>
            Choose files…
          </FileChoice>
          <FileChoice of="folder" label={SCHEMA_PANEL_NOTES.folder} onFiles={(chosen) => void addFolder(chosen)}>
            Choose a folder…
          </FileChoice>
          <button type="button" className="control control-framed" onClick={write}>
            Write one
          </button>
        </div>
      </div>
    );
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      {shipped.length > 0 && (
        <div className="max-h-32 overflow-auto border-b border-rule px-4 py-1">
          <ShippedInUse files={shipped} />
        </div>
      )}
      <div className="flex items-stretch border-b border-rule">
        <div role="tablist" aria-label="Schema files" className="strip min-w-0 flex-1">
          {shown.map(({ path }) => {
            const errors = diagnostics.filter(
              (diagnostic) => diagnostic.file === path && diagnostic.severity === 'error',
            );
            return (
              <button
                key={path}
                id={`${id}-${path}`}
                type="button"
                role="tab"
                aria-selected={path === file.path}
                aria-controls={`${id}-editor`}
                tabIndex={path === file.path ? 0 : -1}
                title={visible(path)}
                className="shrink-0 border-b-2 border-transparent px-3 py-1.5 text-ink-muted aria-selected:border-accent aria-selected:text-ink"
                onClick={() => show(path)}
                onKeyDown={walkTabs}
              >
                {visible(path.slice(path.lastIndexOf('/') + 1))}
                {errors.length > 0 && <span className="ml-1.5 text-bad">{errors.length}</span>}
              </button>
            );
          })}
        </div>
        <button type="button" className="control" onClick={write} aria-label="New schema file" title="New schema file">
          +
        </button>
        <FileChoice look="control" label={SCHEMA_PANEL_NOTES.files} onFiles={choose}>
          Add…
        </FileChoice>
        {(files.length > ALL_TABS || !own) && (
          <button type="button" className="control" onClick={() => leave(closeSchemaTab, file.path)}>
            Close
          </button>
        )}
        {own && (
          <button type="button" className="control" onClick={() => leave(removeSchemaFile, file.path)}>
            Remove
          </button>
        )}
      </div>
      {file.from && <p className="border-b border-rule px-3 py-1 text-ink-muted">{READ_ONLY[file.from]}</p>}
      <SchemaKeptNote />
      <div id={`${id}-editor`} role="tabpanel" aria-label={file.path} className="min-h-0 flex-1">
        {typeof file.content === 'string' && isLong ? (
          <LongText key={file.path} text={file.content} />
        ) : typeof file.content === 'string' ? (
          <Suspense fallback={<PlainText text={file.content} />}>
            <ProtoEditor
              path={file.path}
              text={file.content}
              diagnostics={faults}
              at={openAt}
              isReadOnly={!own}
              language={language}
              onEdit={editSchema}
            />
          </Suspense>
        ) : own !== undefined && readTexts[own.path] === null ? (
          <p className="p-4">{SCHEMA_PANEL_NOTES.unreadable}</p>
        ) : file.content === null || (file.content instanceof Blob && file.path.endsWith('.proto')) ? (
          <p className="p-4 text-ink-muted">Reading…</p>
        ) : (
          <Contained path={file.path} bytes={sizeOf(file.content)} />
        )}
      </div>
      {faults.length > 0 && (
        <ul aria-label="Faults in this file" className="max-h-32 overflow-auto border-t border-rule py-1">
          {faults.map(({ code, severity, message, line, column }) => (
            <li key={`${line}:${column}:${code}:${message}`} className="flex gap-2 px-3 py-0.5">
              <span
                className={`shrink-0 font-mono text-2xs leading-5 ${severity === 'error' ? 'text-bad' : 'text-warn'}`}
              >
                {line ?? '?'}:{column ?? '?'}
              </span>
              <span>{visible(message)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The service that the editor asks, and the target of its links: a page of the explorer, or this panel. */
function useLanguage() {
  const { ask, schemaText, openSchemaFile } = useActions();
  const { nativeProfile, overrides } = useApp(({ view }) => view);
  const native = useRef({ nativeProfile, overrides });
  native.current = { nativeProfile, overrides };
  return useMemo(
    () => ({
      ask,
      native: () => native.current,
      textOf: schemaText,
      open(path: string, line: number, column: number): void {
        if (parsePlace(location.hash)) goTo({ at: 'edit', name: path, line, column });
        else void openSchemaFile(path, { line, column });
      },
    }),
    [ask, schemaText, openSchemaFile],
  );
}

/** A loaded file, or one that can only be read. */
interface Shown {
  readonly path: string;
  /** null: being fetched. */
  readonly content: SchemaFile['content'] | null;
  readonly from?: ReadText['from'] | undefined;
}

const READ_ONLY: Readonly<Record<ReadText['from'], string>> = {
  app: SCHEMA_PANEL_NOTES.shipped,
  descriptors: SCHEMA_PANEL_NOTES.printed,
};

/** The maximum of files listed at once. */
const LISTED = 300;

/** The files in a descriptor set, each of which can be read. */
function Contained({ path: set, bytes }: { readonly path: string; readonly bytes: number }): ReactNode {
  const files = useApp(({ session }) => session.schemaFiles);
  const all = useApp(({ session }) => session.schema?.files);
  const loaded = useMemo(() => new Set(files.map(({ path }) => path)), [files]);
  const inside = all?.filter((path) => !loaded.has(path)) ?? [];
  return (
    <div className="h-full overflow-auto p-4">
      {set === REFLECTED_FILE && <p className="mb-2">{SCHEMA_PANEL_NOTES.reflected}</p>}
      <p>{descriptorSet(bytes)}</p>
      <ul className="mt-2">
        {inside.slice(0, LISTED).map((path) => (
          <li key={path} className="break-all">
            <a
              className="text-accent hover:underline"
              href={fragmentOf({ at: 'edit', name: path, line: 1, column: 1 })}
            >
              {path}
            </a>
          </li>
        ))}
      </ul>
      {inside.length > LISTED && <p className="mt-1 text-ink-muted">and {countText(inside.length - LISTED)} more</p>}
    </div>
  );
}

const sizeOf = (content: Uint8Array | Blob): number => (content instanceof Blob ? content.size : content.length);

/** The plain text, shown until the editor is loaded. */
const PlainText = ({ text }: { readonly text: string }): ReactNode => (
  <pre className="h-full overflow-auto px-4 py-2 font-mono text-2xs leading-5">{text}</pre>
);
