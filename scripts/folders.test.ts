/** Each folder of the engine opens with what comes in, what goes out, what holds there and how to add one more. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../', import.meta.url);
const FOLDERS = readdirSync(new URL('src/engine/', ROOT), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test.each(FOLDERS)('src/engine/%s', (folder) => {
  const text = readFileSync(new URL(`src/engine/${folder}/README.md`, ROOT), 'utf8');
  expect(text).toMatch(/^# .+\n\n- In: .+\n- Out: .+\n- Holds: .+\n- One more: .+\n$/);
  const named = [...text.matchAll(/`([\w./-]+\.(?:ts|txt|md|proto|css)|[\w-]+\/)`/g)].map(([, path]) => path!);
  const places = [`src/engine/${folder}/`, ''];
  expect(named.filter((path) => !places.some((place) => existsSync(new URL(place + path, ROOT))))).toEqual([]);
});
