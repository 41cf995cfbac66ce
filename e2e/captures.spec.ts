/** As an engineer with a packet capture I drop it, and see what its messages are and what they cost. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { writeConversation } from '#engine/capture/containers/packets-writer.testing.ts';
import { readCapture } from '#engine/frame/read-capture.ts';
import { writeLargeCapture } from '../bench/large-capture.ts';
import { withSource } from '../src/cli/inputs/file-source.ts';
import { expect, test } from './page.ts';
import { chooseFiles, dropOnto, fieldTable, pathOf, pressWhen } from './steps.ts';

const capture = (file: string): string => pathOf(`fixtures/capture/${file}`);
const verdict = (page: Page) => page.getByRole('heading', { level: 1 });
const types = (page: Page) => page.getByRole('table', { name: 'Types of the messages, side by side' });
const groups = (page: Page) => page.getByRole('tree', { name: 'Groups of messages' });
const list = (page: Page) => page.getByRole('listbox', { name: 'Messages' });

test('a Vitess capture opens as ExecuteBatch without a choice', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, capture('vitess-gzip.pcapng'));
  await expect(types(page).getByRole('row')).toContainText(['Type', 'ExecuteBatchRequest', 'ExecuteBatchResponse']);
  await expect(verdict(page)).toContainText('3 execute batch requests take 27,526\u00a0bytes');
  await expect(fieldTable(page)).toBeVisible();

  await groups(page)
    .getByRole('treeitem', { name: /response ExecuteBatchResponse/ })
    .click();
  await expect(verdict(page)).toContainText('13,950 bytes');
  await expect(types(page).getByRole('row')).toContainText(['Type', 'ExecuteBatchResponse']);
  await expect(list(page).getByRole('option')).toHaveCount(3);

  // Exactly the chosen messages are added up: by Shift a range, by Ctrl one more or less.
  await groups(page).getByRole('treeitem', { name: /^All / }).click();
  await expect(list(page).getByRole('option')).toHaveCount(6);
  await list(page).getByRole('option').nth(0).click();
  await list(page)
    .getByRole('option')
    .nth(2)
    .click({ modifiers: ['Shift'] });
  await expect(page.getByText('3 chosen')).toBeVisible();
  await expect(groups(page).getByRole('treeitem', { selected: true })).toHaveCount(0);
  await expect(types(page).getByRole('row').nth(1)).toContainText('3,504');
  await list(page)
    .getByRole('option')
    .nth(1)
    .click({ modifiers: ['Control'] });
  await expect(page.getByText('2 chosen')).toBeVisible();
  await expect(types(page).getByRole('row')).toContainText(['Type', 'ExecuteBatchRequest']);
  await expect(verdict(page)).toContainText('3,504 bytes');

  // A click and a click with Ctrl choose both messages.
  await page.getByRole('button', { name: 'all again' }).click();
  await expect(groups(page).getByRole('treeitem', { selected: true })).toHaveAccessibleName(/^All /);
  await list(page).getByRole('option').nth(4).click();
  await list(page)
    .getByRole('option')
    .nth(2)
    .click({ modifiers: ['Control'] });
  await expect(page.getByText('2 chosen')).toBeVisible();
  await expect(list(page).getByRole('option', { selected: true })).toHaveCount(2);
});

test('the verdict counts compressed contents, and Unpacked shows them in both encodings', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, capture('opensearch-cluster.pcap.zst'));
  await groups(page)
    .getByRole('treeitem', { name: /^request PublishRequest/ })
    .first()
    .click();
  await expect(verdict(page)).toContainText(/355\spublish requests/);
  await expect(page.getByRole('main')).toContainText(
    /355 compressed contents count as captured, 159,451\sbytes\. Unpacked: 253,959\sbytes, in protobuf \+6\.61\s%\./,
  );
  await list(page).getByRole('option').first().click();
  await page.getByRole('button', { name: 'Unpacked' }).click();
  await expect(
    page.getByText(/^state: [\d,]+ bytes unpack to [\d,]+ \(DEFLATE\), org\.opensearch\.stream\.PublishedState$/),
  ).toBeVisible();
  for (const encoding of ['Protobuf', 'Native'])
    await expect(page.getByRole('region', { name: `${encoding} unpacked contents bytes` })).toBeVisible();
});

test('searches and bulks of OpenSearch over gRPC are read by path, without a choice', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, capture('grpc-opensearch.pcap'));
  const rows = types(page).getByRole('row');
  await expect(rows).toContainText(['Type', 'SearchResponse', 'BulkRequest', 'BulkResponse', 'SearchRequest']);
  await expect(rows.nth(1)).toContainText(/SearchResponse6.*2,840/);
  await groups(page)
    .getByRole('treeitem', { name: /^request BulkRequest/ })
    .click();
  await expect(verdict(page)).toContainText(/430\sbytes/);
  await expect(fieldTable(page).getByRole('row', { name: /bulk_request_body 12/ })).toBeVisible();
  await groups(page)
    .getByRole('treeitem', { name: /^request SearchRequest/ })
    .first()
    .click();
  await expect(fieldTable(page).getByRole('row', { name: /search_request_body 32/ })).toBeVisible();
});

test('other protocols in a capture are named and give no messages', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, capture('among-others.pcapng'));
  // Six of OTLP, and those of a WebSocket.
  await expect(page.getByRole('button', { name: /^Messages/ })).toContainText('66');
  await page.getByRole('button', { name: 'among-others.pcapng' }).click();
  const unread = page.getByLabel('Not read');
  await expect(unread).toContainText('TLS, encrypted1 connection, 15,172 bytes');
  await expect(unread).toContainText('UDP14 packets, 4,947 bytes');
  await page.getByRole('button', { name: /^Findings/ }).click();
  await expect(
    page.getByText('1 connection of SSH, encrypted: no messages are read from it. Not read: 5,726 bytes'),
  ).toBeVisible();
});

test('a capture without readable messages names what it holds', async ({ page }) => {
  const record = Buffer.from([0x17, 3, 3, 0, 5, ...Buffer.from('hello')]);
  const buffer = Buffer.from(writeConversation([{ side: 0, bytes: record }]));
  await page.goto('.');
  await chooseFiles(page, { name: 'tls.pcap', mimeType: 'application/octet-stream', buffer });
  await expect(verdict(page)).toHaveText(
    'tls.pcap holds no message that can be read. It holds 1 connection of TLS, encrypted.',
  );
  await expect(page.getByText(/^TLS is read with its keys/)).toBeVisible();
  await expect(page.getByLabel('Not read')).toContainText('TLS, encrypted1 connection, 10 bytes');
  await page.getByRole('button', { name: 'Layers: where every byte of the file goes' }).click();
  await expect(page.getByRole('table', { name: 'Layers of the capture, outside in' })).toContainText('Unattributed');
});

test('the costs of the types are in sight between two panes of a window of 900 pixels', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 900 });
  await page.goto('.');
  await page.getByRole('button', { name: /what passes between nodes/ }).click();
  await expect(types(page).getByRole('columnheader', { name: 'Costs' })).toBeInViewport({ ratio: 1 });
  const shown = types(page).getByRole('button', { pressed: true });
  // The list of types scrolls to the type of a message that is selected elsewhere.
  await list(page).press('Home');
  await list(page).locator('[aria-posinset="2"]').click();
  await expect(shown).toHaveText('Empty');
  await expect(shown).toBeInViewport({ ratio: 1 });
});

test('remote write, both versions side by side', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, capture('remote-write-1-and-2.pcapng'));
  const rows = types(page).getByRole('row');
  await expect(rows).toContainText(['Type', 'WriteRequest', 'Request']);
  await expect(rows.nth(1)).toContainText(/WriteRequest11.*74,819.*482,408/);
  await expect(rows.nth(2)).toContainText(/Request7.*43,006.*138,252/);
  await expect(verdict(page)).toContainText('2,479 time series in 11 messages take 482,408 bytes');
  await rows.nth(2).getByRole('button').click();
  await expect(verdict(page)).toContainText('138,252 bytes');

  await page.getByRole('button', { name: /^Layers/ }).click();
  const layers = page.getByRole('table', { name: 'Layers of the capture, outside in' });
  await expect(layers.getByRole('row', { name: /^Compressed messages/ })).toContainText('117,825');
  await expect(layers.getByRole('row', { name: /^The file/ })).toContainText('140,036');
  const sum = async (): Promise<number> => {
    const bytes = await layers.locator('tbody td:nth-child(3)').allTextContents();
    return bytes.reduce((total, text) => total + Number(text.replaceAll(',', '')), 0);
  };
  await expect.poll(sum).toBe(140_036);
});

test('search hits that OpenSearch sent are shown natively and in protobuf', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, capture('opensearch-term-1000.pcapng.gz'));
  const rows = types(page).getByRole('row');
  await expect(rows.nth(1)).toContainText(/FetchSearchResultProto3.*913,988.*920,892.*913,988/);
  await expect(verdict(page)).toContainText(
    /^1,000 search hits in 3 messages\. Protobuf 920,892\sbytes, native\s913,988/,
  );
  await expect(fieldTable(page).getByRole('row', { name: /^version/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Native bytes' })).toBeVisible();
  await expect(page.getByText('captured natively')).toBeVisible();

  // A method is cut at its start, a word at its end.
  await expect(groups(page).getByTitle(/follower_check$/)).toHaveCSS('direction', 'rtl');
  await expect(groups(page).getByTitle('response').first()).toHaveCSS('direction', 'ltr');
  await groups(page)
    .getByRole('treeitem', { name: /follower_check/ })
    .first()
    .click();
  await expect(verdict(page)).toContainText(/^\d+ follower check requests\. Protobuf/);
});

test('a native message without a layout shows its header and its unread body', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, capture('opensearch-unknown-action.pcap'));
  await expect(types(page).getByRole('row', { name: /^native, no layout/ })).toBeVisible();
  const all = page.getByRole('button', { name: /^All \d+$/ });
  await expect(all).toHaveAttribute('aria-pressed', 'true');
  await page
    .getByRole('textbox', { name: 'Only messages whose method, type, transport, status or flow contains this' })
    .fill('leader_check');
  await expect(all).toHaveAttribute('aria-pressed', 'false');
  await expect(verdict(page)).toContainText(/^\d native messages\. Header [\d,]+\sbytes, body [\d,]+\sbytes/);
  await expect(page.getByRole('region', { name: 'Native bytes' })).toBeVisible();
  await expect(list(page).getByRole('option').first()).toContainText('leader_check');
  await expect(list(page).getByRole('option').filter({ hasNotText: 'leader_check' })).toHaveCount(0);
  const zoom = page.getByRole('navigation', { name: 'Zoomed into' });
  await expect(zoom).toContainText(/6 of 34 messages, filtered$/);
  const note = page.getByText('The table counts all messages of each action');
  await expect(note).toBeHidden();
  await page.getByRole('textbox', { name: 'At least this many bytes' }).fill('100');
  await expect(zoom).toContainText(/2 of 34 messages, filtered$/);
  await expect(note).toBeVisible();
  // Two messages are listed: from the first there is only the second, and back.
  const [previous, next] = [/Previous/, /Next/].map((name) => page.getByRole('button', { name }));
  await list(page).getByRole('option').first().click();
  await expect(previous!).toBeDisabled();
  await next!.click();
  await expect(next!).toBeDisabled();
  await previous!.click();
  await expect(previous!).toBeDisabled();
  await expect(next!).toBeEnabled();
  await page.getByRole('textbox', { name: 'Only messages that hold this text' }).fill('no such text');
  await expect(page.getByText('No message passes the filter.')).toHaveCount(3);
  await expect(page.getByRole('button', { name: /fields by number/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Share' })).toBeHidden();
  await zoom.getByRole('button').click();
  await expect(all).toHaveAttribute('aria-pressed', 'true');
});

test('the header of a captured message is shown byte by byte', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, capture('opensearch-unknown-action.pcap'));
  await groups(page)
    .getByRole('treeitem', { name: /request ShardFetchSearchRequest/ })
    .click();
  // Another message begins with nothing selected.
  await expect(page.getByRole('region', { name: 'Message 23', exact: true })).toBeVisible();
  const shapes = page.getByRole('group', { name: 'Show the message as' });
  await shapes.getByRole('button', { name: 'Header' }).click();
  const native = page.getByRole('region', { name: 'Native header bytes' });
  const protobuf = page.getByRole('region', { name: 'Protobuf header bytes' });
  for (const key of ['ArrowDown', 'End']) await native.getByRole('application').press(key);
  await expect(native.getByRole('status')).toContainText('indices:data/read/search[phase/fetch/id]');
  await expect(protobuf.getByRole('status')).toContainText('action');
  await native.getByRole('application').press('Home');
  await native.locator('.hex-bytes [data-offset="0"]').click();
  await expect(native.getByRole('status')).toContainText('request_headers');

  // Also of one whose body has no layout.
  await groups(page)
    .getByRole('treeitem', { name: /request native/ })
    .first()
    .click();
  await expect(page.getByRole('region', { name: 'Message 0', exact: true })).toBeVisible();
  await native.locator('.hex-text [data-offset="20"]').click();
  await expect(native.getByRole('status')).toContainText('internal:coordination/fault_retention/follower_check');
});

test('a field that the shown message does not have leads to the first message that has it', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, capture('json-parts.pcap'));
  // It opens on this message.
  const message = page.getByRole('region', { name: 'Message 22', exact: true });
  await expect(message.getByRole('status').first()).toContainText('bytes 1–3,007');
  await list(page).focus();
  await page.keyboard.press('End');
  await expect(page.getByText('Message 96 does not have a.')).toBeVisible();
  await page.getByRole('button', { name: 'Show the first that has it' }).click();
  await expect(message.getByRole('status').first()).toContainText('bytes 1–3,007');
  await expect(message).not.toContainText('does not have');
});

test('a filter for a type finds its messages when the schema that names it is loaded', async ({ page }, info) => {
  await page.goto('.');
  await chooseFiles(page, capture('grpc-opensearch.pcap'));
  await expect(types(page)).toBeVisible();
  await page.getByLabel('Only messages whose method, type, transport, status or flow contains this').fill('Zebra');
  await expect(list(page).getByRole('option')).toHaveCount(0);
  const schema = info.outputPath('z.proto');
  const declared = 'message Zebra {} service SearchService { rpc Search(Zebra) returns (Zebra); }';
  writeFileSync(schema, `syntax = "proto3"; package org.opensearch.protobufs.services; ${declared}`);
  await dropOnto(page, [schema]);
  await expect(list(page).getByRole('option')).toHaveCount(6);
});

test('keys select a group, a message and a time range', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, capture('vitess-gzip.pcapng'));
  await expect(types(page)).toBeVisible();
  await groups(page).focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await expect(groups(page).locator('[aria-selected=true]')).toContainText('request');
  await expect(verdict(page)).toContainText('27,526 bytes');
  // The list is another one now.
  await expect(list(page).getByRole('option')).toHaveCount(3);
  await list(page).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('region', { name: 'Message 2' })).toBeVisible();
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('2 chosen')).toBeVisible();
  await page.getByRole('slider', { name: 'Messages from' }).focus();
  await page.keyboard.press('PageUp');
  await expect(page.getByRole('button', { name: 'all the time' })).toBeVisible();
  const cutOff = (line: Element): number => line.scrollWidth - line.clientWidth;
  expect(await page.getByRole('region', { name: 'Timeline' }).locator('p').evaluate(cutOff)).toBe(0);
  // A panel that takes room of the trail leaves its end in sight.
  const trail = page.getByRole('navigation', { name: 'Zoomed into' });
  await page.getByRole('button', { name: /^Layers/ }).click();
  await expect(trail.getByRole('strong')).toBeInViewport({ ratio: 1 });
});

test('a capture for several workers grows while it is read, stops on Cancel, and gives what one worker finds', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'wirecost-capture-'));
  try {
    const file = join(folder, 'large.pcap');
    await writeLargeCapture(file, 270_000_000);
    const { messages } = await withSource(file, (source) => readCapture(source, () => undefined));
    await page.goto('.');
    await expect.poll(() => page.workers().length).toBe(1);
    // One core is the browser's.
    await page.workers()[0]!.evaluate(() => Object.defineProperty(navigator, 'hardwareConcurrency', { value: 3 }));
    const helpers: string[] = [];
    page.on('worker', () => helpers.push('started'));
    // As soon as a message is shown.
    await pressWhen(page, 'Cancel', '[role=listbox][aria-label=Messages] [role=option]');
    await chooseFiles(page, file);
    await expect(page.getByText('Nothing was added up: reading was cancelled.')).toBeVisible({ timeout: 60_000 });
    await expect(list(page).getByRole('option').first()).toBeVisible();
    await expect(page.getByText(/^Only the first [0-9,]+ messages: reading was cancelled\.$/)).toBeVisible();
    await expect(page.getByRole('button', { name: /^Messages [0-9,]+ read$/ })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Layers', exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Message 0' })).toContainText(/Message 0 · [0-9,]+ read/);
    await expect(page.getByRole('banner').getByRole('status')).toHaveCount(0);
    await expect(page.getByRole('main')).toBeFocused();
    await expect(page.getByRole('button', { name: /fields by number/ })).toBeHidden();

    // And the next one is read at once.
    await page.getByRole('button', { name: 'Wirecost' }).click();
    await chooseFiles(page, capture('vitess-gzip.pcapng'));
    await expect(verdict(page)).toContainText('27,526 bytes');

    await page.getByRole('button', { name: 'Wirecost' }).click();
    await chooseFiles(page, file);
    const all = page.getByRole('button', { name: `Messages ${messages.toLocaleString('en')}` });
    await expect(all).toBeVisible({ timeout: 60_000 });
    expect(helpers.length).toBeGreaterThan(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('two of three captures are A and B, and the third can replace either', async ({ page }) => {
  await page.goto('.');
  await chooseFiles(page, ['opensearch-plain.pcap', 'opensearch-deflate.pcap', 'kafka.pcap'].map(capture));
  await expect(page.getByRole('grid', { name: 'Change by field' })).toBeVisible();
  const captures = page.getByRole('region', { name: 'Captures that were dropped together' });
  await expect(captures.getByRole('listitem')).toHaveCount(3);
  await expect(captures.getByRole('button', { name: 'opensearch-deflate.pcap as B' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await captures.getByRole('button', { name: 'kafka.pcap as B' }).click();
  await expect(captures.getByRole('button', { name: 'kafka.pcap as B' })).toHaveAttribute('aria-pressed', 'true');
  await expect(captures.getByRole('button', { name: 'opensearch-plain.pcap as A' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await captures.getByRole('button', { name: 'kafka.pcap', exact: true }).click();
  await expect(page.getByRole('grid', { name: 'Change by field' })).toBeHidden();
});
