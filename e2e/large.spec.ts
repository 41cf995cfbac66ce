/** As someone with fifty megabytes of messages I watch the reading, stop it, and can work meanwhile. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './page.ts';
import { bytesOf, chooseFiles, pasteSchema } from './steps.ts';

const SIZE = 50 * 1000 * 1000;

// The test's own work in the page must not be measured: no snapshots, no search by role during reading.
test.use({ trace: 'off' });

let folder: string;
let file: string;
let messages: number;

test.beforeAll(() => {
  const message = bytesOf('fixtures/input/codecfixture.rw1.binpb');
  const prefix = Buffer.from([(message.length & 0x7f) | 0x80, message.length >> 7]);
  const framed = Buffer.concat([prefix, message]);
  messages = Math.ceil(SIZE / framed.length);
  folder = mkdtempSync(join(tmpdir(), 'wirecost-large-'));
  file = join(folder, 'many.delim.binpb');
  writeFileSync(file, Buffer.alloc(messages * framed.length, framed));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Watched {
  /** Every share of the work that the bar has shown. */
  readonly shares: readonly string[];
  /** Milliseconds; 0: none took more than 50. */
  readonly longestTask: number;
}

/**
 * Runs in the page: records the text of the bar, and how long the main thread is blocked; presses Cancel at the second
 * share, because reading takes only a second or two and must be stopped before its end.
 */
function keepWatch(): void {
  const watched = { shares: [] as string[], longestTask: 0 };
  Object.assign(window, { watched });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.longestTask = Math.max(watched.longestTask, duration);
  }).observe({ type: 'longtask' });
  new MutationObserver(() => {
    const bar = document.querySelector('header [role=status]');
    const share = bar?.textContent?.match(/[\d.]+\s%/)?.[0];
    if (share === undefined || watched.shares.at(-1) === share) return;
    watched.shares.push(share);
    if (watched.shares.length === 2) bar?.querySelector('button')?.click();
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}

/**
 * Runs in the page, which the test's own search for what is shown would keep busy. Drawing the last rows counts too.
 */
const untilRead = (verdict: string): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      const isShown = document.querySelector('h1')?.textContent?.includes(verdict) === true;
      if (isShown && document.querySelector('header')?.querySelector('[role=status]') === null)
        setTimeout(resolve, 500);
      else setTimeout(look, 50);
    };
    look();
  });

const watchedOf = (page: Page): Promise<Watched> =>
  page.evaluate(() => (window as unknown as { readonly watched: Watched }).watched);

test('fifty megabytes are read with progress, can be cancelled, and are read to the end', async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto('.');
  await pasteSchema(page, 'schemas/prometheus/remote-write-1.proto');
  // The editor makes itself in one long task of its own, once: not what is watched here.
  await expect(page.locator('.monaco-editor .view-line').first()).toBeVisible();
  await page.evaluate(keepWatch);
  await chooseFiles(page, file);
  await expect(page.getByText('reading was cancelled')).toBeVisible();
  const bar = page.getByRole('banner').getByRole('status');
  await expect(bar).toHaveCount(0);
  const { shares: before } = await watchedOf(page);
  expect(before).toHaveLength(2);

  // Usable at once: another panel opens, the theme changes.
  await page.getByRole('button', { name: /^Theme/ }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');

  const started = Date.now();
  await page.getByRole('button', { name: 'Read it' }).click();
  const count = messages.toLocaleString('en-US');
  await page.evaluate(untilRead, `in ${count} messages`);
  const { shares, longestTask } = await watchedOf(page);
  const seconds = (Date.now() - started) / 1000;
  expect(shares.length).toBeGreaterThan(before.length);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`in ${count} messages`);
  await expect(page.getByRole('button', { name: `Messages ${count}` })).toBeVisible();
  await expect(bar).toHaveCount(0);

  const report = `${count} messages in ${seconds.toFixed(1)} s, ${shares.length} steps of progress, ${longestTask === 0 ? 'no task above 50 ms' : `longest task ${longestTask.toFixed(0)} ms`}`;
  console.log(report);
  test.info().annotations.push({ type: 'measured', description: report });
});

test('a pasted text too long for a box is read at once', async ({ page }) => {
  const lines = 100_000;
  await page.goto('.');
  const box = page.getByRole('textbox', { name: 'Bytes or schema as text' });
  await box.fill('0801');
  await box.evaluate((target, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, '\n08 01 12 0a 61 62 63 64 65 66 67 68 69 6a'.repeat(lines));
  await expect(page.getByRole('heading', { level: 1 })).toContainText(
    `${(lines * 14 + 2).toLocaleString('en-US')} bytes`,
  );
});
