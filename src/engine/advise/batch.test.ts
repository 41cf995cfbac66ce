import { expect, test } from 'vitest';
import { setVarint } from '#engine/bytes/varint.ts';
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

/** A record with a length, of a field below 16. */
function bytesField(number: number, value: Uint8Array): Buffer {
  const length = new Uint8Array(5);
  const end = setVarint(length, 0, value.length);
  return Buffer.concat([Uint8Array.of((number << 3) | 2), length.subarray(0, end), value]);
}

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

test('sizes whose messages repeat too many bytes are left out', async () => {
  // A field of 100,000 bytes around 400 records of 300 bytes.
  const host = bytesField(1, Buffer.alloc(100_000, 'h'));
  const items = Array.from({ length: 400 }, () => bytesField(2, bytesField(1, Buffer.alloc(297, 'x'))));
  const tree = readTree(Buffer.concat([host, bytesField(2, Buffer.concat(items))]), forms, 'R')!;
  const found = await batchesOf([tree], forms, 'R', []);
  // 400 × 100 kB and 200 × 100 kB are above 16 MiB, 80 × 100 kB are not.
  expect(found?.sizes.map(({ records }) => records)).toEqual([5, 10, 20, 50, 100, 200, 400]);
  expect(found?.fixed).toBe(100_007);
});

test('messages without a list are records: several are a list in a message around them', async () => {
  const messages = [...'abcde'].map((letter) => bytesField(1, Buffer.from(letter.repeat(200))));
  const trees = messages.map((bytes) => readTree(bytes, forms, 'R')!);
  const units: Uint8Array[] = [];
  const compressor = {
    id: 'half',
    size: async (unit: Uint8Array) => {
      units.push(unit);
      return unit.length / 2;
    },
  };
  const found = await batchesOf(trees, forms, 'R', [compressor]);
  expect(found).toMatchObject({ path: null, name: 'R', records: 5, messages: 5, fixed: null });
  // 203 a message; in a list, a tag and a length of two bytes more.
  expect(
    found?.sizes.map(({ records, messages, size }) => [records, messages, size.bytes, size.compressed['half']]),
  ).toEqual([
    [1, 5, 5 * 203, (5 * 203) / 2],
    [2, 3, 5 * 206, (5 * 206) / 2],
    [5, 1, 5 * 206, (5 * 206) / 2],
  ]);
  expect(Buffer.from(units.at(-1)!)).toEqual(Buffer.concat(messages.map((bytes) => bytesField(1, bytes))));
});

test('a message without a list has no batches', async () => {
  const tree = readTree(unhex('0a 01 68'), forms, 'R')!;
  expect(await batchesOf([tree], forms, 'R', [])).toBeUndefined();
});
