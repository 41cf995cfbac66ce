/** As someone who may change the schema I see what would pay, try it on the messages that I opened, and share it. */
import { readFileSync } from 'node:fs';
import { expect, test } from './page.ts';
import { fieldTable, linkAs, openSample } from './steps.ts';

test('sint64 saves 180 bytes of the OpenSearch sample, 160 in its patch; its link shows the same', async ({ page }) => {
  await openSample(page, /ten search hits/);
  await page.getByRole('button', { name: 'What should change' }).click();
  const changes = page.getByRole('table', { name: 'Changes that would pay' });
  const row = changes.getByRole('row', { name: /Declare version and seq_no of SearchHitProto sint/ });
  await expect(row).toContainText('−160 (−1.74 %)');
  await expect(row).toContainText('With the present numbers: 9,011 bytes, −180 (−1.96 %)');
  await expect(row).toContainText('binary unsafe, JSON safe, source safe');
  await expect(changes.getByRole('rowheader', { name: 'Measured, and no saving with zstd level 3' })).toBeVisible();
  await row.getByRole('checkbox').check();
  // At any place of the list.
  await changes.getByRole('row').last().scrollIntoViewIfNeeded();
  await expect(page.getByText('1 change applied')).toBeInViewport();
  await expect(page.getByText(/with zstd level 3: −/)).toBeInViewport();

  const applied = page.getByRole('region', { name: 'Applied changes' });
  await expect(applied).toContainText('9,031 bytes: 160 bytes less (1.74 %)');
  await expect(applied).toContainText('With the present numbers: 9,011 bytes, −180 (−1.96 %)');
  const fields = applied.getByRole('table', { name: 'Fields before and after' });
  await expect(fields.getByRole('row', { name: /^hits\.version/ })).toContainText('−80');
  const patch = applied.getByRole('region', { name: 'Patch of the schema' });
  await expect(patch).toContainText('reserved 2, 3;');
  await expect(patch).toContainText('+  sint64 version = 17');

  await page.goBack();
  await expect(row.getByRole('checkbox')).not.toBeChecked();
  await expect(applied).toBeHidden();
  await page.goForward();
  await expect(applied).toContainText('160 bytes less');

  const link = await linkAs(page);
  await page.goto('about:blank');
  await page.goto(link);
  await expect(applied).toContainText('9,031 bytes: 160 bytes less (1.74 %)');
  await expect(row.getByRole('checkbox')).toBeChecked();
});

test('one click on a field tries another type; the size limit and the cost of waste have answers', async ({ page }) => {
  await openSample(page, /ten search hits/);
  await fieldTable(page)
    .getByRole('row', { name: /^version 2/ })
    .click();
  const detail = page.getByRole('region', { name: 'Field hits.version' });
  const applied = page.getByRole('region', { name: 'Applied changes' });
  const declaration = detail.getByRole('form', { name: 'Try another declaration' });
  await declaration.getByRole('combobox', { name: 'Type' }).selectOption('uint64');
  await declaration.getByRole('button', { name: 'Measure it' }).click();
  await expect(applied).toContainText('1 change not applied');
  await expect(applied).toContainText(/This change cannot be made: .*SearchHitProto.version has a value that uint64/);
  await page.goBack();
  await expect(applied).toBeHidden();
  await detail.getByRole('button', { name: 'Try sint64' }).click();
  await expect(applied).toContainText('80 bytes less');

  await page.getByText('What does waste cost?').click();
  const waste = page.getByRole('table', { name: 'What waste costs' });
  await expect(waste.getByRole('row', { name: /Negative numbers in ten bytes/ })).toContainText('−180');

  const limit = page.getByRole('region', { name: 'What brings this below a limit?' });
  await limit.getByRole('spinbutton', { name: 'Bytes' }).fill('9000');
  await limit.getByRole('button', { name: 'Find out' }).click();
  await expect(limit.getByRole('status')).toContainText('With these changes it takes 8,971');

  await page.getByText('Edit the .proto: the same messages by another schema').click();
  await page.locator('.advice-editor .view-lines').click();
  await page.keyboard.press('ControlOrMeta+A');
  const text = readFileSync(new URL('../schemas/opensearch/search-hits.proto', import.meta.url), 'utf8');
  await page.keyboard.insertText(text.replace('int64 seq_no =', 'sint64 sequence ='));
  // With the type that was tried before.
  await expect(applied).toContainText('9,021 bytes: 170 bytes less');
  const paired = applied.getByRole('table', { name: 'Fields that were paired' });
  await expect(paired.getByRole('row', { name: /SearchHitProto\.seq_no/ })).toContainText('number');
  const patch = applied.getByRole('region', { name: 'Patch of the schema' });
  await expect(patch).toContainText('sint64 sequence = 3');

  await applied.getByText('Bytes before and after').click();
  await expect(applied.getByRole('region', { name: 'Before bytes' })).toBeVisible();
  await expect(applied.getByRole('region', { name: 'After bytes' })).toBeVisible();

  await page.goBack();
  await expect(applied).toContainText('80 bytes less');
  await page.goForward();
  await expect(applied).toContainText('170 bytes less');
  const link = await linkAs(page);
  await page.goto('about:blank');
  await page.goto(link);
  await expect(applied).toContainText('9,021 bytes: 170 bytes less');
  await expect(patch).toContainText('sint64 sequence = 3');
});
