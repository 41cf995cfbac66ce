/** Loads files of the app on demand, in the page and in the worker. A failed request is repeated. */

/** Milliseconds before each further try: first for a short failure of the network, then for a longer one. */
export const PAUSES = [200, 1000];

/** @param between is called before the next try. @throws the error of the last try */
export async function retry<T>(load: () => Promise<T>, between: () => Promise<void> = async () => {}): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
      await between();
    }
  }
  return load();
}
