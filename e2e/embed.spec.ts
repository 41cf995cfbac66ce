/** As the author of a design doc I embed a figure in my own page, with only the permission to draw. */
import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import type { FrameLocator, Page } from '@playwright/test';
import { type EmbedTheme, printEmbedFragment } from '#figures/embed-address.ts';
import type { FigureName } from '#figures/figures.tsx';
import { encodeFragment } from '#permalink/fragment.ts';
import { plainView } from '#permalink/plain-view.ts';
import type { Shared } from '#permalink/shared.ts';
import { expect, test } from './page.ts';
import { pathOf } from './steps.ts';

const profile = JSON.parse(readFileSync(pathOf('fixtures/charts/opensearch-hits.profile.json'), 'utf8'));
const figures: Shared = {
  source: { name: 'hits-10000.bin', messages: 1, size: 9_207_862, coverage: null, losses: [] },
  made: { date: '2026-11-21', by: '0.1.0' },
  view: {
    ...plainView(profile.type, profile.pair[1]),
    selection: { path: 'hits.version', ordinal: 0, row: null },
  },
  data: { kind: 'profile', profile, compressed: null, layers: null, excerpt: null, matrix: null },
};
const link = encodeFragment(figures)!;
const bytesLink = encodeFragment({
  ...figures,
  data: {
    kind: 'profile',
    profile,
    compressed: null,
    layers: null,
    matrix: null,
    excerpt: {
      ordinal: 0,
      path: 'hits.version',
      sides: [
        {
          encoding: 'protobuf',
          size: 9_207_862,
          start: 64,
          bytes: Uint8Array.of(0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x5a, 0x02),
          segments: [
            { category: 'tag', bytes: 1, path: 'hits.version', words: 'tag: field 2, VARINT' },
            { category: 'value', bytes: 10, path: 'hits.version', words: 'value: -1' },
            { category: 'tag', bytes: 1, path: 'hits.source', words: 'tag: field 11, LEN' },
            { category: 'length', bytes: 1, path: 'hits.source', words: '' },
          ],
          lit: [64, 75],
        },
        {
          encoding: 'native',
          size: 9_137_865,
          start: 64,
          bytes: Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
          segments: [{ category: 'value', bytes: 8, path: 'hits.version', words: 'value: -1' }],
          lit: [64, 72],
        },
      ],
    },
  },
})!;

interface Embedded {
  readonly figure?: FigureName;
  readonly theme?: EmbedTheme;
  readonly link?: string;
}

/** A page that is not the app's, with the figure in a frame that may run scripts and no more. */
async function embed(
  page: Page,
  origin: string,
  { figure = 'waterfall', theme = 'auto', link: carried = link }: Embedded,
) {
  const address = `${origin}embed.html${printEmbedFragment({ figure, theme, link: carried })}`;
  await page.setContent(`<!doctype html><p>A design doc.</p>
    <iframe id="figure" sandbox="allow-scripts" width="100%" height="80" style="border:0" src="${address}"></iframe>`);
  await page.evaluate(() => {
    addEventListener('message', ({ data, source }) => {
      const frame = document.querySelector('iframe')!;
      if (source === frame.contentWindow && data?.type === 'wirecost:height') frame.height = String(data.height);
    });
    // It posted its height before the listener was there: a change of width makes it post again.
    document.querySelector('iframe')!.style.maxWidth = '1000px';
  });
  return page.frameLocator('#figure');
}

const background = (frame: FrameLocator | Page): Promise<string> =>
  frame.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);

const isWithinWidth = (frame: FrameLocator): Promise<boolean> =>
  frame.locator('body').evaluate((body) => body.scrollWidth <= innerWidth);

test('a waterfall in a sandboxed frame of another origin shows verdict, causes and source at its full height', async ({
  page,
  origin,
}) => {
  const frame = await embed(page, origin, {});
  await expect(frame.getByRole('heading', { name: /10,000 search hits.*protobuf costs \+0\.77/ })).toBeVisible();
  await expect(frame.getByRole('img', { name: 'From native to protobuf, by cause' })).toBeVisible();
  await expect(frame.getByText(/Measured from hits-10000\.bin · 1 message of .*2026-11-21/)).toBeVisible();
  await expect.poll(async () => Number(await page.locator('iframe').getAttribute('height'))).toBeGreaterThan(200);
  const spare = () => frame.locator('main').evaluate((main) => innerHeight - main.getBoundingClientRect().height);
  await expect.poll(async () => Math.abs(await spare())).toBeLessThan(3);
});

test('a narrow figure is drawn again for its width', async ({ page, origin }) => {
  const frame = await embed(page, origin, {});
  await page.setViewportSize({ width: 420, height: 800 });
  await expect.poll(async () => Number(await frame.locator('svg').getAttribute('width'))).toBeLessThan(400);
  await expect.poll(() => isWithinWidth(frame)).toBe(true);
});

for (const [theme, color] of [
  ['light', 'rgb(255, 255, 255)'],
  ['dark', 'rgb(20, 23, 27)'],
] as const) {
  test(`the ${theme} theme of the link passes the accessibility check`, async ({ page, origin }) => {
    await page.goto(`${origin}embed.html${printEmbedFragment({ figure: 'fields', theme, link })}`);
    await page.getByText('All fields as a table').click();
    await expect(page.getByRole('row', { name: /hits\.version/ })).toBeVisible();
    await expect.poll(() => background(page)).toBe(color);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
}

test('without a theme in the link, the reader’s theme applies', async ({ page, origin }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const frame = await embed(page, origin, {});
  await expect.poll(() => background(frame)).toBe('rgb(20, 23, 27)');
});

test.describe('every figure passes the accessibility check', () => {
  for (const [figure, heading] of [
    ['fields', /10,000 search hits/],
    ['break-even', /hits\.version: bytes by presence/],
    ['widths', /hits\.version: varint widths/],
  ] as const) {
    test(figure, async ({ page, origin }) => {
      const frame = await embed(page, origin, { figure });
      await expect(frame.getByRole('heading', { name: heading })).toBeVisible();
      await expect(frame.getByRole('img')).toBeVisible();
    });
  }
});

test.describe('two hex views', () => {
  for (const theme of ['light', 'dark'] as const) {
    test(`${theme}: both sides and the table of bytes pass the accessibility check`, async ({ page, origin }) => {
      await page.goto(`${origin}embed.html${printEmbedFragment({ figure: 'bytes', theme, link: bytesLink })}`);
      await expect(
        page.getByRole('heading', { name: /hits\.version in message 0: 11.bytes as protobuf/ }),
      ).toBeVisible();
      await page.getByText('These bytes as a table').focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('row', { name: '65 hits.version ff ff ff' })).toContainText('value: -1');
      await expect(page.getByRole('table', { name: 'Native, bytes 64–71' })).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id }) => id)).toEqual([]);
    });
  }

  test('in a narrow sandboxed frame nothing exceeds the width', async ({ page, origin }) => {
    await page.setViewportSize({ width: 420, height: 800 });
    const frame = await embed(page, origin, { figure: 'bytes', link: bytesLink });
    await expect(frame.getByRole('img', { name: 'Bytes in both encodings' })).toBeVisible();
    await expect.poll(() => isWithinWidth(frame)).toBe(true);
  });

  test('a link without bytes has no bytes figure', async ({ page, origin }) => {
    const frame = await embed(page, origin, { figure: 'bytes' });
    await expect(frame.getByRole('alert')).toContainText('hex view');
  });
});

test('a dark figure is printed in dark ink on white', async ({ page, origin }) => {
  const frame = await embed(page, origin, { figure: 'fields', theme: 'dark' });
  const ink = () =>
    frame
      .locator('svg text')
      .first()
      .evaluate((text) => getComputedStyle(text).fill);
  await expect(frame.locator('svg text').first()).toBeVisible();
  const colors = async () => [await background(frame), await ink()];
  expect(await colors()).toEqual(['rgb(20, 23, 27)', 'rgb(160, 168, 179)']);
  await page.emulateMedia({ media: 'print' });
  expect(await colors()).toEqual(['rgb(255, 255, 255)', 'rgb(89, 97, 107)']);
});

test('without JavaScript, the figure and the app name what they need', async ({ browser, origin }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  for (const [address, words] of [
    [`embed.html#${link}`, 'This figure needs JavaScript.'],
    ['', 'Wirecost needs JavaScript.'],
  ] as const) {
    await page.goto(`${origin}${address}`);
    expect(await page.locator('body').allInnerTexts()).toEqual([words]);
  }
  await context.close();
});

test('a link that was cut shows how much is missing', async ({ page, origin }) => {
  const frame = await embed(page, origin, { link: link.slice(0, -100) });
  await expect(frame.getByRole('alert')).toHaveText(/was cut: .* 100 are missing/);
});

test('the link to the whole analysis is the same link, and the address does not change', async ({ page, origin }) => {
  const address = `${origin}embed.html${printEmbedFragment({ figure: 'waterfall', theme: 'auto', link })}`;
  await page.goto(address);
  await expect(page.getByRole('link', { name: 'Open in Wirecost' })).toHaveAttribute('href', `./#${link}`);
  expect(page.url()).toBe(address);
});

test('a figure loads fewer bytes than the app', async ({ page, origin }) => {
  const loaded = async (address: string, ready: () => Promise<void>): Promise<string> => {
    let bytes = 0;
    page.on('response', async (response) => {
      bytes += (await response.body().catch(() => Buffer.alloc(0))).length;
    });
    const before = performance.now();
    await page.goto(address);
    await ready();
    return `${Math.round(bytes / 1000)} kB (not compressed) in ${Math.round(performance.now() - before)} ms`;
  };
  const figure = await loaded(
    `${origin}embed.html${printEmbedFragment({ figure: 'waterfall', theme: 'auto', link })}`,
    () => expect(page.getByRole('img')).toBeVisible(),
  );
  const app = await loaded(`${origin}#${link}`, () => expect(page.getByRole('heading', { level: 1 })).toBeVisible());
  console.log(`embedded figure: ${figure}; app: ${app}`);
});
