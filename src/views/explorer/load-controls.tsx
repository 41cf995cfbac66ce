/** Controls to load files or a folder, and the files that the browser keeps. */

import { type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { plural } from '#engine/model/count-text.ts';
import { goTo } from '#state/addresses/place.ts';
import { useActions, useApp } from '#state/context.tsx';
import { EXPLORER_NOTES } from '#wording/explorer-notes.ts';
import { visible } from '#wording/visible.ts';
import { ForgetAll } from '../input/forget-all.tsx';
import { SchemaKeptNote } from '../schema/schema-kept-note.tsx';
import { type LikelyRoot, likelyRoot } from './alike-files.ts';
import { FileChoice } from './file-choice.tsx';

const NONE: readonly never[] = [];

/** The number of missing imports for which similar files are searched; there may be thousands of files. */
const MAX_LIKENED = 100;

export function LoadControls(): ReactNode {
  const { openFiles, addFolder, addSchemaFile, forgetSchema } = useActions();
  const hasFiles = useApp(({ session }) => session.schemaFiles.length > 0);
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      <FileChoice label={EXPLORER_NOTES.addFiles} onFiles={(chosen) => void openFiles(chosen.map(({ file }) => file))}>
        Add files…
      </FileChoice>
      <FileChoice of="folder" label={EXPLORER_NOTES.addFolder} onFiles={(chosen) => void addFolder(chosen)}>
        Add a folder…
      </FileChoice>
      <button
        type="button"
        className="control control-framed"
        onClick={() => goTo({ at: 'edit', name: addSchemaFile(), line: 1, column: 1 })}
      >
        Write one
      </button>
      {hasFiles && <ForgetAll onForget={() => void forgetSchema()} />}
      <SchemaKeptNote />
    </div>
  );
}

/** Unresolved imports: the importing files, the loaded files that they may mean, and a control to add each. */
export function MissingImports(): ReactNode {
  const missing = useApp(({ session }) => session.schema?.missing) ?? NONE;
  const files = useApp(({ session }) => session.schemaFiles);
  const likely = useMemo(() => {
    const paths = files.map(({ path }) => path);
    return new Map(
      missing.slice(0, MAX_LIKENED).map(({ path, importedBy }) => {
        const importers = importedBy.map(({ file }) => file);
        return [path, likelyRoot(path, paths, importers)];
      }),
    );
  }, [missing, files]);
  const { addMissing, setSchemaRoot } = useActions();
  const picker = useRef<HTMLInputElement>(null);
  const [wanted, setWanted] = useState('');
  return (
    <>
      <ul className="mt-1" aria-label="Missing imports">
        {missing.map(({ path, importedBy }) => (
          <li key={path} className="flex flex-wrap items-baseline gap-x-3 border-b border-rule py-1">
            <span className="font-semibold break-all">{visible(path)}</span>
            <span className="min-w-0 flex-1 break-words text-ink-muted">
              imported by {importedBy[0]?.file}
              {importedBy[0]?.place && `:${importedBy[0].place.line}`}
              {importedBy.length > 1 && ` and ${importedBy.length - 1} ${importedBy.length === 2 ? 'other' : 'others'}`}
            </span>
            <RootButton likely={likely.get(path)} onSet={(root) => void setSchemaRoot(root)} />
            <button
              type="button"
              className="control control-framed"
              aria-label={`Add ${visible(path)}`}
              onClick={() => {
                setWanted(path);
                picker.current?.click();
              }}
            >
              Add…
            </button>
          </li>
        ))}
      </ul>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={EXPLORER_NOTES.addImport}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) void addMissing(wanted, file);
        }}
      />
    </>
  );
}

/** For an import that names a loaded file by other folders than its own. */
function RootButton({
  likely,
  onSet,
}: {
  readonly likely: LikelyRoot | undefined;
  readonly onSet: (root: string) => void;
}): ReactNode {
  if (!likely) return null;
  const { root, file } = likely;
  return (
    <button type="button" className="control control-framed break-all" title={file} onClick={() => onSet(root)}>
      Make {root} the root
    </button>
  );
}

/** Removes the root folder from the paths, so that they begin like imports. */
export function RootBox(): ReactNode {
  const id = useId();
  const files = useApp(({ session }) => session.schemaFiles);
  const { setSchemaRoot } = useActions();
  const [root, setRoot] = useState('');
  const prefix = `${root.replace(/^\/+|\/+$/g, '')}/`;
  const under = root === '' ? 0 : files.filter(({ path }) => path.startsWith(prefix)).length;
  const folders = foldersOf(files.map(({ path }) => path));
  if (folders.length === 0) return null;
  return (
    <form
      className="mt-2 flex max-w-2xl flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void setSchemaRoot(root);
        setRoot('');
      }}
    >
      <label htmlFor={id} data-term="label-import-root">
        Imports begin below
      </label>
      <input
        id={id}
        className="field w-56"
        list={`${id}-folders`}
        placeholder={folders[0]}
        value={root}
        onChange={(event) => setRoot(event.target.value)}
      />
      <datalist id={`${id}-folders`}>
        {folders.map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
      <button type="submit" className="control control-framed" disabled={under === 0}>
        {EXPLORER_NOTES.makeRoot}
      </button>
      {root !== '' && <span className="text-ink-muted">of {plural(under, 'file')}</span>}
    </form>
  );
}

/** The two upper levels, most files first. */
function foldersOf(paths: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const parts = path.split('/').slice(0, -1);
    for (let depth = 1; depth <= Math.min(2, parts.length); depth++) {
      const folder = parts.slice(0, depth).join('/');
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 20)
    .map(([folder]) => folder);
}
