/** As someone whose network fails, or whose page is older than its host's, I lose no part of the app and no analysis. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { dist, expect, test } from './page.ts';
import { bytesOf, chooseFiles, fieldTable, openSample } from './steps.ts';

interface Chunk {
  readonly file: string;
  readonly name?: string;
  readonly dynamicImports?: readonly string[];
}
const manifest: Readonly<Record<string, Chunk>> = JSON.parse(readFileSync(`${dist}/.vite/manifest.json`, 'utf8'));
const SCHEMAS = Object.values(manifest).flatMap(({ file, name }) => (name?.startsWith('schemas-') ? [file] : []));
/** Files of the other parts that come when they are needed. */
const LAZY = Object.values(manifest)
  .flatMap(({ dynamicImports = [] }) => dynamicImports.map((key) => manifest[key]!.file))
  .filter((file) => !SCHEMAS.includes(file));

/** A chunk that several others import, or of several modules, has no source, but a name. */
const fileOf = (source: string): string =>
  manifest[source]?.file ??
  Object.values(manifest).find(({ name }) => name === basename(source).replace(/\.tsx?$/, ''))!.file;

const workers: Readonly<Record<string, { readonly first: readonly string[]; readonly onDemand: readonly string[] }>> =
  JSON.parse(readFileSync(`${dist}/.vite/workers.json`, 'utf8'));

const MISSING = 'A part of the app did not load';
const button = (page: Page, name: RegExp | string) => page.getByRole('button', { name });
const openCapture = async (page: Page): Promise<void> => {
  await page.goto('.');
  await button(page, /what passes between nodes/).click();
};
const openHits = (page: Page): Promise<void> => openSample(page, /ten search hits/);
const link = (kind: string): string => {
  const lines = bytesOf('fixtures/permalinks.txt').toString('utf8').split('\n');
  return lines
    .find((line) => line.startsWith('2 ') && line.includes(` ${kind} `))!
    .split(' ')
    .at(-1)!;
};

interface Story {
  /** The step that loads the part. */
  readonly ask: (page: Page) => Promise<unknown>;
  /** An element that exists once the part is loaded. */
  readonly there: (page: Page) => ReturnType<Page['locator']>;
  /** Where it is not drawn but asked for: what is said without it, if anything is. */
  readonly without?: RegExp | null;
}

const PARTS: Readonly<Record<string, Story>> = {
  'src/views/explorer/explorer.tsx': {
    ask: (page) => page.goto('./#/schema'),
    there: (page) => page.getByRole('link', { name: '← Home' }),
  },
  'src/views/input/input-panel.tsx': {
    ask: async (page) => {
      await openHits(page);
      await page.keyboard.press('i');
    },
    there: (page) => page.getByRole('region', { name: 'Opened input' }),
  },
  'src/views/schema/schema-panel.tsx': {
    ask: async (page) => {
      await openHits(page);
      await page.keyboard.press('s');
    },
    there: (page) => page.locator('.monaco-editor .view-line').first(),
  },
  'src/views/share/share-dialog.tsx': {
    ask: async (page) => {
      await openHits(page);
      await page.keyboard.press('l');
    },
    there: (page) => page.getByRole('dialog', { name: 'Share this analysis' }),
  },
  analysis: {
    ask: openHits,
    there: (page) => page.getByRole('region', { name: /^Message \d/ }),
  },
  'src/app/capture-views.ts': {
    ask: openCapture,
    there: (page) => page.getByRole('tree', { name: 'Groups of messages' }),
  },
  'src/permalink/fragment.ts': {
    ask: (page) => page.goto(`./#${link('profile')}`),
    there: (page) => page.getByRole('note'),
  },
  'src/permalink/file.ts': {
    ask: async (page) => {
      await page.goto('.');
      const buffer = Buffer.from('{"wirecost": 99}');
      await chooseFiles(page, { name: 'a.wirecost.json', mimeType: 'application/json', buffer });
    },
    there: (page) => page.getByText('is of version 99'),
  },
};

/** Fails the first `times` requests of each file, or every one. */
async function failRequests(page: Page, files: readonly string[], times: number): Promise<ReadonlyMap<string, number>> {
  const asked = new Map<string, number>();
  await page.route(/\/assets\//, async (route) => {
    const file = files.find((name) => route.request().url().endsWith(name));
    if (file === undefined) return route.fallback();
    const count = (asked.get(file) ?? 0) + 1;
    asked.set(file, count);
    return count <= times ? route.abort() : route.fallback();
  });
  return asked;
}

/** A part that fails once is asked for again; where it always fails, the page shows that it is missing. */
async function failOnceAndAlways(page: Page, file: string, { ask, there }: Story): Promise<void> {
  const asked = await failRequests(page, [file], 1);
  await ask(page);
  await expect(there(page)).toBeVisible();
  await expect.poll(() => asked.get(file)).toBeGreaterThan(1);
  await expect(page.getByText(MISSING)).toHaveCount(0);

  await page.goto('about:blank');
  await page.unrouteAll();
  await failRequests(page, [file], Number.POSITIVE_INFINITY);
  await ask(page);
  await expect(page.getByText(MISSING).first()).toBeVisible();
}

for (const [source, story] of Object.entries(PARTS)) {
  test(`${source}, refused once and refused always`, async ({ page, provoked }) => {
    provoked.push(/request failed|broken off|console|ERR_FAILED/);
    await failOnceAndAlways(page, fileOf(source), story);
    // The host has the file again: the page continues.
    await page.unrouteAll();
    await page.waitForTimeout(500);
    await button(page, 'Reload').first().click();
    await expect(page.getByText(MISSING)).toHaveCount(0);
  });
}

test('the network is left to the first frame: parts of the home page are requested after it', async ({ page }) => {
  await page.addInitScript(() => {
    new MutationObserver((_, drawn) => {
      if (document.querySelector('h1') === null) return;
      drawn.disconnect();
      requestAnimationFrame(() => performance.mark('frame'));
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto('.');
  await expect(page.getByRole('img', { name: /by field/ }).first()).toBeVisible();
  const early = await page.evaluate(() => {
    const { startTime: frame } = performance.getEntriesByName('frame')[0]!;
    const before = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < frame);
    return before.map(({ name }) => name.split('/').at(-1)!);
  });
  const linked = [...readFileSync(`${dist}/index.html`, 'utf8').matchAll(/assets\/([^"]+)/g)].map(([, file]) => file!);
  expect(early.sort()).toEqual(linked.sort());
});

test('bundled schemas whose request fails once are loaded; if it always fails, the page reports it', async ({
  page,
  provoked,
}) => {
  provoked.push(/request failed|broken off|console|ERR_FAILED/);
  // Style sheets that are still on their way while many schemas fail are each requested once more, not once a schema.
  const styles = new Map<string, number>();
  await page.route(/\/assets\/.*\.css/, async (route) => {
    const url = route.request().url();
    styles.set(url, (styles.get(url) ?? 0) + 1);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.fallback();
  });
  await failRequests(page, SCHEMAS, 1);
  await openCapture(page);
  await expect(fieldTable(page)).toBeVisible();
  await expect(page.getByText(MISSING)).toHaveCount(0);
  expect(Math.max(...styles.values())).toBeLessThanOrEqual(2);
  await page.goto('about:blank');
  await page.unrouteAll();
  await failRequests(page, SCHEMAS, Number.POSITIVE_INFINITY);
  await openCapture(page);
  await expect(page.getByText(MISSING)).toBeVisible();
});

/** The worker's own files, beside those that it starts with. */
const OF_WORKER: Readonly<Record<string, Story>> = {
  'shared-reading': {
    ask: openCapture,
    there: (page) => page.getByRole('tree', { name: 'Groups of messages' }),
  },
  'inspect-message': {
    ask: openHits,
    there: (page) => page.getByRole('region', { name: 'Protobuf bytes' }),
  },
  'explore-handlers': {
    ask: async (page) => {
      await openHits(page);
      await page.getByRole('link', { name: 'Explore types' }).click();
    },
    there: (page) => page.getByRole('tree').first(),
  },
  'share-handlers': {
    ask: async (page) => {
      await openHits(page);
      await page.keyboard.press('l');
      await page.getByRole('radio', { name: /shape/i }).check();
    },
    there: (page) =>
      page
        .getByRole('dialog')
        .getByText(/#w2-|kB|bytes/)
        .first(),
  },
};

for (const [part, story] of Object.entries(OF_WORKER)) {
  test(`${part} of the worker, refused once and refused always`, async ({ page, provoked }) => {
    provoked.push(/request failed|broken off|console|ERR_FAILED/);
    const file = workers['main']!.onDemand.find((name) => basename(name).startsWith(`${part}-`))!;
    await failOnceAndAlways(page, file, story);
  });
}

for (const part of ['brotli-decoder', 'brotli_dec_wasm_bg']) {
  test(`${part}, refused once and refused always`, async ({ page, provoked }) => {
    provoked.push(/request failed|broken off|console|ERR_FAILED/);
    const file = workers['main']!.onDemand.find((name) => basename(name).startsWith(part))!;
    const buffer = brotliCompressSync(bytesOf('fixtures/input/codecfixture.rw1.binpb'));
    const ask = async (): Promise<void> => {
      await page.goto('.');
      await chooseFiles(page, { name: 'a.binpb.br', mimeType: '', buffer });
    };
    await failOnceAndAlways(page, file, { ask, there: fieldTable });
  });
}

test('a worker whose file fails once starts; if it always fails, the page reports it', async ({ page, provoked }) => {
  provoked.push(/request failed|broken off|console|ERR_FAILED|uncaught/);
  const files = workers['main']!.first;
  await failRequests(page, files, 1);
  await openHits(page);
  await expect(fieldTable(page)).toBeVisible();
  await page.goto('about:blank');
  await page.unrouteAll();
  await failRequests(page, files, Number.POSITIVE_INFINITY);
  await page.goto('.');
  await button(page, /ten search hits/).click();
  await expect(page.getByText(/Failed to fetch|did not load/).first()).toBeVisible();
});

/** Drawn or asked for by the same function as those above; which is tried in src/state/load-part.test.ts. */
const LIKE_THEM: readonly string[] = [
  'src/app/imported-files.ts',
  'src/app/keys-dialog.tsx',
  'src/app/print.css',
  'src/app/typeface.ts',
  'src/app/update-note.tsx',
  'src/engine/explore/print-pages.ts',
  'src/permalink/shared.ts',
  'src/state/measured/measurements.ts',
  'src/state/opening/open-files.ts',
  'src/state/opening/open-shared.ts',
  'src/state/addresses/page-address.ts',
  'src/state/addresses/share.ts',
  'src/views/advice/advice-panel.tsx',
  'src/views/explain/explanations.tsx',
  'src/views/findings/finding-list.tsx',
  'src/views/home/example.tsx',
  'src/views/home/one-field-twice.tsx',
  'src/views/input/kept-inputs.tsx',
  'src/views/input/no-message.tsx',
  'src/views/matrix/matrix-panel.tsx',
  'src/views/message/absent-field.tsx',
  'src/views/message/captured-bytes.tsx',
  'src/views/message/content-bytes.tsx',
  'src/views/message/copied-from.tsx',
  'src/views/message/part-bar.tsx',
  'src/views/pair/pair-views.ts',
  'src/views/schema/proto-editor.tsx',
  'src/views/share/shared-note.tsx',
  'src/views/trail/trail.tsx',
  'src/views/verdict/implausibility-note.tsx',
  'src/views/verdict/paid-frame.ts',
  'src/views/verdict/savings.tsx',
  'src/wording/terms.ts',
];

test('every part that loads on demand is tested here', () => {
  const known = new Set([...Object.keys(PARTS), ...LIKE_THEM].map(fileOf));
  expect(LAZY.filter((file) => !known.has(file))).toEqual([]);
});
