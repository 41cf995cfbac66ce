import { expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import { joinBytes } from '../bytes/join.ts';
import { FieldEncodings } from './forms.ts';
import { readTree } from './read-tree.ts';
import { writeTree } from './write-tree.ts';

const PROTO = 'syntax = "proto3"; message M { string s = 1; bytes b = 2; double d = 3; M in = 4; int32 n = 5; }';

test.each([
  ['four zero bytes are text', '0a0400000000', '0a0400000000'],
  ['eight zero bytes are bytes', '12080000000000000000', '12080000000000000000'],
  ['a double of eight zero bytes is its default', '190000000000000000', ''],
  ['minus zero is not a default', '190000000000000080', '190000000000000080'],
  ['a default in a later part of a message overrides a value', '22022805 220428000a00', '2200'],
  ['a value in a later part overrides a default', '22022800 22022805', '22022805'],
  ['a default in a part within a part', '220422022805 220622042800 0a00', '22022200'],
  ['a part without the field', '22022805 22030a0161', '22050a01612805'],
  ['each bit of a NaN is kept', '19010000000000f47f', '19010000000000f47f'],
])('%s', (_, bytes, written) => {
  const forms = new FieldEncodings(compileSchema([{ path: 'm.proto', content: PROTO }]).registry);
  const tree = readTree(new Uint8Array(Buffer.from(bytes.replaceAll(' ', ''), 'hex')), forms, 'M')!;
  expect(Buffer.from(writeTree(tree, forms).bytes).toString('hex')).toBe(written);
});

/** protoc reads these so: a number that a closed enum does not list is an unknown field. */
test.each([
  ['behind a listed one does not replace it', '08010863', '08010863', [['e', [1]]]],
  ['of a packed list is a record of its own', '1203016300', '120201001063', [['list', [1, 0]]]],
  ['as the value of a map takes its entry with it', '1a0408011063', '1a0408011063', []],
  ['is a number in an open enum', '20012063', '2063', [['open', [0x63]]]],
])('a number that the enum does not list %s', (_, bytes, written, fields) => {
  const closed = `syntax = "proto2"; import "o.proto"; enum E { A = 0; B = 1; }
    message M { optional E e = 1; repeated E list = 2 [packed = true]; map<int32, E> by = 3; optional O open = 4; }`;
  const sources = [
    { path: 'm.proto', content: closed },
    { path: 'o.proto', content: 'syntax = "proto3"; enum O { Z = 0; }' },
  ];
  const forms = new FieldEncodings(compileSchema(sources).registry);
  const tree = readTree(new Uint8Array(Buffer.from(bytes, 'hex')), forms, 'M')!;
  expect([...tree.fields]).toEqual(fields);
  expect(Buffer.from(writeTree(tree, forms).bytes).toString('hex')).toBe(written);
});

test.each([
  ['a message', '0a00', 1000, true],
  ['empty texts', '1200'.repeat(50_000), 100_000, false],
  ['unknown records', '2001'.repeat(50_000), 100_000, false],
])('the memory of the values is limited: %s', (_, bytes, left, isRead) => {
  const proto = 'syntax = "proto3"; message M { M m = 1; repeated string s = 2; }';
  const forms = new FieldEncodings(compileSchema([{ path: 'm.proto', content: proto }]).registry);
  const room = { left };
  const tree = readTree(new Uint8Array(Buffer.from(bytes, 'hex')), forms, 'M', room);
  expect([tree !== undefined, room.left >= 0]).toEqual([isRead, isRead]);
});

test('a vector of floats takes few bytes for each: batches of them fit', () => {
  const proto = 'syntax = "proto3"; message M { repeated float x = 1; }';
  const forms = new FieldEncodings(compileSchema([{ path: 'm.proto', content: proto }]).registry);
  const x = new Uint8Array(Float32Array.from({ length: 1_000_000 }, (_, at) => Math.sin(at)).buffer);
  // 1, LEN, 4,000,000.
  const head = Uint8Array.of(0x0a, 0x80, 0x92, 0xf4, 0x01);
  const message = joinBytes([head, x]);
  const room = { left: 4 * x.length };
  const tree = readTree(message, forms, 'M', room)!;
  expect(room.left).toBeGreaterThan(0);
  expect(Buffer.compare(writeTree(tree, forms).bytes, message)).toBe(0);
});
