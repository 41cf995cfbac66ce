/** As someone who works without a mouse I open a sample, walk its fields, and find the keys. */
import type { Page } from '@playwright/test';
import { expect, test } from './page.ts';
import { fieldTable, litBytes } from './steps.ts';

/** Tabs on until the focus is where `selector` matches. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await page.evaluate((sought) => document.activeElement?.matches(sought) ?? false, selector)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Sixty presses of Tab do not lead to ${selector}`);
}

const activeRow = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant');
    return (id && document.getElementById(id)?.querySelector('.field-name-text')?.textContent) || null;
  });

test('a sample from start to end without the mouse', async ({ page }) => {
  await page.goto('.');
  await page.getByRole('main').waitFor();
  await tabTo(page, 'main li button');
  await page.keyboard.press('Enter');
  await expect(fieldTable(page)).toBeVisible();

  await tabTo(page, '[role=treegrid]');
  await page.keyboard.press('Home');
  await expect.poll(() => activeRow(page)).toBe('total_hits');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => activeRow(page)).toBe('hits');

  const hits = fieldTable(page).getByRole('row', { name: /hits 6/ });
  await expect(hits).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('ArrowLeft');
  await expect(hits).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('ArrowRight');
  await expect(hits).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => activeRow(page)).toBe('score');

  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Field hits.score' })).toBeVisible();
  await expect.poll(() => litBytes(page, 'Protobuf')).toHaveLength(5);
  await expect.poll(() => litBytes(page, 'Native')).toHaveLength(4);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: /^Field / })).toHaveCount(0);
  await expect.poll(() => litBytes(page, 'Protobuf')).toHaveLength(0);

  // In the table `?` is the beginning of a filter.
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await expect(keys).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(keys).toBeHidden();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
});
