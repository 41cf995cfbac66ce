/** Handles of folders that the browser keeps. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { memoryDatabase } from './indexed-db.testing.ts';
import { type FolderHandle, keepFolder, listFolders } from './kept-folders.ts';

const folder = (name: string) =>
  ({ name, isSameEntry: async (other: FolderHandle) => other.name === name }) as unknown as FolderHandle;
const names = async () => (await listFolders()).map(({ name }) => name);

beforeEach(() => {
  vi.stubGlobal('indexedDB', memoryDatabase().factory);
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function keep(...given: readonly string[]): Promise<void> {
  for (const name of given) {
    vi.advanceTimersByTime(1);
    await keepFolder(folder(name));
  }
}

const twenty = Array.from({ length: 20 }, (_, at) => `f${at}`);

test.each([
  ['the twenty-first makes the browser forget the oldest', 'new', ['new', ...twenty.slice(1).reverse()]],
  [
    'one of twenty that is opened again is the newest, and none is forgotten',
    'f5',
    ['f5', ...twenty.filter((name) => name !== 'f5').reverse()],
  ],
  ['so is the oldest of twenty', 'f0', ['f0', ...twenty.slice(1).reverse()]],
])('%s', async (_, name, expected) => {
  await keep(...twenty, name);
  expect(await names()).toEqual(expected);
});
