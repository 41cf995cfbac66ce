import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryShared } from '#testing/arbitrary-shared.ts';
import { printAnalysisFile, readFile } from './file.ts';
import { isSharedFile } from './file-head.ts';
import { plainView } from './plain-view.ts';
import { SHARED, type Shared } from './shared.ts';
import { VERSION } from './upgrades.ts';

const EXAMPLE: Shared = {
  source: { name: 'search.hex', messages: 1, size: 17, coverage: null, losses: [] },
  made: { date: '2026-11-21', by: '0.1.0' },
  view: plainView(null, 'opensearch'),
  data: { kind: 'inline', payload: Uint8Array.of(8, 1), textEncoding: null, framing: 'single', schema: [] },
};
const TEXT = printAnalysisFile(EXAMPLE);

test('any file opens as it was written', () => {
  fc.assert(
    fc.property(arbitraryShared, (shared) => {
      expect(readFile(printAnalysisFile(shared))).toEqual({ ok: true, value: structuredClone(shared) });
    }),
    { numRuns: 1000 },
  );
});

test('many chosen messages and many schema files open as they were written', () => {
  const { scope } = EXAMPLE.view;
  const ordinals = Array.from({ length: 20_000 }, (_, at) => [2 * at, 2 * at + 1] as const);
  const schema = Array.from({ length: 4000 }, (_, at) => ({ path: `p${at}.proto`, content: '' }));
  const shared = {
    ...EXAMPLE,
    view: { ...EXAMPLE.view, scope: { ...scope, ordinals } },
    data: { ...EXAMPLE.data, schema },
  } as Shared;
  expect(readFile(printAnalysisFile(shared))).toEqual({ ok: true, value: shared });
});

test('its beginning identifies the file, and other JSON is not taken for it', () => {
  expect([TEXT, `\uFEFF${TEXT}`].map((text) => isSharedFile(text.slice(0, 40)))).toEqual([true, true]);
  expect(['{"data":{"wirecost":1}}', '[1]', 'wirecost', ''].map(isSharedFile)).toEqual([false, false, false, false]);
});

describe('a file that is not valid', () => {
  test.each([
    ['cut', TEXT.slice(0, 200), 'cut', 'not complete JSON'],
    ['of a version to come', TEXT.replace(`"wirecost": ${VERSION}`, '"wirecost": 10'), 'newer', 'version 10'],
    ['of no version', TEXT.replace(`"wirecost": ${VERSION}`, '"wirecost": "1"'), 'malformed', 'no version'],
    ['other JSON', '{"a":1}', 'malformed', 'does not begin'],
    ['a list', '[]', 'malformed', 'does not begin'],
    ['with a name too many', TEXT.replace('"made"', '"more": 1, "made"'), 'malformed', 'more'],
    ['with invalid base64', TEXT.replace('"CAE"', '"C*E"'), 'malformed', 'data.payload'],
    ['with an invalid date', TEXT.replace('2026-11-21', 'today'), 'malformed', 'made.date'],
  ])('%s', (_, text, code, words) => {
    expect(readFile(text)).toMatchObject({ ok: false, fault: { code, message: expect.stringContaining(words) } });
  });
});

const docOf = (name: string): string => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

test('the documents name the version that is written', () => {
  const own = docOf('wirecost-json.md');
  expect(own).toMatch(new RegExp(`^# .*, version ${VERSION}\n`));
  expect(own).toContain(`| \`wirecost\` | ${VERSION} |`);
  expect(own.match(/^\| (\d+) \| /m)?.[1]).toBe(`${VERSION}`);
  expect(docOf('permalink.md')).toContain(`#w${VERSION}-`);
});

test('the document describes every name of the file', () => {
  const [own, profile] = ['wirecost-json.md', 'profile-json.md'].map(docOf);
  const isDescribed = (name: string): boolean =>
    own!.includes(`\`${name}\``) || own!.includes(`.${name}\``) || profile!.includes(`\`${name}\``);
  const names = namesOf(SHARED);
  expect([names.has('expanded'), names.has('occurrences')]).toEqual([true, true]);
  expect([...names].filter((name) => !isDescribed(name))).toEqual([]);
});

/** All names of objects in a schema. `view` and `data` are described by what is in them. */
function namesOf(schema: unknown, found = new Set<string>(), seen = new Set<unknown>()): ReadonlySet<string> {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return found;
  seen.add(schema);
  const { entries, wrapped, item, value, options, pipe, items } = schema as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(entries ?? {})) if (name !== 'view' && name !== 'data') found.add(name);
  for (const inner of [entries, options, pipe, items]) {
    for (const one of Object.values(inner ?? {})) namesOf(one, found, seen);
  }
  for (const inner of [wrapped, item, value]) namesOf(inner, found, seen);
  return found;
}
