/** As someone whose schema is packed or compiled I can read its text and follow its links. */
import type { Locator, Page } from '@playwright/test';
import { zipSync } from 'fflate';
import { expect, test } from './page.ts';
import { bytesOf, isEditing, pointAt } from './steps.ts';

const ORDER = `syntax = "proto3";
package shop;
import "shop/line.proto";
message Order {
  repeated Line lines = 1;
  State state = 20;
  enum State { OPEN = 0; }
}
message Basket { Line last = 1; }
`;
const LINE =
  'syntax = "proto3";\npackage shop;\n// One of them.\nmessage Line { string article = 1; int64 price = 2; }\n';

const IMAGE = {
  file: [
    {
      name: 'till/till.proto',
      package: 'till',
      syntax: 'proto3',
      messageType: [
        {
          name: 'Query',
          field: [{ name: 'text', number: 1, label: 'LABEL_OPTIONAL', type: 'TYPE_STRING', jsonName: 'text' }],
        },
        {
          name: 'Row',
          field: [
            {
              name: 'of',
              number: 16,
              label: 'LABEL_REPEATED',
              type: 'TYPE_MESSAGE',
              typeName: '.till.Query',
              jsonName: 'of',
            },
          ],
        },
      ],
      service: [
        {
          name: 'Till',
          method: [{ name: 'Ask', inputType: '.till.Query', outputType: '.till.Row', serverStreaming: true }],
        },
      ],
      bufExtension: { isImport: false },
    },
  ],
};

const heading = (page: Page): Locator => page.getByRole('heading', { level: 1 });
const line = (page: Page, text: string | RegExp): Locator =>
  page.locator('.monaco-editor .view-line').filter({ hasText: text });

async function load(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.goto('#/schema');
  await expect(heading(page)).toBeVisible();
  const file = { name, mimeType: 'application/octet-stream', buffer };
  await page.getByLabel('Schema files to add', { exact: true }).setInputFiles(file);
}

const zipOf = (files: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))));

test('files of an archive are found, read and edited as in a folder', async ({ page }) => {
  const files = { 'protos/shop/order.proto': ORDER, 'protos/shop/line.proto': LINE, 'protos/LICENSE': 'none' };
  await load(page, 'protos.zip', zipOf(files));
  await expect(page.getByText('2 files, 3 message types')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What is wrong' })).toHaveCount(0);

  await page.goto('#/edit/protos/shop/order.proto');
  await line(page, /^}$/).last().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('message Shelf { Nothing of = 1; }');
  await expect(page.getByRole('list', { name: 'Faults in this file' })).toContainText('Nothing');
  await line(page, 'repeated').getByText('Line', { exact: true }).click();
  await page.keyboard.press('F12');
  await expect(page).toHaveURL(/#\/edit\/protos\/shop\/line\.proto:4:9$/);
  await expect(line(page, 'One of them.')).toBeVisible();
  const hover = await pointAt(page, line(page, 'price').getByText('price'), 'shop.Line.price');
  await expect(hover).toContainText('protobuf: absent 0, present 2 to 11 bytes');

  // Remembered like any file.
  await page.reload();
  await expect(line(page, 'One of them.')).toBeVisible();
  await expect(page.getByRole('tab')).toHaveText(['order.proto1', 'line.proto']);
});

test('an archive whose imports have another root uses the root that an import names', async ({ page }) => {
  const imported = 'example.com/shop/api/shop/line.proto';
  const order = ORDER.replace('shop/line.proto', imported);
  await load(
    page,
    'shop-main.zip',
    zipOf({ 'shop-main/src/api/shop/line.proto': LINE, 'shop-main/src/till/order.proto': order }),
  );
  const missing = page.getByRole('list', { name: 'Missing imports' });
  await expect(missing).toContainText(imported);
  await expect(missing).toContainText('imported by shop-main/src/till/order.proto:3');
  await missing.getByRole('button', { name: 'Make shop-main/src the root' }).click();
  await expect(missing).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'What is wrong' })).toHaveCount(0);

  // The same by hand, one folder deeper.
  await page.getByRole('combobox', { name: 'Imports begin below' }).fill('api');
  await expect(page.getByText('of 1 file', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Make it the root' }).click();
  await page.goto('#/file/shop/line.proto');
  await expect(heading(page)).toContainText('line.proto');
});

test('a buf image in JSON is printed from its descriptors', async ({ page }) => {
  await load(page, 'image.json', Buffer.from(JSON.stringify(IMAGE)));
  await expect(page.getByText('1 file, 2 message types')).toBeVisible();
  await page.getByText('Type used').click();
  await page.getByRole('combobox', { name: 'Search the schema' }).fill('query');
  await expect(page.getByRole('option')).toHaveCount(2);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/type\/till\.Row\.of$/);
  await page.getByRole('link', { name: 'till/till.proto' }).click();
  await page.getByRole('link', { name: 'Open the text' }).click();
  await expect(page.getByText(/printed from its descriptors/)).toBeVisible();
  await expect(line(page, 'rpc')).toHaveText(/rpc\sAsk\s\(Query\)\sreturns\s\(stream\sRow\);/);
  await pointAt(page, line(page, 'repeated').getByText('of', { exact: true }), 'tag 2 bytes');
});

test('a descriptor set has definitions in other files, uses and an outline', async ({ page }) => {
  test.slow();
  await load(page, 'apm.binpb', bytesOf('fixtures/input/apm-modelpb.fds.binpb'));
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await page.getByRole('combobox', { name: 'Search the schema' }).fill('apmevent');
  await page.keyboard.press('Enter');
  await expect(heading(page)).toContainText('APMEvent');
  await page.getByRole('link', { name: 'apmevent.proto' }).click();
  await page.getByRole('link', { name: 'Open the text' }).click();
  await expect(line(page, /^package/)).toBeVisible();
  await page.goto('#/edit/apmevent.proto:40:3');
  const field = line(page, /Span\sspan/);
  await expect(field).toBeVisible();
  await field.getByText('Span', { exact: true }).click();
  await page.keyboard.press('F12');
  await expect(page).toHaveURL(/#\/edit\/span\.proto:\d+:9$/);
  await expect(line(page, /message\sSpan\s/)).toBeVisible();
  await expect.poll(() => isEditing(page)).toBe(true);
  await page.keyboard.press('Shift+F12');
  await expect(page.locator('.zone-widget')).toContainText('apmevent.proto');
  await page.keyboard.press('Escape');
  await expect(page.locator('.zone-widget')).toHaveCount(0);
  await page.goBack();
  await expect(field).toBeVisible();
  await field.click();
  await page.keyboard.press('Control+Shift+O');
  await page.locator('.quick-input-widget input').fill('@timestamp');
  await expect(page.locator('.quick-input-list .monaco-list-row').first()).toContainText('timestamp');
});
