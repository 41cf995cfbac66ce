/** A code that a comment or a page of the documentation names is one that a reader can meet. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
const STAGES = 'capture|stream|frame|compression|schema|wire|native|cost|input';

const filesOf = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => readFileSync(new URL(`${folder}/${path}`, ROOT), 'utf8'));

const sources = ['src', 'worker'].flatMap((folder) => filesOf(folder, /\.tsx?$/));
const matches = (texts: readonly string[], pattern: RegExp): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, code]) => code!)));

test('every diagnostic code that is cited is emitted somewhere', () => {
  const cited = matches([...sources, ...filesOf('docs', /\.md$/)], new RegExp(`\`((?:${STAGES})/[a-z0-9-]+)\``, 'g'));
  const emitted = matches(sources, new RegExp(`'((?:${STAGES})/[a-z0-9-]+)'`, 'g'));
  expect([...cited].filter((code) => !emitted.has(code))).toEqual([]);
  expect(cited.size).toBeGreaterThan(0);
});
