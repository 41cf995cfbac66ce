/**
 * Keeps the browser's handles of opened folders (File System Access), so that a folder can be read again after a reload.
 * No file is copied. The browser may ask the person before the page reads the folder again.
 */
import { answered, finished, openDatabase } from './browser-database.ts';

/** With the members that TypeScript's own types lack. */
export interface FolderHandle extends FileSystemDirectoryHandle {
  values(): AsyncIterableIterator<FolderHandle | FileSystemFileHandle>;
  requestPermission?(descriptor: { readonly mode: 'read' }): Promise<PermissionState>;
}

export interface KeptFolder {
  readonly id: string;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly opened: number;
  readonly handle: FolderHandle;
}

const FOLDERS = { name: 'wirecost-folders', store: 'folders', keyPath: 'id' };
const MOST = 20;

/** Newest first; none where the browser keeps no handles. */
export const listFolders = async (): Promise<readonly KeptFolder[]> =>
  (await within('readonly', (store) => answered<KeptFolder[]>(store.getAll())))?.sort((x, y) => y.opened - x.opened) ??
  [];

export async function keepFolder(handle: FolderHandle): Promise<void> {
  const kept = await listFolders();
  const same = await Promise.all(kept.map((one) => one.handle.isSameEntry(handle).catch(() => false)));
  const id = kept[same.indexOf(true)]?.id ?? crypto.randomUUID();
  const surplus = kept.filter((one) => one.id !== id).slice(MOST - 1);
  await within('readwrite', async (store) => {
    for (const one of surplus) await answered(store.delete(one.id));
    await answered(store.put({ id, name: handle.name, opened: Date.now(), handle } satisfies KeptFolder));
  });
}

/** @param id null: all of them */
export const forgetFolder = async (id: string | null): Promise<void> =>
  void (await within('readwrite', (store) => answered(id === null ? store.clear() : store.delete(id))));

/** Asks the person for permission; call it from a click. */
export async function mayRead(handle: FolderHandle): Promise<boolean> {
  const state = await handle.requestPermission?.({ mode: 'read' }).catch(() => 'denied');
  return state === undefined || state === 'granted';
}

/** undefined where the browser refuses. */
async function within<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => Promise<T>): Promise<T | undefined> {
  const database = await openDatabase(globalThis.indexedDB, FOLDERS);
  if (database === null) return undefined;
  try {
    const transaction = database.transaction(FOLDERS.store, mode);
    const end = finished(transaction);
    end.catch(() => {});
    const result = await use(transaction.objectStore(FOLDERS.store));
    await end;
    return result;
  } catch {
    return undefined;
  } finally {
    database.close();
  }
}
