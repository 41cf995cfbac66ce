/**
 * Inputs are kept up to a total size; the oldest that no tab shows make room. They are kept where a browser keeps no
 * blobs, too.
 */
import { expect, test } from 'vitest';
import { memoryDatabase } from './indexed-db.testing.ts';
import { createKeptInputs, type KeptInput, MAX_OF_ONE } from './kept-inputs.ts';

const MIB = 1 << 20;
const inputOf = (id: string, size: number, opened: number): KeptInput => ({
  id,
  name: id,
  size,
  opened,
  data: new Blob(),
  isShared: false,
  textEncoding: undefined,
  framing: undefined,
  schema: null,
});

/** @param open ids of inputs that other tabs show */
const locksOf = (open: readonly string[]) =>
  ({
    request: async () => {},
    query: async () => ({ held: open.map((id) => ({ name: `wirecost-input ${id}` })) }),
  }) as unknown as LockManager;

test.each([
  ['the oldest one makes room', [], 100 * MIB, 'kept', 'new e d c b'],
  ['one that a tab shows stays', ['a'], 100 * MIB, 'kept', 'new e d c a'],
  ['none is deleted if all are not enough', ['a', 'b', 'd', 'e'], 100 * MIB, 'too-large', 'e d c b a'],
  ['one that is too large itself deletes none', [], MAX_OF_ONE + 1, 'too-large', 'e d c b a'],
] as const)('%s', async (_, open, size, expected, left) => {
  const { factory } = memoryDatabase();
  const before = createKeptInputs(factory, locksOf([]));
  // 24 MiB are free.
  const sizes = { a: 250, b: 250, c: 50, d: 250, e: 200 };
  for (const [at, [id, mib]] of Object.entries(sizes).entries()) await before.put(inputOf(id, mib * MIB, at));
  const kept = createKeptInputs(factory, locksOf(open));
  expect(await kept.put(inputOf('new', size, 9))).toBe(expected);
  expect((await kept.list()).map(({ id }) => id).join(' ')).toBe(left);
});

test.each([
  ['blobs', true],
  ['plain bytes only', false],
] as const)('a browser that keeps %s gives the input back', async (_, keepsBlobs) => {
  const { factory } = memoryDatabase(keepsBlobs);
  const kept = createKeptInputs(factory, undefined);
  expect(await kept.put({ ...inputOf('mine', 3, 0), data: new Blob(['abc']) })).toBe('kept');
  const again = await createKeptInputs(factory, undefined).get('mine');
  expect(await again?.data.text()).toBe('abc');
});
