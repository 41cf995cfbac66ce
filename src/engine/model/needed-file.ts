/** Loads files of the app on demand, in the page, the worker and the command line. A failed request is repeated. */

/** Milliseconds before each further try: first for a short failure of the network, then for a longer one. */
export const PAUSES = [200, 1000];

/** @param between is called before the next try. @throws the error of the last try */
export async function retry<T>(load: () => Promise<T>, between: () => Promise<void> = async () => {}): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await load();
    } catch {
      await new Promise<void>((resolve) => setTimeout(resolve, pause));
      await between();
    }
  }
  return load();
}

/** A file of the app could not be loaded: there is no network, or the host has a newer build. */
export class MissingFile extends Error {
  override readonly name = 'MissingFile';
}

/** A file of the app that the call cannot do without. @throws MissingFile */
export async function needed<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await retry(load);
  } catch (cause) {
    throw new MissingFile('A file of the app did not load.', { cause });
  }
}
