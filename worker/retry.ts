/** Files of the app that come when they are needed, in the page and in the worker: a request that fails is made again. */

/** Milliseconds before each further try: a network that comes and goes, then one that is slow to come back. */
export const PAUSES = [200, 1000];

/** @param between what has to be done before the next try. @throws what the last try threw */
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
