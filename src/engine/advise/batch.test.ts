import { expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import { batchesOf } from './batch.ts';
import { FieldEncodings } from './forms.ts';
import { readTree } from './read-tree.ts';

const forms = new FieldEncodings(
  compileSchema([
    {
      path: 'b.proto',
      content: `syntax = "proto3"; message R { string host = 1; repeated S scopes = 2; }
        message S { string name = 1; repeated I items = 2; } message I { string text = 1; }`,
    },
  ]).registry,
);
const unhex = (hex: string) => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const ITEM = '12 0a 0a 08 61 62 63 64 65 66 67 68';
const SCOPE = (items: number) => `12 ${(3 + 12 * items).toString(16).padStart(2, '0')} 0a 01 73 ${ITEM.repeat(items)}`;

test('two messages with four records are joined, and split with the fields around the records', async () => {
  // host "h", scope "s"
  const messages = [unhex(`0a 01 68 ${SCOPE(3)}`), unhex(`0a 01 68 ${SCOPE(1)}`)];
  const trees = messages.map((bytes) => readTree(bytes, forms, 'R')!);
  const found = await batchesOf(trees, forms, 'R', []);
  expect(found).toMatchObject({ path: 'scopes.items', records: 4, messages: 2, fixed: 6 });
  // 12 a record; around it host 3, scope 2 + 3. In the last row host is there once, the two scopes twice.
  expect(found?.sizes.map(({ records, messages, size }) => [records, messages, size.bytes])).toEqual([
    [1, 4, 80],
    [2, 2, 69],
    [4, 1, 61],
  ]);
});

test('a message without a list has no batches', async () => {
  const tree = readTree(unhex('0a 01 68'), forms, 'R')!;
  expect(await batchesOf([tree], forms, 'R', [])).toBeUndefined();
});
