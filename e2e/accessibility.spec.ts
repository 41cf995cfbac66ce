/** As someone who depends on assistive technology I find every view usable, in either theme, wide or narrow. */
import type { Locator } from '@playwright/test';
import { findings } from './findings.ts';
import { expect, test } from './page.ts';
import { chooseFiles, fieldTable, openSample, pathOf } from './steps.ts';

for (const width of [1280, 480]) {
  test.describe(`${width} wide`, () => {
    test.use({ viewport: { width, height: 600 } });

    test('the home page', async ({ page }) => {
      await page.goto('.');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await findings(page)).toEqual([]);
    });

    test('a capture: its messages, its time, its layers', async ({ page }) => {
      await page.goto('.');
      await page.getByRole('button', { name: /what passes between nodes/ }).click();
      await expect(fieldTable(page)).toBeVisible();
      if (width < 900) await page.getByRole('tab', { name: /^Messages/ }).click();
      await expect(page.getByRole('listbox', { name: 'Messages' }).getByRole('option').first()).toBeVisible();
      await expect(page.getByRole('banner').getByRole('status')).toHaveCount(0);
      expect.soft(await findings(page), 'messages').toEqual([]);
      const strip = page.getByRole('region', { name: 'Timeline' }).locator('.fit-width');
      const cutOff = (box: Element) => box.querySelector('svg')!.clientWidth - box.clientWidth;
      expect.soft(await strip.evaluate(cutOff), 'time that is cut off').toBeLessThanOrEqual(0);
      await page.getByRole(width < 900 ? 'tab' : 'button', { name: /^Layers/ }).click();
      await expect(page.getByRole('table', { name: 'Layers of the capture, outside in' })).toBeVisible();
      expect.soft(await findings(page), 'layers').toEqual([]);
      await page.getByRole(width < 900 ? 'tab' : 'button', { name: /^Schema/ }).click();
      // It stands in a line of text, whose colour is nearly as light.
      const file = page.getByRole('link', { name: 'opensearch/search-hits.proto' });
      await expect(file).toHaveCSS('text-decoration-line', 'underline');
      expect.soft(await findings(page), 'schemas in use').toEqual([]);
    });

    test('an analysis, then its schema', async ({ page }) => {
      test.slow();
      await openSample(page, /ten search hits/);
      await expect(fieldTable(page).getByRole('row', { name: /^version 2/ })).toBeVisible();
      expect.soft(await findings(page), 'analysis').toEqual([]);

      await page.getByRole(width < 900 ? 'tab' : 'button', { name: /^Schema/ }).click();
      await expect(page.locator('.monaco-editor .view-line').first()).toBeVisible();
      expect.soft(await findings(page), 'schema panel').toEqual([]);
    });

    test('A and B, the encodings, the advice, the explorer', async ({ page }) => {
      test.slow();
      const [a, b] = [1, 2].map((version) => pathOf(`public/samples/prometheus-remote-write-${version}.binpb`));
      await page.goto('.');
      await chooseFiles(page, [a!, b!]);
      await expect(page.getByRole('grid', { name: 'Change by field' })).toBeVisible();
      expect.soft(await findings(page), 'A and B').toEqual([]);
      const panel = (name: RegExp) => page.getByRole(width < 900 ? 'tab' : 'button', { name }).click();
      await panel(/^Encodings/);
      await expect(page.getByText(/^Smallest of \d+ encodings: /)).toBeVisible({ timeout: 60_000 });
      expect.soft(await findings(page), 'encodings').toEqual([]);
      await panel(/^What should change/);
      await expect(page.getByRole('columnheader', { name: 'Change' }).first()).toBeVisible({ timeout: 60_000 });
      expect.soft(await findings(page), 'advice').toEqual([]);
      for (const place of ['schema', 'type/io.prometheus.write.v2.TimeSeries', 'costly']) {
        await page.evaluate((at) => {
          location.hash = `#/${at}`;
        }, place);
        await expect(page.getByRole('heading', { level: 1 }).last()).toBeVisible();
        await expect(page.getByText('Reading…')).toHaveCount(0);
        expect.soft(await findings(page), place).toEqual([]);
        // WCAG 2.2, 2.5.8: links outside of sentences are targets of 24 pixels.
        const heights = await page
          .locator('.explorer-page :is(nav, li, td, th) a:visible')
          .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height));
        expect.soft(Math.min(...heights, Infinity), `${place}: links`).toBeGreaterThanOrEqual(24);
      }
    });

    test('a capture with faults: the note above it, its findings', async ({ page }) => {
      await page.goto('.');
      await chooseFiles(page, pathOf('fixtures/capture/opensearch-cut-by-snaplen.pcapng'));
      await expect(fieldTable(page)).toBeVisible();
      await expect(page.getByRole('note')).toBeVisible();
      await page.getByRole(width < 900 ? 'tab' : 'button', { name: /^Findings/ }).click();
      await expect(page.getByRole('list', { name: 'Findings' })).toBeVisible();
      expect.soft(await findings(page), 'findings').toEqual([]);
    });
  });
}

test('the tab of a panel that a reload opens is in sight', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openSample(page, /what passes between nodes/);
  await page.getByRole('tab', { name: 'What should change' }).click();
  await expect.poll(() => page.evaluate(() => JSON.stringify(history.state))).toContain('"panel":"advice"');
  await page.reload();
  const selected = page.getByRole('tab', { selected: true });
  await expect(selected).toHaveText('What should change');
  await expect(selected).toBeInViewport({ ratio: 1 });
});

test('with forced colours, which leave no background, what is chosen has an outline', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await openSample(page, /what passes between nodes/);
  const outlineOf = (target: Locator) => target.evaluate((element) => getComputedStyle(element).outlineStyle);
  for (const chosen of ['Against native', 'Bytes', 'Share', 'Messages 34']) {
    expect(await outlineOf(page.getByRole('button', { name: chosen, exact: true })), chosen).toBe('solid');
  }
  expect(await outlineOf(fieldTable(page).getByRole('row', { selected: true }))).toBe('solid');
  expect(await outlineOf(page.getByRole('button', { name: 'Composition' }))).toBe('none');
  // Bars keep the colours that are all they consist of.
  await page.getByRole('button', { name: /^Layers/ }).click();
  const bars = page.getByRole('complementary', { name: 'Layers' }).locator('[data-bytes]');
  const adjusted = await bars.evaluateAll((all) => all.map((bar) => getComputedStyle(bar).forcedColorAdjust));
  expect(new Set(adjusted)).toEqual(new Set(['none']));
  await page.goto('.');
  await page.getByRole('button', { name: /remote write 1\.0 against 2\.0/ }).click();
  const changes = page.getByRole('grid', { name: 'Change by field' });
  await changes
    .getByRole('row')
    .filter({ hasText: /^symbols/ })
    .click();
  const row = changes.getByRole('row', { selected: true });
  // It lies above the name, which stays in view and has a background of its own.
  expect(await row.evaluate((element) => getComputedStyle(element, '::after').outlineStyle)).toBe('solid');
});
