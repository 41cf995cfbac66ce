/**
 * The loaded schema files: from a drop, a picker, the editor or the browser's storage, to the worker. Files that the
 * worker already has are not sent again. Files that the user loaded or changed are remembered on this machine.
 */
import type { Diagnostic } from '#engine/model/diagnostic.ts';
import { isOfSystem } from '#engine/model/folder-rules.ts';
import { isSchemaName } from '#engine/model/schema-names.ts';
import { MISSING_PART } from '#wording/failure-words.ts';
import type { SchemaFile, SchemaSummary, SentFile, UnpackedFiles } from '#worker/schema-api.ts';
import type { SchemaStorage } from '../kept/schema-storage.ts';
import { MissingPart } from '../load-part.ts';
import type { SessionState } from '../session-state.ts';
import { CLASSIFY_BYTES, isWrapped } from './classify-drop.ts';
import type { NamedFile } from './dropped-folder.ts';
import { freshPath, pathOfPasted } from './pasted-schema.ts';
import type { ReadText } from './read-texts.ts';

/** Milliseconds between a key stroke in the editor and the schema being compiled again. */
const EDIT_PAUSE = 300;

/** Files sent to the worker in one call: each costs the page a fraction of a millisecond. */
const SENT_AT_ONCE = 100;

const NEW_SCHEMA = 'syntax = "proto3";\n\nmessage Example {\n  string name = 1;\n}\n';

export interface SchemaFilesNeeds {
  readonly session: () => SessionState;
  readonly setSession: (change: Partial<SessionState>) => void;
  readonly storage: SchemaStorage;
  /** Sends files before they are compiled; false: cancelled or failed. */
  readonly hold: (files: readonly SchemaFile[], signal: AbortSignal) => Promise<boolean>;
  /** Files of an archive, some at a time; null: what follows. null: cancelled or failed. */
  readonly unpack: (archive: SchemaFile | null, signal: AbortSignal) => Promise<UnpackedFiles | null>;
  /** One pass of the worker over the files; null: cancelled or failed. */
  readonly compile: (
    files: readonly SentFile[],
    shelf: readonly SchemaFile[],
    signal: AbortSignal,
  ) => Promise<SchemaSummary | null>;
  /** The same for the second version, which is not kept. */
  readonly compileOther: (
    files: readonly SchemaFile[],
    shelf: readonly SchemaFile[],
    signal: AbortSignal,
  ) => Promise<SchemaSummary | null>;
  /** Other parts of the session that change with the files: a changed sample or link becomes the person's own input. */
  readonly changed: () => Partial<SessionState>;
  /** Reruns all stages after the schema. */
  readonly rerun: () => Promise<void>;
  /** The text of a file that is not loaded; null: no such file. */
  readonly readText: (path: string) => Promise<ReadText | null>;
  /** A file that ships with the app: its path and text, by the path of an import. */
  readonly findSchema: (imported: string) => string | undefined;
  readonly shippedFiles: (paths: readonly string[]) => Promise<readonly SchemaFile[]>;
}

export function createSchemaFiles(needs: SchemaFilesNeeds) {
  const { session, setSession, storage, hold, unpack, compile, compileOther, rerun, readText } = needs;
  const { findSchema, shippedFiles, changed } = needs;
  let comparing = new AbortController();
  let editing: ReturnType<typeof setTimeout> | undefined;
  let sent = new Map<string, SchemaFile['content']>();
  /** Faults of archives that were replaced by their files. */
  let unpackFaults: readonly Diagnostic[] = [];
  /** Sources whose files were already requested, with or without a result. */
  const opened = new WeakSet<object>();

  /** An archive is replaced by its files, which can be named, read and edited like others. */
  async function unpackArchives(signal: AbortSignal): Promise<void> {
    for (const archive of session().schemaFiles) {
      const { content } = archive;
      if (typeof content === 'string' || opened.has(content) || !(await mayBeArchive(archive.path, content))) continue;
      const files: SchemaFile[] = [];
      const faults: Diagnostic[] = [];
      for (let next: SchemaFile | null = archive; ; next = null) {
        const some = await unpack(next, signal);
        if (some === null) return;
        faults.push(...some.diagnostics);
        if (some.files.length === 0) break;
        files.push(...some.files);
      }
      opened.add(content);
      // An empty archive stays in the list and shows that it is empty.
      if (files.length === 0) continue;
      for (const { path, content } of files) sent.set(path, content);
      unpackFaults = [...unpackFaults, ...faults];
      const names = new Set(files.map(({ path }) => path));
      const { schemaFiles, schemaTabs, openFile } = session();
      setSession({
        schemaFiles: schemaFiles.flatMap((file) => (file === archive ? files : names.has(file.path) ? [] : file)),
        schemaTabs: schemaTabs.filter((path) => path !== archive.path),
        openFile: openFile === archive.path ? null : openFile,
      });
      remember();
    }
  }

  /**
   * Sends the files that the worker does not have, some at a time; afterwards names suffice. null: cancelled or failed.
   */
  async function deliver(files: readonly SchemaFile[], signal: AbortSignal): Promise<readonly SentFile[] | null> {
    const isSent = ({ path, content }: SchemaFile): boolean => sent.get(path) === content;
    const changed = files.filter((file) => !isSent(file));
    for (let at = 0; changed.length - at > SENT_AT_ONCE; at += SENT_AT_ONCE) {
      const some = changed.slice(at, at + SENT_AT_ONCE);
      for (const { path, content } of some) sent.set(path, content);
      if (!(await hold(some, signal))) return null;
    }
    return files.map((file) => ({ path: file.path, content: isSent(file) ? null : file.content }));
  }

  /** Compiles again with the shipped files that are imported, until no further one is imported. */
  async function withShelf(
    files: readonly Pick<SchemaFile, 'path'>[],
    signal: AbortSignal,
    readWith: (shelf: readonly SchemaFile[]) => Promise<SchemaSummary | null>,
  ): Promise<SchemaSummary | null> {
    const shelf: SchemaFile[] = [];
    for (;;) {
      const schema = await readWith(shelf);
      if (!schema) return null;
      const taken = new Set([...files, ...shelf].map(({ path }) => path));
      const wanted = new Set(schema.missing.flatMap(({ path }) => findSchema(path) ?? []));
      const missing = [...wanted].filter((path) => !taken.has(path));
      if (missing.length === 0) return schema;
      try {
        const found = await shippedFiles(missing);
        if (found.length === 0) return schema;
        shelf.push(...found);
      } catch {
        // Without them these imports stay unresolved.
        return schema;
      }
      if (signal.aborted) return null;
    }
  }

  const merged = (files: readonly SchemaFile[], added: readonly SchemaFile[]): readonly SchemaFile[] => {
    const names = new Set(added.map(({ path }) => path));
    return [...files.filter(({ path }) => !names.has(path)), ...added];
  };
  const merge = (added: readonly SchemaFile[]): readonly SchemaFile[] => merged(session().schemaFiles, added);

  /** Remembers the files that the person loaded, without those of samples and links. */
  const remember = (): void => {
    const { setAside, schemaFiles } = session();
    void storage.remember(setAside ?? schemaFiles).then((isSchemaKept) => setSession({ isSchemaKept }));
  };

  /** Sets the loaded files. `added`: the files among them that the user just loaded. */
  const take = (schemaFiles: readonly SchemaFile[], added: readonly SchemaFile[]): void => {
    const { setAside } = session();
    setSession({ schemaFiles, setAside: setAside && merged(setAside, added), ...changed() });
  };

  /** Unloads every file, and the browser keeps none of them. */
  function forgetSchema(): Promise<void> {
    unpackFaults = [];
    setSession({ schemaTabs: [], setAside: session().setAside && [] });
    return keep([], null);
  }

  const withTab = (path: string | null): Pick<SessionState, 'openFile' | 'schemaTabs'> => {
    const { schemaTabs } = session();
    return {
      openFile: path,
      schemaTabs: path === null || schemaTabs.includes(path) ? schemaTabs : [...schemaTabs, path],
    };
  };

  /** Fetches the text of a path that is not loaded as a file, once for each schema. */
  async function fetchText(path: string): Promise<ReadText | null> {
    const { readTexts, schema } = session();
    const known = readTexts[path];
    if (known !== undefined) return known;
    const read = await readText(path).catch((error: unknown) => {
      if (!(error instanceof MissingPart)) throw error;
      setSession({ failure: MISSING_PART });
      return undefined;
    });
    // A part that is missing is requested again with the next text.
    if (read === undefined) return null;
    if (session().schema === schema) setSession({ readTexts: { ...session().readTexts, [path]: read } });
    return read;
  }

  function keep(
    schemaFiles: readonly SchemaFile[],
    openFile: string | null,
    added: readonly SchemaFile[] = [],
  ): Promise<void> {
    take(schemaFiles, added);
    setSession(withTab(openFile));
    // At once: another tab, or a reload, may come before the end of the read.
    remember();
    return rerun();
  }

  /** A second version of the schema; none: it is removed. */
  async function readOther(given: readonly SchemaFile[]): Promise<void> {
    comparing.abort();
    comparing = new AbortController();
    const { signal } = comparing;
    const otherSchema = await withShelf(given, signal, (shelf) => compileOther(given, shelf, signal));
    if (!signal.aborted) setSession({ otherSchema: given.length === 0 ? null : otherSchema, otherFiles: given });
  }

  return {
    readOther,

    /** The second version stays as it was. */
    cancelOther: (): void => comparing.abort(),

    /** The loaded files, and those that they import from the app. null: cancelled or failed. */
    async read(signal: AbortSignal): Promise<SchemaSummary | null> {
      await unpackArchives(signal);
      if (signal.aborted) return null;
      const files = session().schemaFiles;
      const schema = await withShelf(files, signal, async (shelf) => {
        const given = await deliver(files, signal);
        if (given === null || signal.aborted) return null;
        sent = new Map(files.map(({ path, content }) => [path, content]));
        return compile(given, shelf, signal);
      });
      if (!schema) return null;
      setSession({ readTexts: {} });
      return { ...schema, diagnostics: [...unpackFaults, ...schema.diagnostics] };
    },

    /** Sends nothing to the worker: for files that come together with an input. */
    add(files: readonly SchemaFile[]): void {
      take(merge(files), files);
      setSession(withTab(files.at(-1)?.path ?? session().openFile));
      remember();
    },

    /** A new worker has none of the files. */
    sendAll(): void {
      sent = new Map();
    },

    /** Loads the files remembered from an earlier visit, unless some are loaded. */
    async recall(): Promise<void> {
      const files = await storage.recall();
      const { schemaFiles, setAside } = session();
      if (files.length === 0) return;
      if (setAside?.length === 0) setSession({ setAside: files });
      if (setAside !== null || schemaFiles.length > 0) return;
      setSession({ schemaFiles: files });
      await rerun();
    },

    actions: {
      forgetSchema,

      /** The same of the user's files: those of a sample or a link that is open stay loaded. */
      async forgetOwnSchema(): Promise<void> {
        if (session().setAside === null) return forgetSchema();
        setSession({ setAside: [] });
        remember();
      },

      /** Adds the files of a folder. Files whose names are not those of schemas are left out; false: all were. */
      async addFolder(files: readonly NamedFile[]): Promise<boolean> {
        const schemas = files.filter(({ path }) => isSchemaName(path) && !isOfSystem(path));
        const added = schemas.map(({ path, file }): SchemaFile => ({ path, content: file }));
        if (added.length > 0) await keep(merge(added), null, added);
        return schemas.length > 0;
      },

      /** Adds a file for an unresolved import, under the imported path. */
      addMissing: (path: string, file: File): Promise<void> => {
        const added = [{ path, content: file }];
        return keep(merge(added), null, added);
      },

      addSchemaText: (text: string): Promise<void> => {
        const path = pathOfPasted(text, session().schemaFiles);
        const added = [{ path, content: text }];
        return keep(merge(added), path, added);
      },

      /** The path of the new file. */
      addSchemaFile(): string {
        const path = freshPath(session().schemaFiles);
        const added = [{ path, content: NEW_SCHEMA }];
        void keep(merge(added), path, added);
        return path;
      },

      /** Removes this folder from the paths: `protos/a/b.proto` becomes `a/b.proto`. */
      setSchemaRoot(root: string): Promise<void> {
        const prefix = `${root.replace(/^\/+|\/+$/g, '')}/`;
        const renamed = session().schemaFiles.map((file) =>
          file.path.startsWith(prefix) ? { ...file, path: file.path.slice(prefix.length) } : file,
        );
        setSession({ schemaTabs: [] });
        return keep([...new Map(renamed.map((file) => [file.path, file])).values()], null);
      },

      /** Opens a file in the editor. Its text is fetched the first time. */
      async openSchemaFile(path: string, at?: SessionState['openAt']): Promise<void> {
        const openAt = at ?? (session().openFile === path ? session().openAt : null);
        setSession({ ...withTab(path), openAt });
        const file = session().schemaFiles.find((candidate) => candidate.path === path);
        if (file === undefined && session().schema) await fetchText(path);
        if (!(file?.content instanceof Blob) || !path.endsWith('.proto')) return;
        const content = await textOf(file.content);
        const isStill = session().schemaFiles.includes(file);
        if (!isStill) return;
        if (content === null) {
          setSession({ readTexts: { ...session().readTexts, [path]: null } });
          return;
        }
        if (sent.get(path) === file.content) sent = new Map(sent).set(path, content);
        setSession({
          schemaFiles: session().schemaFiles.map((candidate) => (candidate === file ? { path, content } : candidate)),
        });
      },

      /** The person's choice of the second version. */
      openOther: (files: readonly NamedFile[]): Promise<void> =>
        readOther(
          files
            // In a folder, names decide which files hold schemas; a single file was chosen as one, a zip too.
            .filter(({ path }) => isSchemaName(path) || !path.includes('/'))
            .map(({ path, file }): SchemaFile => ({ path, content: file })),
        ),

      /** The text of a file of the schema, loaded as such or not; null: no such file. */
      async schemaText(path: string): Promise<string | null> {
        const content = session().schemaFiles.find((file) => file.path === path)?.content;
        if (typeof content === 'string') return content;
        if (content instanceof Blob) return path.endsWith('.proto') ? textOf(content) : null;
        return content === undefined ? ((await fetchText(path))?.text ?? null) : null;
      },

      closeSchemaTab(path: string): void {
        const { schemaTabs, openFile } = session();
        const left = schemaTabs.filter((tab) => tab !== path);
        setSession({ schemaTabs: left, openFile: openFile === path ? (left.at(-1) ?? null) : openFile });
      },

      removeSchemaFile(path: string): void {
        const { schemaFiles, schemaTabs } = session();
        const left = schemaFiles.filter((file) => file.path !== path);
        setSession({ schemaTabs: schemaTabs.filter((tab) => tab !== path) });
        void keep(left, left[0]?.path ?? null);
      },

      /** Takes text from the editor; it is compiled when typing pauses. */
      editSchema(path: string, content: string): void {
        const { schemaFiles } = session();
        if (schemaFiles.find((file) => file.path === path)?.content === content) return;
        take(
          schemaFiles.map((file) => (file.path === path ? { path, content } : file)),
          [],
        );
        clearTimeout(editing);
        editing = setTimeout(() => {
          remember();
          void rerun();
        }, EDIT_PAUSE);
      },
    },
  };
}

/** By its first bytes. A file that cannot be read is reported elsewhere. */
async function mayBeArchive(path: string, content: Uint8Array | Blob): Promise<boolean> {
  if (path.endsWith('.proto')) return false;
  if (content instanceof Uint8Array) return isWrapped(content);
  const head = content.slice(0, CLASSIFY_BYTES).arrayBuffer();
  return isWrapped(new Uint8Array(await head.catch(() => new ArrayBuffer())));
}

/** null: the file was moved, changed or deleted since it was chosen. */
const textOf = (file: Blob): Promise<string | null> => file.text().catch(() => null);
