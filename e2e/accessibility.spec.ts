/** As someone who depends on assistive technology I find every view usable, in either theme, wide or narrow. */
import { findings } from './findings.ts';
import { expect, test } from './page.ts';
import { fieldTable, openSample } from './steps.ts';

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
      await page.getByRole(width < 900 ? 'tab' : 'button', { name: /^Layers/ }).click();
      await expect(page.getByRole('table', { name: 'Layers of the capture, outside in' })).toBeVisible();
      expect.soft(await findings(page), 'layers').toEqual([]);
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
  });
}
