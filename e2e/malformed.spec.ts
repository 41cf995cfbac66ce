/** As someone with a damaged capture I see what could be read, and where and why reading stopped. */
import { expect, test } from './page.ts';
import { bytesOf, chooseFiles, fieldTable, litBytes, pasteSchema } from './steps.ts';

test('a truncated message shows its readable part and the fault', async ({ page }) => {
  await page.goto('.');
  await pasteSchema(page, 'schemas/prometheus/remote-write-1.proto');
  await chooseFiles(page, {
    name: 'truncated.binpb',
    mimeType: 'application/octet-stream',
    buffer: bytesOf('fixtures/input/codecfixture.rw1.binpb').subarray(0, 300),
  });
  const verdict = page.getByRole('heading', { level: 1 });
  await expect(verdict).toHaveText(/^2 time series take 300\sbytes, 150 each\./);
  await expect(page.getByText('1 byte could not be read.')).toBeVisible();
  await page.getByRole('button', { name: 'Against native' }).click();
  await expect(verdict).toHaveText(
    '2 time series. Protobuf 300 bytes, native 348. Without the 1 byte that only protobuf has: protobuf saves 14.1 %, 24.5 bytes a series. 1 byte could not be read.',
  );
  await expect(fieldTable(page)).toBeVisible();
  await page.getByRole('button', { name: /^Findings/ }).click();
  const findings = page.getByRole('list', { name: 'Findings' });
  // Findings that say the same are one item with a place each.
  const atPlace = (words: string) => findings.getByRole('listitem').filter({ hasText: words }).first();

  // The second series says it is 212 bytes long, and 82 of them are there.
  const past = 'message 0, bytes 216 to 217';
  await expect(atPlace(past)).toContainText('A length reaches beyond the end of the enclosing message.');
  await findings.getByRole('button', { name: past }).click();
  await expect
    .poll(async () => (await litBytes(page, 'Protobuf')).slice(0, 3))
    .toEqual([
      [215, '0a'],
      [216, 'd4'],
      [217, '01'],
    ]);

  const end = 'message 0, byte 298';
  await expect(atPlace(end)).toContainText('wire/length-past-end');
  await findings.getByRole('button', { name: end }).click();
  await expect.poll(async () => (await litBytes(page, 'Protobuf')).map(([offset]) => offset)).toEqual([297, 298, 299]);
});

test('a message of one byte', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, { name: 'one.binpb', mimeType: 'application/octet-stream', buffer: Buffer.from([8]) });
  await expect(page.getByRole('region', { name: 'Protobuf bytes' }).locator('.hex-size')).toHaveText('1 byte');
  await page.getByRole('button', { name: 'Protobuf tree' }).click();
  await expect(page.getByRole('region', { name: 'Protobuf tree rows' })).toContainText('2 rows, 1 byte');
  // The spoken verdict adds up no unread bytes, as the headline does not.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^This message is cut\./);
  await expect(page.getByRole('status', { name: 'Verdict' })).toHaveText('Most of the bytes could not be read.');
});

test('files that are not protobuf, and a truncated message', async ({ page }) => {
  const verdict = page.getByRole('heading', { level: 1 });
  const drop = async (name: string, buffer: Buffer) => {
    await page.goto('.');
    await chooseFiles(page, { name, mimeType: 'application/octet-stream', buffer });
  };
  const picture = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), Buffer.alloc(500, 0xfe)]);
  // The file's kind comes first. After it is read as a message anyway, the evidence against it comes first.
  const insist = page.getByRole('button', { name: 'Read it as one message' });
  await drop('picture.png', picture);
  await expect(verdict).toHaveText('picture.png is a PNG picture; it contains no message.');
  await insist.click();
  await expect(verdict).toHaveText(
    /^This does not look like protobuf\. 5\d\d of 516 bytes \(9\d\.\d\s%\) belong to no field\.$/,
  );
  await expect(page.getByText('It begins as a PNG picture does.')).toBeVisible();
  // Still every byte is accounted for.
  await expect(fieldTable(page).getByRole('row', { name: /^All of the messages/ })).toContainText('unattributed 506');
  await expect(page.getByRole('region', { name: 'Protobuf bytes' })).toBeVisible();

  await drop('notes.md', bytesOf('ARCHITECTURE.md'));
  await expect(verdict).toHaveText('notes.md is text; it contains no message.');
  await insist.click();
  await expect(verdict).toContainText('This does not look like protobuf.');
  await expect(page.getByText('It is text from its first byte on.')).toBeVisible();

  // A list of series has begun: its received part is shown.
  const message = bytesOf('fixtures/input/codecfixture.rw1.binpb');
  await drop('cut.binpb', Buffer.concat([Buffer.from([0x0a, 0xff, 0x07]), message.subarray(0, 400)]));
  await expect(verdict).toContainText('403 bytes');
  await expect(fieldTable(page).getByRole('row', { name: /^\?1/ }).first()).toBeVisible();

  // The last of several is cut: it is in no figure, and the answer says that it is there.
  const sized = Buffer.concat([Buffer.from([0xae, 0x03]), message]);
  await drop('three.delim', Buffer.concat([sized, sized, sized]).subarray(0, -57));
  await expect(page.getByText(/The input also has 375\sbytes in no message\./).first()).toBeVisible();
});
