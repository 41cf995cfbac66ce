/** The rows of each kind of record, as readable dumps: fixtures/wire/golden. */

import { describe, expect, test } from 'vitest';
import { columnsOf } from '#testing/table-columns.ts';
import { endAt, Flag, parentAt } from '../model/annotation.ts';
import { compileSchema } from '../schema/compile.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from './annotate.ts';
import { ANNOTATIONS_ROOM } from './kernel-memory.ts';
import { printAnnotations } from './print.ts';

function typeOf(proto: string): MessageDescriptor {
  const { registry, diagnostics } = compileSchema([{ path: 'test.proto', content: proto }]);
  expect(diagnostics).toEqual([]);
  return registry.messages.get('M')!;
}

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'));

const PROTO3 = `syntax = "proto3";
enum E { ZERO = 0; ONE = 1; }
message M {
  int32 i32 = 1; string s = 2; M m = 3; repeated int32 run = 4; bool b = 5; E e = 6; double d = 7; float f = 8;
  map<string, int32> map = 9; bytes raw = 10; uint32 u32 = 11; int64 i64 = 12; sint32 z32 = 13; uint64 u64 = 14;
  repeated double doubles = 15; optional int32 maybe = 16; oneof choice { int32 one = 17; M other = 18; }
  repeated string names = 19; fixed64 x64 = 20; sfixed32 x32 = 21; repeated float floats = 2047; int32 far = 536870911;
}`;
const PROTO2 = `syntax = "proto2";
message M {
  optional group Grp = 1 { optional int32 a = 1; optional M m = 2; repeated group Deep = 3 { optional int32 c = 1; } }
  optional int32 i = 2; optional M m = 3; required string s = 4; repeated int32 run = 5 [packed = true];
  extensions 100 to 200;
}
extend M { optional int32 ext = 100; repeated M more = 101; }`;

const proto3 = typeOf(PROTO3);
const proto2 = typeOf(PROTO2);

const ELEVEN = '80 80 80 80 80 80 80 80 80 80 00';

const CASES: readonly (readonly [name: string, type: MessageDescriptor | undefined, bytes: string])[] = [
  ['empty', proto3, ''],
  [
    'scalars',
    proto3,
    '08 96 01  12 07 74 65 73 74 69 6e 67  28 01  30 01  39 000000000000f03f  45 0000c03f  52 02 00ff',
  ],
  ['nested', proto3, '1a 06  1a 02 08 05  08 07  1a 00'],
  ['packed and expanded', proto3, '22 04 01 ac 02 03  20 07  22 00  7a 10 000000000000f03f 0000000000000040'],
  ['maps', proto3, '4a 05 0a 01 61 10 07  4a 02 10 01  4a 00  4a 06 0a 01 62 10 01 18'],
  [
    'negative numbers',
    proto3,
    '08 ff ff ff ff ff ff ff ff ff 01  60 fe ff ff ff ff ff ff ff ff 01  68 03  08 ff ff ff ff 0f',
  ],
  [
    'overlong',
    proto3,
    // a tag, a length, a value, a bool, a uint32 beyond 32 bits, an int32 whose sign bits lie, an element
    '88 00 01  12 81 00 61  08 81 00  28 81 00  58 80 80 80 80 20  58 ff ff ff ff 1f  08 81 80 80 80 f0 7f  22 03 80 00 01',
  ],
  ['numbers far up', proto3, 'fa 7f 04 0000803f  f8 ff ff ff 0f 01  a1 01 00 00 00 00 00 00 00 00'],
  [
    'defaults',
    proto3,
    '08 00  12 00  39 0000000000000000  39 0000000000000080  80 01 00  88 01 00  22 00  60 80 00  1a 00',
  ],
  ['duplicates', proto3, '08 01  08 02  1a 06 08 03 1a 02 08 04  08 05  1a 00  9a 01 01 61 9a 01 01 62'],
  ['unknown numbers', proto3, 'd0 02 05  d2 02 01 61  d0 02 06  d3 02 08 01 0b 0c d4 02  d1 02 0102030405060708'],
  ['wrong wire types', proto3, '0a 01 61  10 05  1b 08 01 1c  3d 00000000  23 24  49 0102030405060708'],
  ['groups', proto2, '0b 08 01  12 02 10 05  1b 08 02 1c  0c  10 07  13 10 01 14  0a 02 08 01'],
  ['an overlong end tag', proto2, '0b 8c 00'],
  ['extensions', proto2, 'a0 06 05  aa 06 02 10 01  b0 06 01'],
  ['a wrong end tag', proto2, '1a 05 0b 08 01 14 99  10 07'],
  ['an end tag alone', proto2, '1a 03 10 01 0c  10 07  0c 10 01'],
  ['a group that does not end', proto2, '1a 04 0b 08 01 0b  10 07'],
  ['a group that ends within a message in it', proto2, '0b 12 01 0c 0c  10 01'],
  ['reserved wire type 6', proto3, '1a 04 08 01 16 00  08 02'],
  ['reserved wire type 7', proto3, '08 01 0f'],
  ['field number 0', proto3, '08 01 00 01'],
  ['field number 2^29', proto3, '08 01 80 80 80 80 10 01'],
  ['a tag in ten bytes', proto3, '88 80 80 80 80 80 80 80 80 00 05'],
  ['a tag cut short', proto3, '08 01 80'],
  ['a tag of eleven bytes', proto3, `08 01 ${ELEVEN}`],
  ['a value cut short', proto3, '1a 02 08 80  08 01  08 80'],
  ['a value of eleven bytes', proto3, `1a 0c 08 ${ELEVEN}  08 01`],
  ['a value of more than 64 bits', proto3, '08 ff ff ff ff ff ff ff ff ff 02'],
  ['a length cut short', proto3, '12 80'],
  ['a length of eleven bytes', proto3, `12 ${ELEVEN}`],
  ['a fixed value cut short', proto3, '1a 04 39 01 02 03  08 01  45 01'],
  ['a string cut short', proto3, '1a 04 12 05 61 62  08 01'],
  ['a message cut short', proto3, '1a 06 1a 0a 08 01 12 01  08 01'],
  ['an unknown payload cut short', proto3, 'd2 02 ff ff ff ff 0f 61'],
  ['a length as large as can be', proto3, '12 ff ff ff ff ff ff ff ff ff 01 61'],
  ['packed varints cut short', proto3, '22 03 01 02 80  08 01'],
  ['packed doubles cut short', proto3, '7a 09 000000000000f03f 00  08 01'],
  ['packed run cut short', proto3, '22 05 01 02'],
  ['invalid UTF-8', proto3, '12 03 61 ff 62  52 03 61 ff 62'],
  ['without a schema', undefined, '08 96 01  12 07 74 65 73 74 69 6e 67  1b 12 02 08 01 1c  39 000000000000f03f'],
];

describe('annotations', () => {
  test.each(CASES)('%s', async (name, type, bytes) => {
    const message = hex(bytes);
    const { table, diagnostics } = annotate(message, type);
    const text = `${bytes.replaceAll(/\s+/g, ' ')}\n\n${printAnnotations(table, message, diagnostics)}`;
    await expect(text).toMatchFileSnapshot(`../../../fixtures/wire/golden/${name.replaceAll(' ', '-')}.txt`);
  });
});

test('diagnostics are capped, by severity, and say how many more there are', () => {
  // 5,000 texts that are not UTF-8, then a fault.
  const bytes = new Uint8Array(15_001).fill(0xff);
  for (let p = 0; p < 15_000; p += 3) bytes.set([0x12, 1], p);
  bytes[15_000] = 0;
  const { diagnostics } = annotate(bytes, proto3, { ordinal: 7 });
  const of = (code: string) => diagnostics.filter((finding) => finding.code === code);
  expect(of('wire/invalid-utf8')).toHaveLength(1000);
  expect(of('wire/field-number')).toMatchObject([{ start: 15_000, severity: 'error', ordinal: 7 }]);
  expect(of('wire/more')).toMatchObject([{ severity: 'warning', message: expect.stringContaining('4000 more') }]);
});

test('nesting 10,000 deep', () => {
  // Inside out: each message holds the one before.
  const parts: number[] = [];
  for (let depth = 0; depth < 10_000; depth++) {
    const size = parts.length;
    const length: number[] = [];
    for (let rest = size; ; rest >>= 7) {
      length.push(rest > 127 ? (rest & 127) | 128 : rest);
      if (rest <= 127) break;
    }
    // Reversed, so that growing is cheap.
    parts.push(...length.reverse(), 0x1a);
  }
  const bytes = Uint8Array.from(parts.reverse());
  const { table, diagnostics } = annotate(bytes, proto3);
  expect(diagnostics).toEqual([]);
  expect(table.length).toBe(10_001);
  expect(parentAt(table, 10_000)).toBe(9_999);
});

test.each([1, 2, ANNOTATIONS_ROOM - 1, ANNOTATIONS_ROOM, ANNOTATIONS_ROOM + 1])(
  'a table of %i rows has its own memory',
  (rows) => {
    const message = (value: number) =>
      new Uint8Array((rows - 1) * 2).fill(0x08).map((byte, p) => (p & 1 ? value : byte));
    const { table } = annotate(message(1), proto3);
    expect([table.length, endAt(table, 0)]).toEqual([rows, (rows - 1) * 2]);
    const before = columnsOf(table);
    annotate(message(0), undefined);
    annotate(new Uint8Array(rows), undefined);
    expect(columnsOf(table)).toEqual(before);
  },
);

test('`length` is the number of rows; row 0 ends at the number of bytes', () => {
  const { table } = annotate(hex('12 03 61 62 63 28 01'), proto3);
  expect([table.length, endAt(table, 0)]).toEqual([3, 7]);
  expect(table.cells.length).toBe(3 * table.length);
});

test('a message with many rows is walked twice and reports each finding once', () => {
  // More records than the scratch table holds; the unknown number and the fault are reported once.
  const size = ANNOTATIONS_ROOM * 2;
  const bytes = new Uint8Array(size + 4);
  for (let p = 0; p < size; p += 2) bytes.set([0x08, 1], p);
  bytes.set([0xd0, 0x02, 0x05, 0x00], size);
  const { table, diagnostics } = annotate(bytes, proto3);
  expect(table.length).toBe(ANNOTATIONS_ROOM + 3);
  expect(diagnostics.map(({ code }) => code)).toEqual(['wire/unknown-field', 'wire/field-number']);
  // The first record of a singular field is not a duplicate; the others are.
  expect(
    columnsOf(table)
      .flags.slice(1, ANNOTATIONS_ROOM + 1)
      .filter((flags) => (flags & Flag.DUPLICATE) === 0),
  ).toHaveLength(1);
});

test('parents and numbers beyond the range of a cell', () => {
  const size = 70_000;
  const inner = Array.from({ length: size }, (_, at) => {
    const tag = (at + 16) << 3;
    return tag < 16_384
      ? [(tag & 127) | 128, tag >> 7, 1]
      : [(tag & 127) | 128, ((tag >> 7) & 127) | 128, tag >> 14, 1];
  });
  const bytes = Uint8Array.from([...inner, [0x08, 0], ...inner].flat());
  const { table } = annotate(bytes, undefined);
  expect(table.length).toBe(2 * size + 2);
  expect([table.cells.length, table.farParents.length]).toEqual([3 * table.length, 2]);
  expect(table.rareFields.length).toBeGreaterThan(size / 2);
  const { parent, field } = columnsOf(table);
  expect(parent.findIndex((above, row) => above !== (row === 0 ? -1 : 0))).toBe(-1);
  const numbers = [...inner.keys()].map((at) => -2 - (at + 16));
  expect(field).toEqual([-1, ...numbers, -3, ...numbers]);
});

test('a borrowed table has the rows of one that is kept', () => {
  for (const text of ['', '12 03 61 62 63 28 01', '0b 08 01', 'ff']) {
    const kept = annotate(hex(text), proto3).table;
    const borrowed = annotate(hex(text), proto3, { isBorrowed: true }).table;
    expect(columnsOf(borrowed)).toEqual(columnsOf(kept));
    expect(borrowed.cells.buffer).not.toBe(kept.cells.buffer);
  }
});
