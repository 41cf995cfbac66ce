/** Dropped, picked and kept files and folders → their files by path: one walk, for every form in which a browser gives them. */
import { isOfSystem, MOST_FILES } from '#engine/model/folder-rules.ts';
import type { LeftOut } from '#wording/left-out-words.ts';
import type { FolderHandle } from '../kept/kept-folders.ts';
import type { NamedFile } from './dropped-folder.ts';

/** A file, or a folder with what is in it. Both reject if they cannot be read, or no longer exist. */
export type Place = { readonly path: string } & (
  | { readonly file: () => Promise<File> }
  | { readonly inside: () => AsyncIterable<Place> }
);

export interface Walked {
  /** By path. */
  readonly files: readonly NamedFile[];
  readonly left: readonly LeftOut[];
}

/**
 * Files of systems and tools are left out without a notice; those that a person names alone are not. If nothing is left,
 * the folders are named.
 */
export async function walkPlaces(places: Iterable<Place>): Promise<Walked> {
  const files: NamedFile[] = [];
  const left: LeftOut[] = [];
  const given = [...places];
  const waiting = [...given];
  for (let at = 0; at < waiting.length; at++) {
    const place = waiting[at]!;
    const { path } = place;
    if (isOfSystem(path)) continue;
    if (files.length === MOST_FILES) {
      left.push({ path, why: 'beyond' });
      break;
    }
    try {
      if ('file' in place) files.push({ path, file: await place.file() });
      else for await (const one of place.inside()) waiting.push(one);
    } catch {
      left.push({ path: 'file' in place ? path : `${path}/`, why: 'unread' });
    }
  }
  if (files.length === 0 && left.length === 0) {
    const folders = new Set(given.map(({ path }) => path.split('/', 1)[0]!));
    left.push(...Array.from(folders, (name): LeftOut => ({ path: `${name}/`, why: 'empty' })));
  }
  // Files that were chosen one by one keep their order: the first of two is A.
  const loose = files.filter(({ path }) => !path.includes('/'));
  const inFolders = files.filter(({ path }) => path.includes('/')).sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files: [...loose, ...inFolders], left };
}

/** Files of a folder keep their path, because imports name them by it. */
export const placeOfFile = (file: File): Place => ({
  path: file.webkitRelativePath || file.name,
  file: async () => file,
});

export function placeOfEntry(entry: FileSystemEntry): Place {
  const path = entry.fullPath.replace(/^\/+/, '');
  return entry.isDirectory
    ? { path, inside: () => entriesIn((entry as FileSystemDirectoryEntry).createReader()) }
    : { path, file: () => new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)) };
}

/** A reader returns a hundred entries at a time, and an empty list at the end. */
async function* entriesIn(reader: FileSystemDirectoryReader): AsyncGenerator<Place> {
  for (;;) {
    const some = await new Promise<readonly FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return;
    yield* some.map(placeOfEntry);
  }
}

export function placeOfHandle(handle: FolderHandle | FileSystemFileHandle, path: string = handle.name): Place {
  return handle.kind === 'file'
    ? { path, file: () => handle.getFile() }
    : {
        path,
        inside: async function* () {
          for await (const one of handle.values()) yield placeOfHandle(one, `${path}/${one.name}`);
        },
      };
}
