/** Files and folders that a command writes; a refusal names the one that cannot be written. */
import { mkdir, writeFile } from 'node:fs/promises';
import { Refusal } from './outcome.ts';

/** @throws Refusal */
export const writeOutput = (path: string, content: Parameters<typeof writeFile>[1]): Promise<void> =>
  writing(path, () => writeFile(path, content));

/** Folders around it are made, too. @throws Refusal */
export async function makeFolder(path: string): Promise<void> {
  await writing(path, () => mkdir(path, { recursive: true }));
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'there is a file of that name',
  EISDIR: 'it is a folder',
  EACCES: 'it is not permitted',
  EPERM: 'it is not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
};

async function writing<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    throw new Refusal(`${path} cannot be written: ${REASONS[code] ?? code}`);
  }
}
