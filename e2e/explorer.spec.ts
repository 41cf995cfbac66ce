/** As someone with a repository of .proto files I load it without ceremony and find my way in it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { findings } from './findings.ts';
import { expect, test } from './page.ts';
import { bytesOf, chooseFiles, dropOnto, fieldTable, isEditing, openSample, pathOf, pointAt } from './steps.ts';

const FILES: Readonly<Record<string, string>> = {
  'protos/shop/order.proto': `syntax = "proto3";
package shop;
import "shop/line.proto";
import "money.proto";
// A purchase of a customer.
message Order {
  string id = 1;
  repeated Line lines = 2;
  Money total = 16;
  int64 discount_cents = 3;
}
service Till { rpc Sell (Order) returns (Line); }
`,
  'protos/shop/line.proto': 'syntax = "proto3"; package shop; message Line { string article = 1; }',
  'protos/README.md': '# Not a schema',
};
const MONEY = 'syntax = "proto3"; package shop; message Money { sint64 units = 1; }';

let folder: string;

test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirecost-schema-'));
  for (const [path, text] of Object.entries({ ...FILES, 'money.proto': MONEY })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs in the page: how many schema files the browser keeps for it. */
const filesKept = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open('wirecost');
    opening.onerror = reject;
    opening.onsuccess = () => {
      const counting = opening.result.transaction('schema-files').objectStore('schema-files').count();
      counting.onerror = reject;
      counting.onsuccess = () => {
        opening.result.close();
        resolve(counting.result);
      };
    };
  });

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const search = (page: Page) => page.getByRole('combobox', { name: 'Search the schema' });

test('a dropped folder reports its missing import, and a field’s name finds its type', async ({ page }) => {
  await page.goto('.');
  await dropOnto(page, [join(folder, 'protos')]);
  await expect(page).toHaveURL(/#\/schema$/);
  await expect(heading(page)).toHaveText('Schema');

  const missing = page.getByRole('list', { name: 'Missing imports' });
  await expect(missing.getByRole('listitem')).toHaveCount(1);
  await expect(missing).toContainText('money.proto');
  await expect(missing).toContainText('imported by protos/shop/order.proto:4');
  const chooser = page.waitForEvent('filechooser');
  await missing.getByRole('button', { name: 'Add money.proto' }).click();
  await (await chooser).setFiles(join(folder, 'money.proto'));
  await expect(missing).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'What is wrong' })).toHaveCount(0);

  await page.getByText('Fields', { exact: true }).click();
  await search(page).fill('discount');
  await expect(page.getByRole('option')).toHaveCount(1);
  await search(page).press('Enter');
  await expect(page).toHaveURL(/#\/type\/shop\.Order\.discount_cents$/);
  await expect(heading(page)).toContainText('Order');
  await expect(page.getByText('A purchase of a customer.')).toBeVisible();
  const fields = page.getByRole('table', { name: 'Fields of Order' });
  await expect(fields.getByRole('row')).toHaveCount(5);
  await expect(fields.locator('.is-focused')).toContainText('discount_cents');

  await fields.getByRole('link', { name: 'Money' }).click();
  await expect(heading(page)).toContainText('Money');
  await page.getByRole('link', { name: 'Order.total' }).click();
  await expect(heading(page)).toContainText('Order');
  await page.goBack();
  await expect(heading(page)).toContainText('Money');
  await page.goForward();
  await expect(heading(page)).toContainText('Order');

  // Its text, at its line: a type leads to its definition in another file, a field says what it costs.
  await page.getByRole('link', { name: /^line \d/ }).click();
  await expect(page).toHaveURL(/#\/edit\/protos\/shop\/order\.proto:6:9$/);
  const line = (text: string) => page.locator('.monaco-editor .view-line').filter({ hasText: text });
  const hover = await pointAt(page, line('discount_cents').getByText('discount_cents'), 'tag 1 byte');
  await expect(hover).toContainText('native (Long): absent 8, present 8 bytes');
  await page.mouse.move(10, 10);
  await expect(hover).toHaveCount(0);
  await line('repeated').getByText('Line', { exact: true }).click();
  await page.keyboard.press('F12');
  await expect(page).toHaveURL(/#\/edit\/protos\/shop\/line\.proto:1:\d+$/);
  await expect(line('message Line')).toBeVisible();
  await page.goBack();
  await expect(line('discount_cents')).toBeVisible();
  await page.goto('#/type/shop.Order');
  await expect(heading(page)).toContainText('Order');

  // Opened again: it is all still there, at the same place.
  await page.reload();
  await expect(heading(page)).toContainText('Order');
  await page.goto('#/schema');
  // A double press forgets nothing.
  await page.getByRole('button', { name: 'Forget all' }).dblclick();
  await page.getByRole('button', { name: 'Forget all' }).click();
  await page.getByRole('button', { name: 'Forget them' }).click();
  await expect(page.getByText('You have not loaded a schema')).toBeVisible();
  await expect.poll(() => page.evaluate(filesKept)).toBe(0);
  await page.reload();
  await expect(page.getByText('You have not loaded a schema')).toBeVisible();
});

test('the editor shows faults while typing, completions, uses, and the root of imports', async ({ page }) => {
  test.slow();
  await page.goto('.');
  await dropOnto(page, [join(folder, 'protos')]);
  await expect(page.getByText('imported by protos/shop/order.proto:4')).toBeVisible();

  // Paths as imports have them: without the folder that was dropped.
  await page.getByRole('combobox', { name: 'Imports begin below' }).fill('protos');
  await expect(page.getByText('of 2 files')).toBeVisible();
  await page.getByRole('button', { name: 'Make it the root' }).click();
  await expect(page.getByText('imported by shop/order.proto:4')).toBeVisible();

  await page.goto('#/edit/shop/line.proto');
  const line = (text: RegExp) => page.locator('.monaco-editor .view-line').filter({ hasText: text });
  await line(/message\sLine/)
    .getByText('Line')
    .click();
  await page.keyboard.press('Shift+F12');
  // Itself, the field and the method.
  await expect(page.locator('.zone-widget')).toContainText('References (3)');
  await page.keyboard.press('Escape');
  await expect(page.locator('.zone-widget')).toHaveCount(0);
  await line(/message\sLine/)
    .getByText('Line')
    .click();
  await expect.poll(() => isEditing(page)).toBe(true);
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('message Slip { Ord', { delay: 30 });
  await expect(page.locator('.suggest-widget .monaco-list-row').filter({ hasText: 'Order' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.type('erly of = 1; }');
  const wrong = page.getByRole('list', { name: 'Faults in this file' });
  await expect(wrong).toContainText('Orderly');
  // The letters are the text's, and lead nowhere else.
  await page.keyboard.type(' // smil?');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/#\/edit\/shop\/line\.proto$/);
  await expect(line(/smil\?/)).toBeVisible();
});

test('malicious schemas: the page keeps working, and reports the faults', async ({ page }) => {
  test.slow();
  const deep = `${'message M { '.repeat(5000)}${'}'.repeat(5000)}`;
  const files: Readonly<Record<string, string>> = {
    'a.proto': 'syntax = "proto3"; import "b.proto"; message A {}',
    'b.proto': 'syntax = "proto3"; import "a.proto"; message B {}',
    'deep.proto': `syntax = "proto3"; package deep; ${deep}`,
    'line.proto': `syntax = "proto3"; package long; message Long { string ${'x'.repeat(1 << 20)} = 1; }`,
    'names.proto':
      'syntax = "proto3"; package names; message constructor { string __proto__ = 1; constructor hasOwnProperty = 2; }',
    'many.proto': `syntax = "proto3"; package many; enum Many { ${Array.from({ length: 1_000_000 }, (_, at) => `V${at} = ${at};`).join('')} }`,
    'wide.proto': `syntax = "proto3"; package wide; message Wide { ${Array.from({ length: 10_000 }, (_, at) => `int32 f${at} = ${at + 1};`).join('')} }`,
  };
  await page.goto('#/schema');
  await expect(heading(page)).toBeVisible();
  await page
    .getByLabel('Schema files to add', { exact: true })
    .setInputFiles(
      Object.entries(files).map(([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })),
    );
  const wrong = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: /^(a|b|deep|many)\.proto:/ }) });
  await expect(wrong.first()).toBeVisible({ timeout: 30_000 });
  await expect(wrong.filter({ hasText: 'a.proto → b.proto → a.proto' })).toHaveCount(1);
  await expect(wrong.filter({ hasText: 'nested deeper' })).toHaveCount(1);
  await expect(wrong.filter({ hasText: 'too much text' })).toHaveCount(1);

  await search(page).fill('constructor');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: 'Fields of constructor' })).toContainText('__proto__');
  await page.goto('#/type/wide.Wide');
  await expect(page.getByRole('table', { name: 'Fields of Wide' })).toContainText('f199');
  await expect(page.getByText('and 8,000 more, not listed here')).toBeVisible();
  await page.goto('#/schema');
  await expect(heading(page)).toHaveText('Schema');
});

test('a descriptor set is explored by keyboard', async ({ page }) => {
  await page.goto('#/schema');
  await expect(heading(page)).toBeVisible();
  await page
    .getByLabel('Schema files to add', { exact: true })
    .setInputFiles(pathOf('fixtures/input/apm-modelpb.fds.binpb'));
  const tree = page.getByRole('tree', { name: 'Packages' });
  await expect(tree.getByRole('treeitem').first()).toBeVisible();
  await expect(page.getByRole('banner').getByRole('status')).toHaveCount(0);
  await tree.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/(package|type)\//);
  await expect(tree.locator('[aria-selected=true]')).toHaveCount(1);
});

test('the address of a page carries its schema to another browser and to the other pages', async ({
  page,
  context,
  browser,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('#/schema');
  await dropOnto(page, [join(folder, 'protos')]);
  await expect(page.getByRole('treeitem', { name: /shop/ }).first()).toBeVisible();
  await page.goto('#/type/shop.Nothing');
  await expect(page.getByRole('heading', { name: 'Not in the schema' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeHidden();
  await page.goto('#/type/shop.Order');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText(/^Copied\. .* characters: works/)).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/#\/type\/shop\.Order\?with=w\d/);
  const other = await browser.newPage();
  await other.goto(link);
  await expect(heading(other)).toContainText('Order');
  await other.getByRole('link', { name: 'repeated Line' }).click();
  await expect(heading(other)).toContainText('Line');
  await expect(other).toHaveURL(/#\/type\/shop\.Line\?with=w\d/);
  await other.reload();
  await expect(other.getByRole('table', { name: 'Fields of Line' })).toBeVisible();
  await other.goBack();
  await expect(heading(other)).toContainText('Order');
  // A line of the text has a link, too.
  await page.getByRole('link', { name: /^line \d+$/ }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText(/^Copied\. .* characters: works/)).toBeVisible();
  await other.goto(await page.evaluate(() => navigator.clipboard.readText()));
  await expect(other).toHaveURL(/#\/edit\/protos\/shop\/order\.proto:\d+:\d+\?with=w\d/);
  await expect(other.locator('.monaco-editor')).toContainText('message Order');
  await other.close();
});

test('the address of a comparison carries both versions to another browser', async ({ page, context, browser }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('#/schema');
  await dropOnto(page, [join(folder, 'protos')]);
  await expect(page.getByRole('treeitem', { name: /shop/ }).first()).toBeVisible();
  await page.goto('#/compare');
  await expect(page.getByRole('heading', { name: 'Schema against schema' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeHidden();
  await page.getByLabel('Files of the second version', { exact: true }).setInputFiles({
    name: 'line.proto',
    mimeType: 'text/plain',
    buffer: Buffer.from('syntax = "proto3"; package shop; message Line { string article = 1; int32 count = 2; }'),
  });
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText(/^Copied\. .* characters: works/)).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/#\/compare\?with=w\d/);
  const other = await browser.newPage();
  await other.goto(link);
  const changed = other.getByRole('table', { name: 'Fields of shop.Line that changed' });
  await expect(changed).toContainText('count');
  await other.reload();
  await expect(changed).toContainText('count');
  await other.close();
});

test('the cost of a second version is measured with the messages that are open', async ({ page }) => {
  const proto = (count: string) =>
    Buffer.from(`syntax = "proto3"; package shop; message Line { string article = 1; ${count} count = 2; }`);
  await page.goto('.');
  await chooseFiles(page, [
    { name: 'line.proto', mimeType: 'text/plain', buffer: proto('int32') },
    // article: "pencil", count: −1
    {
      name: 'line.binpb',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(`0a0670656e63696c10${'ff'.repeat(9)}01`, 'hex'),
    },
  ]);
  await expect(fieldTable(page).getByRole('row', { name: /^count/ })).toBeVisible();
  await page.evaluate(() => {
    location.hash = '#/compare';
  });
  await page.getByLabel('Files of the second version', { exact: true }).setInputFiles({
    name: 'line.proto',
    mimeType: 'text/plain',
    buffer: proto('sint32'),
  });
  await expect(page.getByRole('definition').filter({ hasText: 'in A' })).toHaveText(/^19\sbytes in A, 10 in B \(−9\)$/);
  const changed = page.getByRole('table', { name: 'Fields of shop.Line that changed' });
  await expect(changed.getByRole('row', { name: /^count retyped/ })).toContainText(/11\s*2 \(−9\)/);
});

test('fields of the open input show measured figures', async ({ page }) => {
  await openSample(page, /ten search hits/);
  await page.getByRole('link', { name: 'Explore types' }).click();
  // The overview shows where the cost of the types sits, and each leads to its page.
  await expect(page.getByRole('img', { name: /^Icicle of all types: 9,1\d\d\sbytes/ })).toBeVisible();
  await page
    .getByRole('table', { name: 'The largest types' })
    .getByRole('link', { name: /SearchHitProto$/ })
    .click();
  await expect(heading(page)).toContainText('SearchHitProto');
  await expect(page.getByRole('heading', { name: /^Examples ?message 0/ })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Bytes \d/ }).first()).toBeVisible();
  await page.goBack();
  await search(page).fill('SearchHit');
  // Packages differ at their end: where one has no room, its beginning is cut.
  const scope = page.getByRole('option').getByTitle('org.opensearch.proto.search.SearchHitProto', { exact: true });
  const isEndSeen = await scope.evaluate((line: HTMLElement) => {
    line.style.width = '4rem';
    const words = document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode() as Text;
    const end = document.createRange();
    end.setStart(words, words.length - 1);
    end.setEnd(words, words.length);
    return end.getBoundingClientRect().right <= line.getBoundingClientRect().right + 1;
  });
  expect(isEndSeen).toBe(true);
  await search(page).press('Enter');
  const table = page.getByRole('table', { name: /^Fields of SearchHit/ });
  await expect(table.getByRole('columnheader', { name: 'Protobuf' })).toBeVisible();
  await page.getByRole('link', { name: '← Costs' }).click();
  await expect(page.getByRole('treegrid', { name: 'Cost by field' })).toBeVisible();
});

test('two versions show what changed, whether each reads the other, and the cost', async ({ page }) => {
  await openSample(page, /ten search hits/);
  await page.getByRole('link', { name: 'Explore types' }).click();
  await page.getByRole('link', { name: 'Compare' }).click();
  const text = bytesOf('schemas/opensearch/search-hits.proto').toString('utf8');
  const other = text.replace(/(optional )?int64 version = (\d+)/, '$1sint64 version = $2');
  expect(other).not.toBe(text);
  await page.getByLabel('Files of the second version', { exact: true }).setInputFiles({
    name: 'search-hits.proto',
    mimeType: 'text/plain',
    buffer: Buffer.from(other),
  });
  const table = page.getByRole('table', { name: /^Fields of .*SearchHitProto that changed$/ });
  const row = table.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'version', exact: true }) });
  await expect(row).toContainText('retyped');
  await expect(row).toContainText('sint64 version = 2');
  // Ten hits, each −1 in ten bytes, now in one.
  await expect(row).toContainText('110');
  await expect(row).toContainText('20 (−90)');
  await expect(page.getByText('−90', { exact: true })).toBeVisible();
  // Other JSON is refused: against a version without types, all types would be listed as removed.
  await page.getByLabel('Files of the second version', { exact: true }).setInputFiles({
    name: 'traces.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"resourceSpans": []}'),
  });
  await expect(page.getByRole('list', { name: 'Faults in B' })).toContainText('This JSON is neither a descriptor set');
  await expect(page.getByRole('heading', { name: 'What changed' })).toBeHidden();
});

for (const width of [1280, 480]) {
  test.describe(`${width} wide`, () => {
    test.use({ viewport: { width, height: 800 } });

    test('every page of the explorer passes the accessibility check', async ({ page }) => {
      await page.goto('#/schema');
      await expect(heading(page)).toBeVisible();
      await dropOnto(page, [join(folder, 'protos')]);
      await expect(page.getByRole('treeitem', { name: /shop/ }).first()).toBeVisible();
      for (const [place, title] of [
        ['schema', 'Schema'],
        ['type/shop.Order', 'Order'],
        ['type/shop.Till', 'Till'],
        ['file/protos/shop/order.proto', 'order.proto'],
        ['costly', 'Costly by declaration'],
        ['compare', 'Schema against schema'],
      ] as const) {
        await page.goto(`#/${place}`);
        await expect(heading(page)).toContainText(title);
        expect.soft(await findings(page), place).toEqual([]);
      }
    });
  });
}
