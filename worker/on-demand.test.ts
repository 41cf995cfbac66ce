import { expect, test } from 'vitest';
import { MissingFile } from '#engine/model/needed-file.ts';
import { onDemand } from './on-demand.ts';
import type { Context } from './protocol.ts';

interface TestApi {
  double(params: { readonly of: number }): number;
  half(params: { readonly of: number }): number;
}

const HANDLERS = {
  double: ({ of }: { readonly of: number }) => 2 * of,
  half: ({ of }: { readonly of: number }) => of / 2,
};
const CONTEXT = {} as Context<number>;

test('the file is loaded with the first call, once', async () => {
  let loads = 0;
  const { double, half } = onDemand<TestApi>({ double: true, half: true }, async () => {
    loads++;
    return HANDLERS;
  });
  expect(loads).toBe(0);
  expect(await Promise.all([double({ of: 4 }, CONTEXT), half({ of: 4 }, CONTEXT)])).toEqual([8, 2]);
  expect(loads).toBe(1);
});

test('a file that cannot be loaded is missing; the next call tries again', async () => {
  let isThere = false;
  const { double } = onDemand<TestApi>({ double: true, half: true }, async () => {
    if (!isThere) throw new TypeError('Failed to fetch dynamically imported module');
    return HANDLERS;
  });
  await expect(double({ of: 4 }, CONTEXT)).rejects.toBeInstanceOf(MissingFile);
  isThere = true;
  expect(await double({ of: 4 }, CONTEXT)).toBe(8);
});
