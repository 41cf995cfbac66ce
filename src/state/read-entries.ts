/** Dropped files and folders → their files, by path. */
import type { NamedFile } from './dropped-folder.ts';

/** A folder with more files is probably a whole disk. */
const MAX_FILES = 50_000;

/** Folders that never hold the user's own schemas. */
const SKIPPED = new Set(['.git', 'node_modules', '.hg', '.svn']);

/** @param onFile called with the number of files found so far. */
export async function readEntries(
  entries: readonly FileSystemEntry[],
  accepts: (path: string) => boolean,
  onFile: (found: number) => void = () => {},
): Promise<readonly NamedFile[]> {
  const files: NamedFile[] = [];
  const waiting = [...entries];
  for (let entry = waiting.shift(); entry !== undefined && files.length < MAX_FILES; entry = waiting.shift()) {
    if (entry.isDirectory) {
      if (!SKIPPED.has(entry.name)) waiting.push(...(await listFolder(entry as FileSystemDirectoryEntry)));
      continue;
    }
    const path = entry.fullPath.replace(/^\/+/, '');
    if (!accepts(path)) continue;
    const file = await fileOf(entry as FileSystemFileEntry);
    if (file === null) continue;
    files.push({ path, file });
    onFile(files.length);
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A reader returns a hundred entries at a time, and an empty list at the end. */
async function listFolder(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<readonly FileSystemEntry[]>((resolve) => {
      reader.readEntries(resolve, () => resolve([]));
    });
    if (some.length === 0) return found;
    found.push(...some);
  }
}

/** null: it cannot be read, or no longer exists. */
const fileOf = (entry: FileSystemFileEntry): Promise<File | null> =>
  new Promise((resolve) => {
    entry.file(resolve, () => resolve(null));
  });
