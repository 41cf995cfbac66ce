/**
 * As someone with an awkward input I keep my tab. A tab takes at most so much memory as a fixed part and 64 bytes for
 * each byte of its input: as a file, as a link, and as an embedded figure.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { printEmbedFragment } from '#figures/embed-address.ts';
import { encodeFragment } from '#permalink/fragment.ts';
import { plainView } from '#permalink/plain-view.ts';
import type { Shared } from '#permalink/shared.ts';
import { INPUTS, WIDE_SCHEMA } from '../scripts/memory-inputs.ts';
import { expect, test } from './page.ts';
import { chooseFiles, fieldTable, pathOf, readText } from './steps.ts';

const MIB = 2 ** 20;
const PER_BYTE = 64;
/** docs/security.md */
const FIXED = 512 * MIB;

/** The most memory that a tab of the browser has had, in bytes; Linux alone keeps it. */
async function peakMemory(page: Page): Promise<number> {
  const session = await page.context().browser()!.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const peaks = processInfo
    .filter(({ type, id }) => type === 'renderer' && existsSync(`/proc/${id}/status`))
    .map(({ id }) => 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0));
  return Math.max(0, ...peaks);
}

const isWithin = async (page: Page, size: number): Promise<void> => {
  expect(await peakMemory(page)).toBeLessThanOrEqual(FIXED + PER_BYTE * size);
};

const file = (name: string, bytes: Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(bytes),
});

for (const name of ['numbers', 'messages'] as const) {
  test(`a file that is read by number: ${name}`, async ({ page }) => {
    const bytes = INPUTS[name]();
    await page.goto('.');
    await chooseFiles(page, file(`${name}.bin`, bytes));
    await expect(fieldTable(page)).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole('banner').getByRole('status')).toHaveCount(0, { timeout: 60_000 });
    await isWithin(page, bytes.length);
  });
}

for (const name of ['deep', 'empties'] as const) {
  test(`a file of a wide type: ${name}`, async ({ page }) => {
    const bytes = INPUTS[name]();
    await page.goto('.');
    await readText(page, WIDE_SCHEMA);
    await expect(page.getByRole('button', { name: 'Schema 1 file' })).toBeVisible();
    await page.getByRole('button', { name: 'Wirecost' }).click();
    await chooseFiles(page, file(`${name}.bin`, bytes));
    await expect(fieldTable(page)).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole('banner').getByRole('status')).toHaveCount(0, { timeout: 60_000 });
    await isWithin(page, bytes.length);
  });
}

test('the tree of a deep message continues below the depth at which it is folded, and names stay in their column', async ({
  page,
}) => {
  await page.goto('.');
  await readText(page, WIDE_SCHEMA);
  await expect(page.getByRole('button', { name: 'Schema 1 file' })).toBeVisible();
  await page.getByRole('button', { name: 'Wirecost' }).click();
  await chooseFiles(page, file('deep.bin', INPUTS.deep()));
  await expect(fieldTable(page)).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: /^Messages/ }).click();
  await page.getByText('0a d1 c5 04').first().click();
  await page.getByRole('button', { name: 'Protobuf tree' }).click();
  const tree = page.getByRole('tree', { name: 'Protobuf tree' });
  await tree.getByRole('treeitem').first().click();
  await page.keyboard.press('End');
  const last = tree.getByRole('treeitem').last();
  await expect(last).toHaveAttribute('aria-expanded', 'false');
  const level = Number(await last.getAttribute('aria-level'));
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  await expect(tree.locator(`[aria-level="${level + 1}"]`)).toBeVisible();
  const name = tree.locator(`[aria-level="${level + 1}"] .message-tree-name`);
  const [column, text] = [
    (await name.boundingBox())!,
    (await name.getByText('m', { exact: true }).first().boundingBox())!,
  ];
  expect(text.x + text.width).toBeLessThanOrEqual(column.x + column.width);
});

const linkOf = (data: Shared['data'], size: number): Shared => ({
  source: { name: 'awkward.bin', messages: 1, size, coverage: null, losses: [] },
  made: { date: '2026-11-21', by: '0.1.0' },
  view: plainView('M', 'opensearch'),
  data,
});

test('a link with deeply nested messages', async ({ page }) => {
  const payload = INPUTS.deep() as Uint8Array<ArrayBuffer>;
  const schema = [{ path: 'wide.proto', content: WIDE_SCHEMA }];
  const data = { kind: 'inline', payload, textEncoding: null, framing: null, schema } as const;
  await page.goto(`.#${encodeFragment(linkOf(data, payload.length))}`);
  await expect(fieldTable(page)).toBeVisible({ timeout: 60_000 });
  await isWithin(page, payload.length);
});

test('an embedded figure of many fields', async ({ page }) => {
  const base = JSON.parse(readFileSync(pathOf('fixtures/charts/opensearch-hits.profile.json'), 'utf8'));
  // Each takes five bytes in protobuf and four in the native form.
  const [field] = base.fields;
  const fields = Array.from({ length: 9_000 }, (_, at) => ({ ...field, path: `f${at}`, parent: '', name: `f${at}` }));
  const bytesOf = { protobuf: 5 * fields.length, 'laid-out': 4 * fields.length };
  const ledgers = Object.fromEntries(
    Object.entries(bytesOf).map(([id, bytes]) => [id, { ...base.ledgers[id], bytes }]),
  );
  const profile = { ...base, ledgers, fields };
  const data = { kind: 'profile', profile, compressed: null, layers: null, excerpt: null, matrix: null } as const;
  const link = encodeFragment(linkOf(data, bytesOf.protobuf))!;
  await page.goto(`embed.html${printEmbedFragment({ figure: 'icicle', theme: 'auto', link })}`);
  await expect(page.getByRole('img').first()).toBeVisible({ timeout: 60_000 });
  await isWithin(page, link.length);
  await page.getByText('All fields as a table').click();
  const table = page.getByRole('region', { name: 'Fields' });
  await table.getByRole('button', { name: /^Show 500 of 8,500 more fields/ }).press('Enter');
  await expect(table.getByRole('row')).toHaveCount(1001);
});
