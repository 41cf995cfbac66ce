/** As someone who reads enlarged text, in little room, I see the names, the bytes and the control that has the focus. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './page.ts';
import { chooseFiles, fieldTable, openSample, readText } from './steps.ts';

/** A window of 1280 by 1024 at 400 %. */
const ENLARGED = { width: 320, height: 256 };

async function openEnlarged(page: Page): Promise<void> {
  await page.setViewportSize(ENLARGED);
  await page.goto('.');
  await page.getByRole('button', { name: /what passes between/i }).click();
  await expect(page.getByRole('tab', { name: 'Bytes' })).toBeVisible();
}

const heightOf = async (part: Locator): Promise<number> => (await part.boundingBox())!.height;

/** Whether no part of its text is cut. */
const isWhole = (name: Locator): Promise<boolean> => name.evaluate((text) => text.scrollWidth <= text.clientWidth);

test('at 400 % each side of a message shows rows of bytes', async ({ page }) => {
  await openEnlarged(page);
  await page.getByRole('tab', { name: 'Bytes' }).click();
  for (const side of ['Protobuf', 'Native']) {
    const view = page.getByRole('application', { name: new RegExp(`^${side}`) });
    await view.scrollIntoViewIfNeeded();
    expect(await heightOf(view)).toBeGreaterThanOrEqual(80);
  }
});

test('at 400 % the value of the chosen bytes is read beside its tag and its length', async ({ page }) => {
  await page.setViewportSize({ ...ENLARGED, height: 640 });
  await page.goto('.');
  await readText(page, '0a 07 4d c3 bc 6e 63 68 65');
  await page.getByRole('tab', { name: 'Bytes' }).click();
  const parts = page.getByRole('region', { name: 'Protobuf bytes' }).locator('.hex-segment > span');
  await expect(parts).toHaveText(['tag: field 1, LEN', 'length prefix: 7', 'value: "Münche"']);
  for (const words of await parts.all()) expect.soft(await isWhole(words)).toBe(true);
});

test('at 400 % the choices of the share dialog are not covered by its buttons', async ({ page }) => {
  await openEnlarged(page);
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this analysis' });
  const choice = dialog.getByRole('radio').first();
  await expect(choice).toBeVisible();
  // A click at its middle reaches it without scrolling.
  expect(
    await choice.evaluate((input) => {
      const { x, y, width, height } = input.getBoundingClientRect();
      return document.elementFromPoint(x + width / 2, y + height / 2) === input;
    }),
  ).toBe(true);
});

test('wider spaced text does not cover the first bytes', async ({ page }) => {
  await openSample(page, /what passes between/i);
  await page.addStyleTag({
    content: `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
      p { margin-bottom: 2em !important }`,
  });
  const bytes = page.getByRole('region', { name: 'Protobuf bytes' });
  await fieldTable(page)
    .getByRole('row', { name: /^version/ })
    .click();
  const words = bytes.locator('.hex-segments');
  await expect(words).toContainText('tag: field 2');
  const ofWords = (await words.boundingBox())!;
  expect(ofWords.y + ofWords.height).toBeLessThanOrEqual((await bytes.getByRole('application').boundingBox())!.y);
});

test('names of deep fields are read in the tree of a message and in a narrow table', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openSample(page, /bytes of a\s+trace/i);
  await page.getByRole('button', { name: 'Protobuf tree' }).click();
  const tree = page.getByRole('tree', { name: 'Protobuf tree' });
  for (const name of ['kind', 'key', 'value']) {
    const label = tree.locator('.message-tree-label').filter({ hasText: new RegExp(`^${name}$`) });
    await expect
      .poll(() => label.evaluateAll((all) => all.every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)))
      .toBe(true);
    expect(await label.count(), name).toBeGreaterThan(0);
  }
  // A wire type is whole or not there.
  await page.setViewportSize({ width: 1280, height: 800 });
  const cut = (kinds: readonly Element[]) =>
    kinds.filter((kind) => {
      const text = document.createRange();
      text.selectNodeContents(kind);
      const [words, box] = [text.getBoundingClientRect(), kind.getBoundingClientRect()];
      return words.top < box.bottom - 1 && words.right > box.right + 0.5;
    }).length;
  await expect(tree.locator('.message-tree-kind', { hasText: 'I64' }).first()).toBeAttached();
  expect(await tree.locator('.message-tree-kind').evaluateAll(cut)).toBe(0);
  await page.setViewportSize({ width: 1024, height: 844 });
  await page.getByRole('button', { name: 'Encodings', exact: true }).click();
  const events = fieldTable(page)
    .locator('.field-name-text')
    .filter({ hasText: /^events$/ });
  await expect.poll(() => isWhole(events)).toBe(true);
});

test('where a name has no room its number is whole, and the tree has the name of the chosen row in full', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('.');
  const name = `${'long_field_'.repeat(9)}text`;
  await chooseFiles(page, [
    {
      name: 'long.proto',
      mimeType: 'text/plain',
      buffer: Buffer.from(`syntax = "proto3"; message Long { string ${name} = 12345; }`),
    },
    { name: 'long.binpb', mimeType: 'application/octet-stream', buffer: Buffer.from('ca8306026869', 'hex') },
  ]);
  const whole = async (number: Locator) => {
    await expect(number).toHaveText('12345');
    expect(await isWhole(number)).toBe(true);
  };
  await whole(fieldTable(page).locator('.field-number'));
  await page.getByRole('tab', { name: 'Bytes' }).click();
  await page.getByRole('button', { name: 'Protobuf tree' }).click();
  const row = page.getByRole('treeitem').nth(1);
  await whole(row.locator('.message-tree-number'));
  await row.click();
  const chosen = page.locator('.message-tree-chosen');
  await expect(chosen).toHaveText(`${name} "hi"`);
  expect(await isWhole(chosen)).toBe(true);
});

test('names that begin alike look different where they have no room, as a tree and as a list', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const names = ['p50', 'p90'].map((end) => `http_client_request_duration_microseconds_${end}`);
  await page.goto('.');
  await chooseFiles(page, [
    {
      name: 'times.proto',
      mimeType: 'text/plain',
      buffer: Buffer.from(
        `syntax = "proto3"; message Times { Client client = 1; } message Client { ${names.map((name, at) => `int32 ${name} = ${at + 1};`).join(' ')} }`,
      ),
    },
    { name: 'times.binpb', mimeType: 'application/octet-stream', buffer: Buffer.from('0a0408011001', 'hex') },
  ]);
  for (const form of ['tree', 'list']) {
    if (form === 'list') await page.getByRole('button', { name: 'Flat' }).click();
    const drawn = [];
    for (const name of names) {
      const row = fieldTable(page).getByRole('row', { name });
      await row.scrollIntoViewIfNeeded();
      const text = row.locator('.field-name-text');
      await expect(text).toHaveText(form === 'tree' ? name : `client.${name}`);
      drawn.push(await text.screenshot());
    }
    expect(drawn[0]!.equals(drawn[1]!), form).toBe(false);
  }
});

test('a wide rail leaves room for the costs and the field, also if a style of the person’s own enlarges the text', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1000, height: 800 });
  await openSample(page, /what passes between/i);
  await page.getByRole('button', { name: 'Encodings', exact: true }).click();
  const last = page.getByRole('button', { name: 'A and B' });
  const isUncovered = () =>
    last.evaluate((button) => {
      const { right, y, height } = button.getBoundingClientRect();
      return document.elementFromPoint(right - 4, y + height / 2) === button;
    });
  await expect.poll(isUncovered).toBe(true);
  await expect(page.getByRole('region', { name: 'Protobuf bytes' })).toBeInViewport({ ratio: 1 });
  await page.addStyleTag({ content: ':root { font-size: 24px }' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByRole('tab', { name: 'Costs' })).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(isUncovered).toBe(true);
});

test('a radio button without a box of its own is scrolled into view with its label', async ({ page }) => {
  await openSample(page, /what passes between/i);
  await fieldTable(page)
    .getByRole('row', { name: /^version/ })
    .click();
  const choice = page.getByRole('group', { name: 'Bytes counted' }).getByRole('radio').first();
  await choice.focus();
  await expect(choice.locator('xpath=..')).toBeInViewport();
});

test('with text of 24 pixels one panel shows at a time, or the rail has room for the names of groups', async ({
  playwright,
  launchOptions,
  origin,
}) => {
  // The setting of the browser: queries of the window's width follow it, and no style of a page does the same.
  const args = [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=24'];
  const browser = await playwright.chromium.launch({ ...launchOptions, args });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, serviceWorkers: 'block' });
  await page.goto(origin);
  await page.getByRole('button', { name: /what passes between/i }).click();
  await expect(page.getByRole('tab', { name: 'Messages' })).toBeVisible();
  // Where one panel shows at a time, a capture does not open the rail.
  await expect(fieldTable(page)).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: /^Messages / }).click();
  const answers = page.getByRole('treeitem', { name: /^response/ }).first();
  await expect.poll(() => isWhole(answers.getByTitle('response', { exact: true }))).toBe(true);
  await browser.close();
});

test('with text of twice the usual size figures are whole, and rows as high as their text', async ({
  playwright,
  launchOptions,
  origin,
}) => {
  const args = [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=32'];
  const browser = await playwright.chromium.launch({ ...launchOptions, args });
  const page = await browser.newPage({ viewport: { width: 1600, height: 900 }, serviceWorkers: 'block' });
  await page.goto(origin);
  await page.getByRole('button', { name: /ten search hits/i }).click();
  const rows = fieldTable(page).getByRole('row');
  await expect(rows.nth(3)).toBeVisible();
  for (const figure of await fieldTable(page).locator('.field-cell-protobuf > span').all())
    expect.soft(await figure.evaluate(({ parentElement: cell }) => cell!.scrollWidth <= cell!.clientWidth)).toBe(true);
  expect(await heightOf(rows.nth(3))).toBe(54);
  // The window is low for such text: the page scrolls, and the table has room for rows.
  expect(await heightOf(fieldTable(page))).toBeGreaterThan(5 * 54);
  await page.getByRole('tab', { name: 'Bytes' }).click();
  const line = page.getByRole('region', { name: 'Protobuf bytes' }).locator('.hex-line').first();
  expect(await heightOf(line)).toBe(40);
  await browser.close();
});

test('at 400 % the list of encodings begins with its first figures', async ({ page }) => {
  test.slow();
  await openEnlarged(page);
  await page.getByRole('tab', { name: 'Encodings' }).click();
  await expect(page.getByText(/^Smallest of \d+ encodings: /)).toBeVisible({ timeout: 60_000 });
  const first = page.getByRole('columnheader', { name: /^Bytes/ });
  expect(await first.evaluate((head) => head.closest('.overflow-x-auto')!.scrollLeft)).toBe(0);
});

test('long names of a schema wrap, and its page is as wide as a narrow window', async ({ page }) => {
  const long = (word: string) => Array(9).fill(word).join('');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('.');
  await readText(
    page,
    `syntax = "proto3";
message ${long('LongType')} {
  string ${long('long_field_')}text = 1;
  map<string, ${long('LongType')}> ${long('long_field_')}map = 2;
  oneof ${long('long_choice_')} { int32 ${long('long_field_')}count = 3; }
}`,
  );
  await expect(page.getByRole('button', { name: 'Schema 1 file' })).toBeVisible();
  await page.goto(`#/type/${long('LongType')}`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(long('LongType'));
  for (const part of ['.explorer-page', '.field-list-frame']) {
    const hidden = (box: Element) => box.scrollWidth - box.clientWidth;
    expect.soft(await page.locator(part).first().evaluate(hidden), part).toBeLessThanOrEqual(0);
  }
});

test('text of twice the size is as large in pictures, whose parts are where they are shown, and no choice is out of sight', async ({
  page,
}) => {
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.fontSize = '32px';
    });
  });
  await openSample(page, /bytes of a\s+trace/i);
  const picture = page.getByRole('img', { name: /^Icicle of/ });
  await expect.poll(() => heightOf(picture)).toBeGreaterThanOrEqual(8 * 48);
  // The third level: the field with nearly all bytes.
  await picture.click({ position: { x: 60, y: 3 * 48 + 16 } });
  await expect(fieldTable(page).getByRole('row', { selected: true })).toHaveText(/^.{0,2}spans/);
  await page.getByRole('button', { name: 'Against native' }).click();
  const label = page.locator('.costs-picture svg text').filter({ hasText: /^Native$/ });
  await expect.poll(() => heightOf(label)).toBeGreaterThanOrEqual(24);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const question of ['Composition', 'Against native', 'A and B']) {
    const { x, width } = (await page.getByRole('button', { name: question }).boundingBox())!;
    expect(x, question).toBeGreaterThanOrEqual(0);
    expect(x + width, question).toBeLessThanOrEqual(390);
  }
});
