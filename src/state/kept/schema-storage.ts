/**
 * The schema files a person loaded, kept by the browser on this machine (IndexedDB) until they are forgotten. No byte
 * is sent anywhere. A private window or a sandboxed frame may keep nothing; then the app continues and shows that.
 */
import type { SchemaFile } from '#worker/schema-api.ts';
import { answered, finished, openDatabase } from './browser-database.ts';

export interface SchemaStorage {
  /** Remembered files, in the order in which they were loaded. */
  recall(): Promise<readonly SchemaFile[]>;
  /**
   * Replaces the remembered files. Unchanged files are not written again.
   * @returns false where the browser refused some of them: it keeps nothing, or has no room
   */
  remember(files: readonly SchemaFile[]): Promise<boolean>;
}

const FILES = 'schema-files';
const DATABASE = { name: 'wirecost', store: FILES, keyPath: 'path' };

/** Files per write, so that no write blocks the page. */
const BATCH = 40;

interface Row extends SchemaFile {
  readonly order: number;
}

export function createSchemaStorage(factory: IDBFactory | undefined): SchemaStorage {
  let known = new Map<string, Row>();
  let writing: Promise<boolean> = Promise.resolve(true);

  /** Rows that are as they were, and new ones for files that were changed or moved. */
  const inOrder = (files: readonly SchemaFile[]): readonly Row[] => {
    let last = -1;
    return files.map(({ path, content }) => {
      const row = known.get(path);
      const isSame = row !== undefined && row.content === content && row.order > last;
      last = isSame ? row.order : Math.max(last + 1, row?.order ?? 0);
      return isSame ? row : { path, content, order: last };
    });
  };

  const write = async (files: readonly SchemaFile[]): Promise<boolean> => {
    const database = await openDatabase(factory, DATABASE);
    if (database === null) return files.length === 0;
    const kept = new Set(files.map(({ path }) => path));
    const gone = [...known.keys()].filter((path) => !kept.has(path));
    const rows = inOrder(files);
    const changed = rows.filter((row) => known.get(row.path) !== row);
    const before = known;
    known = new Map(rows.map((row) => [row.path, row]));
    try {
      for (let at = 0; at < Math.max(gone.length, changed.length, 1); at += BATCH) {
        const transaction = database.transaction(FILES, 'readwrite');
        const store = transaction.objectStore(FILES);
        if (files.length === 0) store.clear();
        for (const path of gone.slice(at, at + BATCH)) store.delete(path);
        for (const row of changed.slice(at, at + BATCH)) store.put(row);
        await finished(transaction);
      }
      return true;
    } catch {
      // The browser's quota: what fits is kept, and all of it is tried again with the next change.
      known = before;
      return false;
    } finally {
      database.close();
    }
  };

  return {
    async recall() {
      const database = await openDatabase(factory, DATABASE);
      if (database === null) return [];
      try {
        const rows = await answered<Row[]>(database.transaction(FILES, 'readonly').objectStore(FILES).getAll());
        rows.sort((a, b) => a.order - b.order);
        known = new Map(rows.map((row) => [row.path, row]));
        return rows.map(({ path, content }) => ({ path, content }));
      } catch {
        return [];
      } finally {
        database.close();
      }
    },

    remember(files) {
      writing = writing.then(() => write(files));
      return writing;
    },
  };
}
