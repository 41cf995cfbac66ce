/** Every file that the engine or the worker loads on demand is requested again if it fails, and then reported as missing. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../', import.meta.url);
const sourcesIn = (folder: string): readonly string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(?:test|testing|d)\.ts$/.test(name))
    .map((name) => folder + name);
const SOURCES = ['worker/', 'src/engine/'].flatMap(sourcesIn);

/** The functions of `src/engine/model/needed-file.ts`, and `onDemand`, which calls them. */
const REPEATED = /(?:\b(?:needed|retry)\(\s*\(\) => |\bonDemand<\w+>\([^;]*?async \(\) =>\s+\(await )$/;
/** The only one that nothing needs: without it, one worker does all. */
const OPTIONAL = ["worker/load-pool.ts: import('./browser-pool.ts')"];

/** `import('…')` in code, with what stands before it. Types and texts are left out. */
const loadsIn = (text: string): readonly (readonly [before: string, load: string])[] =>
  [...text.matchAll(/(?<!typeof )\bimport\(\s*'[^']+'\s*\)/g)].map((match) => [
    text.slice(0, match.index),
    match[0].replace(/\s/g, ''),
  ]);

test('each goes through a function that repeats its request', () => {
  const all = SOURCES.flatMap((path) =>
    loadsIn(readFileSync(new URL(path, ROOT), 'utf8')).map(([before, load]) => ({ path, before, load })),
  );
  expect(all.length).toBeGreaterThan(30);
  const bare = all.filter(({ before }) => !REPEATED.test(before)).map(({ path, load }) => `${path}: ${load}`);
  expect(bare).toEqual(OPTIONAL);
});
