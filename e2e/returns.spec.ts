/** As someone in the middle of an analysis I can go back, reload and open another tab without losing my place. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './page.ts';
import { bytesOf, chooseFiles, dropOnto, fieldTable, openSample, pasteSchema, verdictOf } from './steps.ts';

const selected = (page: Page) => fieldTable(page).getByRole('row', { selected: true });
const choose = (page: Page, field: RegExp) => fieldTable(page).getByRole('row', { name: field }).click();

/** Steps that follow each other at once are one. */
const pause = (page: Page) => page.waitForTimeout(700);

test('Back and Forward go through fields, panels and inputs', async ({ page }) => {
  await openSample(page, /ten search hits/);
  await pause(page);
  await choose(page, /^seq_no/);
  await pause(page);
  await choose(page, /^version/);
  await expect(selected(page)).toHaveText(/version/);
  await page.getByRole('button', { name: /^Messages/ }).click();
  const messages = page.getByRole('complementary', { name: 'Messages' });
  await expect(messages).toBeVisible();
  await page.goBack();
  await expect(messages).toBeHidden();
  await page.goBack();
  await expect(selected(page)).toHaveText(/seq_no/);
  await page.goForward();
  await expect(selected(page)).toHaveText(/version/);
  await page.getByRole('button', { name: 'Wirecost', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^What every field/ })).toBeVisible();
  await page.goBack();
  await expect(selected(page)).toHaveText(/version/);
  await page.getByRole('link', { name: 'Explore types' }).click();
  await expect(page.getByRole('link', { name: '← Costs' })).toBeVisible();
  await page.goBack();
  await expect(selected(page)).toHaveText(/version/);
});

test('a reload returns to the same field of the user’s file until the file is forgotten', async ({
  page,
  provoked,
}) => {
  provoked.push(/broken off/);
  await page.goto('.');
  await pasteSchema(page, 'schemas/prometheus/remote-write-1.proto');
  await chooseFiles(page, {
    name: 'mine.binpb',
    mimeType: 'application/octet-stream',
    buffer: bytesOf('public/samples/prometheus-remote-write-1.binpb'),
  });
  await choose(page, /^Fold labels/);
  await expect(selected(page)).toHaveText(/labels/);
  const verdict = await verdictOf(page);
  const tree = page.getByRole('button', { name: 'Protobuf tree' });
  await tree.click();
  await pause(page);
  await page.reload();
  await expect(selected(page)).toHaveText(/labels/);
  await expect(tree).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('heading', { level: 1 }).first()).toHaveText(verdict);
  await page.keyboard.press('i');
  const kept = page.getByRole('region', { name: 'Kept on this machine' });
  await expect(kept.getByRole('link', { name: 'mine.binpb' })).toBeVisible();
  await page.getByRole('button', { name: 'Forget it' }).click();
  await expect(kept.getByRole('link', { name: 'mine.binpb' })).toBeHidden();
  await expect(kept.getByRole('link', { name: 'Schema' })).toBeVisible();
  await expect(fieldTable(page)).toBeVisible();
  // A double press forgets nothing.
  await kept.getByRole('button', { name: 'Forget all' }).dblclick();
  await kept.getByRole('button', { name: 'Forget all' }).click();
  await expect(kept.getByRole('button', { name: 'Keep them' })).toBeFocused();
  await kept.getByRole('button', { name: 'Forget them' }).click();
  await expect(kept).toBeHidden();
  await expect(page.getByRole('button', { name: 'Schema 1 file' })).toBeHidden();
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('This browser keeps no input under this address');
});

test('two tabs keep their own inputs, and a loaded schema stays after a sample', async ({ page, context }) => {
  await page.goto('.');
  await pasteSchema(page, 'schemas/prometheus/remote-write-1.proto');
  const other = await context.newPage();
  await openSample(other, /ten search hits/);
  await other.getByRole('button', { name: 'Wirecost', exact: true }).click();
  await expect(other.getByRole('button', { name: 'Schema 1 file' })).toBeVisible();
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });
  await chooseFiles(page, file('one\u202e.binpb', bytesOf('public/samples/prometheus-remote-write-1.binpb')));
  await expect(fieldTable(page)).toBeVisible();
  await chooseFiles(other, file('two.binpb', bytesOf('public/samples/vitess-execute-batch.binpb')));
  await expect(fieldTable(other)).toBeVisible();
  await pause(page);
  await page.reload();
  // A name cannot turn the text around it.
  await expect(page).toHaveTitle(/one\\u202e\.binpb/);
  await expect(page.getByRole('banner')).toContainText('one\\u202e.binpb');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Called' })).toHaveValue('one\\u202e.binpb');
  await other.reload();
  await expect(other).toHaveTitle(/two\.binpb/);
});

test('a folder that I dropped is listed after a reload; the picker of a browser without handles opens one, too', async ({
  page,
}) => {
  const folder = join(mkdtempSync(join(tmpdir(), 'wirecost-')), 'dropped');
  mkdirSync(folder);
  for (const name of ['one.bin', 'two.bin']) writeFileSync(join(folder, name), new Uint8Array([0x08, 0x96, 0x01]));
  await page.goto('.');
  await dropOnto(page, [folder]);
  await expect(fieldTable(page)).toBeVisible();
  await page.goto('about:blank');
  // Without File System Access, as in Firefox, the picker gives files instead of a handle.
  await page.addInitScript(() => Object.assign(window, { showDirectoryPicker: undefined }));
  await page.goto('.');
  const kept = page.getByRole('region', { name: 'Kept on this machine' });
  // The user refuses. A browser without a window cannot ask.
  await page.evaluate(() => Object.assign(FileSystemHandle.prototype, { requestPermission: async () => 'denied' }));
  await kept.getByRole('button', { name: 'dropped/', exact: true }).click();
  await expect(kept.getByRole('status').filter({ hasText: 'was not allowed to read dropped/' })).toBeVisible();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a folder…' }).click();
  await (await chooser).setFiles(folder);
  await expect(page.getByRole('banner')).toContainText('dropped.tar');
  await expect(fieldTable(page)).toBeVisible();
  rmSync(join(folder, '..'), { recursive: true });
});

test('a picked folder is read again after a reload with one click', async ({ page }) => {
  // A folder of the origin’s own file system stands for one of the disk: both have the same interface.
  await page.addInitScript(() => {
    const pick = async (): Promise<FileSystemDirectoryHandle> => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('bodies', { create: true });
      for (const name of ['one.bin', 'two.bin']) {
        const file = await (await folder.getFileHandle(name, { create: true })).createWritable();
        await file.write(new Uint8Array([0x08, 0x96, 0x01]));
        await file.close();
      }
      return folder;
    };
    Object.assign(window, { showDirectoryPicker: pick });
  });
  await page.goto('.');
  await page.getByRole('button', { name: 'Choose a folder…' }).click();
  await expect(fieldTable(page)).toBeVisible();
  await expect(page.getByRole('banner')).toContainText('bodies.tar');
  await page.goto('about:blank');
  await page.goto('.');
  const kept = page.getByRole('region', { name: 'Kept on this machine' });
  await kept.getByRole('button', { name: 'bodies/', exact: true }).click();
  await expect(page.getByRole('banner')).toContainText('bodies.tar');
  await expect(fieldTable(page)).toBeVisible();
  await page.getByRole('button', { name: 'Wirecost' }).click();
  await kept.getByRole('button', { name: 'Forget bodies/' }).click();
  await expect(kept.getByRole('button', { name: 'bodies/', exact: true })).toHaveCount(0);
});
