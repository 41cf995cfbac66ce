/** As a visitor I open a real capture with one click and learn what it costs, down to the bytes of one field. */
import { expect, test } from './page.ts';
import { fieldTable, litBytes, openSample } from './steps.ts';

/** The bytes of one span, from `start` on. */
const span = (start: number, hex: string): readonly (readonly [number, string])[] =>
  hex.split(' ').map((byte, index) => [start + index, byte]);

test('the sample of OpenSearch’s search hits shows the verdict, a field and its bytes', async ({ page }) => {
  await openSample(page, /ten search hits/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    '10 search hits. Protobuf 9,191 bytes, native 9,125: protobuf costs +0.72 %, 6.6 bytes a hit.',
  );

  const row = fieldTable(page).getByRole('row', { name: /^version 2/ });
  await expect(row.getByRole('gridcell')).toContainText(['version', '', '110', '110', '80', '+30']);
  // A bar says what it is made of, and the row names its field once.
  await expect(row.getByRole('img', { name: 'protobuf tag 10 · value 100; native value 80' })).toBeVisible();
  await expect(row).toHaveAccessibleName(/^version 2 (?!.*version)/);
  await expect(fieldTable(page).getByRole('row', { name: /^Fold hits 6/ })).toHaveAccessibleName(/hits (?!.*hits)/);
  await row.click();

  const details = page.getByRole('region', { name: 'Field hits.version' });
  await expect(details).toContainText('int64 = 2');
  await expect(
    details.getByRole('img', { name: /Widths of the value varints.*10 varints in 100 bytes/ }),
  ).toBeVisible();
  await expect(details.getByRole('img', { name: /Bytes per parent, by presence.*Here, at 100/ })).toBeVisible();

  // Version -1 of the first hit: a tag and a ten-byte varint, or eight bytes.
  await expect.poll(() => litBytes(page, 'Protobuf')).toEqual(span(13, '10 ff ff ff ff ff ff ff ff ff 01'));
  await expect.poll(() => litBytes(page, 'Native')).toEqual(span(35, 'ff ff ff ff ff ff ff ff'));
});
