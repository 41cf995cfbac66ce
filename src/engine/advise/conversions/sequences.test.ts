/** Numbers as differences: from the record before, or from another number of the same record. */
import { expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import { applyChanges, mapBack, mapForward } from '../apply.ts';
import type { TypeChange } from '../change.ts';
import { FieldEncodings } from '../forms.ts';
import { TreeNode, type TreeValue } from '../value-tree.ts';
import { writeTree } from '../write-tree.ts';

type Numbers = Readonly<Record<string, TreeValue>>;
/** The records of each list of a message. */
type Lists = Readonly<Record<string, readonly Numbers[]>>;

function treeOf(lists: Lists): TreeNode {
  const fields = Object.entries(lists).map(([name, records]): [string, TreeValue[]] => {
    const type = name === 'other' ? 'Other' : 'R';
    return [name, records.map((one) => new TreeNode(type, new Map(Object.entries(one).map(([key, n]) => [key, [n]]))))];
  });
  return new TreeNode('L', new Map(fields));
}

const listsOf = ({ fields }: TreeNode): Lists =>
  Object.fromEntries(
    [...fields].map(([name, records]) => [
      name,
      (records as TreeNode[]).map((one) => Object.fromEntries([...one.fields].map(([key, [n]]) => [key, n!]))),
    ]),
  );

function converted(declared: string, to: string, value: string, lists: Lists) {
  const content = `syntax = "proto3"; message R { ${declared} } message Other { int64 n = 1; }
    message L { repeated R b = 2; repeated R a = 1; repeated Other other = 3; }`;
  const forms = new FieldEncodings(compileSchema([{ path: 'l.proto', content }]).registry);
  const [, from, field] = /(\w+) (\w+) = 1;/.exec(declared)!;
  const change: TypeChange = { change: 'type', message: 'R', field: field!, from: from!, to, value };
  const applied = applyChanges([change], forms, 'L');
  const after = mapForward(treeOf(lists), applied);
  const written = listsOf(after);
  const [before, back] = [treeOf(lists), mapBack(after, applied)].map((tree) => writeTree(tree, forms).bytes);
  return { written, before, back };
}

const list = (...values: readonly (TreeValue | null)[]): readonly Numbers[] =>
  values.map((n): Numbers => (n === null ? {} : { n }));
const IN_LIST = 'n minus n of the r before it in the list; the first: as it is';
const IN_REQUEST = 'minus the n of the r before it in the request; the first: as it is';
const SPAN = 'end minus start of the same r (mod 2^64)';
const LARGEST = 2n ** 64n;

test.each<[string, string, string, string, Lists, Lists]>([
  ['in a list', 'int64 n = 1;', 'sint64', IN_LIST, { a: list(10, 12, 11) }, { a: list(10, 2, -1) }],
  ['where an absent number is 0', 'int64 n = 1;', 'sint64', IN_LIST, { a: list(9, null, 3) }, { a: list(9, -9, 3) }],
  ['of nothing from nothing', 'int64 n = 1;', 'sint64', IN_LIST, { a: list(null, 3) }, { a: list(null, 3) }],
  [
    'where an absent number is not 0',
    'optional int64 n = 1;',
    'sint64',
    IN_LIST,
    { a: list(9, null, 12) },
    { a: list(9, null, 3) },
  ],
  [
    'that 32 bits cannot hold',
    'int32 n = 1;',
    'sint32',
    IN_LIST,
    { a: list(-(2 ** 31), 2 ** 31 - 1) },
    { a: list(-(2 ** 31), -1) },
  ],
  ['below 0 without a sign', 'fixed64 n = 1;', 'fixed64', IN_LIST, { a: list(2, 1) }, { a: list(2, LARGEST - 1n) }],
  [
    'in each list by itself',
    'int64 n = 1;',
    'sint64',
    IN_LIST,
    { a: list(1, 3), b: list(7), other: list(5, 6) },
    { a: list(1, 2), b: list(7), other: list(5, 6) },
  ],
  [
    'in all lists together, by the numbers of their fields',
    'int64 n = 1;',
    'sint64',
    IN_REQUEST,
    { b: list(7), other: list(5, 6), a: list(1, 3) },
    { b: list(4), other: list(5, 6), a: list(1, 2) },
  ],
  [
    'from the number of the name, of several that begin with it',
    'int64 end = 1; int64 start_of_day = 2; int64 start = 3; string start_text = 4;',
    'sint64',
    SPAN,
    { a: [{ end: 9, start_of_day: 1, start: 7 }] },
    { a: [{ end: 2, start_of_day: 1, start: 7 }] },
  ],
  [
    'from the number that begins with the word',
    'int64 end = 1; int64 job_start = 2; int64 start_time = 3;',
    'sint64',
    SPAN,
    { a: [{ end: 9, job_start: 1, start_time: 7 }] },
    { a: [{ end: 2, job_start: 1, start_time: 7 }] },
  ],
  [
    'from the number that has the word',
    'int64 end = 1; int64 restart = 2; int64 job_start = 3;',
    'sint64',
    SPAN,
    { a: [{ end: 9, restart: 1, job_start: 7 }] },
    { a: [{ end: 2, restart: 1, job_start: 7 }] },
  ],
  [
    'of an end before its start',
    'fixed64 end = 1; fixed64 start = 2;',
    'uint64',
    SPAN,
    { a: [{ end: 1, start: 2 }] },
    { a: [{ end: LARGEST - 1n, start: 2 }] },
  ],
  [
    'of an end that is absent, and is 0',
    'int64 end = 1; int64 start = 2;',
    'sint64',
    SPAN,
    { a: [{ start: 2 }, {}] },
    { a: [{ start: 2, end: -2 }, {}] },
  ],
  [
    'of an end that is absent, and is not 0',
    'optional int64 end = 1; int64 start = 2;',
    'sint64',
    SPAN,
    { a: [{ start: 2 }] },
    { a: [{ start: 2 }] },
  ],
])('a difference %s', (_, declared, to, value, before, after) => {
  const made = converted(declared, to, value, before);
  expect(made.written).toEqual(after);
  expect(made.back).toEqual(made.before);
});

test('a span without its start is refused', () => {
  expect(() => converted('int64 end = 1; string start = 2;', 'sint64', SPAN, { a: [{ end: 1 }] })).toThrow(
    'R has no number "start" beside end',
  );
});
