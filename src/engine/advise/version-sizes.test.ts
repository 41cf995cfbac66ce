import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import { compileSchema } from '../schema/compile.ts';
import { VersionMeter } from './version-sizes.ts';

const registryOf = (text: string) =>
  compileSchema([{ path: 't.proto', content: `syntax = "proto3"; package t; ${text}` }]).registry;

const INNER = 'message Inner { string text = 1; }';
const A = registryOf(`message Hit {
  int64 version = 1; string id = 2; Inner inner = 3; string kept = 4; uint32 count = 5;
} ${INNER}`);

/** version −1 in eleven bytes, id "ab" in four, inner { text "c" } in five, kept "d" in three, count 1 in two. */
const HIT = Uint8Array.from([
  ...[0x08, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1],
  ...[0x12, 2, 0x61, 0x62],
  ...[0x1a, 3, 0x0a, 1, 0x63],
  ...[0x22, 1, 0x64],
  ...[0x28, 1],
]);

function sizesIn(text: string) {
  const meter = VersionMeter.open(A, registryOf(text), 't.Hit')!;
  meter.add(HIT);
  meter.add(HIT);
  return meter.sizes();
}

describe('two messages, in the second version', () => {
  test.each<[string, string, Readonly<Record<string, readonly [number, number]>>, readonly string[]]>([
    [
      'nothing changed',
      'int64 version = 1; string id = 2; Inner inner = 3; string kept = 4; uint32 count = 5;',
      {},
      [],
    ],
    [
      'another integer type',
      'sint64 version = 1; string id = 2; Inner inner = 3; string kept = 4; uint32 count = 5;',
      { version: [22, 4] },
      [],
    ],
    [
      'a number above 15: another byte in each tag',
      'int64 version = 1; string id = 20; Inner inner = 3; string kept = 4; uint32 count = 5;',
      { id: [8, 10] },
      [],
    ],
    ['another name', 'int64 version = 1; string key = 2; Inner inner = 3; string kept = 4; uint32 count = 5;', {}, []],
    [
      'a message that is gone, with what is in it',
      'int64 version = 1; string id = 2; string kept = 4; uint32 count = 5;',
      { inner: [10, 0] },
      ['t.Hit.inner'],
    ],
    [
      'a type that cannot hold the value',
      'int64 version = 1; string id = 2; Inner inner = 3; string kept = 4; string count = 5;',
      { count: [4, 0] },
      ['t.Hit.count'],
    ],
  ])('%s', (_, fields, changed, lost) => {
    const sizes = sizesIn(`message Hit { ${fields} } ${INNER}`);
    const found = sizes.fields.filter(({ message, before, after }) => message === 't.Hit' && before !== after);
    expect(Object.fromEntries(found.map(({ field, before, after }) => [field, [before, after]]))).toEqual(changed);
    expect(sizes.lost).toEqual(lost);
    const gone = lost.map((name) => changed[name.slice('t.Hit.'.length)]![0]);
    expect(sizes.lostBytes).toBe(gone.reduce((sum, bytes) => sum + bytes, 0));
    expect([sizes.messages, sizes.before]).toEqual([2, 2 * HIT.length]);
    expect(sizes.after - sizes.before).toBe(
      Object.values(changed).reduce((sum, [before, after]) => sum + after - before, 0),
    );
  });

  test('the length of the message around changes its prefix, too', () => {
    const [small, large] = ['fixed32', 'fixed64'].map((type) =>
      registryOf(`message Out { In in = 1; } message In { ${type} a = 1; bytes rest = 2; }`),
    );
    const inner = [0x0d, 1, 0, 0, 0, 0x12, 120, ...new Array(120).fill(0)];
    const message = Uint8Array.from([0x0a, inner.length, ...inner]);
    const meter = VersionMeter.open(small!, large!, 't.Out')!;
    meter.add(message);
    const { before, after, fields } = meter.sizes();
    expect([before, after]).toEqual([message.length, message.length + 5]);
    expect(fields).toContainEqual({ message: 't.Out', field: 'in', before: message.length, after: message.length + 5 });
    expect(fields).toContainEqual({ message: 't.In', field: 'a', before: 5, after: 9 });
  });

  test('a field inside of itself is counted once', () => {
    const tree = registryOf('message Tree { Tree down = 1; int32 leaf = 2; }');
    const meter = VersionMeter.open(tree, tree, 't.Tree')!;
    meter.add(Uint8Array.from([0x0a, 4, 0x0a, 2, 0x10, 1]));
    const { fields } = meter.sizes();
    expect(fields).toContainEqual({ message: 't.Tree', field: 'down', before: 6, after: 6 });
    expect(fields).toContainEqual({ message: 't.Tree', field: 'leaf', before: 2, after: 2 });
  });
});

describe('values in another form', () => {
  const E = 'enum E { A = 0; B = 1; C = 2; }';
  const N = 'message N { string key = 1; int32 value = 2; }';
  test.each<[string, string, string, readonly number[], number, Readonly<Record<string, number>>]>([
    ['double as float', 'double a = 1;', 'float a = 1;', [0x09, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f], 5, {}],
    ['float as double', 'float a = 1;', 'double a = 1;', [0x0d, 0, 0, 0xc0, 0x3f], 9, {}],
    [
      'double that no float equals',
      'double a = 1;',
      'float a = 1;',
      [0x09, 1, 0, 0, 0, 0, 0, 0xf8, 0x3f],
      0,
      { 'M.a': 9 },
    ],
    ['double as integer', 'double a = 1;', 'int32 a = 1;', [0x09, 0, 0, 0, 0, 0, 0, 0, 0x40], 2, {}],
    ['a fraction as integer', 'float a = 1;', 'int32 a = 1;', [0x0d, 0, 0, 0xc0, 0x3f], 0, { 'M.a': 5 }],
    ['integer as double', 'int32 a = 1;', 'double a = 1;', [0x08, 2], 9, {}],
    ['integer that no float equals', 'uint32 a = 1;', 'float a = 1;', [0x08, 0x81, 0x80, 0x80, 8], 0, { 'M.a': 5 }],
    ['those of a list that fit', 'repeated int32 a = 1;', 'repeated bool a = 1;', [0x0a, 3, 0, 1, 2], 4, { 'M.a': 1 }],
    ['map as list', 'map<string, int32> a = 1;', `repeated N a = 1; ${N}`, [0x0a, 3, 0x0a, 1, 0x61], 5, {}],
    ['list as map', `repeated N a = 1; ${N}`, 'map<string, int32> a = 1;', [0x0a, 3, 0x0a, 1, 0x61], 7, {}],
    [
      'list with a key twice as map',
      `repeated N a = 1; ${N}`,
      'map<string, int32> a = 1;',
      [0x0a, 3, 0x0a, 1, 0x61, 0x0a, 5, 0x0a, 1, 0x61, 0x10, 1],
      7,
      { 'M.a': 5 },
    ],
    ['list of one value as singular', 'repeated int32 a = 1;', 'int32 a = 1;', [0x0a, 1, 7], 2, {}],
    ['list as singular', 'repeated int32 a = 1;', 'int32 a = 1;', [0x0a, 2, 7, 8], 2, { 'M.a': 1 }],
    ['singular as list', 'int32 a = 1;', 'repeated int32 a = 1;', [0x08, 7], 3, {}],
    [
      'two fields in a oneof',
      'int32 a = 1; int32 b = 2;',
      'oneof o { int32 a = 1; int32 b = 2; }',
      [0x08, 5, 0x10, 0xac, 2],
      3,
      { 'M.a': 2 },
    ],
    ['one field in a oneof', 'int32 a = 1; int32 b = 2;', 'oneof o { int32 a = 1; int32 b = 2; }', [0x08, 5], 2, {}],
    [
      'enum values with other numbers',
      `E a = 1; repeated E b = 2; ${E}`,
      'E a = 1; repeated E b = 2; enum E { A = 0; B = 300; C = 70000; }',
      [0x08, 1, 0x12, 4, 1, 2, 0, 1],
      13,
      {},
    ],
    [
      'enum values with other names, and a number without a name',
      `repeated E a = 1; ${E}`,
      'repeated E a = 1; enum E { A = 0; D = 1; C = 2; }',
      [0x0a, 3, 1, 2, 9],
      5,
      {},
    ],
    [
      'enum value whose number is another value’s now',
      `repeated E a = 1; ${E}`,
      'repeated E a = 1; enum E { A = 0; C = 1; }',
      [0x0a, 2, 1, 2],
      3,
      { 'M.a': 1 },
    ],
    [
      'the enum value of an absent field',
      `E a = 1; map<int32, E> m = 2; ${E}`,
      'E a = 1; map<int32, E> m = 2; enum E { Z = 0; A = 300; B = 1; C = 2; }',
      [0x12, 2, 0x08, 1],
      10,
      {},
    ],
  ])('%s', (_, before, after, message, bytes, lost) => {
    const meter = VersionMeter.open(
      registryOf(`message M { ${before} }`),
      registryOf(`message M { ${after} }`),
      't.M',
    )!;
    meter.add(Uint8Array.from(message));
    const sizes = meter.sizes();
    expect(sizes).toMatchObject({ unread: 0, after: bytes, lost: Object.keys(lost).map((name) => `t.${name}`) });
    expect(sizes.lostBytes).toBe(Object.values(lost).reduce((sum, one) => sum + one, 0));
  });
});

test('a message that is not complete is counted, and not measured', () => {
  const meter = VersionMeter.open(A, A, 't.Hit')!;
  meter.add(HIT.subarray(0, 5));
  expect(meter.sizes()).toMatchObject({ messages: 0, unread: 1, before: 0, after: 0 });
});

test('any message takes the same in the same schema, and loses nothing', () => {
  fc.assert(
    fc.property(arbitraryMessages({ odd: true, any: true }), ({ proto, messages }) => {
      const [a, b] = [1, 2].map(() => compileSchema([{ path: 'random.proto', content: proto }]).registry);
      const meter = VersionMeter.open(a!, b!, 'random.A')!;
      for (const bytes of messages) meter.add(bytes);
      const { before, after, lost, lostBytes } = meter.sizes();
      expect([after, lost, lostBytes]).toEqual([before, [], 0]);
    }),
    { numRuns: 300 },
  );
});

test('a type that one version does not have is not measured', () => {
  expect(VersionMeter.open(A, registryOf('message Other {}'), 't.Hit')).toBeNull();
});

test('the contents of an Any are written in the second version too', () => {
  const held = (item: string, other = 'message Kept { string s = 1; }') =>
    compileSchema([
      {
        path: 't.proto',
        content: `syntax = "proto3"; package t; import "google/protobuf/any.proto";
          message Hit { repeated google.protobuf.Any held = 1; } message Item { ${item} } ${other}`,
      },
    ]).registry;
  const any = (type: string, value: readonly number[]) => {
    const url = Buffer.from(`/t.${type}`);
    const bytes = [0x0a, url.length, ...url, 0x12, value.length, ...value];
    return [0x0a, bytes.length, ...bytes];
  };
  /** count 100 and id "ab", in another order than the writer's; a default that the writer leaves out, and with it the value. */
  const hit = Uint8Array.from([
    ...any('Item', [0x12, 2, 0x61, 0x62, 0x08, 100]),
    ...any('Item', [0x08, 0]),
    ...any('Kept', [0x0a, 1, 0x61]),
    ...any('Unknown', [0x08, 0]),
  ]);
  const sizesWith = (item: string, other?: string) => {
    const meter = VersionMeter.open(held('int32 count = 1; string id = 2;'), held(item, other), 't.Hit')!;
    meter.add(hit);
    const { before, after, fields, lost } = meter.sizes();
    const changed = fields.filter((field) => field.message === 't.Item' && field.before !== field.after);
    return [before, after, changed.map((field) => [field.field, field.before, field.after]), lost];
  };
  const written = hit.length - 4;
  expect(sizesWith('int32 count = 1; string id = 2;')).toEqual([written, written, [], []]);
  expect(sizesWith('sint32 count = 1; string id = 20;')).toEqual([
    ...[
      written,
      written + 2,
      [
        ['count', 2, 3],
        ['id', 4, 5],
      ],
      [],
    ],
  ]);
  expect(sizesWith('int32 count = 1;')).toEqual([written, written - 4, [['id', 4, 0]], ['t.Item.id']]);
  // A type that the second version does not have: its bytes stay.
  expect(sizesWith('int32 count = 1; string id = 2;', '')).toEqual([written, written, [], []]);
});

test('contents in contents, at any depth', () => {
  const registry = compileSchema([
    {
      path: 't.proto',
      content:
        'syntax = "proto3"; package t; import "google/protobuf/any.proto"; message Hit { google.protobuf.Any held = 1; }',
    },
  ]).registry;
  let message: Uint8Array = new Uint8Array(0);
  const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)]);
  for (let level = 0; level < 400; level++) {
    const value = Uint8Array.from([0x0a, 6, ...Buffer.from('/t.Hit'), 0x12, ...varint(message.length), ...message]);
    message = Uint8Array.from([0x0a, ...varint(value.length), ...value]);
  }
  const meter = VersionMeter.open(registry, registry, 't.Hit')!;
  meter.add(message);
  expect(meter.sizes()).toMatchObject({ messages: 1, unread: 0, before: message.length, after: message.length });
});
