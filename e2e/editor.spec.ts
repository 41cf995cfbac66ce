/** As someone who writes a schema in the app I see where I type, and every file that I make. */
import type { Page } from '@playwright/test';
import { expect, test } from './page.ts';
import { isEditing, readText } from './steps.ts';

const LONG = `syntax = "proto3";\npackage long;\n${Array.from({ length: 80 }, (_, n) => `message M${n} { string a = 1; }`).join('\n')}\n`;

const strip = (page: Page) => page.getByRole('list', { name: 'Faults in this file' });
const editorTabs = (page: Page) => page.getByRole('tablist', { name: 'Schema files' }).getByRole('tab');

/** The line with the cursor is drawn completely, and nothing covers it. */
async function seesCaret(page: Page): Promise<void> {
  const caret = await page.locator('.monaco-editor .cursors-layer .cursor').first().boundingBox();
  const frame = await page.locator('.monaco-editor').first().boundingBox();
  const below = await strip(page).boundingBox();
  expect(caret!.y).toBeGreaterThanOrEqual(frame!.y);
  expect(caret!.y + caret!.height).toBeLessThanOrEqual(frame!.y + frame!.height + 0.5);
  expect(caret!.y + caret!.height).toBeLessThanOrEqual(below!.y + 0.5);
}

for (const height of [900, 480]) {
  test(`faults never cover the line being typed, in a window ${height} pixels high`, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height });
    await page.goto('.');
    await readText(page, LONG);
    await expect(page.locator('.monaco-editor .view-line').first()).toBeVisible();
    // At the end of the file, and on the last line that is in sight.
    await page.locator('.monaco-editor .view-line').first().click();
    await expect.poll(() => isEditing(page)).toBe(true);
    await page.keyboard.press('Control+End');
    await page.keyboard.type('message Slip { Nothing a = 1; Never b = 2; No c = 3; None d = 4; }');
    await expect(strip(page)).toContainText('None');
    await expect(() => seesCaret(page)).toPass();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('PageDown');
    await page.keyboard.press('PageDown');
    await page.keyboard.press('End');
    await page.keyboard.type(' x');
    await expect(strip(page)).toBeVisible();
    await expect(() => seesCaret(page)).toPass();
  });
}

test('“Write one” opens its new file, also beside many files, and on its page of the explorer', async ({ page }) => {
  await page.goto('#/schema');
  await page.getByLabel('Schema files to add', { exact: true }).setInputFiles(
    Array.from({ length: 14 }, (_, n) => ({
      name: `f${n}.proto`,
      mimeType: 'text/plain',
      buffer: Buffer.from(`syntax = "proto3"; package p${n}; message M { string a = 1; }`),
    })),
  );
  await expect(page.getByText('14 files, 14 message types')).toBeVisible();
  await page.getByRole('button', { name: 'Write one' }).click();
  await expect(page).toHaveURL(/#\/edit\/schema\.proto/);
  await expect(page.locator('.monaco-editor .view-line').filter({ hasText: 'Example' })).toBeVisible();
  await page.getByRole('button', { name: 'New schema file' }).click();
  await expect(page).toHaveURL(/#\/edit\/schema-2\.proto/);
  await expect(editorTabs(page).and(page.locator('[aria-selected=true]'))).toContainText('schema-2.proto');
});

test('pasted text of the same package and type replaces the text pasted before', async ({ page }) => {
  await page.goto('.');
  await readText(page, 'syntax = "proto3"; package shop; message Item { string name = 1; }');
  await expect(editorTabs(page)).toHaveText(['schema.proto']);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text/plain', 'syntax = "proto3"; package shop; message Item { string name = 1; int64 size = 2; }');
    (document.activeElement as HTMLElement | null)?.blur();
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  });
  await expect(page.locator('.monaco-editor .view-line').filter({ hasText: 'size' })).toBeVisible();
  await expect(editorTabs(page)).toHaveText(['schema.proto']);
  await expect(strip(page)).toHaveCount(0);
});

test('a file with one line of 2 MB is shown in parts, without the editor', async ({ page }) => {
  const line = Array.from({ length: 40_000 }, (_, n) => `message M${n} { string a = 1; int32 b = 2; }`).join(' ');
  await page.goto('.');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'line.proto',
      mimeType: 'text/plain',
      buffer: Buffer.from(`syntax = "proto3"; ${line}`),
    });
  await expect(page.getByText('message M0 {')).toBeVisible();
  await expect(page.locator('.monaco-editor')).toHaveCount(0);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(page.getByText(/40,000\sof\s/)).toBeVisible();
});
