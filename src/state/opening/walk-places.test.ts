/** The files of a folder are the same in every form in which browsers give it, and those that are not read are named. */
import { expect, test } from 'vitest';
import { MOST_FILES } from '#engine/model/folder-rules.ts';
import type { FolderHandle } from '../kept/kept-folders.ts';
import { type Place, placeOfEntry, placeOfFile, placeOfHandle, walkPlaces } from './walk-places.ts';

/** A folder by name; null: a file or a folder that cannot be read. */
interface Folder {
  readonly [name: string]: Folder | 'file' | null;
}

const refused = new DOMException('It cannot be read.', 'NotReadableError');

function entryOf(fullPath: string, content: Folder[string]): FileSystemEntry {
  if (content === 'file' || content === null) {
    const file = (found: FileCallback, fails: (error: DOMException) => void) =>
      content === null ? fails(refused) : found(new File([], fullPath));
    return { isDirectory: false, fullPath, file } as unknown as FileSystemEntry;
  }
  // A browser gives some at a time.
  const waiting = Object.entries(content).map(([name, one]) => entryOf(`${fullPath}/${name}`, one));
  const createReader = () => ({ readEntries: (found: FileSystemEntriesCallback) => found(waiting.splice(0, 2)) });
  return { isDirectory: true, fullPath, createReader } as unknown as FileSystemEntry;
}

function handleOf(name: string, content: Folder[string]): FolderHandle {
  if (content === 'file' || content === null) {
    const getFile = async () => (content === null ? Promise.reject(refused) : new File([], name));
    return { kind: 'file', name, getFile } as unknown as FolderHandle;
  }
  const values = async function* () {
    for (const [inside, one] of Object.entries(content)) yield handleOf(inside, one);
  };
  return { kind: 'directory', name, values } as unknown as FolderHandle;
}

const filesOf = (path: string, content: Folder[string]): readonly File[] =>
  content === 'file' || content === null
    ? [Object.assign(new File([], path), { webkitRelativePath: path })]
    : Object.entries(content).flatMap(([name, one]) => filesOf(`${path}/${name}`, one));

const paths = async (places: Iterable<Place>) => {
  const { files, left } = await walkPlaces(places);
  return { files: files.map(({ path }) => path), left };
};

const folder = {
  b: 'file',
  a: { 'c.out': 'file', '.git': { x: 'file' }, node_modules: { y: 'file' } },
  d: 'file',
  '.hidden': 'file',
} satisfies Folder;

test.each([
  ['dropped entries', () => [placeOfEntry(entryOf('/f', folder))]],
  ['a handle', () => [placeOfHandle(handleOf('f', folder))]],
  ['a list of files', () => filesOf('f', folder).map(placeOfFile)],
])('a folder as %s has the same files, without those of systems and tools', async (_, places) => {
  expect(await paths(places())).toEqual({ files: ['f/a/c.out', 'f/b', 'f/d'], left: [] });
});

test.each([
  ['dropped entries', placeOfEntry(entryOf('/f', { a: 'file', b: null }))],
  ['a handle', placeOfHandle(handleOf('f', { a: 'file', b: null }))],
])('a file of a folder that cannot be read is named: %s', async (_, place) => {
  expect(await paths([place])).toEqual({ files: ['f/a'], left: [{ path: 'f/b', why: 'unread' }] });
});

test('a folder that cannot be read is named, and one that a person names is read, with any name', async () => {
  const gone: Place = {
    path: 'gone',
    inside: async function* () {
      yield* [];
      throw refused;
    },
  };
  expect(await paths([gone, placeOfHandle(handleOf('.config', { a: 'file' }))])).toEqual({
    files: ['.config/a'],
    left: [{ path: 'gone/', why: 'unread' }],
  });
});

test.each([
  ['without files, as dropped entries', placeOfEntry(entryOf('/f', {})), [{ path: 'f/', why: 'empty' }]],
  ['without files, as a handle', placeOfHandle(handleOf('f', { a: {} })), [{ path: 'f/', why: 'empty' }]],
  ['of a tool alone', placeOfEntry(entryOf('/f', { '.git': { x: 'file' } })), [{ path: 'f/', why: 'empty' }]],
  [
    'of a tool alone, as a list',
    placeOfFile(filesOf('f', { '.git': { x: 'file' } })[0]!),
    [{ path: 'f/', why: 'empty' }],
  ],
  ['whose one file cannot be read', placeOfEntry(entryOf('/f', { a: null })), [{ path: 'f/a', why: 'unread' }]],
] as const)('a folder %s is named', async (_, place, left) => {
  expect(await paths([place])).toEqual({ files: [], left });
});

test('the first file beyond the limit is named', async () => {
  const some = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 'file' as const]));
  const exact = await paths([placeOfHandle(handleOf('d', some(MOST_FILES)))]);
  expect([exact.files.length, exact.left]).toEqual([MOST_FILES, []]);
  const many = await paths([placeOfHandle(handleOf('d', some(MOST_FILES + 10)))]);
  expect([many.files.length, many.left]).toEqual([MOST_FILES, [{ path: `d/f${MOST_FILES}`, why: 'beyond' }]]);
});
