/** As someone who is sent a link I see what the sender saw, with anything on their screen, and no failure. */
import type { Browser, Page } from '@playwright/test';
import { decodeFragment, encodeFragment } from '#permalink/fragment.ts';
import { plainView } from '#permalink/plain-view.ts';
import { expect, test } from './page.ts';
import { bytesOf, fieldTable, linkAs, openSample, readText, shareDialog, verdictOf } from './steps.ts';

const viewport = { width: 1280, height: 1200 };
test.use({ viewport });

/** The editor announces nothing in elements of its own. */
async function showsNoFault(page: Page): Promise<void> {
  await expect(page.getByText('Reading…')).toHaveCount(0);
  await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0);
}

/** In a browser that has never been here. */
async function opensElsewhere(browser: Browser, link: string, expected: string, width = viewport.width): Promise<void> {
  const fresh = await browser.newContext({ viewport: { ...viewport, width }, serviceWorkers: 'block' });
  const page = await fresh.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(link);
  await expect(page.getByRole('button', { name: 'Share' })).toBeVisible();
  await showsNoFault(page);
  // On a narrow page the costs are one of the tabs, and stand behind the others.
  const costs = page.getByRole('tab', { name: 'Costs' });
  if (width < 1000) await costs.click();
  await expect(page.getByRole('heading', { level: 1 }).first()).toHaveText(expected);
  await expect(fieldTable(page)).toBeVisible();
  expect(faults).toEqual([]);
  await fresh.close();
}

const WAYS = [/^The figures alone/, /^Everything/, /^The shape/] as const;

test.describe('a link opens in a fresh browser, made with', () => {
  const opened: Readonly<Record<string, (page: Page) => Promise<void>>> = {
    // Messages that were captured natively have no shape.
    'a capture': async (page) => {
      await page.goto('.');
      await page.getByRole('button', { name: /what passes between nodes/ }).click();
      await expect(fieldTable(page)).toBeVisible();
    },
    'a payload and a schema': async (page) => {
      await page.goto('.');
      await readText(page, 'syntax = "proto3"; message Item { string name = 1; int64 size = 2; }');
      await readText(page, '08 0a 03 66 6f 6f 10 96 01 07 0a 05 68 65 6c 6c 6f');
      await expect(fieldTable(page)).toBeVisible();
    },
    'a sample': (page) => openSample(page, /ten search hits/),
  };
  for (const [what, open] of Object.entries(opened)) {
    test(what, async ({ page, browser }) => {
      await open(page);
      const expected = await verdictOf(page);
      // Each panel by another kind of link; every pair of them is opened by src/state/addresses/opened-links.test.ts.
      for (const [index, panel] of ['Messages', 'Layers', 'Schema'].entries()) {
        const toggle = page.getByRole('banner').getByRole('button', { name: new RegExp(`^${panel}`) });
        if ((await toggle.count()) === 0) continue;
        if ((await toggle.getAttribute('aria-pressed')) !== 'true') await toggle.click();
        const way = what === 'a capture' && index === 2 ? WAYS[0] : WAYS[index]!;
        await opensElsewhere(browser, await linkAs(page, way), expected, index === 1 ? 480 : undefined);
      }
    });
  }
});

test('a link of each question opens in a fresh browser with the same question, figures and field', async ({
  page,
  browser,
}) => {
  await openSample(page, /ten search hits/);
  await fieldTable(page)
    .getByRole('row', { name: /^seq_no/ })
    .click();
  const total = (of: Page) => fieldTable(of).getByRole('row', { name: /^All of/ });
  const headline = (of: Page) => of.getByRole('heading', { level: 1 }).first();
  const questions = {
    Composition: /^10 search hits take 9,191\sbytes/,
    'Against native': /^10 search hits\. Protobuf 9,191\sbytes, native/,
    'A and B': /^B takes 9,191\sbytes, A 9,191: the same/,
  };
  for (const [name, says] of Object.entries(questions)) {
    await page.getByRole('button', { name, exact: true }).click();
    if (name === 'A and B') await page.getByRole('button', { name: /^Keep .* as A$/ }).click();
    await expect(headline(page)).toHaveText(says);
    const expected = (await headline(page).textContent())!;
    const link = await linkAs(page, WAYS[0]);
    const fresh = await browser.newContext({ viewport, serviceWorkers: 'block' });
    const other = await fresh.newPage();
    await other.goto(link);
    await expect(headline(other)).toHaveText(expected);
    await expect(other.getByRole('button', { name, exact: true })).toHaveAttribute('aria-pressed', 'true');
    if (name !== 'A and B') {
      await expect(total(other)).toHaveText((await total(page).textContent())!);
      await expect(fieldTable(other).getByRole('row', { selected: true })).toHaveText(/^.{0,2}seq_no/);
    }
    await fresh.close();
  }
});

test('a link made on a page of the explorer shows the analysis; the page’s own address opens by itself', async ({
  page,
  browser,
}) => {
  await openSample(page, /how much of a remote write is labels/);
  const expected = await verdictOf(page);
  await page.goto('#/type/prometheus.TimeSeries');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('TimeSeries');
  await opensElsewhere(browser, await linkAs(page, WAYS[0]), expected);
  const fresh = await browser.newContext({ viewport, serviceWorkers: 'block' });
  const other = await fresh.newPage();
  const faults: string[] = [];
  other.on('pageerror', (error) => faults.push(String(error)));
  for (const [address, shows] of [
    ['#/type/prometheus.TimeSeries', 'TimeSeries'],
    ['#/file/vitess/query.proto', 'query.proto'],
    ['#/type/nobody.Has', 'Not in the schema'],
    ['#/costly', 'Costly'],
    ['#/schema', 'Schema'],
  ] as const) {
    await other.goto(new URL(address, page.url()).href);
    await expect(other.getByRole('heading', { level: 1 })).toContainText(shows);
  }
  // Never empty: what ships with the app is there to be looked into.
  await expect(
    other.getByRole('tree', { name: 'Packages' }).getByRole('treeitem', { name: 'package prometheus', exact: true }),
  ).toBeVisible();
  await expect(other.getByRole('main').getByRole('link', { name: 'prometheus', exact: true })).toBeVisible();
  await showsNoFault(other);
  expect(faults).toEqual([]);
  await fresh.close();
});

test('a link with the figures of a capture has its layers and none of its messages', async ({ page, browser }) => {
  await page.goto('.');
  await page.getByRole('button', { name: /what passes between nodes/ }).click();
  await expect(fieldTable(page)).toBeVisible();
  await page.getByRole('button', { name: /^Layers/ }).click();
  const layers = page.getByRole('complementary', { name: 'Layers' }).getByRole('row');
  await expect(layers.filter({ hasText: /^The file/ })).toBeVisible();
  const expected = await layers.allInnerTexts();
  const link = await linkAs(page, WAYS[0]);
  const fresh = await browser.newContext({ viewport });
  const other = await fresh.newPage();
  await other.goto(link);
  await expect
    .poll(() => other.getByRole('complementary', { name: 'Layers' }).getByRole('row').allInnerTexts())
    .toEqual(expected);
  await other.keyboard.press('m');
  await showsNoFault(other);
  await fresh.close();
});

test('figures of JSON without a schema are of fields by name, whose names the link lists', async ({
  page,
  context,
}) => {
  await page.goto('.');
  await readText(page, '{"users": {"a@b.example": {"balance": 12}}}');
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = shareDialog(page);
  await expect(dialog).toContainText(
    'Names from the messages themselves, which may be data: users, "a@b.example", balance.',
  );
  await expect(dialog.getByRole('status')).toContainText('characters');
  const received = await context.newPage();
  await received.goto(await dialog.getByRole('textbox', { name: 'Link' }).inputValue());
  await expect(received.getByText('Type fields by name')).toBeVisible();
});

test('a link after a slash opens, and an unknown address shows an error', async ({ page }) => {
  await openSample(page, /ten search hits/);
  const link = await linkAs(page, WAYS[0]);
  await page.goto('about:blank');
  await page.goto(link.replace('#', '#/'));
  await expect(page.getByRole('note')).toContainText('From a link');
  await page.goto('about:blank');
  await page.goto(`${link.replace('#', '#/').slice(0, -50)}`);
  await expect(page.getByRole('alert')).toContainText('50 are missing');
  await page.goto('about:blank');
  await page.goto('./#/nowhere');
  await expect(page.getByRole('alert')).toContainText('is not a link of this app');
});

test('a link that fetches from the app’s own origin also asks first', async ({ page, origin }) => {
  const file = 'samples/prometheus-remote-write-1.binpb';
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const link = encodeFragment({
    source: { name: 'a request', messages: 1, size: 1, coverage: null, losses: [] },
    made: { date: '2026-11-21', by: '0.1.0' },
    view: plainView(null, 'opensearch'),
    data: { kind: 'address', address: file, textEncoding: null, framing: null, schema: [] },
  });
  await page.goto(`./#${link}`);
  await expect(page.getByRole('alert')).toContainText(`fetches its input from ${new URL(origin).origin}`);
  expect(asked.some((url) => url.endsWith(file))).toBe(false);
  await page.getByRole('button', { name: 'Fetch it' }).click();
  await expect(fieldTable(page)).toBeVisible();
});

test('the lines for a document carry the theme that was chosen', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openSample(page, /ten search hits/);
  await page.getByRole('button', { name: 'Share' }).click();
  await shareDialog(page).getByRole('button', { name: 'Figures' }).click();
  const copy = shareDialog(page).getByRole('button', { name: 'HTML frame' });
  for (const theme of ['light', 'dark', 'theme of the reader']) {
    await shareDialog(page).getByRole('radio', { name: theme }).check();
    await copy.click();
    await expect(shareDialog(page).getByText('HTML frame copied.')).toBeVisible();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(/&amp;theme=(\w+)&amp;w/.exec(text)?.[1] ?? 'theme of the reader').toBe(theme);
  }
});

test('the lines for a document carry nothing of A, and bytes with the hex view alone', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openSample(page, /ten search hits/);
  await page.getByRole('button', { name: 'A and B' }).click();
  await page.getByRole('button', { name: /^Keep .* as A$/ }).click();
  await page.getByRole('button', { name: 'Share' }).click();
  await shareDialog(page).getByRole('button', { name: 'Figures' }).click();
  const choice = shareDialog(page).getByRole('combobox', { name: 'Figure' });
  const copied = async (figure: string) => {
    await choice.selectOption(figure);
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await shareDialog(page).getByRole('button', { name: 'Plain link' }).click();
    const text = () => page.evaluate(() => navigator.clipboard.readText());
    const link = async () => /#(w[\w-]+)\)/.exec(await text())?.[1] ?? '';
    await expect.poll(async () => (await decodeFragment(await link())).ok).toBe(true);
    const opened = await decodeFragment(await link());
    return opened.ok ? opened.value : null;
  };
  await choice.selectOption('Hex view');
  await shareDialog(page)
    .getByRole('checkbox', { name: /^With the bytes/ })
    .check();
  expect(await copied('Hex view')).toMatchObject({ data: { excerpt: { ordinal: 0 } } });
  const fields = await copied('Bytes by field');
  expect(fields).toMatchObject({ data: { kind: 'profile', excerpt: null } });
  expect(fields).not.toHaveProperty('baseline');
});

test('keys skip panels that are empty', async ({ page }) => {
  await openFigures(page);
  for (const key of ['m', 'i', 's']) {
    await page.keyboard.press(key);
    await showsNoFault(page);
  }
});

/** A link of an old version, with figures alone. */
async function openFigures(page: Page): Promise<void> {
  const lines = bytesOf('fixtures/permalinks.txt').toString('utf8').split('\n');
  await page.goto(
    `./#${lines
      .find((line) => line.includes(' profile '))!
      .split(' ')
      .at(-1)}`,
  );
  await expect(page.getByRole('note')).toBeVisible();
}
