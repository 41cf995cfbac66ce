/** As someone whose network fails I lose no part of the worker and no analysis. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { dist, expect, test } from './page.ts';
import { bytesOf, chooseFiles, fieldTable, openSample } from './steps.ts';

const { main } = JSON.parse(readFileSync(`${dist}/.vite/workers.json`, 'utf8')) as {
  readonly main: { readonly first: readonly string[]; readonly onDemand: readonly string[] };
};
/** `assets/read-json-B6pzJadb.js` → `read-json`. */
const nameOf = (file: string): string => basename(file).replace(/-[\w-]{8}\.js$/, '');
/** Names of the files that `import()` loads, each with those that it imports. */
const LAZY = new Set(
  [...main.first, ...main.onDemand]
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => [
      ...readFileSync(`${dist}/${file}`, 'utf8').matchAll(/\bimport\(\s*[`"']\.\/([^`"']+)[`"']\s*\)/g),
    ])
    .map(([, file]) => nameOf(file!)),
);

const MISSING = 'A part of the app did not load';
const PATIENT = { timeout: 10_000 };
const HITS = bytesOf('public/samples/opensearch-search-hits.binpb');
const file = (name: string, content: string | Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

interface Step {
  /** Names of the files that load with it. */
  readonly loads: readonly string[];
  readonly ask: (page: Page) => Promise<unknown>;
  readonly there: (page: Page) => ReturnType<Page['locator']>;
}

const opening = (name: string, content: string | Uint8Array, loads: readonly string[]): Step => ({
  loads,
  ask: async (page) => {
    await page.getByRole('button', { name: 'Wirecost', exact: true }).click(PATIENT);
    await chooseFiles(page, file(name, content));
  },
  there: (page) => page.getByRole('banner').getByText(name).or(page.getByText(name)).first(),
});

/** On an open sample. */
const ON_SAMPLE: readonly Step[] = [
  {
    loads: ['matrix-handlers', 'brotli-encoder', 'dist', 'gzip-encoder'],
    ask: (page) => page.getByRole('button', { name: 'Encodings' }).click(),
    there: (page) => page.getByRole('table', { name: 'Encodings and compressors' }).getByRole('rowheader').first(),
  },
  {
    loads: ['bits-handlers'],
    ask: (page) => page.getByRole('combobox', { name: 'After compression' }).selectOption('zstd'),
    there: (page) => page.getByText(/^After zstd level 3, /),
  },
  {
    loads: ['advise-handlers'],
    ask: (page) => page.getByRole('button', { name: 'What should change' }).click(),
    there: (page) => page.getByRole('table', { name: 'Changes that would pay' }).getByRole('row').nth(1),
  },
];

const OPENED: readonly Step[] = [
  opening('a.hex', HITS.toString('hex'), ['judge-text']),
  opening('a.bin.gz', gzipSync(HITS), ['look-inside', 'unwrap', 'registry']),
  opening('a.br', brotliCompressSync(HITS), ['brotli-decoder']),
  opening('a.pcap', bytesOf('public/samples/opensearch-search.pcap'), [
    'shared-reading',
    'tls-decoder',
    'reflected-schema',
  ]),
  opening('a.pcap.gz', gzipSync(bytesOf('public/samples/opensearch-search.pcap')), ['gzip-source']),
  opening('a.json', '{"name": "value", "list": [1, 2, 3]}', [
    'classify-text',
    'read-json',
    'inspect-captured',
    'other-side',
  ]),
  opening('a.txtpb', 'name: "value"\nlist { number: 1 }\nlist { number: 2 }\n', ['read-txtpb']),
];

const NOT_STORED = ['unwrap', 'gzip-source', 'judge-text', 'read-json', 'read-txtpb'];

/** Loaded by the same function (scripts/needed-files.test.ts); `parts.spec.ts` has some of them. */
const LIKE_THEM: readonly string[] = [
  'action-framer',
  'browser-pool',
  'compare-handlers',
  'described',
  'encoding-ledger',
  'encodings',
  'explore-handlers',
  'faults',
  'first-loss',
  'first-with-field',
  'inspect-against',
  'json-itself',
  'language-handlers',
  'ledger-collector',
  'native-losses',
  'packed-contents',
  'plan-groups',
  'read-files',
  'read-history',
  'read-share',
  'share-handlers',
  'shared-run',
  'sum-range',
  'types-at',
  'unlike-files',
  'unpack-source',
  'zstd-dictionary',
];
const DRIVEN = new Set(['inspect-message', ...[...ON_SAMPLE, ...OPENED].flatMap(({ loads }) => loads)]);

test('every file that the worker loads on demand is tested here', () => {
  expect([...LAZY].filter((name) => !DRIVEN.has(name)).sort()).toEqual(LIKE_THEM);
});

/**
 * Fails the first `times` requests of each of the worker's files that `fails` names.
 * @returns requests by the file's name
 */
async function failRequests(
  page: Page,
  times: number,
  fails: (name: string) => boolean,
): Promise<ReadonlyMap<string, number>> {
  const asked = new Map<string, number>();
  await page.route(/\/assets\//, async (route) => {
    const name = nameOf(route.request().url());
    if (!LAZY.has(name) || !fails(name)) return route.fallback();
    const count = (asked.get(name) ?? 0) + 1;
    asked.set(name, count);
    return count <= times ? route.abort() : route.fallback();
  });
  return asked;
}

test('every file of the worker is requested again after its first request failed', async ({ page, provoked }) => {
  provoked.push(/request failed|broken off|console|ERR_FAILED/);
  const asked = await failRequests(page, 1, (name) => DRIVEN.has(name));
  const take = async (steps: readonly Step[]): Promise<void> => {
    await openSample(page, /ten search hits/);
    for (const { ask, there } of steps) {
      await ask(page);
      await expect(there(page)).toBeVisible(PATIENT);
      await expect(fieldTable(page)).toBeVisible(PATIENT);
    }
  };
  // Files on the sample import some of the others: with theirs, more requests than tries would fail.
  await take(OPENED);
  await take(ON_SAMPLE);
  await expect.poll(() => [...DRIVEN].filter((name) => (asked.get(name) ?? 0) < 2)).toEqual([]);
  await expect(page.getByText(MISSING)).toHaveCount(0);
});

test('files of the worker that never load are reported as missing; a reload opens the analysis again', async ({
  page,
  provoked,
}) => {
  provoked.push(/request failed|broken off|console|ERR_FAILED/);
  await openSample(page, /ten search hits/);
  let failing: readonly string[] = [];
  await failRequests(page, Number.POSITIVE_INFINITY, (name) => failing.includes(name));
  const askInVain = async ({ ask, loads }: Step): Promise<void> => {
    failing = loads;
    await ask(page);
    await expect(page.getByText(MISSING).first(), loads.join()).toBeVisible(PATIENT);
  };
  for (const step of ON_SAMPLE) {
    await askInVain(step);
    await expect(fieldTable(page)).toBeVisible();
    await page.getByRole('button', { name: 'Dismiss' }).click(PATIENT);
  }
  for (const step of OPENED) {
    await askInVain(step);
    failing = [];
    // Gzip or text may hold a capture with keys of TLS: it is not stored before it is read, but it can be opened again.
    if (step.loads.some((name) => NOT_STORED.includes(name))) await step.ask(page);
    else await page.getByRole('button', { name: 'Reload' }).first().click(PATIENT);
    await expect(fieldTable(page), step.loads.join()).toBeVisible(PATIENT);
    await expect(page.getByText(MISSING)).toHaveCount(0);
  }
});
