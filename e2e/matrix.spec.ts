/** Encodings and compressors in the page: what to compare with, by field, in a link. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from './page.ts';
import { chooseFiles, dropOnto, fieldTable, litBytes, pathOf, readText } from './steps.ts';

/** Compressors are loaded, and every encoding is compressed. */
const PATIENT = { timeout: 60_000 };

test('the encodings of a sample are ranked, one is compared by field, and a reload keeps the choice', async ({
  page,
  origin,
}) => {
  await page.goto(`${origin}#/sample/prometheus-remote-write-2`);
  await page.getByRole('button', { name: 'Encodings' }).click();
  const panel = page.getByRole('complementary', { name: 'Encodings' });
  const list = panel.getByRole('table', { name: 'Encodings and compressors' });
  const row = (name: string | RegExp) => list.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });

  await expect(panel.getByText('1 message.')).toBeVisible(PATIENT);
  // Sizes by the native libraries.
  await expect(row(/^Protobuf/)).toContainText('11,749');
  await expect(row(/^Protobuf/)).toContainText('3,557');
  await expect(list.getByRole('columnheader', { name: 'zstd level 3', exact: true })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await expect(panel.getByText(/^Smallest of 8 encodings: .*\s× protobuf; after zstd level 3 .*\s×\.$/)).toBeVisible();

  await list.getByRole('button', { name: 'JSON' }).click();
  const fields = panel.getByRole('region', { name: 'Protobuf against JSON' });
  await expect(fields.getByText(/^JSON takes [\d,]+\sbytes, Protobuf 11,749: \+/)).toBeVisible();
  await fields.getByRole('button', { name: 'symbols', exact: true }).click();

  await list.getByRole('button', { name: /gzip/ }).click();
  await expect(list.getByRole('columnheader', { name: 'gzip level 6', exact: true })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await page.reload();
  await expect(fields).toBeVisible(PATIENT);
  await expect(list.getByRole('columnheader', { name: 'gzip level 6', exact: true })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
});

test('values that an encoding does not carry lead to the first message with one', async ({ page }) => {
  const text = (name: string, content: string | Buffer) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(content),
  });
  await page.goto('.');
  // `name` alone; with a `size` of NaN, whose bits are not the usual ones; and with an extension.
  const name = '0a0b636f726e65722073686f70';
  const [nan, note] = ['11020000000000f07f', 'a2060b636f726e65722073686f70'];
  await chooseFiles(page, [
    text(
      'm.proto',
      `syntax = "proto2"; message M { optional string name = 1; optional double size = 2; extensions 100; }
       extend M { optional string note = 100; }`,
    ),
    text('m.varint', Buffer.from(`${`0d${name}`.repeat(20)}16${name}${nan}1b${name}${note}`, 'hex')),
  ]);
  const first = (words: string) =>
    page.getByRole('listitem').filter({ hasText: words }).last().getByRole('button', { name: 'Show the first' });
  const lit = async () => (await litBytes(page, 'Protobuf')).map(([offset]) => offset);
  await page.getByRole('button', { name: 'Encodings' }).click();
  await first('JSON: NaN loses its bits: 1.').click(PATIENT);
  await expect.poll(lit).toEqual([13, 14, 15, 16, 17, 18, 19, 20, 21]);

  await page.getByRole('button', { name: 'Against native' }).click();
  await page.getByRole('button', { name: /^Findings/ }).click();
  await first('extensions have no position: 1.').click();
  await expect.poll(lit).toEqual([13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26]);
});

test('sizes of six digits fit beside one another, to the last compressor', async ({ page }) => {
  await page.goto('.');
  const field = Buffer.concat([Buffer.from('0ae0d104', 'hex'), randomBytes(76_000)]);
  await chooseFiles(page, [
    { name: 'm.proto', mimeType: 'text/plain', buffer: Buffer.from('syntax = "proto3"; message M { bytes b = 1; }') },
    { name: 'm.binpb', mimeType: 'application/octet-stream', buffer: field },
  ]);
  await page.getByRole('button', { name: 'Encodings' }).click();
  const list = page.getByRole('table', { name: 'Encodings and compressors' });
  await expect(list).toContainText('101,', PATIENT);
  const cut = (table: Element): number => table.parentElement!.scrollWidth - table.parentElement!.clientWidth;
  expect(await list.evaluate(cut)).toBe(0);
});

test('a figure of the matrix is saved and embedded', async ({ page, origin }) => {
  await page.goto(
    `${origin}#/sample/opensearch-search-hits?type=org.opensearch.proto.search.SearchHitsProto&panel=matrix`,
  );
  await expect(page.getByText('1 message.')).toBeVisible(PATIENT);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Figures' }).click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Figure' }).selectOption('matrix');
  await expect(page.getByRole('dialog').getByRole('img').first()).toBeVisible();
});

test('the bits that fields pay after compression are shown beside their plain bytes, and are in the address', async ({
  page,
  origin,
}) => {
  await page.goto(`${origin}#/sample/prometheus-remote-write-2`);
  await page.getByRole('combobox', { name: 'After compression' }).selectOption('zstd');
  await expect(
    page.getByText(
      /^After\szstd\slevel\s3, 11,749\sbytes are 3,557: tags are [\d.]+\s% of the plain bytes and [\d.]+\s% after/,
    ),
  ).toBeVisible(PATIENT);
  const table = page.getByRole('treegrid', { name: 'Cost by field' });
  await expect(table.getByRole('columnheader', { name: 'zstd level 3' })).toBeVisible();

  // The bytes of a field, and where the stream copies them from.
  await table.getByRole('row', { name: /^symbols/ }).click();
  const copied = page.getByRole('status', { name: 'Copied from' });
  await expect(copied).toContainText(/bytes\spay [\d.]+/);

  // Without each field: as soon as one is measured it is listed.
  await page.getByRole('button', { name: 'Saved if removed' }).click();
  const savings = page.getByRole('region', { name: 'Saved if removed' }).first();
  await savings.getByRole('button', { name: /Measure all \d+ fields/ }).click();
  await expect(savings.getByRole('rowheader', { name: 'symbols', exact: true })).toBeVisible(PATIENT);
  await expect(savings).toContainText('Savings do not add up.');
  await page.reload();
  await expect(table.getByRole('columnheader', { name: 'zstd level 3' })).toBeVisible(PATIENT);
});

test('copies are those of the bytes that were captured: native ones of an OpenSearch capture', async ({
  page,
  origin,
}) => {
  await page.goto(`${origin}#/sample/opensearch-search`);
  await page.getByRole('combobox', { name: 'After compression' }).selectOption('zstd');
  await expect(page.getByText(/^After\szstd\slevel\s3, 9,156\sbytes are [\d,]+: /)).toBeVisible(PATIENT);
  // −1 takes eight bytes natively, and ten and a tag in protobuf.
  await fieldTable(page)
    .getByRole('row', { name: /^version/ })
    .click();
  const native = await litBytes(page, 'Native');
  expect(native).toHaveLength(8);
  const copied = page.getByRole('status', { name: 'Copied from' });
  await expect(copied).toContainText(/^8\sbytes pay [\d.]+ after compression/);
  await expect(copied.getByRole('listitem').first()).toContainText(
    new RegExp(`^bytes? ${native[0]![0].toLocaleString('en')}[ ,]`),
  );
});

test('a capture of OpenSearch is compared with JSON: both sides stand by field', async ({ page, origin }) => {
  await page.goto(`${origin}#/sample/opensearch-search`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/^10\ssearch hits\./, PATIENT);
  await page.getByRole('button', { name: 'Encodings' }).click();
  const panel = page.getByRole('complementary', { name: 'Encodings' });
  const list = panel.getByRole('table', { name: 'Encodings and compressors' });
  await list.getByRole('button', { name: 'JSON' }).click(PATIENT);
  const fields = panel.getByRole('region', { name: 'Native as captured against JSON' });
  await expect(fields.getByText(/^JSON takes [\d,]+\sbytes, Native as captured 9,156: \+/)).toBeVisible();
  await expect(fields.getByRole('button', { name: 'hits.hits.source', exact: true })).toBeVisible();
});

test('a dropped .txtpb and its .proto: the captured text is counted, beside protobuf', async ({ page }, testInfo) => {
  const folder = testInfo.outputPath('orders');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    `${folder}/order.proto`,
    'syntax = "proto3";\npackage shop;\nmessage Order { string name = 1; repeated int64 size = 2; }\n',
  );
  // 42 bytes of text; in protobuf 5 + 5 bytes: a tag, a length and "tea"; a tag, a length, 3 and two bytes of 300.
  writeFileSync(`${folder}/order.txtpb`, '# one order\nname: "tea"\nsize: [3, 300]\n\n\n\n');
  await page.goto('.');
  await dropOnto(page, [`${folder}/order.proto`, `${folder}/order.txtpb`]);
  const headline = page.getByRole('heading', { level: 1 });
  await expect(headline).toContainText(/1\sorder takes 42\sbytes in Textproto/i, PATIENT);
  await page.getByRole('button', { name: 'Against protobuf' }).click();
  await expect(headline).toContainText(/Protobuf 10\sbytes/);
  await expect(fieldTable(page).getByRole('row', { name: /^name/ })).toBeVisible();
});

test('plain and compressed bytes by field are one picture, and an embed of it has the same figures', async ({
  page,
  context,
  origin,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${origin}#/sample/prometheus-remote-write-2`);
  await page.getByRole('combobox', { name: 'After compression' }).selectOption('zstd');
  const table = page.getByRole('treegrid', { name: 'Cost by field' });
  await expect(table.getByRole('columnheader', { name: 'zstd level 3' })).toBeVisible(PATIENT);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Figures' }).click();
  await dialog.getByRole('combobox', { name: 'Figure' }).selectOption('compressed');
  const title = /^After\szstd\slevel\s3, 11,749\sbytes are 3,557/;
  await expect(dialog.getByRole('img', { name: title })).toBeVisible();
  await dialog.getByRole('button', { name: 'HTML frame' }).click();
  await expect(dialog.getByText('HTML frame copied.')).toBeVisible();
  const lines = await page.evaluate(() => navigator.clipboard.readText());
  const embed = await context.newPage();
  await embed.goto(/src="([^"]+)"/.exec(lines)![1]!.replaceAll('&amp;', '&'));
  await expect(embed.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(embed.getByRole('img')).toContainText('symbols');
});

test('JSON is read as a message of its type, and its captured bytes are counted', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, pathOf('fixtures/input/apm-events.ndjson'));
  const headline = page.getByRole('heading', { level: 1 });
  await expect(headline).toContainText(/9\sAPM events take 11,068\sbytes in JSON/, PATIENT);
});

test('protobuf’s text format is read as a message of its type', async ({ page }) => {
  await page.goto('.');
  const labels = ['__name__', 'job'].map((name) => `  labels { name: "${name}" value: "up" }\n`);
  await readText(page, `# one series\ntimeseries {\n${labels.join('')}  samples { value: 1.5 timestamp: 1 }\n}\n`);
  const headline = page.getByRole('heading', { level: 1 });
  await expect(headline).toContainText(/1\swrite request takes 145\sbytes in Textproto/, PATIENT);
});

test('JSON that fits no type is shown by its own names, without a comparison', async ({ page }) => {
  await page.goto('.');
  await readText(page, '{"customer": {"given name": "Ada"}, "basket": [1, 2, 3]}');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/1\smessage takes 56\sbytes in JSON/);
  await expect(page.getByText('No type fits these messages. Their own field names are shown.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Against native' })).toBeDisabled();
  await expect(page.getByRole('treegrid', { name: 'Cost by field' })).toContainText('basket');
});
