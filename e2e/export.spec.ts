/** As the author of a design doc I take a figure, a table and the lines for my page with me. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { ALL_FIGURES } from '#figures/all-figures.ts';
import { run } from '../src/cli/run.ts';
import { serve } from '../src/server/serve.ts';
import { expect, test } from './page.ts';
import { openSample, pathOf } from './steps.ts';

test('exports of a figure as SVG and PNG, of a table and of lines for a document', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openSample(page, /ten search hits/);
  await page.getByRole('button', { name: /^Share/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this analysis' });
  await dialog.getByRole('button', { name: 'Figures' }).click();
  const shown = dialog.getByRole('img', { name: /protobuf costs \+0\.72/ });
  await expect(shown).toBeVisible();

  const saved = async (button: string) => {
    const waiting = page.waitForEvent('download');
    await dialog.getByRole('button', { name: button }).click();
    const download = await waiting;
    return { name: download.suggestedFilename(), path: (await download.path())! };
  };
  const svg = await saved('Save SVG');
  expect(svg.name).toMatch(/\.waterfall\.svg$/);
  const source = decodeURIComponent(
    (await shown.getAttribute('src'))!.replace('data:image/svg+xml;charset=utf-8,', ''),
  );
  expect(readFileSync(svg.path, 'utf8')).toBe(source);

  const png = readFileSync((await saved('Save PNG')).path);
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  // Drawn at twice its size.
  const [, width] = /<svg[^>]* width="(\d+)"/.exec(source)!;
  expect(png.readUInt32BE(16)).toBe(2 * Number(width));

  await dialog.getByRole('button', { name: 'HTML frame' }).click();
  await expect(dialog.getByText('HTML frame copied.')).toBeVisible();
  const lines = await page.evaluate(() => navigator.clipboard.readText());
  expect(lines).toMatch(/^<iframe src="http:\/\/127\.0\.0\.1:\d+\/embed\.html#figure=waterfall&amp;w\d+-/);

  await dialog.getByRole('button', { name: 'Copy Markdown' }).click();
  await expect(dialog.getByText('Table copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /^\| field \(self, in bytes\) \| present \|/,
  );
});

test('the saved picture equals the picture of the dialog', async ({ page }) => {
  await openSample(page, /ten search hits/);
  await page.getByRole('button', { name: /^Share/ }).click();
  await page.getByRole('button', { name: 'Figures' }).click();
  const source = await page.locator('dialog img').getAttribute('src');
  const frame = { width: 800, height: 500 };
  await page.setViewportSize(frame);
  /** Both as a page draws them: inside this one, where the app's styles hold, and alone. */
  await page.evaluate((address) => {
    const svg = decodeURIComponent(address!.slice(address!.indexOf(',') + 1)).replace(/^<\?xml[^>]*>\s*/, '');
    document.body.innerHTML = svg;
    document.body.style.cssText = 'margin:0;background:#fff';
  }, source);
  const inPage = await page.locator('svg').first().screenshot();
  const alone = await page.context().newPage();
  await alone.setViewportSize(frame);
  await alone.goto('about:blank');
  await alone.setContent(`<body style="margin:0"><img src="${source}"></body>`);
  const asFile = await alone.locator('img').screenshot();
  expect(asFile.equals(inPage)).toBe(true);
});

test('the page saves the same pictures that the command line writes', async ({ page, browser }) => {
  const folder = mkdtempSync(join(tmpdir(), 'wirecost-export-'));
  const sample = [
    'public/samples/opensearch-search-hits.binpb',
    '--schema',
    'schemas/opensearch',
    '--schema',
    'schemas/native',
  ];
  const options = ['--type', 'org.opensearch.proto.search.SearchHitsProto', '--native', 'laid-out', '--bytes'];
  const paths = sample.map((word) => (word.includes('/') ? pathOf(word) : word));
  const { code, err } = await run(['report', ...paths, ...options, '--out', folder]);
  expect(code, err).toBe(0);

  await openSample(page, /ten search hits/);
  await page.getByRole('button', { name: /^Share/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this analysis' });
  await dialog.getByRole('button', { name: 'Figures' }).click();
  const choice = dialog.getByRole('combobox', { name: 'Figure' });
  const offered = await choice
    .locator('option')
    .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
  // The sample is one payload, and neither its encodings nor its bits were measured.
  const absent = ['layers', 'matrix', 'compressed', 'pair'];
  expect(offered).toEqual(Object.keys(ALL_FIGURES).filter((name) => !absent.includes(name)));
  // A window of its own: a tab would push this page into the background, where its timers wait.
  const alone = await browser.newPage();
  for (const name of offered) {
    await choice.selectOption(name);
    for (const theme of ['light', 'dark'] as const) {
      await dialog.getByRole('radio', { name: theme }).check();
      const waiting = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Save SVG' }).click();
      const saved = readFileSync((await (await waiting).path())!, 'utf8');
      expect(saved, `${name}, ${theme}`).toBe(
        readFileSync(join(folder, `${name}${theme === 'dark' ? '-dark' : ''}.svg`), 'utf8'),
      );
      if (theme === 'dark') continue;
      const waitingForPng = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Save PNG' }).click();
      const png = await readFile((await (await waitingForPng).path())!);
      await expectSamePixels(alone, saved, png);
    }
  }
  await alone.close();
  rmSync(folder, { recursive: true });
});

/** The PNG is the picture as the browser draws it alone, at twice its size. */
async function expectSamePixels(alone: Page, svg: string, png: Buffer): Promise<void> {
  const differing = await alone.evaluate(
    async ([drawn, saved]) => {
      const load = async (source: string) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        return image;
      };
      const [vector, raster] = await Promise.all([load(drawn), load(saved)]);
      const pixels = (image: HTMLImageElement) => {
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [raster.naturalWidth, raster.naturalHeight];
        const context = canvas.getContext('2d')!;
        context.drawImage(image, 0, 0, canvas.width, canvas.height);
        return context.getImageData(0, 0, canvas.width, canvas.height).data;
      };
      if (raster.naturalWidth !== 2 * vector.naturalWidth || raster.naturalHeight !== 2 * vector.naturalHeight)
        return -1;
      const [theirs, ours] = [pixels(vector), pixels(raster)];
      return theirs.reduce((count, value, at) => count + (value === ours[at] ? 0 : 1), 0);
    },
    [
      `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`,
      `data:image/png;base64,${png.toString('base64')}`,
    ] as const,
  );
  expect(differing).toBe(0);
}

test('the exported file opens in speedscope, with all bytes of both sides', async ({ page, browser }) => {
  await openSample(page, /ten search hits/);
  await page.keyboard.press('l');
  const dialog = page.getByRole('dialog', { name: 'Share this analysis' });
  await dialog.getByRole('button', { name: 'Figures' }).click();
  const waiting = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save for speedscope' }).click();
  const file = (await (await waiting).path())!;

  const headers = {};
  const tool = await serve(dirname(fileURLToPath(import.meta.resolve('speedscope/dist/release/index.html'))), 0, {
    policies: { meta: '', app: headers, embed: headers, dev: headers },
  });
  const other = await browser.newPage();
  const faults: string[] = [];
  other.on('pageerror', (error) => faults.push(String(error)));
  other.on('dialog', (alert) => {
    faults.push(alert.message());
    void alert.dismiss();
  });
  await other.goto(tool.address);
  await other.locator('input[type=file]').setInputFiles({
    name: 'hits.speedscope.json',
    mimeType: 'application/json',
    buffer: readFileSync(file),
  });
  await expect(other.getByText('protobuf, opensearch-search-hits.binpb (1/2)')).toBeVisible();
  // Its third view lists what each frame weighs, in bytes.
  await other.keyboard.press('3');
  await expect(other.getByRole('row', { name: /seq_no/ })).toContainText('110 B (1.2%)');
  await other.keyboard.press('n');
  await expect(other.getByText('native, opensearch-search-hits.binpb (2/2)')).toBeVisible();
  await expect(other.getByRole('row', { name: /seq_no/ })).toContainText('10 B (0.11%)');
  expect(faults).toEqual([]);
  await other.close();
  await tool.close();
});
