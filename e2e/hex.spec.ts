/** As someone without a schema I paste hex from a log and see its records. */
import { expect, test } from './page.ts';
import { chooseFiles, fieldTable, readText } from './steps.ts';

test('pasted hex without a schema shows field numbers, wire types and readings', async ({ page }) => {
  await page.goto('.');
  await readText(page, '08 96 01 12 07 74 65 73 74 69 6e 67 1d 00 00 80 3f 22 03 08 96 01');
  await expect(page.getByRole('button', { name: /^Type .*fields by number/ })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('1 message takes 22 bytes');

  await page.getByRole('button', { name: 'Protobuf tree' }).click();
  const tree = page.getByRole('tree', { name: 'Protobuf tree message' });
  await expect(tree.getByRole('treeitem')).toHaveCount(6);
  for (const label of [
    /field 1, VARINT, 150, bytes 0–2, guess/,
    /field 2, LEN, "testing", bytes 3–11, guess/,
    /field 3, I32, 1, bytes 12–16, guess/,
    /field 4, LEN, 1 field, bytes 17–21, guess/,
    /field 1, VARINT, 150, bytes 19–21, guess/,
  ]) {
    await expect(tree.getByRole('treeitem', { name: label })).toBeVisible();
  }
});

test('the selected bytes stay in sight when the second encoding takes half of the height', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('./#/sample/otlp-traces');
  await expect(fieldTable(page)).toBeVisible();
  const selected = (side: string) =>
    page
      .getByRole('region', { name: `${side} bytes` })
      .locator('.hex-byte.is-in')
      .first();
  await expect(selected('Protobuf')).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Against native' }).click();
  for (const side of ['Native', 'Protobuf']) await expect(selected(side)).toBeInViewport({ ratio: 1 });
});

test('the words of a part are not cut where the room is short, but end in an ellipsis', async ({ page }) => {
  await page.setViewportSize({ width: 920, height: 800 });
  await page.goto('.');
  // A text of 2,097,152 bytes: its length prefix takes four.
  const buffer = Buffer.concat([Buffer.from('0a80808001', 'hex'), Buffer.alloc(1 << 21, 'w')]);
  await chooseFiles(page, { name: 'long.binpb', mimeType: 'application/octet-stream', buffer });
  const parts = page.getByRole('region', { name: 'Protobuf bytes' }).locator('.hex-segments');
  await expect(parts).toContainText('length prefix: 2097152');
  expect(await parts.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
  // The first byte at least is whole, before its own ellipsis.
  const room = await parts
    .locator('code')
    .last()
    .evaluate((bytes) => {
      const first = bytes.cloneNode() as HTMLElement;
      first.textContent = '77…';
      first.style.cssText = 'flex: none; min-width: 0';
      bytes.after(first);
      const needed = first.getBoundingClientRect().width;
      first.remove();
      return bytes.getBoundingClientRect().width - needed;
    });
  expect(room).toBeGreaterThan(0);
});
