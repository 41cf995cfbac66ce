/** IndexedDB as promises. A browser that keeps nothing, as in a private window or a sandboxed frame, is not a fault. */

/** null where the browser has none, or refuses. */
export async function openDatabase(
  factory: IDBFactory | undefined,
  { name, store, keyPath }: { readonly name: string; readonly store: string; readonly keyPath: string },
): Promise<IDBDatabase | null> {
  try {
    if (factory === undefined) return null;
    const request = factory.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath });
    return await answered(request);
  } catch {
    return null;
  }
}

export const answered = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

export const finished = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
