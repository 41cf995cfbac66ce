/** As an engineer I bring my own message and its schema, and see what each field costs. */
import { gzipSync } from 'node:zlib';
import { tarHeader, tarPadding } from '#engine/compression/archives/tar.ts';
import { expect, test } from './page.ts';
import { bytesOf, chooseFiles, fieldTable, linkAs, pasteSchema, pathOf, readText } from './steps.ts';

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

test('the schema of an open message is chosen in the schema panel, file by file', async ({ page }) => {
  await page.goto('.');
  await readText(page, '0a 03 66 6f 6f 12 02 08 05');
  await expect(fieldTable(page).getByText('?2', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Schema none' }).click();
  const panel = page.getByRole('complementary', { name: 'Schema' });
  const choose = async (button: string, name: string, text: string): Promise<void> => {
    const chooser = page.waitForEvent('filechooser');
    await panel.getByRole('button', { name: button }).click();
    await (await chooser).setFiles(file(name, Buffer.from(`syntax = "proto3"; package own; ${text}`)));
  };
  await choose('Choose files…', 'a.proto', 'import "b.proto"; message A { string title = 1; B b = 2; }');
  await expect(panel.getByRole('tab')).toHaveText([/a\.proto/]);
  await choose('Add…', 'b.proto', 'message B { int32 count = 1; }');
  await expect(panel.getByRole('tab')).toHaveText([/a\.proto/, 'b.proto']);
  await expect(fieldTable(page).getByText('count', { exact: true })).toBeVisible();
});

const SAMPLE = 'public/samples/prometheus-remote-write-1.binpb';
const tar = (files: Readonly<Record<string, Buffer>>): Buffer =>
  Buffer.concat([
    ...Object.entries(files).flatMap(([path, bytes]) => [
      tarHeader(path, bytes.length),
      bytes,
      Buffer.alloc(tarPadding(bytes.length)),
    ]),
    Buffer.alloc(1024),
  ]);
const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });

test('an archive is unwrapped step by step, each step can be changed, and its schema is loaded with it', async ({
  page,
}) => {
  await page.goto('.');
  const one = bytesOf(SAMPLE);
  const schema = bytesOf('schemas/prometheus/remote-write-1.proto');
  const archive = tar({ 'a/remote.proto': schema, 'a/one.bin': one, 'a/two.bin.gz': gzipSync(one) });
  await chooseFiles(page, file('body.tgz', gzipSync(archive)));
  const chips = page.getByRole('group', { name: 'Unwrapped by' });
  await expect(chips).toContainText('WriteRequest 100', { timeout: 60_000 });
  await expect(page.getByRole('heading', { level: 1 })).toContainText('143,380');
  const steps = chips.getByRole('combobox', { name: 'Unwrapped by' });
  await expect(steps).toHaveCount(3);
  await expect
    .poll(() => steps.evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value)))
    .toEqual(['gzip', 'tar', 'gzip']);
  await expect(page.getByRole('button', { name: 'Schema 1 file' })).toBeVisible();
  // One file of it alone, then all again as they were detected.
  await chips.getByRole('combobox', { name: 'Files of it' }).selectOption('a/one.bin');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('71,690');
  await chips.getByRole('button', { name: 'As detected' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('143,380');

  // A step that leaves nothing to read can be undone where it was made.
  await page.goto('.');
  await chooseFiles(page, file('twice.gz', gzipSync(gzipSync(one))));
  await expect(steps).toHaveCount(2);
  await steps.nth(1).selectOption('as it is');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('no message is read from it');
  await chips.getByRole('button', { name: 'As detected' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('71,690');

  // Several files are one input, a message each, and a reload returns to them.
  await page.goto('.');
  await chooseFiles(
    page,
    ['one', 'two', 'three'].map((name) => file(`${name}.bin`, one)),
  );
  await expect(page.getByRole('heading', { level: 1 })).toContainText('215,070');
  await expect(page).toHaveTitle(/3 files\.tar/);
  await page.getByRole('button', { name: /^Messages/ }).click();
  const messages = page.getByRole('listbox', { name: 'Messages' });
  await expect(messages.getByRole('option')).toHaveCount(3);
  await expect(messages.getByRole('option').nth(1)).toContainText('two.bin');
  await page.waitForTimeout(700);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('215,070');

  // Files of other formats are listed beside them, each with its own figures.
  await page.goto('.');
  const lines = file('lines.json', Buffer.from('{"took":1}\n{"took":23}'));
  await chooseFiles(page, [file('one.bin', one), file('two.bin', one), lines]);
  const formats = page.getByRole('table', { name: 'Types of the messages, side by side' });
  await expect(formats.getByRole('row')).toHaveCount(3);
  await formats.getByRole('button', { name: 'WriteRequest, JSON' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/^2 write requests take 21\sbytes in JSON/);

  // Each capture of an archive is an input of its own: two are A and B.
  const capture = bytesOf('public/samples/opensearch-search.pcap');
  await page.goto('.');
  await chooseFiles(page, file('both.tgz', gzipSync(tar({ 'a.pcap': capture, 'b.pcap': capture }))));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('the same', { timeout: 60_000 });
  await expect(page).toHaveTitle(/^b\.pcap/);

  // One capture is read in place of the notes beside it, until another file is chosen.
  await page.goto('.');
  const vitess = bytesOf('fixtures/capture/vitess-gzip.pcapng');
  await chooseFiles(page, file('trace.tgz', gzipSync(tar({ 'notes.bin': one, 'trace.pcapng': vitess }))));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('3 execute batch requests take 27,526');
  const member = chips.getByRole('combobox', { name: 'Files of it' });
  await expect(member).toHaveValue('tar:trace.pcapng');
  await member.selectOption('notes.bin');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('71,690');
  await chips.getByRole('button', { name: 'As detected' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('27,526');

  // A descriptor set in base64 is the schema of the payload beside it.
  await page.goto('.');
  const set = Buffer.from(bytesOf('fixtures/input/prometheus-rw1.fds.binpb').toString('base64'));
  await chooseFiles(page, [file('set.b64', set), file('one.bin', one)]);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('71,690');
  await expect(page.getByRole('button', { name: /^Schema \d+ file/ })).toBeVisible();
});

test('a framing that is not known is described by its fields, and a link reads it so', async ({ page, browser }) => {
  await page.goto('.');
  await readText(page, '04000000 0c 08ac02  03000000 0c 0801  04000000 0c 08ad02');
  await page.keyboard.press('i');
  const input = page.getByRole('complementary', { name: 'Input' });
  await input.getByText('Describe another framing').click();
  const fields = input.getByRole('textbox', { name: 'Describe another framing' });
  await fields.fill('le32 1 mesage');
  await fields.press('Enter');
  await expect(input.getByText(/^mesage is not a field\. /)).toBeVisible();
  await fields.fill('le32 [1, message]');
  await fields.press('Enter');
  await expect(input.getByLabel('Messages are')).toHaveValue('le32 [1 message]');
  const verdict = /^3 messages take 8\s+bytes/;
  await expect(page.getByRole('status', { name: 'Verdict' })).toHaveText(verdict);
  const link = await linkAs(page, /^Everything/);
  const other = await browser.newPage();
  await other.goto(link);
  await expect(other.getByRole('status', { name: 'Verdict' })).toHaveText(verdict);
  await other.close();
});
