/** As the author of a design doc I print an analysis: its figures and tables, without its controls. */
import { expect, test } from './page.ts';
import { chooseFiles, fieldTable, openSample, pathOf } from './steps.ts';

test.use({ viewport: { width: 1280, height: 500 }, colorScheme: 'dark' });

/** Sheets of a PDF. */
const sheetsOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;

test('the printed page has the verdict and every row, dark on white; the page is unchanged afterwards', async ({
  page,
}) => {
  await openSample(page, /ten search hits/);
  const bytes = page.getByRole('region', { name: 'Protobuf bytes' });
  const tree = page.getByRole('tree', { name: 'Protobuf tree message' });
  await expect(bytes).toBeVisible();
  await page.getByRole('button', { name: 'Protobuf tree' }).click();
  await expect(tree).toBeVisible();
  const last = fieldTable(page).getByRole('row', { name: /^collapse_values 4/ });
  await expect(last).toHaveCount(0);

  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(/^opensearch-search-hits\.binpb · .*SearchHitsProto · As laid out/)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('protobuf costs +0.72 %');
  await expect(page.getByRole('button', { name: /^Negative numbers in ten bytes: \+180 bytes/ })).toBeVisible();
  await expect(last).toBeVisible();
  await expect(last).toContainText('−1');
  // No element lies over another, and the sheet is wide enough.
  const tops = () =>
    fieldTable(page)
      .getByRole('row')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top));
  await expect.poll(async () => (await tops()).every((top, at, all) => at === 0 || top > all[at - 1]!)).toBe(true);
  for (const hidden of [page.getByRole('banner'), tree, page.getByRole('searchbox')]) await expect(hidden).toBeHidden();
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  expect(sheetsOf(await page.pdf({ format: 'A4' }))).toBe(1);

  await page.emulateMedia({ media: 'screen' });
  await expect(tree).toBeVisible();
  await expect(last).toHaveCount(0);
});

test('a printed capture also lists its types, on several sheets', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, pathOf('fixtures/capture/remote-write-1-and-2.pcapng'));
  await expect(fieldTable(page)).toBeVisible();
  // The table of types comes behind that of fields.
  await expect.poll(async () => sheetsOf(await page.pdf({ format: 'A4' }))).toBe(2);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('table', { name: 'Types of the messages, side by side' })).toBeVisible();
  await expect(page.getByRole('listbox', { name: 'Messages' })).toBeHidden();
});
