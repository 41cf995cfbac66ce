/** Files and folders that a command writes; a refusal names the one that cannot be written. */
import { randomUUID } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { access, chmod, chown, constants, lstat, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { constants as platform } from 'node:os';
import { dirname, join } from 'node:path';
import { isRead } from '../inputs/read-files.ts';
import { Refusal } from './outcome.ts';

export interface OutputFile {
  readonly path: string;
  readonly content: Parameters<typeof writeFile>[1];
}

/** All or none is written if one of them is a file that the command reads. @throws Refusal */
export async function writeOutputs(files: readonly OutputFile[]): Promise<void> {
  for (const { path } of files) await keepRead(path);
  for (const { path, content } of files) await writing(path, () => replaceFile(path, content));
}

/** @throws Refusal */
export const writeOutput = (path: string, content: OutputFile['content']): Promise<void> =>
  writeOutputs([{ path, content }]);

/** As `w`, but nothing is made: with that, Linux may refuse another owner's file in a folder with the sticky bit. */
const IN_PLACE = { flag: constants.O_WRONLY | constants.O_TRUNC };

/** Errors of renaming onto a file that is mounted alone, or onto another owner's in a folder with the sticky bit. */
const KEPT_IN_PLACE: readonly unknown[] = ['EBUSY', 'EPERM', 'EXDEV'];

/**
 * The former file is whole until the new one is: where the disk is full, the command is stopped, or another one writes
 * the same file. A link stays one; a pipe or device, a file with several names, one in a folder that takes no others, and
 * one that cannot be replaced are written where they are.
 */
async function replaceFile(path: string, content: OutputFile['content']): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const former = await lstat(target).catch(() => undefined);
  const directly = (): Promise<void> => writeFile(path, content, IN_PLACE);
  if (former !== undefined && (!former.isFile() || former.nlink > 1)) return directly();
  if (former !== undefined) await access(target, constants.W_OK);
  const folder = dirname(target);
  if (
    former !== undefined &&
    !(await access(folder, constants.W_OK).then(
      () => true,
      () => false,
    ))
  )
    return directly();
  const draft = join(folder, `.wirecost-${randomUUID()}`);
  const stopped = (signal: NodeJS.Signals): void => {
    rmSync(draft, { force: true });
    endBy(signal);
  };
  for (const signal of STOPPING) process.once(signal, stopped);
  try {
    // No more readers than the former one had, from the first byte.
    await writeFile(draft, content, { mode: former?.mode ?? 0o666 });
    if (former !== undefined) {
      await chmod(draft, former.mode);
      // Only an administrator writes files of others.
      await chown(draft, former.uid, former.gid).catch(() => {});
    }
    await rename(draft, target).catch(async (error: unknown) => {
      if (former === undefined || !KEPT_IN_PLACE.includes(codeOf(error))) throw error;
      // The content may be read once only.
      await writeFile(target, createReadStream(draft), IN_PLACE);
      await rm(draft);
    });
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    for (const signal of STOPPING) process.off(signal, stopped);
  }
}

const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** As without a listener, so that a shell stops its script, too. The first process of a container has to end itself. */
function endBy(signal: NodeJS.Signals): never {
  process.kill(process.pid, signal);
  process.exit(128 + platform.signals[signal]);
}

/** @throws Refusal if the path is a file that the command reads, by this name or another */
export async function keepRead(path: string): Promise<void> {
  if (await isRead(path)) throw new Refusal(`${path} is read here, so it is not written over`);
}

/** Folders around it are made, too. @throws Refusal */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const around = dirname(path);
  // Node's own recursion never ends in a folder that takes no others, as /proc.
  if (around !== path && !(await isFolder(around))) await makeFolder(around);
  await writing(path, () => mkdir(path));
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() ?? false;

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

/** @param code of the platform's error */
export const whyUnwritten = (code: string): string => REASONS[code] ?? code;

async function writing<T>(path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const reason =
      code === 'ENOENT' && (await isFolder(dirname(path))) ? 'its folder takes no files' : whyUnwritten(code);
    throw new Refusal(`${path} cannot be written: ${reason}`);
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;
