/** Each folder of the engine has a README with its input, its output and its invariants. Named paths exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../', import.meta.url);
const FOLDERS = readdirSync(new URL('src/engine/', ROOT), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test.each(FOLDERS)('src/engine/%s', (folder) => {
  const text = readFileSync(new URL(`src/engine/${folder}/README.md`, ROOT), 'utf8');
  expect(text).toMatch(/^# .+\n\n- In: .+\n- Out: .+\n- Holds: .+\n$/);
  const named = [...text.matchAll(/`([\w./-]+\.(?:ts|txt|md|proto|css)|[\w-]+\/)`/g)].map(([, path]) => path!);
  const places = [`src/engine/${folder}/`, ''];
  expect(named.filter((path) => !places.some((place) => existsSync(new URL(place + path, ROOT))))).toEqual([]);
});

test('ARCHITECTURE.md names every folder of src/ and of its engine', () => {
  const text = readFileSync(new URL('ARCHITECTURE.md', ROOT), 'utf8');
  const sources = readdirSync(new URL('src/', ROOT)).filter((name) => name !== 'engine');
  const folders = [...sources.map((name) => `src/${name}`), ...FOLDERS.map((name) => `src/engine/${name}`)];
  expect(folders.filter((folder) => !text.includes(`\`${folder}\``))).toEqual([]);
});

/** A name without a folder is in the folder that the row named before it. */
test('every path of “To add one more” in ARCHITECTURE.md exists', () => {
  const table = readFileSync(new URL('ARCHITECTURE.md', ROOT), 'utf8')
    .split('## To add one more')[1]!
    .split('\n## ')[0]!;
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'));
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    let folder = '';
    for (const [, path] of row.matchAll(/`([\w./-]+(?:\.(?:tsx?|md|css|txt|json)|\/))`/g)) {
      const places = ['', folder, new URL('..', new URL(folder, 'file:///')).pathname.slice(1)];
      expect(
        places.some((place) => existsSync(new URL(place + path, ROOT))),
        `${path} in ${row}`,
      ).toBe(true);
      if (path!.includes('/')) folder = path!.slice(0, path!.lastIndexOf('/') + 1);
    }
  }
});
