import { expect, test } from 'vitest';
import { loadPart, MissingPart } from './load-part.ts';

test.each([
  [0, 1],
  [1, 2],
  [2, 3],
])('a part whose request fails %i times is loaded by request %i', async (failures, requests) => {
  let asked = 0;
  const part = await loadPart(async () => {
    if (asked++ < failures) throw new TypeError('Failed to fetch dynamically imported module');
    return 'the part';
  });
  expect([part, asked]).toEqual(['the part', requests]);
});

test('a part that cannot be loaded is missing, with the reason', async () => {
  const cause = new TypeError('Failed to fetch dynamically imported module');
  const part = loadPart(() => Promise.reject(cause));
  await expect(part).rejects.toBeInstanceOf(MissingPart);
  await expect(part).rejects.toMatchObject({ cause });
});
