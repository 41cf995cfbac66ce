/** As someone whose messages hold others in a google.protobuf.Any, I see what their fields cost, and so does who gets my link. */
import { expect, test } from './page.ts';
import { fieldTable, linkAs, readText, shareDialog, verdictOf } from './steps.ts';

const SCHEMA = `syntax = "proto3"; package mesh;
  import "google/protobuf/any.proto";
  message Response { string version = 1; repeated google.protobuf.Any resources = 2; }
  message Cluster { string name = 1; int32 port = 2; google.protobuf.Any socket = 3; }
  message Tls { string sni = 1; }`;

const prefixed = (tag: number, bytes: ArrayLike<number>): number[] => [tag, bytes.length, ...Array.from(bytes)];
const text = (tag: number, value: string): number[] => prefixed(tag, Buffer.from(value));
const any = (type: string, contents: readonly number[]): number[] => [
  ...text(0x0a, `type.googleapis.com/mesh.${type}`),
  ...prefixed(0x12, contents),
];
const cluster = (name: string): number[] => [
  ...text(0x0a, name),
  ...[0x10, 80],
  ...prefixed(0x1a, any('Tls', text(0x0a, `${name}.local`))),
];
const RESPONSE = [
  ...text(0x0a, '7'),
  ...['outbound', 'inbound'].flatMap((name) => prefixed(0x12, any('Cluster', cluster(name)))),
  ...prefixed(0x12, any('Unknown', text(0x0a, 'what'))),
];

const PATHS = ['resources', '[mesh.Cluster]', 'socket', '[mesh.Tls]', 'sni'];

test('the fields of what an Any holds, their bytes, and the same from a link of filler', async ({ page, browser }) => {
  await page.goto('.');
  await readText(page, SCHEMA);
  await readText(page, Buffer.from(RESPONSE).toString('hex'));
  const table = fieldTable(page);
  for (const name of PATHS) await expect(table.getByText(name, { exact: true }).first()).toBeVisible();
  const rows = await table.getByRole('row').allTextContents();
  const headline = await verdictOf(page);
  await table.getByText('sni', { exact: true }).click();
  await expect(page.getByText('resources.[mesh.Cluster].socket.[mesh.Tls].').first()).toBeVisible();

  const link = await linkAs(page, /^The shape/);
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(shareDialog(page).getByText(/names of types in URLs of an Any stay/)).toBeVisible();
  const other = await browser.newContext();
  const receiver = await other.newPage();
  await receiver.goto(link);
  await expect(fieldTable(receiver)).toBeVisible();
  expect(await verdictOf(receiver)).toBe(headline);
  expect(await fieldTable(receiver).getByRole('row').allTextContents()).toEqual(rows);
  await other.close();
});
