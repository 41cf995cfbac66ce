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
  await fieldTable(page).press('Home');
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

test('A and B are printed with a line for each field, the encodings with their names', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(
    page,
    [1, 2].map((version) => pathOf(`public/samples/prometheus-remote-write-${version}.binpb`)),
  );
  const changes = page.getByRole('grid', { name: 'Change by field' });
  // The chosen row has no frame on a sheet.
  await changes.getByRole('row', { name: /^timeseries\.labels_refs/ }).click();
  await page.emulateMedia({ media: 'print' });
  const chosen = page.getByRole('button', { name: /^timeseries\.labels_refs: / });
  await expect(chosen).toHaveAttribute('aria-pressed', 'true');
  await expect(chosen.locator('.chart-step-ground')).toHaveCSS('stroke', 'none');
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('button', { name: 'Encodings' }).click();
  await expect(page.getByText(/^Smallest of \d+ encodings: /)).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'as icicles' }).click();

  await page.emulateMedia({ media: 'print' });
  // The costs say it with the type.
  await expect(page.getByTestId('rail').locator('.printed').getByText('prometheus-remote-write-2.binpb')).toBeVisible();
  await expect(page.getByRole('button', { name: 'in total' })).toBeHidden();
  await expect(changes.locator('.is-selected .pair-cell-name')).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  const tops = await changes
    .getByRole('row')
    .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().top)));
  expect(tops.length).toBeGreaterThan(8);
  expect(tops.every((top, at) => at === 0 || (top > tops[at - 1]! && top - tops[at - 1]! <= 28))).toBe(true);
  // A pixel stands for the same number of bytes in both.
  const [a, b] = await page
    .locator('.twin-icicle svg')
    .evaluateAll((pictures) => pictures.map((picture) => picture.getBoundingClientRect().width));
  expect(a! / b!).toBeCloseTo(71_690 / 11_749, 0);
  await expect(page.getByRole('rowheader', { name: /^MessagePack by number/ })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: /^zstd/ })).toBeVisible();
});

test('beside compressed bytes, the paths of A and B are printed whole', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(
    page,
    [1, 2].map((version) => pathOf(`public/samples/prometheus-remote-write-${version}.binpb`)),
  );
  await page.getByRole('button', { name: 'zstd', exact: true }).click();
  await expect(page.getByRole('columnheader', { name: 'zstd A' })).toBeVisible();
  const rest = page.locator('.field-name-text', { hasText: 'no field: container, framing' });
  await expect(rest).toHaveCSS('direction', 'ltr');
  await page.emulateMedia({ media: 'print' });
  // A4 upright, within its margins.
  await page.setViewportSize({ width: 703, height: 1000 });
  const cut = () =>
    page
      .getByRole('grid', { name: 'Change by field' })
      .locator('.field-name-text')
      .evaluateAll((names) =>
        names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent),
      );
  await expect.poll(cut).toEqual([]);
  // A narrow sheet: names wrap, and the picture shrinks with its figures.
  await page.setViewportSize({ width: 500, height: 1000 });
  await expect.poll(cut).toEqual([]);
  const beyond = await page
    .locator('.costs-picture svg text')
    .evaluateAll((words) => words.filter((word) => word.getBoundingClientRect().right > innerWidth - 16).length);
  expect(beyond).toBe(0);
});
