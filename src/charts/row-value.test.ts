/** Words for both sides, from bytes that the engine itself read and wrote. */
import { expect, test } from 'vitest';
import { readJson } from '#engine/encodings/read-json/read-json.ts';
import { nameOfRow, ownSpans, rowAtOffset, rowIn } from '#engine/inspect/encoded-message.ts';
import { inspect } from '#engine/inspect/inspect.ts';
import { inspectCaptured } from '#engine/inspect/inspect-captured.ts';
import { deriveLayouts } from '#engine/native/derive.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import { byteWords, rowLabel, segmentWords, sharesWords, spanWords } from '#wording/row-words.ts';
import { createSayValue } from './row-value.ts';

const SCHEMA = `
  syntax = "proto3";
  message Hit {
    int64 version = 1;
    optional string id = 2;
    repeated int32 sizes = 3;
    repeated Tag tags = 4;
    optional bool cached = 5;
    int32 shard = 6;
  }
  message Tag { string name = 1; }
`;

/** version −1 · id "ab" · sizes 3, 270 · tags "x", "yy"; cached and shard are absent. */
const BYTES = Uint8Array.from([
  ...[0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  ...[0x12, 0x02, 0x61, 0x62],
  ...[0x1a, 0x03, 0x03, 0x8e, 0x02],
  ...[0x22, 0x03, 0x0a, 0x01, 0x78],
  ...[0x22, 0x04, 0x0a, 0x02, 0x79, 0x79],
]);

const { registry } = compileSchema([{ path: 'hit.proto', content: SCHEMA }]);
const message = inspect(BYTES, {
  type: registry.messages.get('Hit'),
  layoutOf: deriveLayouts(NATIVE_PROFILES[0]!),
});
const protobuf = message.protobuf;
const native = message.native!;
const sayValue = createSayValue(message);

test('every row of both sides describes its bytes', () => {
  const ownWords = ({ table }: typeof protobuf, row: number) =>
    sharesWords(new Map(ownSpans(table, row).map(({ category, start, end }) => [category, end - start])));
  const lines = (side: typeof protobuf) =>
    Array.from(
      { length: side.table.length },
      (_, row) => `${nameOfRow(side, row)}: ${sayValue(side, row)} (${ownWords(side, row)})`,
    );
  expect(lines(protobuf)).toEqual([
    'message: 5 fields ()',
    'version: -1 (tag 1 · value 10)',
    'id: "ab" (tag 1 · length 1 · value 2)',
    'sizes: 2 elements: 3, 270 (tag 1 · length 1 · value 3)',
    'tags: 1 field (tag 1 · length 1)',
    'name: "x" (tag 1 · length 1 · value 1)',
    'tags: 1 field (tag 1 · length 1)',
    'name: "yy" (tag 1 · length 1 · value 2)',
  ]);
  expect(lines(native)).toEqual([
    'message: 5 fields ()',
    'version: -1 (value 8)',
    'id: "ab" (flag 1 · length 1 · value 2)',
    'sizes: 2 elements (count 1)',
    'sizes: 3 (value 4)',
    'sizes: 270 (value 4)',
    'tags: 2 elements (count 1)',
    'tags: 1 field ()',
    'name: "x" (length 1 · value 1)',
    'tags: 1 field ()',
    'name: "yy" (length 1 · value 2)',
    'cached: absent, so its default (value 1)',
    'shard: absent, so its default (value 4)',
  ]);
});

test.each([
  ['a tag', 0, 'tag: field 1, VARINT'],
  ['a value', 3, 'value: -1'],
  ['a length', 12, 'length prefix: 2'],
  ['a text', 13, 'value: "ab"'],
])('a byte on the wire: %s', (_, offset, words) => {
  const row = rowAtOffset(protobuf.table, offset);
  expect(byteWords(protobuf, row, offset, sayValue(protobuf, row))).toBe(words);
});

test.each([
  ['fixed bytes', 0, 'value: -1'],
  ['a flag', 8, 'optional flag: present'],
  ['a length', 9, 'length before 2\u00a0bytes'],
  ['a count', 12, 'count: 2 elements'],
])('a native byte: %s', (_, offset, words) => {
  const row = rowAtOffset(native.table, offset);
  expect(byteWords(native, row, offset, sayValue(native, row))).toBe(words);
});

test.each([
  ['a varint', 'protobuf', 1, null, ['tag 08 tag: field 1, VARINT', 'value ff ff ff ff ff ff ff ff ff 01 value: -1']],
  [
    'a text',
    'protobuf',
    2,
    null,
    ['tag 12 tag: field 2, LEN', 'length 02 length prefix: 2', 'value 61 62 value: "ab"'],
  ],
  ['a fixed integer', 'native', 1, 'Long', ['value ff ff ff ff ff ff ff ff Long: -1']],
  [
    'an optional text',
    'native',
    2,
    'optional String',
    ['flag 01 optional flag: present', 'length 02 length before 2\u00a0bytes', 'value 61 62 String: "ab"'],
  ],
  ['a list', 'native', 3, 'VInt count, Int each', ['count 02 count: 2 elements']],
  ['an element of it', 'native', 5, 'VInt count, Int each', ['value 00 00 01 0e Int: 270']],
] as const)('the bytes of %s and their description', (_, encoding, row, writer, expected) => {
  const side = encoding === 'protobuf' ? protobuf : native;
  const segments = segmentWords(side, row, sayValue(side, row), writer);
  expect(segments.map(({ category, hex, words }) => `${category} ${hex} ${words}`)).toEqual(expected);
});

test.each([
  ['several', 120, 132, 'bytes 120–131'],
  ['one', 7, 8, 'byte 7'],
  ['none', 7, 7, 'at 7'],
])('a span of %s', (_, start, end, words) => {
  expect(spanWords(start, end)).toBe(words);
});

test('a row as text for a screen reader', () => {
  expect(rowLabel(protobuf, 2, sayValue(protobuf, 2))).toBe('id, field 2, LEN, "ab", bytes 11–14');
});

test.each([
  ['that no schema has', '{"made":1}', 'made, "made":1, bytes 1–8, in no schema'],
  [
    'that would reorder the text around it',
    '{"\u202ea":"b\u2067"}',
    String.raw`"\u202ea", "\u202ea":"b\u2067", bytes 1–13, in no schema`,
  ],
])('a row of JSON with a name %s', (_, json, words) => {
  const bytes = new TextEncoder().encode(json);
  const read = inspectCaptured(bytes, readJson(bytes, undefined), undefined, { label: 'JSON', ordinal: 0 });
  expect(rowLabel(read.protobuf, 2, createSayValue(read)(read.protobuf, 2))).toBe(words);
});

test('the selected row of one side is found on the other, if it has bytes there', () => {
  expect(rowIn(native, { encoding: 'protobuf', row: 2 }, protobuf, native)).toBe(2);
  expect(rowIn(protobuf, { encoding: 'native', row: 10 }, protobuf, native)).toBe(7);
  expect(rowIn(protobuf, { encoding: 'native', row: 11 }, protobuf, native)).toBeNull();
  expect(rowIn(protobuf, null, protobuf, native)).toBeNull();
});
