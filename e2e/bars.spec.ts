/** As a reader I trust lengths: on the screen, each picture has one length per byte. */
import type { Browser, Locator, Page } from '@playwright/test';
import { ICICLE } from '#charts/icicle-look.ts';
import { expect, test } from './page.ts';
import { chooseFiles, fieldTable, linkAs, pathOf, readText } from './steps.ts';

test.use({ viewport: { width: 1440, height: 1000 } });

interface Bar {
  readonly bytes: number;
  /** CSS pixels on the screen. */
  readonly length: number;
}

/** A pixel of the screen, for both ends of a bar. */
const ROUNDED = 1;

/** Every length is proportional to its bytes, on the scale of the longest one. */
function expectOneScale(bars: readonly Bar[], picture: string): void {
  const longest = bars.reduce((most, bar) => (bar.bytes > most.bytes ? bar : most), { bytes: 0, length: 0 });
  expect(bars.length, picture).toBeGreaterThan(2);
  expect(longest.length, picture).toBeGreaterThan(20);
  const perByte = longest.length / longest.bytes;
  for (const { bytes, length } of bars) {
    expect(Math.abs(length - bytes * perByte), `${picture}: ${bytes} bytes in ${length} px`).toBeLessThan(ROUNDED);
  }
}

/** In one question to the page: bars that were found first and measured later may have been drawn anew in between. */
const barsIn = (picture: Locator): Promise<readonly Bar[]> =>
  picture.evaluate((drawn) =>
    [...drawn.querySelectorAll('[data-bytes]')].map((bar) => ({
      bytes: Number(bar.getAttribute('data-bytes')),
      length: bar.getBoundingClientRect().width,
    })),
  );

/** The cells of a row of the icicle, by the places where the pointer reaches another one. */
async function cellsOf(page: Page, level: number): Promise<readonly Bar[]> {
  const canvas = page.getByRole('img', { name: /^Icicle of / });
  await canvas.scrollIntoViewIfNeeded();
  const box = (await canvas.boundingBox())!;
  const tip = page.locator('.icicle-tip');
  const at = async (x: number): Promise<string> => {
    await page.mouse.move(box.x + x, box.y + (level + 0.5) * ICICLE.row);
    return (await tip.allTextContents()).join('');
  };
  const cells: Bar[] = [];
  for (let from = 0; from < box.width - 2 && cells.length < 4; ) {
    const words = await at(from + 0.5);
    const bytes = Number(/([\d,]+)\s+bytes?/.exec(words)?.[1]?.replaceAll(',', ''));
    let [inside, outside] = [from + 0.5, box.width];
    while (outside - inside > 0.25) {
      const middle = (inside + outside) / 2;
      if ((await at(middle)) === words) inside = middle;
      else outside = middle;
    }
    if (words !== '') cells.push({ bytes, length: outside - from });
    from = outside;
  }
  return cells;
}

async function check(page: Page, what: string, hasNative: boolean): Promise<void> {
  await page.getByRole('button', { name: 'Composition' }).click();
  await expect(page.getByRole('img', { name: /^Icicle of / })).toBeVisible();
  expectOneScale(await barsIn(fieldTable(page)), `table of ${what}`);
  const whole = await cellsOf(page, 0);
  expectOneScale([...whole, ...(await cellsOf(page, 1)), ...(await cellsOf(page, 2))], `icicle of ${what}`);
  if (!hasNative) return;
  await page.getByRole('button', { name: 'Against native' }).click();
  const waterfall = page.locator('.costs-picture');
  await expect(waterfall.locator('[data-bytes]').first()).toBeVisible();
  expectOneScale(await barsIn(waterfall), `waterfall of ${what}`);
  expectOneScale(await barsIn(fieldTable(page)), `table of ${what}, compared`);
}

async function open(page: Page, file: string): Promise<void> {
  await page.goto('.');
  await chooseFiles(page, pathOf(file));
  await expect(fieldTable(page)).toBeVisible();
  await expect(page.getByRole('banner').getByRole('status')).toHaveCount(0);
}

async function inFreshBrowser(browser: Browser, link: string, look: (page: Page) => Promise<void>): Promise<void> {
  const fresh = await browser.newContext({ viewport: { width: 1440, height: 1000 }, serviceWorkers: 'block' });
  const page = await fresh.newPage();
  await page.goto(link);
  await expect(fieldTable(page)).toBeVisible();
  await look(page);
  await fresh.close();
}

test('a payload, and the link to it', async ({ page, browser }) => {
  test.slow();
  await open(page, 'public/samples/vitess-execute-batch.binpb');
  await check(page, 'a payload', true);
  await page.getByRole('button', { name: /^Encodings/ }).click();
  const encodings = page.getByRole('complementary', { name: 'Encodings' });
  await expect(encodings.getByRole('row').nth(8)).toBeVisible();
  await expect(encodings.getByRole('button', { name: 'Cancel' })).toHaveCount(0);
  expectOneScale(await barsIn(encodings.getByRole('table').first()), 'encodings and compressors');
  const link = await linkAs(page, /^The figures alone/);
  await inFreshBrowser(browser, link, (other) => check(other, 'a link', true));
});

test('a capture, and its time line', async ({ page }) => {
  test.slow();
  await open(page, 'public/samples/opensearch-search.pcap');
  await check(page, 'a capture', true);
  await page.getByRole('button', { name: /^Layers/ }).click();
  const layers = page.getByRole('complementary', { name: 'Layers' });
  await expect(layers.getByRole('table')).toBeVisible();
  expectOneScale(await barsIn(layers.locator('[aria-hidden]:has(> [data-bytes])').first()), 'layers, in one bar');
  expectOneScale(await barsIn(layers.getByRole('table')), 'layers, one below the other');
  const messages = page.getByRole('button', { name: /^Messages/ });
  if ((await messages.getAttribute('aria-pressed')) !== 'true') await messages.click();
  expectOneScale(await barsIn(page.getByRole('tree', { name: 'Groups of messages' })), 'groups of messages');
  const line = page.getByRole('img', { name: /^Bytes over/ });
  const peak = Number(/at most ([\d,]+)/.exec((await line.getAttribute('aria-label'))!)![1]!.replaceAll(',', ''));
  const { height } = (await line.boundingBox())!;
  /** Lengths of all bars of one colour, in bytes by the fullest bin's measure. */
  const drawn = (nth: number): Promise<number> =>
    line
      .locator('path')
      .nth(nth)
      .evaluate((path) =>
        [...path.getAttribute('d')!.matchAll(/v([\d.]+)/g)].reduce((sum, [, length]) => sum + Number(length), 0),
      );
  const all = ((await drawn(0)) + (await drawn(1))) * (peak / height);
  // Payloads and the transport's headers, of requests and responses.
  expect(Math.abs(all - (12_901 + 4231))).toBeLessThan(peak / height);
});

test('two inputs, by field and by cause', async ({ page }) => {
  await page.goto('.');
  const samples = ['1', '2'].map((version) => pathOf(`public/samples/prometheus-remote-write-${version}.binpb`));
  await chooseFiles(page, samples);
  const picture = page.locator('.costs-picture');
  for (const by of ['by field', 'by cause']) {
    await page.getByRole('button', { name: by }).click();
    await expect(picture.locator('[data-bytes]').nth(2)).toBeVisible();
    expectOneScale(await barsIn(picture), `difference ${by}`);
  }
});

test('a wide name stays within its cell', async ({ page }) => {
  await page.goto('.');
  await readText(page, `syntax = "proto3"; message ${'W'.repeat(300)} { string a = 1; }`);
  await readText(page, '0a 03 66 6f 6f');
  const canvas = page.getByRole('img', { name: /^Icicle of W/ });
  await expect(canvas).toBeVisible();
  // The columns of pixels at the right end of the first cell: its ground alone.
  const colors = (drawn: HTMLCanvasElement) => {
    const { data } = drawn.getContext('2d')!.getImageData(drawn.width - 4, 2, 2, 16);
    return new Set(new Uint32Array(data.buffer)).size;
  };
  await expect.poll(() => canvas.evaluate(colors)).toBe(1);
});

test('the name of a field stands on one line with its figures', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, pathOf('public/samples/prometheus-remote-write-1.binpb'));
  const row = fieldTable(page)
    .getByRole('row', { name: /^value/ })
    .first();
  const middleOf = (part: Locator) =>
    part.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return (top + bottom) / 2;
    });
  const figure = await middleOf(row.getByRole('gridcell').nth(2));
  expect(Math.abs((await middleOf(row.locator('.field-name-text'))) - figure)).toBeLessThanOrEqual(0.5);
});

test('the figures of the types end where those of the fields end', async ({ page }) => {
  await open(page, 'fixtures/capture/otlp-http-gzip.pcapng');
  const rightOf = (figure: Locator) =>
    figure.evaluate((cell) => {
      const text = document.createRange();
      text.selectNodeContents(cell);
      return text.getBoundingClientRect().right;
    });
  const types = page.getByRole('table', { name: 'Types of the messages, side by side' });
  const ofType = await rightOf(types.getByRole('row').nth(1).getByRole('cell').last());
  expect(ofType).toBeCloseTo(await rightOf(fieldTable(page).getByRole('row').nth(1).getByRole('gridcell').last()), 0);
});
