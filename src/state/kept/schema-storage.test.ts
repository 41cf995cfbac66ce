/** Remembered schema files come back as they were loaded. */
import { expect, test } from 'vitest';
import { memoryDatabase } from './indexed-db.testing.ts';
import { createSchemaStorage } from './schema-storage.ts';

const files = (said: string) => said.split(' ').map((one) => ({ path: one[0]!, content: one.slice(1) }));

test.each([
  ['a file is loaded again', 'a1 b1 c1', 'b1 c1 a2', ['a']],
  ['a file is loaded again and is the same', 'a1 b1 c1', 'b1 c1 a1', ['a']],
  ['a file is edited', 'a1 b1 c1', 'a1 b2 c1', ['b']],
  ['a file is added', 'a1 b1', 'a1 b1 c1', ['c']],
  ['the first file is removed', 'a1 b1 c1', 'b1 c1', []],
  ['files take the place of an archive', 'a1 z1 c1', 'a1 d1 e1 c1', ['d', 'e', 'c']],
])('%s: the order stays, and few files are written', async (_, first, then, written) => {
  const { factory, writes } = memoryDatabase();
  const storage = createSchemaStorage(factory);
  await storage.remember(files(first));
  writes.length = 0;
  expect(await storage.remember(files(then))).toBe(true);
  expect(writes).toEqual(written);
  const later = createSchemaStorage(factory);
  expect(await later.recall()).toEqual(files(then));
  // Files that were recalled are not written again.
  writes.length = 0;
  await later.remember(files(`${then} y1`));
  expect(writes).toEqual(['y']);
  expect(await createSchemaStorage(factory).recall()).toEqual(files(`${then} y1`));
});
