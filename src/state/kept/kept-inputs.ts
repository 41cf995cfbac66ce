/**
 * Inputs that a person opened, kept by the browser on this machine (IndexedDB) until they are forgotten, so that a
 * reload returns to them. No byte is sent anywhere. Tabs share the store and keep their own inputs in it: one that is
 * open in a tab is never dropped to make room.
 */
import type { SchemaFile } from '#worker/schema-api.ts';
import type { Keeping, KeptSide } from '../session-state.ts';
import { answered, finished, openDatabase } from './browser-database.ts';

/** The largest size of one input and of all together: bytes, 256 MiB and 1 GiB. */
export const MAX_OF_ONE = 256 << 20;
const MAX_OF_ALL = 1 << 30;

export interface KeptFacts {
  readonly id: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly opened: number;
}

export interface KeptInput extends KeptFacts {
  readonly data: Blob;
  /** Whether `data` is a shared file, with all that belongs to it. */
  readonly isShared: boolean;
  readonly textEncoding: string | undefined;
  readonly framing: string | undefined;
  readonly steps?: readonly string[] | undefined;
  /** A of the comparison that it was in. Inputs kept by earlier versions have none. */
  readonly baseline?: KeptSide | null;
  /** Its own schema files; null: the user's loaded files. */
  readonly schema: readonly SchemaFile[] | null;
}

export interface KeptInputs {
  list(): Promise<readonly KeptFacts[]>;
  /** null: it is not kept. */
  get(id: string): Promise<KeptInput | null>;
  put(input: KeptInput): Promise<Exclude<Keeping, 'forgotten' | 'secret' | 'unread'>>;
  /** null: all of them. */
  forget(id: string | null): Promise<void>;
}

const FACTS = { name: 'wirecost-inputs', store: 'inputs', keyPath: 'id' };
/**
 * The bytes, written once: Firefox drops a record's old file when the record is written again, even if it is being
 * read.
 */
const DATA = { name: 'wirecost-input-data', store: 'data', keyPath: 'id' };

interface DataRow {
  readonly id: string;
  /** A private window of Safari keeps plain bytes only. */
  readonly data: Blob | ArrayBuffer;
}

/** Inputs kept by earlier versions have their bytes here. */
type FactsRow = Omit<KeptInput, 'data'> & { readonly data?: Blob };
const LOCK = 'wirecost-input ';

const bytesOf = (inputs: readonly KeptFacts[]): number => inputs.reduce((sum, { size }) => sum + size, 0);

export function createKeptInputs(factory: IDBFactory | undefined, locks: LockManager | undefined): KeptInputs {
  const held = new Set<string>();

  /** `refused` where the browser has no such store. */
  async function within<T>(
    kind: typeof FACTS,
    mode: IDBTransactionMode,
    refused: T,
    use: (store: IDBObjectStore) => Promise<T>,
  ): Promise<T> {
    const database = await openDatabase(factory, kind);
    if (database === null) return refused;
    try {
      const transaction = database.transaction(kind.store, mode);
      const end = mode === 'readwrite' ? finished(transaction) : null;
      end?.catch(() => {});
      const result = await use(transaction.objectStore(kind.store));
      await end;
      return result;
    } catch {
      return refused;
    } finally {
      database.close();
    }
  }

  const all = (): Promise<readonly FactsRow[]> =>
    within<readonly FactsRow[]>(FACTS, 'readonly', [], async (store) =>
      (await answered<FactsRow[]>(store.getAll())).sort((a, b) => b.opened - a.opened),
    );

  /** Held as long as this tab is open. */
  function hold(id: string): void {
    if (locks === undefined || held.has(id)) return;
    held.add(id);
    void locks.request(LOCK + id, { mode: 'shared' }, () => new Promise(() => {})).catch(() => held.delete(id));
  }

  async function openAnywhere(): Promise<ReadonlySet<string>> {
    const found = await locks?.query().catch(() => undefined);
    return new Set([...held, ...(found?.held ?? []).flatMap(({ name }) => name?.split(LOCK)[1] ?? [])]);
  }

  /** Deletes the oldest inputs that no tab shows, to make room; false, and none is deleted: they are not enough. */
  async function makeRoom(input: KeptInput): Promise<boolean> {
    const open = await openAnywhere();
    const others = (await all()).filter(({ id }) => id !== input.id);
    const free = MAX_OF_ALL - input.size - bytesOf(others);
    const closed = others.filter(({ id }) => !open.has(id)).reverse();
    if (free + bytesOf(closed) < 0) return false;
    let room = free;
    for (const { id, size } of closed) {
      if (room >= 0) break;
      await forget(id);
      room += size;
    }
    return true;
  }

  const forgetIn = (kind: typeof FACTS, id: string | null): Promise<void> =>
    within(
      kind,
      'readwrite',
      undefined,
      async (store) => void (await answered(id === null ? store.clear() : store.delete(id))),
    );

  async function forget(id: string | null): Promise<void> {
    await forgetIn(FACTS, id);
    await forgetIn(DATA, id);
  }

  const keepData = (row: DataRow): Promise<boolean> =>
    within(DATA, 'readwrite', false, async (store) => {
      if ((await answered(store.count(row.id))) === 0) await answered(store.put(row));
      return true;
    });

  async function keepBytes({ id, data }: KeptInput): Promise<boolean> {
    const bytes = await data.arrayBuffer().catch(() => null);
    return bytes !== null && keepData({ id, data: bytes });
  }

  return {
    list: async () => (await all()).map(({ id, name, size, opened }) => ({ id, name, size, opened })),

    async get(id) {
      const facts = await within(FACTS, 'readonly', undefined, (store) =>
        answered<FactsRow | undefined>(store.get(id)),
      );
      const row = await within(DATA, 'readonly', undefined, (store) => answered<DataRow | undefined>(store.get(id)));
      const data = row?.data ?? facts?.data;
      if (facts === undefined || data === undefined) return null;
      hold(id);
      return { ...facts, data: data instanceof Blob ? data : new Blob([data]) };
    },

    async put(input) {
      if (input.size > MAX_OF_ONE || !(await makeRoom(input))) return 'too-large';
      hold(input.id);
      const { data, ...facts } = input;
      if (!((await keepData({ id: input.id, data })) || (await keepBytes(input)))) return 'refused';
      return within(FACTS, 'readwrite', 'refused' as const, async (store) => {
        await answered(store.put(facts));
        return 'kept' as const;
      });
    },

    forget,
  };
}
