/** Numbers from record to record, and beside another number of the same record. */
import { expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import type { TypeChange } from '../change.ts';
import { FieldEncodings } from '../forms.ts';
import { FieldValues } from '../uses.ts';
import { TreeNode } from '../value-tree.ts';
import { sequences } from './sequences.ts';

type Numbers = Readonly<Record<string, number>>;

/** For records of these fields, the type and the value of each proposed change. */
function proposed(fields: string, records: readonly Numbers[], messages = 1): readonly string[] {
  const content = `syntax = "proto3"; message L { repeated R r = 1; } message R { ${fields} }`;
  const forms = new FieldEncodings(compileSchema([{ path: 'r.proto', content }]).registry);
  const nodes = records.map(
    (record) => new TreeNode('R', new Map(Object.entries(record).map(([name, value]) => [name, [value]]))),
  );
  const each = nodes.length / messages;
  const trees = Array.from(
    { length: messages },
    (_, at) => new TreeNode('L', new Map([['r', nodes.slice(at * each, (at + 1) * each)]])),
  );
  return sequences(new FieldValues(trees, forms, 'L')).flatMap(({ changes }) =>
    (changes as readonly TypeChange[]).map(({ to, value }) => `${to}: ${value}`),
  );
}

const list = (...values: readonly (number | null)[]): readonly Numbers[] =>
  values.map((n): Numbers => (n === null ? {} : { n }));
const IN_LIST = 'sint64: n minus n of the r before it in the list; the first: as it is';

test.each<[string, string, readonly Numbers[], readonly string[]]>([
  ['numbers that grow', 'int64 n = 1;', list(1e9, 1e9 + 1, 1e9 + 2), [IN_LIST]],
  ['numbers of 32 bits', 'int32 n = 1;', list(1e9, 1e9 + 1, 1e9 + 2), []],
  ['small numbers', 'int64 n = 1;', list(30, 10, 20), []],
  ['numbers of fixed width, small as varints', 'fixed64 n = 1;', list(30, 10, 20), []],
  ['the same number', 'int64 n = 1;', list(1e9, 1e9, 1e9), []],
  ['numbers, one of them negative', 'sint64 n = 1;', list(-1, 1e9, 1e9 + 1, 1e9 + 2), []],
  ['lists of a number', 'repeated int64 n = 1;', list(1e9, 1e9 + 1, 1e9 + 2), []],
  ['numbers in a oneof', 'oneof o { int64 n = 1; }', list(1e9, 1e9 + 1, 1e9 + 2), []],
  ['absence that is a 0 between large numbers', 'int64 n = 1;', list(1e9, null, 1e9 + 1, null), []],
  ['absence that is not a 0', 'optional int64 n = 1;', list(1e9, null, 1e9 + 1, null), [IN_LIST]],
  ['differences of 0, which are absent', 'int64 n = 1;', list(5, 5, 5, 6), [IN_LIST]],
  ['differences of 0 with presence', 'optional int64 n = 1;', list(5, 5, 5, 6), []],
])('%s', (_, fields, records, values) => {
  expect(proposed(fields, records)).toEqual(values);
});

test.each<[string, number, readonly string[]]>([
  ['in messages of two records', 2, [IN_LIST]],
  ['in messages of one record and of two', 3, [IN_LIST]],
  ['in messages of one record', 4, []],
])('numbers that grow, %s', (_, messages, values) => {
  expect(proposed('int64 n = 1;', list(1e9, 1e9 + 1, 1e9 + 2, 1e9 + 3), messages)).toEqual(values);
});

test('records that are in no list follow each other in one message', () => {
  const content = 'syntax = "proto3"; message R { int64 n = 1; R next = 2; }';
  const forms = new FieldEncodings(compileSchema([{ path: 'r.proto', content }]).registry);
  const chain = (n: number): TreeNode =>
    new TreeNode(
      'R',
      new Map(
        n > 1e9 + 3
          ? [['n', [n]]]
          : [
              ['n', [n]],
              ['next', [chain(n + 1)]],
            ],
      ),
    );
  const valuesOf = (...trees: readonly TreeNode[]) =>
    sequences(new FieldValues(trees, forms, 'R')).flatMap(({ changes }) =>
      (changes as readonly TypeChange[]).map(({ value }) => value),
    );
  expect(valuesOf(chain(1e9))).toEqual(['minus the n of the r before it in the request; the first: as it is']);
  expect(valuesOf(chain(1e9), chain(1e9))).toEqual([]);
});

const spans = (from: string, to: string, distance: number): readonly Numbers[] =>
  [3e6, 1e6, 2e6].map((start) => ({ [from]: start, [to]: start + distance }));

test.each<[string, string, readonly Numbers[], readonly string[]]>([
  [
    'by the first words of their names',
    'fixed64 start_time = 1; fixed64 end_time = 2;',
    spans('start_time', 'end_time', 7),
    ['uint64: end minus start of the same r (mod 2^64)'],
  ],
  [
    'by their names, where another one begins alike',
    'int64 t_start = 1; int64 t_end = 2;',
    spans('t_start', 't_end', 7),
    ['sint64: t_end minus t_start of the same r (mod 2^64)'],
  ],
  [
    'alone and with that one from the one before it',
    'fixed64 start = 1; fixed64 end = 2;',
    [1e12, 1e12 + 1, 1e12 + 2].map((start) => ({ start, end: start + 7 })),
    [
      'sint64: start minus start of the r before it in the list; the first: as it is',
      'sint64: end minus end of the r before it in the list; the first: as it is',
      'uint64: end minus start of the same r (mod 2^64)',
      'uint64: end minus start of the same r (mod 2^64)',
      'sint64: start minus start of the r before it in the list; the first: as it is',
    ],
  ],
  [
    'from one that is far from it',
    'int64 start = 1; int64 end = 2;',
    [
      { start: 1, end: 1e6 },
      { start: 2, end: 5e5 },
    ],
    [],
  ],
  [
    'from one that is sometimes 0',
    'int64 start = 1; int64 end = 2;',
    [{ end: 1e6 }, { start: 1e6, end: 1.5e6 }, { start: 2e6, end: 2e6 + 5 }],
    [],
  ],
])('the distance of a number from another one, %s', (_, fields, records, values) => {
  expect(proposed(fields, records)).toEqual(values);
});
