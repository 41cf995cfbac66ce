/** The part of IndexedDB that the app uses, in memory: Node has none. */

interface Table {
  readonly keyPath: string;
  readonly rows: Map<string, Record<string, unknown>>;
}

/**
 * `writes`: the keys that were put, in order.
 * @param keepsBlobs false: as in a private window of Safari
 */
export function memoryDatabase(keepsBlobs = true): { readonly factory: IDBFactory; readonly writes: string[] } {
  const tables = new Map<string, Table>();
  const writes: string[] = [];

  function transactionOf({ keyPath, rows }: Table) {
    let open = 1;
    const transaction = { error: null, oncomplete: () => {}, objectStore: () => store };
    const request = (answer: () => unknown) => {
      const made = { result: undefined as unknown, error: null as unknown, onsuccess: () => {}, onerror: () => {} };
      open++;
      setTimeout(() => {
        try {
          made.result = answer();
          made.onsuccess();
        } catch (error) {
          made.error = error;
          made.onerror();
        }
        setTimeout(end);
      });
      return made;
    };
    const end = (): void => {
      if (--open === 0) transaction.oncomplete();
    };
    setTimeout(end);
    const store = {
      put: (row: Record<string, unknown>) =>
        request(() => {
          if (!keepsBlobs && Object.values(row).some((value) => value instanceof Blob)) {
            throw new DOMException('Error preparing Blob/File data to be stored in object store', 'UnknownError');
          }
          writes.push(String(row[keyPath]));
          rows.set(String(row[keyPath]), row);
        }),
      delete: (key: string) => request(() => void rows.delete(key)),
      clear: () => request(() => rows.clear()),
      get: (key: string) => request(() => rows.get(key)),
      count: (key: string) => request(() => Number(rows.has(key))),
      getAll: () => request(() => [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)),
    };
    return transaction;
  }

  const open = (name: string) => {
    const opened = { result: {}, onupgradeneeded: () => {}, onsuccess: () => {} };
    opened.result = {
      close: () => {},
      createObjectStore: (_: string, { keyPath }: { keyPath: string }) =>
        tables.set(name, { keyPath, rows: new Map() }),
      transaction: () => transactionOf(tables.get(name)!),
    };
    setTimeout(() => {
      if (!tables.has(name)) opened.onupgradeneeded();
      opened.onsuccess();
    });
    return opened;
  };
  return { factory: { open } as unknown as IDBFactory, writes };
}
