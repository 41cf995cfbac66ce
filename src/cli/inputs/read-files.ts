/** The files that the running command reads: their readers enter them here, and no output is written over one. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { stat } from 'node:fs/promises';

/** By path: the file that has this name; null: it is looked up when a file is about to be written over. */
type ReadFiles = Map<string, Promise<string | undefined> | null>;

const ofCommand = new AsyncLocalStorage<ReadFiles>();

/** Runs a command. */
export const withReadFiles = <T>(command: () => Promise<T>): Promise<T> => ofCommand.run(new Map(), command);

/** Enters files that are read now or later. */
export function enterRead(...paths: readonly string[]): void {
  const files = ofCommand.getStore();
  for (const path of paths) if (!files?.has(path)) files?.set(path, null);
}

/** Whether the path is one of these files, by this name or another. */
export async function isRead(path: string): Promise<boolean> {
  const files = ofCommand.getStore();
  const wanted = await fileAt(path);
  if (files === undefined || wanted === undefined) return false;
  for (const [read, known] of files) {
    const file = known ?? fileAt(read);
    files.set(read, file);
    if ((await file) === wanted) return true;
  }
  return false;
}

const fileAt = (path: string): Promise<string | undefined> =>
  stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev} ${ino}`,
    () => undefined,
  );
