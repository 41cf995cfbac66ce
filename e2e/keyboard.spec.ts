/** As someone who works without a mouse I open a sample, walk its fields, and find the keys. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './page.ts';
import { bytesOf, chooseFiles, fieldTable, isEditing, litBytes, openSample } from './steps.ts';

/** Tabs on until the focus is where `selector` matches. */
async function tabTo(page: Page, selector: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await page.evaluate((sought) => document.activeElement?.matches(sought) ?? false, selector)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Sixty presses of Tab do not lead to ${selector}`);
}

const activeRow = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const id = document.activeElement?.getAttribute('aria-activedescendant');
    return (id && document.getElementById(id)?.querySelector('.field-name-text')?.textContent) || null;
  });

test('a sample is analyzed from start to end without the mouse', async ({ page }) => {
  await page.goto('.');
  await page.getByRole('button', { name: /ten search hits/ }).waitFor();
  await tabTo(page, 'main li button');
  await page.keyboard.press('Enter');
  await expect(fieldTable(page)).toBeVisible();
  // The button is gone with the home page: the focus is where the analysis is, whose verdict is said.
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.getByRole('status', { name: 'Verdict' })).toHaveText(/^10 search hits\. Protobuf 9,191/);

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

  // In the table `?` is the beginning of a filter, and a list of choices keeps its keys, too.
  await tabTo(page, 'button', 'Shift+Tab');
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await expect(keys).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(keys).toBeHidden();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
});

test('the mark of the focus runs around the whole table, also along names and a head that stay in view', async ({
  page,
}) => {
  const edges = async (table: Locator) => {
    // After a key, as that of a person who uses them.
    await page.keyboard.press('Shift');
    await table.focus();
    await page.mouse.move(0, 0);
    const { x, y, width, height } = (await table.boundingBox())!;
    const strip = (left: number) =>
      page.screenshot({ clip: { x: left, y, width: 2, height: Math.floor(height) }, animations: 'disabled' });
    return [await strip(x), await strip(x + width - 2)] as const;
  };
  const expectWhole = async (table: Locator) => {
    await expect(async () => {
      const [left, right] = await edges(table);
      expect(left.equals(right)).toBe(true);
    }).toPass();
  };
  await openSample(page, /ten search hits/);
  await expectWhole(fieldTable(page));
  await page.goto('.');
  await page.getByRole('button', { name: /1\.0 against 2\.0/ }).click();
  await expectWhole(page.getByRole('grid', { name: 'Change by field' }));
});

test('the focus is kept when its view closes', async ({ page }) => {
  await page.goto('.');
  await page.getByRole('button', { name: /ten search hits/ }).press('Enter');
  await expect(fieldTable(page)).toBeVisible();
  const banner = page.getByRole('banner');
  for (const [panel, key] of [
    ['Messages', 'Enter'],
    ['Schema', 'Space'],
  ] as const) {
    const toggle = banner.getByRole('button', { name: new RegExp(`^${panel} `) });
    await toggle.press('Enter');
    const close = page.getByRole('button', { name: `Close ${panel}` });
    await close.press(key);
    await expect(close).toHaveCount(0);
    await expect(toggle).toBeFocused();
  }
  await banner.getByRole('link', { name: 'Explore types' }).press('Enter');
  await expect(page.getByRole('combobox', { name: 'Search the schema' })).toBeVisible();
  const back = banner.getByRole('link', { name: '← Costs' });
  await expect(back).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(fieldTable(page)).toBeVisible();
  await expect(banner.getByRole('link', { name: 'Explore types' })).toBeFocused();

  const handle = page.getByRole('separator', { name: 'Resize Costs' });
  await expect(handle).toHaveAttribute('aria-valuenow', /\d/);
  const before = Number(await handle.getAttribute('aria-valuenow'));
  await handle.press('ArrowLeft');
  const size = async (): Promise<number> => Number(await handle.getAttribute('aria-valuenow'));
  await expect.poll(size).toBeLessThan(before);
  // A reload keeps the size.
  const chosen = await size();
  await page.waitForTimeout(700);
  await page.reload();
  await expect.poll(async () => Math.abs((await size()) - chosen)).toBeLessThan(1);
});

test('the focus stays on the page when a step leaves no message', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, {
    name: 'hits.gz',
    mimeType: 'application/gzip',
    buffer: gzipSync(bytesOf('public/samples/opensearch-search-hits.binpb')),
  });
  const step = page.getByLabel('Unwrapped by', { exact: true });
  await step.focus();
  await page.keyboard.press('Home');
  await expect(page.getByRole('heading', { name: /no message/ })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
});

test('the focus stays on the page when the open input is kept as A, and when A is cleared', async ({ page }) => {
  await openSample(page, /ten search hits/);
  await page.getByRole('button', { name: 'A and B' }).press('Enter');
  for (const name of [/^Keep .* as A$/, 'Clear A']) {
    await page.getByRole('button', { name }).press('Enter');
    await expect(page.getByRole('button', { name })).toHaveCount(0);
    await expect(page.getByRole('main').locator(':focus').or(page.locator('main:focus'))).toHaveCount(1);
  }
});

test('the focus stays beside a control that goes with a press, or on the control that stays', async ({ page }) => {
  await openSample(page, /what passes between/i);
  const answer = page.getByRole('region', { name: /search hits/ });
  const more = answer.getByRole('button', { name: 'more' });
  await more.press('Enter');
  const less = answer.getByRole('button', { name: 'less' });
  await expect(less).toBeFocused();
  await less.press('Enter');
  await expect(more).toBeFocused();

  await answer.getByRole('button', { name: 'Measure after compression' }).press('Enter');
  await expect(answer.getByRole('status')).toContainText('After ');
  await expect(answer).toBeFocused();

  const saved = page.getByRole('region', { name: 'Saved if removed' });
  await saved.getByRole('button', { name: 'Compress without it' }).press('Enter');
  await expect(saved.getByRole('button')).toHaveCount(0);
  await expect(saved).toBeFocused();
  await expect(saved.getByRole('status')).toContainText('ithout');
});

test('the focus stays on a choice that has the encodings or the advice measured again', async ({ page }) => {
  await openSample(page, /ten search hits/);
  await page.getByRole('button', { name: 'Encodings', exact: true }).press('Enter');
  const encodings = page.getByRole('complementary', { name: 'Encodings' });
  await expect(encodings.getByRole('status').first()).toContainText(/^Smallest of 8/, { timeout: 60_000 });
  const all = encodings.getByRole('checkbox', { name: 'All encodings' });
  await all.press('Space');
  await expect(all).toBeFocused();
  await expect(encodings.getByRole('status').first()).toContainText(/^Smallest of [12]\d/, { timeout: 60_000 });
  await expect(all).toBeFocused();

  await page.getByRole('button', { name: 'What should change' }).press('Enter');
  const advice = page.getByRole('complementary', { name: 'What should change' });
  const found = advice.getByRole('status').first();
  await expect(found).toHaveText(/^\d+ changes were measured\. The first: /, { timeout: 60_000 });
  await advice.getByRole('table').getByRole('checkbox').first().press('Space');
  const applied = advice.getByRole('region', { name: 'Applied changes' });
  await expect(applied.getByRole('status')).toContainText('bytes');
  await applied.getByRole('button', { name: 'Take all back' }).press('Enter');
  await expect(applied).toHaveCount(0);
  await expect(advice).toBeFocused();
  const ranked = advice.getByRole('combobox', { name: 'Ranked by' });
  await ranked.press('Home');
  await expect(ranked).toHaveValue('gzip');
  await expect(advice).toContainText(/\sbytes with gzip level 6/);
  await expect(found).toHaveText(/^\d+ changes were measured\. The first: /, { timeout: 60_000 });
  await expect(ranked).toBeFocused();
});

test('a key that opens a panel takes the focus there, and Escape in its fields leaves it there', async ({ page }) => {
  await openSample(page, /ten search hits/);
  for (const [key, name] of [
    ['i', 'Input'],
    ['m', 'Messages'],
    ['s', 'Schema'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.getByRole('complementary', { name })).toBeFocused();
  }
  await expect(page.locator('.monaco-editor').first()).toBeVisible();
  const schema = page.getByRole('complementary', { name: 'Schema' });
  await tabTo(page, '.monaco-editor *');
  await page.keyboard.press('Escape');
  await expect(schema).toBeFocused();
});

test('a long list of messages is walked by keys, sorted and filtered', async ({ page }) => {
  await page.goto('.');
  const message = bytesOf('fixtures/input/codecfixture.rw1.binpb');
  const framed = Buffer.concat([Buffer.from([(message.length & 0x7f) | 0x80, message.length >> 7]), message]);
  const buffer = Buffer.alloc(2000 * framed.length, framed);
  await chooseFiles(page, { name: 'many.delim.binpb', mimeType: 'application/octet-stream', buffer });
  await page.getByRole('button', { name: 'Messages 2,000' }).press('Enter');
  const messages = page.getByRole('listbox', { name: 'Messages' });
  const active = () =>
    messages.evaluate((list) => document.getElementById(list.getAttribute('aria-activedescendant')!)?.ariaPosInSet);
  await expect(messages.getByRole('option').first()).toBeVisible();
  await messages.press('End');
  await expect(messages.locator('[aria-posinset="2000"]')).toHaveAttribute('aria-selected', 'true');
  await expect.poll(active).toBe('2000');

  // In another order, or among fewer messages, the first row is active.
  const sort = page.getByRole('button', { name: 'Sort by Bytes, now descending' });
  await page.getByRole('button', { name: 'Sort by Bytes', exact: true }).press('Enter');
  await expect(sort).toBeFocused();
  await expect.poll(active).toBe('1');
  await messages.press('ArrowDown');
  await expect.poll(active).toBe('2');
  await page.getByRole('textbox', { name: /^At most/ }).fill('1');
  await expect(messages.getByRole('option')).toHaveCount(0);
  await page.getByRole('textbox', { name: /^At most/ }).fill('');
  await expect.poll(active).toBe('1');
  await messages.press('Space');
  await expect(page.getByText('1 chosen')).toBeVisible();
});

test('the focus goes to the page that a key opens', async ({ page }) => {
  await page.goto('.');
  await page.getByRole('main').waitFor();
  await page.keyboard.press('t');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Schema');
  await expect(page.getByRole('main')).toBeFocused();
});

const SHOP: Readonly<Record<string, string>> = {
  'shop/order.proto': `syntax = "proto3";
package shop;
import "shop/line.proto";
message Order {
  string id = 1;
  repeated Line lines = 2;
  int64 discount_cents = 3;
}
`,
  'shop/line.proto': 'syntax = "proto3"; package shop; message Line { string article = 1; }',
};

test('a schema is explored from start to end without the mouse', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'wirecost-keys-'));
  for (const [path, text] of Object.entries(SHOP)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const heading = page.getByRole('heading', { level: 1 });
  const main = page.getByRole('main');
  await page.goto('.');
  await main.waitFor();
  await page.keyboard.press('t');
  await expect(heading).toHaveText('Schema');
  // Add files, add a folder.
  await tabTo(page, 'main button:nth-of-type(2)');
  const folderChoice = page.waitForEvent('filechooser');
  await page.keyboard.press('Enter');
  await (await folderChoice).setFiles(join(folder, 'shop'));
  await expect(page.getByText('2 message types')).toBeVisible();

  // A type by the name of a field.
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox', { name: 'Search the schema' })).toBeFocused();
  await page.keyboard.type('discount');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Fields' })).toBeChecked();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/type\/shop\.Order\.discount_cents$/);
  await expect(heading).toContainText('Order');

  // Its text, where the cursor stands at its name; from there to a definition in another file.
  await tabTo(page, 'main a[href*="#/edit/"]');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/edit\/shop\/order\.proto:4:9$/);
  await expect.poll(() => isEditing(page)).toBe(true);
  const keys = ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'F12'];
  for (const key of keys) await page.keyboard.press(key);
  await expect(page).toHaveURL(/#\/edit\/shop\/line\.proto:1:\d+$/);
  await expect(page.locator('.monaco-editor .view-line').filter({ hasText: /message\sLine/ })).toBeVisible();
  await expect.poll(() => isEditing(page)).toBe(true);

  // Back to the page, and on from there: the focus never begins anew at the top of the window.
  await page.goBack();
  await page.goBack();
  await expect(heading).toContainText('Order');
  await expect(main).toBeFocused();
  await tabTo(page, 'main table a[title="shop.Line"]');
  await page.keyboard.press('Enter');
  await expect(heading).toContainText('Line');
  await expect(main).toBeFocused();

  await page.keyboard.press('/');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tree', { name: 'Packages' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(main).toBeFocused();
  await tabTo(page, 'nav a[href="#/compare"]');
  await page.keyboard.press('Enter');
  await expect(heading).toHaveText('Schema against schema');
  await tabTo(page, 'main button');
  const choice = page.waitForEvent('filechooser');
  await page.keyboard.press('Enter');
  const buffer = Buffer.from(SHOP['shop/line.proto']!.replace('string', 'sint64'));
  await (await choice).setFiles({ name: 'line.proto', mimeType: 'text/plain', buffer });
  await expect(page.getByRole('table', { name: 'Fields of shop.Line that changed' })).toContainText('retyped');
  rmSync(folder, { recursive: true, force: true });
});

test('the groups of messages keep an active line when another grouping has fewer', async ({ page }) => {
  await openSample(page, /what passes between/);
  const tree = page.getByRole('tree', { name: 'Groups of messages' });
  await tree.focus();
  await page.keyboard.press('End');
  await page.getByRole('group', { name: 'Group messages by' }).getByRole('button', { name: 'Type' }).click();
  await expect(tree.getByRole('treeitem').nth(1)).toBeVisible();
  const activeOf = (element: Element) => document.getElementById(element.getAttribute('aria-activedescendant')!)?.id;
  expect(await tree.evaluate(activeOf)).toBe(await tree.getByRole('treeitem').last().getAttribute('id'));
});
