/** As someone who opened the wrong file, or captured too little, I read what it is and what to do; no figure misleads me. */
import type { Page } from '@playwright/test';
import { expect, test } from './page.ts';
import { bytesOf, chooseFiles, fieldTable, linkAs, pathOf } from './steps.ts';

const headline = (page: Page) => page.getByRole('heading', { level: 1 });

const give = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  chooseFiles(page, { name, mimeType: 'application/octet-stream', buffer });

test('an input without messages shows its kind and the next step, and no figure', async ({ page }) => {
  const given: readonly (readonly [string, Buffer, string, string])[] = [
    ['empty.bin', Buffer.alloc(0), 'empty.bin is empty: it has 0 bytes.', 'Save or capture it again.'],
    [
      'app.log',
      Buffer.from('2026-11-22 10:31:07 INFO served\n'.repeat(9)),
      'app.log is a text log',
      'Open the capture',
    ],
    [
      'a.json',
      Buffer.from('[null, true, "xyz"]'),
      'a.json is JSON; it contains no message.',
      'the bytes that are sent',
    ],
    ['logo.png', bytesOf('public/icon-192.png'), 'logo.png is a PNG picture', 'Open a capture'],
  ];
  for (const [name, buffer, says, next] of given) {
    await page.goto('.');
    await give(page, name, buffer);
    await expect(headline(page)).toContainText(says);
    await expect(page.getByRole('main')).toContainText(next);
    await expect(fieldTable(page)).toHaveCount(0);
    await expect(page.getByText('1 message')).toHaveCount(0);
    await expect(page.getByRole('banner').getByRole('button', { name: /^Messages/ })).toHaveCount(0);
  }
  await expect(page.getByRole('button', { name: /ten search hits/ })).toBeVisible();
  // A user who knows better can override it.
  await page.getByRole('button', { name: 'Read it as one message' }).click();
  await expect(headline(page)).toContainText('does not look like protobuf');
});

/** The same capture with a snap length: each packet keeps its first bytes. https://www.tcpdump.org/manpages/pcap-savefile.5.html */
function snapped(pcap: Buffer, length: number): Buffer {
  const parts = [pcap.subarray(0, 24)];
  for (let at = 24; at < pcap.length; ) {
    const captured = pcap.readUInt32LE(at + 8);
    const head = Buffer.from(pcap.subarray(at, at + 16));
    head.writeUInt32LE(Math.min(captured, length), 8);
    parts.push(head, pcap.subarray(at + 16, at + 16 + Math.min(captured, length)));
    at += 16 + captured;
  }
  return Buffer.concat(parts);
}

/** The same capture without its nth packet, from 0. */
function without(pcap: Buffer, nth: number): Buffer {
  const sizeAt = (at: number) => 16 + pcap.readUInt32LE(at + 8);
  let at = 24;
  for (let packet = 0; packet < nth; packet++) at += sizeAt(at);
  return Buffer.concat([pcap.subarray(0, at), pcap.subarray(at + sizeAt(at))]);
}

test('a capture cut by its snap length shows the reason once', async ({ page }) => {
  await page.goto('.');
  await give(page, 'cut.pcap', snapped(bytesOf('fixtures/capture/opensearch-plain.pcap'), 68));
  await expect(headline(page)).toContainText(
    /No message of cut\.pcap is complete\. \d+ of 363 packets are cut \(packets/,
  );
  await expect(page.getByRole('main')).toContainText('tcpdump -s 0');
  await expect(page.getByText(/packets are cut/)).toHaveCount(1);
  await expect(page.getByText(/no message/i)).toHaveCount(1);

  // Where some are whole, the reason stands over them, and the headline is of those.
  await page.goto('.');
  await chooseFiles(page, pathOf('fixtures/capture/opensearch-cut-by-snaplen.pcapng'));
  await expect(page.getByRole('note')).toContainText('29 of 263 packets are cut (packets 7 to 67)');
  await expect(fieldTable(page)).toBeVisible();
  await expect(page.getByText(/packets are cut/)).toHaveCount(1);

  // So it is where whole packets are missing.
  await page.goto('.');
  await give(page, 'gap.pcap', without(bytesOf('fixtures/capture/opensearch-deflate.pcap'), 148));
  await expect(page.getByRole('note')).toContainText(
    /Packets are missing: 564\sbytes that were sent are not in the cap/,
  );
  await expect(fieldTable(page)).toBeVisible();
});

test('the headline begins with the share of the capture that it covers, also in a link with figures', async ({
  page,
  browser,
}) => {
  await page.goto('.');
  await chooseFiles(page, pathOf('fixtures/capture/opensearch-unknown-action.pcap'));
  const says = /^90\.7\s% of 12,901\sbytes explained\. /;
  await expect(headline(page)).toHaveText(says);
  const lines = (h1: Element): number =>
    h1.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(h1).lineHeight);
  expect(Math.round(await headline(page).evaluate(lines))).toBeLessThanOrEqual(2);
  const link = await linkAs(page, /^The figures alone/);
  const fresh = await browser.newContext({ serviceWorkers: 'block' });
  const other = await fresh.newPage();
  await other.goto(link);
  await expect(headline(other)).toHaveText((await headline(page).textContent())!);
  await expect(headline(other)).toHaveText(says);
  await fresh.close();
});

test('without a schema the headline says what is known: bytes, records and wire types', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, pathOf('fixtures/capture/connect-get.pcapng'));
  await expect(headline(page)).toHaveText(/^1,340\sbytes in 26 messages\. 14 messages take 712\sbytes, /);
  await expect(page.locator('.verdict-words p')).toContainText(
    /^24 records: LEN 688\sbytes, VARINT 24\. A type would name the fields\. \?1 is the largest field/,
  );
  await expect(page.locator('.verdict-words')).not.toContainText(/\b0\s%/);
  // Also where the line has no room for its last sentence.
  await page.setViewportSize({ width: 1100, height: 800 });
  await expect(page.getByText('A type would name the fields.', { exact: true })).toBeInViewport();
});

test('the type menu is ordered by fit for the shown message, and marks the type in use', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, pathOf('fixtures/capture/remote-write-1-and-2.pcapng'));
  await expect(fieldTable(page)).toBeVisible();
  for (const [method, type] of [
    [/v1\/write/, 'WriteRequest'],
    [/v2\/write/, 'Request'],
  ] as const) {
    await page.getByRole('listbox', { name: 'Messages' }).getByRole('option', { name: method }).first().click();
    const menu = page.locator('button[aria-haspopup=listbox]');
    await expect(menu).toHaveText(new RegExp(`Type ?${type}`));
    await menu.click();
    await expect(page.getByText(new RegExp(`^${type} fits message \\d+\\. \\d+ types compared`))).toBeVisible();
    const first = page.getByRole('listbox', { name: 'Message types' }).getByRole('option').first();
    await expect(first).toContainText(type);
    await expect(first).toHaveAttribute('aria-selected', 'true');
    await expect(first).toContainText('in use');
    await page.keyboard.press('Escape');
  }
});

test('pasted bytes that fit no type are read by number, with the ranking one click away', async ({ page }) => {
  await page.goto('.');
  await page.getByRole('textbox', { name: 'Bytes or schema as text' }).fill('f8 07 01 f0 07 02 e8 07 03');
  await page.getByRole('button', { name: 'Read text' }).click();
  await page.getByRole('button', { name: /^Type ?nothing fits: fields by number/ }).click();
  await expect(page.getByText(/^No type fits message 0\./)).toBeVisible();
});
