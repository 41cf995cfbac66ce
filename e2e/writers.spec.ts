/** As someone who argues about a native format I look at one value in both encodings, and change how it is written. */
import { readFileSync } from 'node:fs';
import { expect, test } from './page.ts';
import { fieldTable, litBytes, openSample } from './steps.ts';

test('seq_no of hit 3 takes one byte natively and eleven in protobuf', async ({ page }) => {
  await openSample(page, /ten search hits/);
  await page.getByRole('button', { name: 'Protobuf tree' }).click();
  const rows = page
    .getByRole('tree', { name: 'Protobuf tree message' })
    .getByRole('treeitem', { name: /^seq_no, field 3/ });
  await rows.nth(2).click();
  await page.getByRole('button', { name: 'Bytes', exact: true }).click();

  const lit = async (side: 'Protobuf' | 'Native') => (await litBytes(page, side)).map(([, byte]) => byte).join(' ');
  await expect.poll(() => lit('Protobuf')).toBe('18 fe ff ff ff ff ff ff ff ff 01');
  await expect.poll(() => lit('Native')).toBe('03');
  const bytes = (side: string) => page.getByRole('region', { name: `${side} bytes` });
  await expect(bytes('Protobuf').getByRole('status')).toContainText('18 tag: field 3, VARINT');
  await expect(bytes('Protobuf').getByRole('status')).toContainText('fe ff ff ff ff ff ff ff ff 01 value: -2');
  await expect(bytes('Native').getByRole('status')).toContainText('03 ZLong: -2');

  for (const [side, size] of [
    ['Protobuf', 9191],
    ['Native', 9125],
  ] as const) {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: `Save the ${side} bytes` }).click();
    expect(readFileSync(await (await download).path())).toHaveLength(size);
  }
});

test('version written as ZLong changes the verdict; the change can be copied and undone', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openSample(page, /ten search hits/);
  const verdict = page.getByRole('heading', { level: 1 });
  await expect(verdict).toContainText('native 9,125: protobuf costs +0.72 %');
  const row = fieldTable(page).getByRole('row', { name: /^version 2/ });
  await row.click();
  const details = page.getByRole('region', { name: 'Field hits.version' });
  await expect(details.getByRole('radio', { name: /^Long 8 bytes 80 bytes/ })).toBeChecked();
  await details.getByRole('radio', { name: /^ZLong .* 10 bytes −70$/ }).check();

  await expect(verdict).toContainText('native 9,055: protobuf costs +1.50 %');
  await expect(row).toContainText('ZLong');
  await expect.poll(() => litBytes(page, 'Native')).toEqual([[35, '01']]);

  await details.getByRole('button', { name: 'Copy option' }).click();
  await expect(details.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('[(wirecost.native.write) = ZLONG]');

  // A profile with writers of its own ignores the change.
  const profile = (name: RegExp) => page.getByRole('radio', { name });
  await page.getByRole('button', { name: /^Native As laid out.* 1 writer changed/ }).click();
  await profile(/^Avro binary/).check();
  await expect(page.getByRole('button', { name: /^Native Avro binary$/ })).toBeVisible();
  await expect(details.getByRole('button', { name: 'Reset' })).toBeHidden();
  await page.getByRole('button', { name: /^Native Avro binary/ }).click();
  await profile(/^As laid out/).check();

  await details.getByRole('button', { name: 'Reset' }).click();
  await expect(verdict).toContainText('native 9,125');
  await expect(row).not.toContainText('ZLong');
});

test('another native profile is chosen by its description', async ({ page }) => {
  await openSample(page, /ten search hits/);
  await page.getByRole('button', { name: /^Native As laid out/ }).click();
  await page.getByRole('radio', { name: /^OpenSearch tuned VInt, VLong and ZLong/ }).check();
  await expect(page.getByRole('button', { name: /^Native OpenSearch tuned/ })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText('native 9,125');
});

test('the difference after compression, and a profile of another ecosystem', async ({ page }) => {
  await openSample(page, /how much of a remote write is labels/);
  await page.getByRole('button', { name: 'Against native' }).click();
  await page.getByRole('button', { name: 'Measure after compression' }).click();
  await expect(
    page.getByText(/^After gzip level 6: protobuf [\d,]+\sbytes, native [\d,]+: protobuf (costs|saves)/),
  ).toBeVisible();
  await expect(page.getByText(/^After snappy: protobuf 8,156\sbytes, native /)).toBeVisible();
  await expect(
    page.getByText(/^After zstd level 3: protobuf [\d,]+\sbytes, native [\d,]+: protobuf (costs|saves)/),
  ).toBeVisible();

  await page.getByRole('button', { name: /^Native OpenSearch as usually/ }).click();
  await page.getByRole('radio', { name: /^Avro binary/ }).check();
  await expect(page.getByRole('button', { name: /^Native Avro binary/ })).toBeVisible();
  // Figures of the other profile are gone with it.
  await expect(page.getByRole('button', { name: 'Measure after compression' })).toBeVisible();
});
