/** Links of every version and kind, as written by that version: each still opens. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decodeFragment, encodeFragment } from './fragment.ts';
import { VERSION } from './upgrades.ts';

const LINKS = readFileSync(new URL('../../fixtures/permalinks.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' ') as [version: string, kind: string, name: string, fragment: string]);

test.each(LINKS)('version %s: %s of %s', async (version, kind, name, fragment) => {
  const opened = await decodeFragment(fragment);
  if (!opened.ok) throw new Error(opened.fault.message);
  expect(opened.value).toMatchObject({ source: { name }, data: { kind } });
  expect(fragment.startsWith(`w${version}-`)).toBe(true);
  // An opened link can be shared again.
  expect(await decodeFragment(encodeFragment(opened.value)!)).toEqual(opened);
});

test('each kind and each version has a link', () => {
  for (let version = 1; version <= VERSION; version++) {
    const kinds = new Set(LINKS.filter(([of]) => of === String(version)).map(([, kind]) => kind));
    expect([...kinds].sort()).toEqual(['address', 'inline', 'profile', 'sample', 'shape']);
  }
});

test('A of the first version that compared two inputs has its figures', async () => {
  const compared = [];
  for (const [version, , , fragment] of LINKS) {
    const opened = await decodeFragment(fragment);
    if (opened.ok && opened.value.baseline) compared.push({ version, ...opened.value.baseline });
  }
  expect(compared).toMatchObject([
    {
      version: '2',
      name: 'opensearch-search-hits.binpb',
      profile: {
        pair: ['protobuf', 'laid-out'],
        messages: 1,
        ledgers: { protobuf: { bytes: 9191 }, 'laid-out': { bytes: 9125 } },
      },
    },
  ]);
});
