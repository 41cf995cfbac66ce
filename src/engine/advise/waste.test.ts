/** Each kind of waste in bytes written by hand, and what holds of any message. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import { Advisor } from './advise.ts';
import { beforeAfter, diffOf } from './before-after.ts';
import { FieldEncodings } from './forms.ts';
import { readTree } from './read-tree.ts';
import { rewrite } from './rewrite.ts';
import { measureWaste } from './waste.ts';
import { writeTree } from './write-tree.ts';
import { WRITER_WASTE, type WriterWaste } from './writer-rules.ts';

const sources = [
  {
    path: 'w.proto',
    content: `syntax = "proto3"; package w;
      message A { int32 n = 1; repeated int32 run = 2; A a = 3; optional int32 set = 4; string s = 5; map<int32, int32> m = 6;
        double d = 7; repeated A all = 8; }`,
  },
];
const { registry, symbols } = compileSchema(sources);
const forms = new FieldEncodings(registry);
const unhex = (hex: string) => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');
const without = (bytes: Uint8Array, ...kinds: readonly WriterWaste[]) => rewrite(bytes, forms, 'w.A', new Set(kinds));

test.each<[string, WriterWaste, string, string, number]>([
  ['a number in three bytes', 'overlong varints', '08 85 80 00', '08 05', 1],
  ['a tag in two bytes', 'overlong varints', '88 00 05', '08 05', 1],
  ['an element of a packed run, and the run is shorter', 'overlong varints', '12 03 01 82 00', '12 02 01 02', 1],
  ['a length in two bytes', 'padded lengths', '1a 82 00 08 05', '1a 02 08 05', 1],
  ['the length of a text', 'padded lengths', '2a 81 00 78', '2a 01 78', 1],
  ['a default without presence, in a message within', 'defaults written', '1a 02 08 00', '1a 00', 1],
  ['an empty text', 'defaults written', '2a 00', '', 1],
  ['a default of fixed width', 'defaults written', '39 00 00 00 00 00 00 00 00', '', 1],
  ['a default in two bytes', 'defaults written', '08 80 00', '', 1],
  ['a default in each message of a list', 'defaults written', '42 02 08 00 42 02 08 00', '42 00 42 00', 2],
  ['a run of single elements', 'unpacked runs', '10 01 08 05 10 02 10 03', '12 03 01 02 03 08 05', 1],
  ['a scalar that is there twice', 'repeated scalars', '08 01 08 02', '08 02', 1],
  ['a field that no schema names', 'unknown fields', '08 01 78 02', '08 01', 1],
])('%s is removed', (_, kind, before, after, places) => {
  const bytes = unhex(before);
  expect(without(bytes, kind)).toEqual({ bytes: unhex(after), places });
  expect(hex(without(bytes)?.bytes)).toBe(hex(bytes));
});

test.each<[string, WriterWaste, string]>([
  ['a default with presence', 'defaults written', '20 00'],
  ['−0.0, another value than 0', 'defaults written', '39 00 00 00 00 00 00 00 80'],
  ['a default that overrides a value before it', 'defaults written', '08 01 08 00'],
  ['a default that overrides a value of an earlier part', 'defaults written', '1a 02 08 01 1a 02 08 00'],
  ['the default key of a map', 'defaults written', '32 04 08 00 10 05'],
  ['a single element: packed it would be longer', 'unpacked runs', '10 01'],
  ['a message that is there twice: the two are merged', 'repeated scalars', '1a 00 1a 00'],
])('%s stays', (_, kind, before) => {
  expect(hex(without(unhex(before), kind)?.bytes)).toBe(before.replaceAll(' ', ''));
});

test('a number that a closed enum does not list does not count as the last value', () => {
  const content = 'syntax = "proto2"; message M { optional E e = 4; } enum E { A = 1; B = 2; }';
  const closed = new FieldEncodings(compileSchema([{ path: 'm.proto', content }]).registry);
  const kept = (bytes: string) => hex(rewrite(unhex(bytes), closed, 'M', new Set(['repeated scalars']))?.bytes);
  expect(kept('20 02 20 63')).toBe('20022063');
  expect(kept('20 01 20 02')).toBe('2002');
});

test('bytes that are not a message are left alone', () => {
  expect(without(unhex('0a'), 'overlong varints')).toBeUndefined();
});

describe('any message', () => {
  const SAFE = WRITER_WASTE.filter((kind) => kind !== 'unknown fields');

  test('without removal the bytes stay; after full removal the values stay', () => {
    fc.assert(
      fc.property(arbitraryMessages({ odd: true, any: true }), ({ proto, messages }) => {
        const any = new FieldEncodings(compileSchema([{ path: 'random.proto', content: proto }]).registry);
        for (const bytes of messages) {
          const same = rewrite(bytes, any, 'random.A', new Set());
          if (same !== undefined) expect(hex(same.bytes)).toBe(hex(bytes));
          const tree = readTree(bytes, any, 'random.A');
          const shorter = rewrite(bytes, any, 'random.A', new Set(SAFE))?.bytes;
          if (tree === undefined || shorter === undefined) continue;
          expect(shorter.length).toBeLessThanOrEqual(bytes.length);
          const read = readTree(shorter, any, 'random.A')!;
          expect(hex(writeTree(read, any).bytes)).toBe(hex(writeTree(tree, any).bytes));
        }
      }),
      { numRuns: 1000 },
    );
  });
});

test('the report measures each kind alone, all of the writer’s kinds together, and negatives by the schema', async () => {
  const units = [{ delimiter: null, messages: [unhex(`08 ${'ff'.repeat(9)} 01 1a 82 00 2a 00 78 02`)] }];
  const advisor = await Advisor.open({ registry, type: 'w.A', units, compressors: [], rankedBy: undefined });
  const { captured, kinds, writer } = await measureWaste(advisor, 'w.A', []);
  expect(captured.bytes).toBe(18);
  expect(kinds.map(({ kind, saved, effort }) => [kind, saved.bytes, effort])).toEqual([
    ['negatives in ten bytes', 9, 'new field needed'],
    ['defaults written', 2, 'writer only'],
    ['unknown fields', 2, 'writer only'],
    ['padded lengths', 1, 'writer only'],
  ]);
  expect(writer.bytes).toBe(3);
});

test('values that others replace: in sum, and where nothing else is wasted', async () => {
  const content = `syntax = "proto3"; message M { oneof x { int32 a = 1; string b = 2; } map<int32, int32> m = 3; M in = 4;
    int32 n = 5; }`;
  const { registry } = compileSchema([{ path: 'm.proto', content }]);
  // a = 1, b = "x"; m[1] = 2, m[1] = 3; in { n = 1 }, in { a = 1 }; n = 5, n = 0.
  const replaced = ['08 01 12 01 78', '1a 04 08 01 10 02 1a 04 08 01 10 03', '22 02 28 01 22 02 08 01', '28 05 28 00'];
  const shortest = ['12 01 78', '1a 04 08 01 10 03', '22 04 08 01 28 01', ''];
  const units = [...replaced, '1a 02 08 01'].map((one) => ({ delimiter: null, messages: [unhex(one)] }));
  const advisor = await Advisor.open({ registry, type: 'M', units, compressors: [], rankedBy: undefined });
  expect(advisor.shortest.map(({ messages }) => hex(messages[0]))).toEqual(
    [...shortest, '1a 02 08 01'].map((one) => one.replaceAll(' ', '')),
  );
  const { kinds, writer } = await measureWaste(advisor, 'M', []);
  expect(writer.bytes).toBe(2 + 6 + 2 + 4);
  expect(kinds.map(({ kind, places, saved }) => [kind, places, saved.bytes])).toEqual([
    ['replaced values', 4, 12],
    ['repeated scalars', 1, 2],
  ]);
  const { saved } = await advisor.measure([{ change: 'written', without: 'any' }]);
  expect(saved.bytes).toBe(writer.bytes);
});

test('places of negative numbers are the values, as those of the other kinds', async () => {
  const negative = `08 ${'ff'.repeat(9)} 01`;
  const units = [{ delimiter: null, messages: [unhex(negative), unhex('08 05'), unhex(negative)] }];
  const advisor = await Advisor.open({ registry, type: 'w.A', units, compressors: [], rankedBy: undefined });
  const { kinds } = await measureWaste(advisor, 'w.A', []);
  expect(kinds).toMatchObject([{ kind: 'negatives in ten bytes', places: 2, saved: { bytes: 18 } }]);
});

test('a message that cannot be read whole is in no figure: not in the sizes, not in the waste', async () => {
  const units = ['2a 00', '0a 05', '08 85 00'].map((one) => ({ delimiter: null, messages: [unhex(one)] }));
  const advisor = await Advisor.open({ registry, type: 'w.A', units, compressors: [], rankedBy: undefined });
  expect(advisor.baseline).toMatchObject({ captured: { bytes: 5 }, measured: 2, unread: 1 });
  const { captured, writer } = await measureWaste(advisor, 'w.A', []);
  expect([captured.bytes, writer.bytes]).toEqual([5, 3]);
});

test('a change of the writer alone is compared with the captured messages, in sum and by field', async () => {
  const units = [{ delimiter: null, messages: [unhex('2a 00 08 85 00')] }];
  const advisor = await Advisor.open({ registry, type: 'w.A', units, compressors: [], rankedBy: undefined });
  const measured = await advisor.measure([{ change: 'written', without: 'defaults written' }]);
  expect(measured.saved.bytes).toBe(2);
  const { a, b } = diffOf(beforeAfter(advisor, measured, { registry, symbols, sources }));
  expect([a.bytes, b.bytes]).toEqual([5, 3]);
});

test('an item of a message set is not an unknown field', () => {
  const content = readFileSync(new URL('../../../fixtures/schema/message-set.proto', import.meta.url), 'utf8');
  const sets = new FieldEncodings(compileSchema([{ path: 'message-set.proto', content }]).registry);
  const bytes = unhex('0b 10 e8 07 1a 02 08 01 0c');
  expect(rewrite(bytes, sets, 'ms.Set', new Set(WRITER_WASTE))).toEqual({ bytes, places: 0 });
});
