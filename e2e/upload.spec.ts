/** As an engineer I bring my own message and its schema, and see what each field costs. */
import { expect, test } from './page.ts';
import { bytesOf, chooseFiles, fieldTable, pasteSchema, pathOf } from './steps.ts';

interface Truth {
  readonly fields: readonly {
    readonly path: string;
    readonly tag_bytes: number;
    readonly len_bytes: number;
    readonly value_bytes: number;
    readonly total_bytes: number;
  }[];
}
const truth: Truth = JSON.parse(bytesOf('fixtures/input/codecfixture.rw1.truth.json').toString('utf8'));

test('an uploaded message with a pasted schema', async ({ page }) => {
  await page.goto('.');
  await pasteSchema(page, 'schemas/prometheus/remote-write-1.proto');
  await chooseFiles(page, pathOf('fixtures/input/codecfixture.rw1.binpb'));

  const picker = page.getByRole('button', { name: /^Type / });
  const search = page.getByRole('combobox', { name: 'Search message types' });
  for (const name of ['TimeSeries', 'WriteRequest']) {
    await picker.click();
    await search.fill(name);
    await page
      .getByRole('option', { name: new RegExp(`^✓?\\s*${name}\\b`) })
      .first()
      .click();
    await expect(picker).toHaveText(`Type${name}`);
  }
  await expect(page.getByRole('heading', { level: 1 })).toContainText('430 bytes');

  await page.getByRole('button', { name: 'Flat' }).click();
  const ledger = page.getByRole('table', { name: 'Bytes' });
  const filter = page.getByRole('searchbox', { name: 'Filter fields by path' });
  for (const { path, tag_bytes, len_bytes, value_bytes, total_bytes } of truth.fields) {
    await filter.fill(path);
    const row = fieldTable(page)
      .getByRole('row')
      .filter({ has: page.getByText(path, { exact: true }) });
    await expect(row.locator('.field-cell-self'), path).toHaveText(total_bytes.toLocaleString('en-US'));
    await row.click();
    await expect(page.getByRole('region', { name: `Field ${path}`, exact: true })).toBeVisible();
    for (const [category, bytes] of [
      ['tag', tag_bytes],
      ['length', len_bytes],
      ['value', value_bytes],
    ] as const) {
      const cells = ledger
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name: category, exact: true }) });
      if (bytes > 0) await expect(cells.getByRole('cell').first(), `${path}: ${category}`).toHaveText(`${bytes}`);
      else await expect(cells.getByRole('cell').first().filter({ hasNotText: '·' })).toHaveCount(0);
    }
  }
  expect(truth.fields.length).toBeGreaterThan(5);
});
