/** As someone with confidential captures I can see for myself that nothing is sent anywhere. */
import { expect, test } from './page.ts';
import { chooseFiles, fieldTable, openSample, pasteSchema, pathOf } from './steps.ts';

test('a whole session asks only for parts of the app', async ({ page, origin }) => {
  const sent: string[] = [];
  const asked: string[] = [];
  page.on('request', (request) => {
    asked.push(request.url());
    if (request.method() !== 'GET' || request.postDataBuffer() !== null)
      sent.push(`${request.method()} ${request.url()}`);
  });

  await openSample(page, /ten search hits/);
  await page.getByRole('button', { name: /^Schema/ }).click();
  await expect(page.locator('.monaco-editor .view-line').first()).toBeVisible();

  await page.goto('.');
  await pasteSchema(page, 'schemas/prometheus/remote-write-1.proto');
  const before = asked.length;
  await chooseFiles(page, pathOf('fixtures/input/codecfixture.rw1.binpb'));
  await expect(fieldTable(page)).toBeVisible();
  await page.getByRole('button', { name: 'Protobuf tree' }).click();

  expect(sent).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(origin) && !url.startsWith('blob:'))).toEqual([]);
  // No address carries anything of the data, and an own file asks for nothing at all.
  expect(asked.filter((url) => url.startsWith(origin) && new URL(url).search !== '')).toEqual([]);
  expect(asked.slice(before).filter((url) => !url.startsWith('blob:'))).toEqual([]);
});
