/** As someone with a question I see the answer, the picture and the fields at once, and each further step is one click. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './page.ts';
import { bytesOf, chooseFiles, dropOnto, fieldTable, litBytes, pathOf, readText, watchShifts } from './steps.ts';

const PAYLOAD = pathOf('public/samples/otlp-traces.binpb');
const PAYLOAD_1 = pathOf('public/samples/prometheus-remote-write-1.binpb');
const CAPTURE = pathOf('public/samples/opensearch-search.pcap');

const headline = (page: Page): Locator => page.locator('#verdict');

async function open(page: Page, file: string): Promise<void> {
  await page.goto('.');
  await chooseFiles(page, file);
  await expect(fieldTable(page)).toBeVisible();
  await expect(page.getByRole('banner').getByRole('status')).toHaveCount(0);
}

/** Rows of the table that are on the screen from edge to edge, below its head and totals. */
const rowsInSight = (page: Page): Promise<number> =>
  fieldTable(page).evaluate((grid) => {
    const box = grid.getBoundingClientRect();
    const head = grid.querySelector('.field-table-head')!.getBoundingClientRect();
    const bottom = Math.min(box.bottom, innerHeight);
    return Math.floor((bottom - head.bottom) / 27);
  });

/** Pixels of the picture that are cut off. */
const hiddenOfPicture = (page: Page): Promise<number> =>
  page.locator('.costs-picture').evaluate((picture) => picture.scrollHeight - picture.clientHeight);

for (const [width, height, rows] of [
  [1440, 900, 10],
  [1280, 800, 6],
] as const) {
  test.describe(`${width} × ${height}`, () => {
    test.use({ viewport: { width, height } });
    for (const [name, file] of [
      ['a payload', PAYLOAD],
      ['a capture', CAPTURE],
    ] as const) {
      test(`${name}: headline, picture and ${rows} rows of the table`, async ({ page }) => {
        await open(page, file);
        for (const question of ['Against native', 'Composition']) {
          await page.getByRole('button', { name: question }).click();
          await expect(page.locator('.costs-picture').locator('canvas, svg.chart').first()).toBeInViewport();
          await expect.poll(() => rowsInSight(page), question).toBeGreaterThanOrEqual(rows);
          // The picture is whole, to its axis.
          await expect.poll(() => hiddenOfPicture(page), question).toBeLessThanOrEqual(1);
          const lines = await headline(page).evaluate(
            (h1) => h1.getBoundingClientRect().height / parseFloat(getComputedStyle(h1).lineHeight),
          );
          expect(Math.round(lines), question).toBeLessThanOrEqual(2);
        }
      });
    }
  });
}

test.describe('a message with many causes', () => {
  test.use({ viewport: { width: 1280, height: 800 } });

  test('the smaller causes share a row, so that picture and table are whole; a click shows each', async ({ page }) => {
    await open(page, CAPTURE);
    await page.getByRole('listbox', { name: 'Messages' }).locator('[aria-posinset="24"]').dblclick();
    const smaller = page.getByRole('button', { name: /^\d smaller causes: / });
    await expect(smaller).toBeVisible();
    expect(await hiddenOfPicture(page)).toBeLessThanOrEqual(1);
    expect(await rowsInSight(page)).toBeGreaterThanOrEqual(6);
    const causes = page.locator('.costs-picture .chart-step');
    const steps = await causes.evaluateAll((all) => all.map((step) => step.getBoundingClientRect().height));
    expect(steps.length).toBeGreaterThanOrEqual(5);
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(24);
    await smaller.click();
    await expect(causes).toHaveCount(9);
    await expect(smaller).toBeHidden();
  });
});

/** Clicks of the pointer so far. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const counted = window as unknown as { clicks: number };
    counted.clicks = 0;
    addEventListener('pointerdown', () => counted.clicks++, true);
  });
  return () => page.evaluate(() => (window as unknown as { clicks: number }).clicks);
}

test('two clicks lead from the home page to the bytes of a field, and two more to a link', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const clicks = await countClicks(page);
  await page.goto('.');
  await page.getByRole('button', { name: /ten search hits/ }).click();
  await fieldTable(page)
    .getByRole('row', { name: /^version/ })
    .click();
  await expect.poll(() => litBytes(page, 'Protobuf')).toHaveLength(11);
  expect(await clicks()).toBe(2);
  for (const question of ['Against native', 'Composition']) {
    await page.getByRole('button', { name: question }).click();
    await expect(page.locator('.costs-picture').locator('canvas, svg.chart').first()).toBeVisible();
    await page.evaluate(() => navigator.clipboard.writeText('nothing yet'));
    const before = await clicks();
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: /^Copy/ }).first().click();
    expect(await clicks(), question).toBe(before + 2);
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^http.*#/);
    await page.keyboard.press('Escape');
  }
});

test('a capture shows the fields of its largest type without a click, and the bytes of a message after one', async ({
  page,
}) => {
  const clicks = await countClicks(page);
  await page.goto('.');
  const shifted = await watchShifts(page);
  await chooseFiles(page, CAPTURE);
  await expect(fieldTable(page)).toBeVisible();
  await expect(page.getByRole('banner').getByRole('status')).toHaveCount(0);
  // The frame stands from the moment the file is taken.
  expect(await shifted()).toBeLessThan(0.01);
  await expect(fieldTable(page).getByRole('row').nth(3)).toBeVisible();
  expect(await clicks()).toBe(0);
  const messages = page.getByRole('listbox', { name: 'Messages' });
  // The message whose bytes are shown is in view in the list, too.
  await expect(messages.getByRole('option', { selected: true })).toBeInViewport();
  await expect(messages.locator('[aria-selected=true]')).toHaveAttribute('aria-posinset', '25');
  const message = messages.locator('[aria-posinset="20"]');
  await message.click();
  expect(await clicks()).toBe(1);
  await expect(page.getByRole('region', { name: /^Message 19$/ })).toBeVisible();
  // The scope names the message that is shown in bytes; a double click limits the scope to it; Escape resets the scope.
  const one = page.getByRole('button', { name: 'Message 19', exact: true });
  await expect(one).toHaveAttribute('aria-pressed', 'false');
  await message.dblclick();
  await expect(one).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText('1 chosen')).toBeVisible();
  while ((await one.getAttribute('aria-pressed')) === 'true') await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'All 34', exact: true })).toHaveAttribute('aria-pressed', 'true');
});

test('without a schema, the readings of a field stand apart from its bytes', async ({ page }) => {
  await page.goto('.');
  await readText(page, '0a 03 66 6f 6f 10 96 01');
  const readings = page.getByRole('region', { name: 'Readings' });
  await expect(readings.getByText('Valid UTF-8 without control characters.')).toBeVisible();
  const { y, height } = (await readings.getByRole('list').boundingBox())!;
  const next = (await page.getByRole('table', { name: 'Bytes', exact: true }).boundingBox())!;
  expect(next.y - (y + height)).toBeGreaterThanOrEqual(8);
});

test('the answer to a question stays until the answer to the next one is there', async ({ page }) => {
  await open(page, CAPTURE);
  for (const question of ['Composition', 'Against native', 'A and B']) {
    // In each frame from the click on: whether there is a headline.
    const isWithout = page.evaluate(async () => {
      const started = performance.now();
      let lacked = 0;
      while (performance.now() - started < 1500) {
        if (document.querySelector('#verdict') === null) lacked++;
        await new Promise(requestAnimationFrame);
      }
      return lacked;
    });
    await page.getByRole('button', { name: question }).click();
    expect(await isWithout, question).toBe(0);
  }
});

test('the tree of the native side is gone with the comparison', async ({ page }) => {
  await open(page, PAYLOAD);
  await page.getByRole('button', { name: 'Against native' }).click();
  const tree = page.getByRole('button', { name: 'Native tree' });
  await expect(tree).toBeVisible();
  await page.getByRole('button', { name: 'Composition' }).click();
  await expect(tree).toBeHidden();
});

test('the picture and the table share selection and zoom', async ({ page }) => {
  await open(page, PAYLOAD);
  await page.getByRole('button', { name: 'Composition' }).click();
  const picture = page.getByRole('img', { name: /^Icicle of/ });
  await expect(picture).toBeVisible();
  // The third level: the field with nearly all bytes.
  await picture.click({ position: { x: 60, y: 3 * 24 + 8 } });
  await expect(fieldTable(page).getByRole('row', { selected: true })).toHaveText(/^.{0,2}spans/);
  await picture.dblclick({ position: { x: 60, y: 3 * 24 + 8 } });
  const trail = page.getByRole('navigation', { name: 'Zoomed into' });
  await expect(trail).toContainText('spans');
  await expect(fieldTable(page).getByRole('row').nth(1)).toHaveText(/^All of resource_spans\.scope_spans\.spans/);
  // Escape goes out: first from the selection, then level by level.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(trail.getByText('scope_spans', { exact: true })).toBeVisible();
  await trail.getByRole('button').first().click();
  await expect(trail).toBeHidden();
});

test('two dropped files are A and B, side by side, without a click; the link has both', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const clicks = await countClicks(page);
  await page.goto('.');
  await chooseFiles(page, [
    pathOf('public/samples/prometheus-remote-write-1.binpb'),
    pathOf('public/samples/prometheus-remote-write-2.binpb'),
  ]);
  const changes = page.getByRole('grid', { name: 'Change by field' });
  await expect(changes.getByRole('row').nth(1)).toContainText('timeseries.labels.value');
  await expect(headline(page)).toHaveText(
    /^B takes 11,749\sbytes, A 71,690: −83\.6\s%, 35\.6 instead of 217\.24 a series\.$/,
  );
  await expect(page.getByRole('group', { name: /^From A to B, by field/ })).toBeVisible();
  expect(await hiddenOfPicture(page)).toBeLessThanOrEqual(1);
  await expect(changes.getByRole('row').nth(9)).toBeInViewport({ ratio: 1 });
  expect(await clicks()).toBe(0);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: /^Copy/ }).first().click();
  expect(await clicks()).toBe(2);
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^http.*#/);
  await page.keyboard.press('Escape');
  // Both before and after two compressors, by field, on one screen.
  await page.getByRole('button', { name: 'snappy', exact: true }).click();
  await page.getByRole('button', { name: 'zstd', exact: true }).click();
  const all = changes.getByRole('row', { name: /^All/ });
  await expect(all).toHaveText(/71,69011,749−83\.6\s%8,1565,338−34\.6\s%3,9443,557−9\.81\s%$/, { timeout: 60_000 });
  await expect(changes.getByRole('row').filter({ hasText: 'timeseries.samples.value' })).toContainText(
    '2,9702,97002,708.72,672.1−36.62,405.22,392.5−12.6',
  );
  await expect(all).toBeInViewport();
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Figures' }).click();
  await dialog.getByRole('combobox', { name: 'Figure' }).selectOption('pair');
  const picture = dialog.getByRole('img', { name: /After zstd level 3, B takes 3,557\sbytes, A 3,944: −9\.81\s%\.$/ });
  await expect(picture).toBeVisible();
  await expect(dialog.getByText('An embed shows one input.')).toBeVisible();
  // The figure is of both, the table and the files are of one.
  await expect(dialog.getByRole('heading', { name: 'The fields of B' })).toBeVisible();
  await page.keyboard.press('Escape');
  // The selected field is described in A and in B.
  await changes.getByRole('row').filter({ hasText: 'timeseries.samples.value' }).click();
  const inBoth = page.getByRole('region', { name: 'timeseries.samples.value in A and B' });
  await expect(inBoth).toContainText('A 2,970 bytes, B 2,970 bytes: the same.');
  await expect(inBoth.getByRole('row', { name: /^records/ })).toContainText('330');
  await page.getByRole('button', { name: 'a series', exact: true }).click();
  await page.getByRole('button', { name: 'by cause', exact: true }).click();
  await expect(page.getByRole('img', { name: /^From A to B, by cause A 217\.24 bytes/ })).toBeVisible();
  await page.getByRole('button', { name: 'as icicles', exact: true }).click();
  const [a, b] = await Promise.all(
    ['A', 'B'].map(async (side) => {
      const canvas = page.getByRole('region', { name: `${side}, icicle` }).locator('canvas');
      return (await canvas.boundingBox())!.width;
    }),
  );
  // One axis: as long as its bytes, to the pixel.
  expect(Math.abs(b! - (a! * 11_749) / 71_690)).toBeLessThanOrEqual(1);
  await page.getByRole('button', { name: 'by cause', exact: true }).click();
  // A field that has another place in B is aligned by hand.
  await page.getByRole('combobox', { name: 'timeseries.labels is in B' }).selectOption('timeseries.labels_refs');
  await expect(changes.getByRole('row').filter({ hasText: 'by hand' })).toContainText('→ timeseries.labels_refs');

  // A and B change places, and a reload returns to both.
  await page.getByRole('button', { name: 'Swap' }).click();
  await expect(headline(page)).toContainText('B takes 71,690');
  await page.getByRole('button', { name: 'Swap' }).click();
  await expect(headline(page)).toContainText('B takes 11,749');
  await expect(all).toHaveText(/−9\.81\s%$/, { timeout: 60_000 });
  await page.waitForTimeout(700);
  await page.reload();
  await expect(headline(page)).toContainText('B takes 11,749');
  await expect(all).toHaveText(/−9\.81\s%$/, { timeout: 60_000 });

  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('radio', { name: /^The figures alone/ }).check();
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('characters');
  await expect(page.getByRole('dialog')).toContainText('A, prometheus-remote-write-1.binpb, travels as figures alone');
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByRole('img', { name: /^From A to B, by cause A 217\.24 bytes/ })).toBeVisible();
  // The link has what was measured of both.
  await expect(other.getByRole('row', { name: /^All/ })).toHaveText(/−83\.6\s%.*−34\.6\s%.*−9\.81\s%$/);
  await expect(
    other.getByRole('grid', { name: 'Change by field' }).getByRole('row').filter({ hasText: 'by hand' }),
  ).toHaveCount(1);
});

for (const [width, height, picture] of [
  [640, 360, 200],
  [720, 450, 200],
  [1280, 460, 80],
] as const) {
  test(`in a window of ${width} × ${height}, as at 200 % zoom, five rows are in sight, and the picture or ${picture} pixels of it`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    for (const file of [PAYLOAD, pathOf('fixtures/capture/remote-write-1-and-2.pcapng')]) {
      await page.goto('.');
      await chooseFiles(page, file);
      if (width < 900) await page.getByRole('tab', { name: 'Costs' }).click();
      await expect(fieldTable(page)).toBeVisible();
      await page.locator('.costs-table').evaluate((table) => table.scrollIntoView({ block: 'end' }));
      expect(await rowsInSight(page)).toBeGreaterThanOrEqual(5);
      await page.getByRole('button', { name: 'Composition' }).click();
      const [seen, whole] = await page
        .locator('.costs-picture')
        .evaluate(({ clientHeight, scrollHeight }) => [clientHeight, scrollHeight] as const);
      expect(seen).toBeGreaterThanOrEqual(Math.min(whole, picture));
      // Keys reach what is cut.
      await expect(page.locator('.costs-picture')).toHaveAttribute('tabindex', seen < whole ? '0' : '-1');
    }
  });
}

test('the names of type and native profile are whole beside the encodings', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, pathOf('fixtures/capture/remote-write-1-and-2.pcapng'));
  await page.getByRole('button', { name: 'Encodings' }).click();
  await page.getByRole('button', { name: 'Against native' }).click();
  const names = page.locator('.analysis-pickers > button > .truncate');
  await expect(names).toHaveText(['WriteRequest', 'OpenSearch as usually written']);
  const cut = (name: Element): number => name.scrollWidth - name.clientWidth;
  for (const name of await names.all()) expect(await name.evaluate(cut)).toBe(0);
});

const DROP_B = /^Drop to open as B\. A is prometheus-remote-write-1\.binpb$/;

test('a file that I drop while A and B are asked about is B, and the drop target names A', async ({ page }) => {
  await page.goto('.');
  await open(page, PAYLOAD_1);
  await page.getByRole('button', { name: 'A and B' }).click();
  await expect(page.getByText(/it is B, and the open input is A/)).toBeVisible();
  await dropOnto(page, [pathOf('public/samples/prometheus-remote-write-2.binpb')], DROP_B);
  await expect(headline(page)).toHaveText(/^B takes 11,749\sbytes, A 71,690: −83\.6\s%/);
  // Another one replaces B.
  await dropOnto(page, [PAYLOAD_1], DROP_B);
  await expect(headline(page)).toHaveText(/^B takes 71,690\sbytes, A 71,690: the same\.$/);
});

test('after compression, each of A and B is what was captured: protobuf with its sizes in front, JSON on lines', async ({
  page,
}) => {
  await page.goto('.');
  await chooseFiles(page, pathOf('fixtures/input/apm-metricsets.delim.binpb'));
  await expect(fieldTable(page)).toBeVisible();
  await page.getByRole('button', { name: 'A and B' }).click();
  await expect(page.getByText(/it is B, and the open input is A/)).toBeVisible();
  await chooseFiles(page, pathOf('fixtures/input/apm-events.ndjson'));
  await expect(headline(page)).toHaveText(/^B takes 11,068\sbytes in JSON, A 2,066 in protobuf/);
  await page.getByRole('button', { name: 'zstd', exact: true }).click();
  const changes = page.getByRole('grid', { name: 'Change by field' });
  const all = changes.getByRole('row').filter({ hasText: 'All' });
  await expect(all.getByRole('gridcell')).toContainText(['All', '2,066', '11,068', '809', '2,101']);
  await expect(page.getByText(/with the bytes around them \(12\sbytes in A, 9 in B\)/)).toBeVisible();
  await expect(all).toContainText('+435.7');
  await page.getByRole('button', { name: 'gzip', exact: true }).click();
  await expect(changes.getByRole('columnheader')).toHaveCount(10);
  await expect(all).not.toContainText('…');
  // No figure is cut or touches the next; what has no room is reached sideways, and the names stay in view.
  for (const width of [1280, 420]) {
    await page.setViewportSize({ width, height: 800 });
    const cut = (cells: Element[]) =>
      cells.filter((cell) => !cell.matches('.pair-cell-name') && cell.scrollWidth > cell.clientWidth).length;
    await expect.poll(() => changes.getByRole('gridcell').evaluateAll(cut)).toBe(0);
  }
  const end = all.getByRole('gridcell').last();
  await expect(end).not.toBeInViewport({ ratio: 0.9 });
  await end.scrollIntoViewIfNeeded();
  await expect(end).toBeInViewport({ ratio: 0.9 });
  await expect(all.getByRole('gridcell').first()).toBeInViewport({ ratio: 0.9 });
});

test('two selections of a capture or two versions of a schema are compared in one step', async ({ page }) => {
  await open(page, CAPTURE);
  await page.getByRole('button', { name: 'A and B' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'message 24', exact: true }).click();
  await expect(headline(page)).toHaveText(/^B takes .* A /);
  await page.getByRole('button', { name: 'Clear A' }).click();
  await expect(page.getByRole('button', { name: 'all messages' })).toBeVisible();

  await page.goto('.');
  await chooseFiles(page, PAYLOAD_1);
  await expect(fieldTable(page)).toBeVisible();
  await page.getByRole('button', { name: 'A and B' }).click();
  const text = bytesOf('schemas/prometheus/remote-write-1.proto').toString('utf8');
  const other = text.replace(/string value( *)= 2/, 'string text$1= 2');
  expect(other).not.toBe(text);
  await page.getByLabel('Files of the schema for B').setInputFiles({
    name: 'remote-write-1.proto',
    mimeType: 'text/plain',
    buffer: Buffer.from(other),
  });
  const changes = page.getByRole('grid', { name: 'Change by field' });
  await expect(changes.getByRole('row').filter({ hasText: 'B alone' })).toContainText('timeseries.labels.text');
  await expect(changes.getByRole('combobox', { name: 'timeseries.labels.value is in B' })).toBeVisible();
});

test('a window that changes its width leaves no size of the answer unreported', async ({ page }) => {
  const errors: string[] = [];
  await page.exposeFunction('heard', (message: string) => errors.push(message));
  await page.addInitScript("addEventListener('error', ({ message }) => heard(message))");
  await open(page, PAYLOAD_1);
  for (const width of [420, 1280, 700, 1900, 500, 900, 1100, 1000, 1500, 420]) {
    await page.setViewportSize({ width, height: 900 });
    // At once: between a look and a click the new width may take the button away.
    await page.evaluate(async () => {
      for (const name of ['more', 'less']) {
        await new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)));
        for (const button of document.querySelectorAll('button')) if (button.textContent === name) button.click();
      }
    });
  }
  expect(errors).toEqual([]);
});
