/** As someone with fifty megabytes of messages I watch the reading, stop it, and can work meanwhile. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './page.ts';
import { bytesOf, chooseFiles, fieldTable, longestTask, pasteSchema, watchShifts } from './steps.ts';

const SIZE = 50 * 1000 * 1000;

// The test's own work in the page must not be measured: no snapshots, no search by role during reading.
test.use({ trace: 'off' });

let folder: string;
let file: string;
let messages: number;
let capture: string;

test.beforeAll(() => {
  const message = bytesOf('fixtures/input/codecfixture.rw1.binpb');
  const prefix = Buffer.from([(message.length & 0x7f) | 0x80, message.length >> 7]);
  const framed = Buffer.concat([prefix, message]);
  messages = Math.ceil(SIZE / framed.length);
  folder = mkdtempSync(join(tmpdir(), 'wirecost-large-'));
  file = join(folder, 'many.delim.binpb');
  writeFileSync(file, Buffer.alloc(messages * framed.length, framed));
  capture = join(folder, 'many.pcap');
  writeFileSync(capture, manyOf(bytesOf('public/samples/opensearch-search.pcap')));
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEADER = 24;
const PACKET_HEADER = 16;
/** From the beginning of an Ethernet packet to the last two bytes of the IPv4 addresses. */
const SOURCE = 28;
const DESTINATION = 32;
/** Seconds, more than the capture takes. */
const SPAN = 3;

/** A capture again and again, each time later and between other addresses. */
function manyOf(one: Buffer): Buffer {
  const packets = one.subarray(HEADER);
  const copies = Math.ceil(SIZE / packets.length);
  const many = Buffer.alloc(HEADER + copies * packets.length);
  one.copy(many, 0, 0, HEADER);
  many.fill(packets, HEADER);
  for (let copy = 0; copy < copies; copy++) {
    const end = HEADER + (copy + 1) * packets.length;
    for (let at = end - packets.length; at < end; at += PACKET_HEADER + many.readUInt32LE(at + 8)) {
      many.writeUInt32LE(many.readUInt32LE(at) + copy * SPAN, at);
      for (const address of [SOURCE, DESTINATION]) many.writeUInt16BE(copy, at + PACKET_HEADER + address);
    }
  }
  return many;
}

interface Watched {
  /** Every share of the work that the bar has shown. */
  readonly shares: readonly string[];
}

/**
 * Runs in the page: records the text of the bar, and presses Cancel at the second share, because reading takes only a
 * second or two and must be stopped before its end.
 */
function keepWatch(): void {
  const watched = { shares: [] as string[] };
  Object.assign(window, { watched });
  new MutationObserver(() => {
    const bar = document.querySelector('header [role=status]')?.parentElement;
    const share = bar?.textContent?.match(/[\d.]+\s%/)?.[0];
    if (share === undefined || watched.shares.at(-1) === share) return;
    watched.shares.push(share);
    if (watched.shares.length === 2) bar?.querySelector('button')?.click();
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}

/**
 * Runs in the page, which the test's own search for what is shown would keep busy. Drawing the last rows counts too.
 */
const untilRead = (verdict: string): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      const isShown = document.querySelector('h1')?.textContent?.includes(verdict) === true;
      if (isShown && document.querySelector('header')?.querySelector('[role=status]') === null)
        setTimeout(resolve, 500);
      else setTimeout(look, 50);
    };
    look();
  });

const watchedOf = (page: Page): Promise<Watched> =>
  page.evaluate(() => (window as unknown as { readonly watched: Watched }).watched);

test('fifty megabytes are read with progress, can be cancelled, and are read to the end', async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto('.');
  await pasteSchema(page, 'schemas/prometheus/remote-write-1.proto');
  await expect(page.locator('.monaco-editor .view-line').first()).toBeVisible();
  await page.evaluate(keepWatch);
  await chooseFiles(page, file);
  await expect(page.getByText('reading was cancelled')).toBeVisible();
  const bar = page.getByRole('banner').getByRole('status');
  await expect(bar).toHaveCount(0);
  const { shares: before } = await watchedOf(page);
  expect(before).toHaveLength(2);

  // Usable at once: another panel opens, the theme changes.
  await page.getByRole('button', { name: /^Theme/ }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');

  const started = Date.now();
  await page.getByRole('button', { name: 'Read it' }).click();
  const count = messages.toLocaleString('en-US');
  await page.evaluate(untilRead, `in ${count} messages`);
  const { shares } = await watchedOf(page);
  const seconds = (Date.now() - started) / 1000;
  expect(shares.length).toBeGreaterThan(before.length);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(`in ${count} messages`);
  await expect(page.getByRole('button', { name: `Messages ${count}` })).toBeVisible();
  await expect(bar).toHaveCount(0);

  const report = `${count} messages in ${seconds.toFixed(1)} s, ${shares.length} steps of progress`;
  console.log(report);
  test.info().annotations.push({ type: 'measured', description: report });
});

const settled = (page: Page) =>
  expect(page.getByRole('banner').getByRole('status')).toHaveCount(0, { timeout: 60_000 });

/** From the drop to a field, a message, another size of the panes, and another question. */
async function work(page: Page, input: string): Promise<void> {
  await chooseFiles(page, input);
  await expect(fieldTable(page)).toBeVisible({ timeout: 60_000 });
  await settled(page);
  const rows = page.locator('.field-row:not(.field-row-head)');
  for (const row of [3, 5]) await rows.nth(row).click();
  const list = page.locator('[role=listbox][aria-label=Messages]');
  if ((await list.count()) === 0) await page.locator('#toggle-messages').click();
  for (const row of [4, 7]) await list.locator('[role=option]').nth(row).click();
  for (const [title, by] of [
    ['Resize Costs', -60],
    ['Resize Messages', 60],
  ] as const) {
    const box = (await page.locator(`[role=separator][title="${title}"]`).boundingBox())!;
    await page.mouse.move(box.x, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + by, box.y + 200, { steps: 8 });
    await page.mouse.up();
  }
  const questions = page.locator('.analysis-bar fieldset').first().locator('button');
  for (const question of [1, 0]) await questions.nth(question).click();
  await settled(page);
}

/** Milliseconds that this machine takes to parse 1.5 MB of JSON. Runs in the page. */
function parsingTime(): number {
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ name: `field ${at}`, sizes: [at, at * 7, at * 13], at }));
  const text = JSON.stringify(rows)
    .slice(0, -1)
    .padEnd(1_500_000 - 1)
    .concat(']');
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now();
    JSON.parse(text);
    return performance.now() - start;
  });
  return Math.min(...times);
}

/** The longest task may take that many times as long: parsing 24 MB, some 50 ms on a fast machine. */
const LONGEST = 16;

for (const kind of ['payloads', 'a capture']) {
  test(`fifty megabytes of ${kind} block the page for less than parsing 24 MB of JSON, and nothing moves`, async ({
    page,
  }) => {
    test.setTimeout(300_000);
    const input = kind === 'payloads' ? file : capture;
    await page.goto('.');
    const shifted = await watchShifts(page);
    await chooseFiles(page, input);
    await expect(fieldTable(page)).toBeVisible({ timeout: 60_000 });
    await settled(page);
    expect(await shifted()).toBeLessThan(0.01);
    // Once more if a busy machine was slow.
    await expect(async () => {
      await page.goto('.');
      await expect(page.locator('h1')).toBeVisible();
      const longest = await longestTask(page, () => work(page, input));
      const times = longest / (await page.evaluate(parsingTime));
      console.log(`${kind}: longest task ${longest.toFixed(0)} ms, as parsing ${(times * 1.5).toFixed(0)} MB of JSON`);
      expect(times).toBeLessThan(LONGEST);
    }).toPass({ timeout: 240_000 });
    const list = page.getByRole('listbox', { name: 'Messages' });
    await expect(list.getByRole('option')).not.toHaveCount(0);
    await list.press('End');
    const number = list.getByRole('option').last().locator('.at-ordinal');
    await expect(number).toHaveText(/^\d+,\d{3}$/);
    expect(await number.evaluate((cell) => cell.scrollWidth <= cell.clientWidth), 'the number is whole').toBe(true);
  });
}

test('a pasted text too long for a box is read at once', async ({ page }) => {
  const lines = 100_000;
  await page.goto('.');
  const box = page.getByRole('textbox', { name: 'Bytes or schema as text' });
  await box.fill('0801');
  await box.evaluate((target, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, '\n08 01 12 0a 61 62 63 64 65 66 67 68 69 6a'.repeat(lines));
  await expect(page.getByRole('heading', { level: 1 })).toContainText(
    `${(lines * 14 + 2).toLocaleString('en-US')} bytes`,
  );
});

test('a message of 16 MB is shown part by part', async ({ page }) => {
  const record = Buffer.concat([Buffer.from([0x0a, 0x80, 0x40]), Buffer.alloc(8192, 0xc0)]);
  const path = join(folder, 'one.bin');
  writeFileSync(path, Buffer.alloc(2000 * record.length, record));
  await page.goto('.');
  await chooseFiles(page, path);
  const message = page.getByRole('region', { name: 'Message 0' });
  await expect(message.getByText('Bytes 0 to 12,579,324 of 16,390,000.')).toBeVisible();
  await message.getByRole('button', { name: 'Next part' }).click();
  await expect(message.getByText('Bytes 12,579,325 to 16,389,999 of 16,390,000.')).toBeVisible();
  await expect(message.getByRole('button', { name: 'Next part' })).toBeDisabled();
  await message.getByRole('button', { name: 'Previous part' }).click();
  await expect(message.getByText('Bytes 0 to')).toBeVisible();
});
