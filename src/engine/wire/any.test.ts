/** The contents of a google.protobuf.Any: bytes that protobuf-es packs, and what may befall them. */
import { create, toBinary } from '@bufbuild/protobuf';
import { type Any, AnySchema, anyPack, DurationSchema, StringValueSchema } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import { compileSchema } from '../schema/compile.ts';
import { annotate } from './annotate.ts';
import { addRows, emptyLedger } from './path-totals.ts';
import { Scan } from './scan.ts';
import { statisticsAt } from './statistics.ts';

const { registry } = compileSchema([
  {
    path: 'held.proto',
    content: `syntax = "proto3"; package held;
      import "google/protobuf/any.proto"; import "google/protobuf/duration.proto"; import "google/protobuf/wrappers.proto";
      message Box { google.protobuf.Any one = 1; repeated google.protobuf.Any many = 2; }
      message Item { int32 n = 1; google.protobuf.Any any = 2; }`,
  },
]);
const ANY = registry.messages.get('google.protobuf.Any')!;
const BOX = registry.messages.get('held.Box')!;

const packedBy = (any: Any): Uint8Array => toBinary(AnySchema, any);
const duration = packedBy(anyPack(DurationSchema, create(DurationSchema, { seconds: 300n, nanos: 5 })));
const text = packedBy(anyPack(StringValueSchema, create(StringValueSchema, { value: 'abc' })));
const prefixed = (tag: number, bytes: ArrayLike<number>): number[] => [tag, bytes.length, ...Array.from(bytes)];
const url = (name: string): number[] => prefixed(10, Buffer.from(name));

/** Each path with its tag, length and value bytes, by the rows; a scan has the same. */
function pathsOf(type: typeof ANY, message: ArrayLike<number>): Record<string, readonly number[]> {
  const bytes = Uint8Array.from(message);
  const ledger = emptyLedger();
  addRows(ledger, annotate(bytes, type).table, bytes);
  const scan = new Scan(type);
  scan.add(bytes, 0, bytes.length);
  const scanned = scan.plan.field.flatMap((_, row) => {
    const { records, tag, length, value } = statisticsAt(scan, row);
    return records === 0 ? [] : [[scan.plan.pathOf(row), [tag, length, value]] as const];
  });
  const fields = [...ledger.fields].map(([path, { tag, length, value }]) => [path, [tag, length, value]] as const);
  expect(Object.fromEntries(scanned)).toEqual(Object.fromEntries(fields));
  const sum = fields.reduce((total, [, [tag, length, value]]) => total + tag! + length! + value!, ledger.unattributed);
  expect(sum).toBe(bytes.length);
  return Object.fromEntries(fields);
}

test('types of several contents at one place, as protobuf-es packs them', () => {
  const message = [...prefixed(10, duration), ...prefixed(18, text), ...prefixed(18, duration)];
  expect(pathsOf(BOX, message)).toEqual({
    one: [1, 1, 0],
    'one.type_url': [1, 1, 44],
    'one.[google.protobuf.Duration]': [1, 1, 0],
    'one.[google.protobuf.Duration].seconds': [1, 0, 2],
    'one.[google.protobuf.Duration].nanos': [1, 0, 1],
    many: [2, 2, 0],
    'many.type_url': [2, 2, 91],
    'many.[google.protobuf.StringValue]': [1, 1, 0],
    'many.[google.protobuf.StringValue].value': [1, 1, 3],
    'many.[google.protobuf.Duration]': [1, 1, 0],
    'many.[google.protobuf.Duration].seconds': [1, 0, 2],
    'many.[google.protobuf.Duration].nanos': [1, 0, 1],
  });
});

const VALUE = [18, 2, 8, 5];

test.each<readonly [string, readonly number[], readonly string[]]>([
  ['a URL without a host', [...url('/held.Item'), ...VALUE], ['type_url', '[held.Item]', '[held.Item].n']],
  ['a name alone', [...url('held.Item'), ...VALUE], ['type_url', '[held.Item]', '[held.Item].n']],
  ['a path before the name', [...url('a/b/held.Item'), ...VALUE], ['type_url', '[held.Item]', '[held.Item].n']],
  [
    'a URL of two bytes of length',
    [10, 0x8a, 0, ...Buffer.from('/held.Item'), ...VALUE],
    ['type_url', '[held.Item]', '[held.Item].n'],
  ],
  ['an empty value', [...url('/held.Item'), 18, 0], ['type_url', '[held.Item]']],
  ['no value', url('/held.Item'), ['type_url']],
  ['a type that no schema has', [...url('/held.Other'), ...VALUE], ['type_url', 'value']],
  ['a slash at the end', [...url('held.Item/'), ...VALUE], ['type_url', 'value']],
  ['the value before its URL', [...VALUE, ...url('/held.Item')], ['value', 'type_url']],
  ['no URL', VALUE, ['value']],
  ['a record between them', [...url('/held.Item'), 24, 1, ...VALUE], ['type_url', '?3', 'value']],
  ['a value twice', [...url('/held.Item'), ...VALUE, ...VALUE], ['type_url', '[held.Item]', '[held.Item].n', 'value']],
  [
    'the URL of the last one',
    [...url('/held.Box'), ...url('/held.Item'), ...VALUE],
    ['type_url', '[held.Item]', '[held.Item].n'],
  ],
  [
    'an Any in an Any',
    [...url('/google.protobuf.Any'), ...prefixed(18, [...url('/held.Item'), ...VALUE])],
    [
      'type_url',
      '[google.protobuf.Any]',
      '[google.protobuf.Any].type_url',
      '[google.protobuf.Any].[held.Item]',
      '[google.protobuf.Any].[held.Item].n',
    ],
  ],
])('%s', (_, message, paths) => {
  expect(Object.keys(pathsOf(ANY, message))).toEqual(paths);
});

test('contents that are not of the type: what cannot be read is unattributed, and said', () => {
  const bytes = Uint8Array.from([...url('/held.Item'), 18, 3, 8, 5, 0x0f]);
  expect(pathsOf(ANY, bytes)).toMatchObject({ '[held.Item]': [1, 1, 0], '[held.Item].n': [1, 0, 1] });
  expect(annotate(bytes, ANY).diagnostics.map(({ code, start, end }) => [code, start, end])).toEqual([
    ['wire/reserved-wire-type', 16, 17],
  ]);
});

test('the URL of another message, or of another Any, names nothing', () => {
  const named = url('/held.Item');
  const unnamed = [...prefixed(26, new Uint8Array(named.length - 2)), ...VALUE];
  expect(Object.keys(pathsOf(ANY, [...named, 24, 1]))).toEqual(['type_url', '?3']);
  expect(Object.keys(pathsOf(ANY, unnamed))).toEqual(['?3', 'value']);
  expect(Object.keys(pathsOf(BOX, [...prefixed(10, named), ...prefixed(18, VALUE)]))).toEqual([
    ...['one', 'one.type_url', 'many', 'many.value'],
  ]);
  const scan = new Scan(ANY);
  scan.addMany(Uint8Array.from([...named, ...VALUE]), 0, Uint32Array.of(named.length, named.length + 4), 0, 2);
  expect(scan.plan.field.map((_, row) => scan.plan.pathOf(row))).toEqual(['type_url', 'value']);
});

test('another message with fields of the same names has no contents', () => {
  const other = compileSchema([
    {
      path: 'o.proto',
      content:
        'syntax = "proto3"; package o; message Any { string type_url = 1; bytes value = 2; } message T { int32 n = 1; }',
    },
  ]).registry.messages.get('o.Any')!;
  expect(Object.keys(pathsOf(other, [...url('/o.T'), ...VALUE]))).toEqual(['type_url', 'value']);
});
