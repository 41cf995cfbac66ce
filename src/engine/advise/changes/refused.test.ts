/** Changes that are refused: the schema would not compile, or a value would not come back. */
import { expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import { applyChanges, mapForward } from '../apply.ts';
import type { Change, ColumnsChange, EnumChange } from '../change.ts';
import { FieldEncodings } from '../forms.ts';
import { TreeNode, type TreeValue } from '../value-tree.ts';

const proto = `syntax = "proto3"; package shop.v1;
message M {
  string level = 1; string mode = 2; map<string, string> tags = 3; bytes raw = 4;
  oneof choice { string one = 5; }
  int32 count = 6; repeated P points = 7;
  enum Old { OLD_UNSPECIFIED = 0; KEPT = 1; }
  message Part {}
}
message P { int32 x = 1; optional int32 y = 2; P inner = 3; }
enum Color { COLOR_UNSPECIFIED = 0; }`;
const forms = new FieldEncodings(compileSchema([{ path: 'm.proto', content: proto }]).registry);
const level: EnumChange = {
  change: 'enum',
  message: 'shop.v1.M',
  field: 'level',
  name: 'Level',
  constants: ['INFO', 'WARN'],
};
const tree = new TreeNode('shop.v1.M', new Map([['level', [new TextEncoder().encode('INFO')]]]));

const x = { field: 'x', number: 8, of: 'x' };

test.each<[string, Partial<EnumChange>, string]>([
  ['no text', { field: 'raw' }, 'shop.v1.M.raw is not a string field of the message'],
  ['a key of a map', { message: 'shop.v1.M.TagsEntry', field: 'key' }, 'only its types can be changed'],
  ['a text that is not a name', { constants: ['not-found'] }, 'cannot have an enum Level of not-found'],
  ['the name of a type of the file', { name: 'Color' }, 'cannot have an enum Color'],
  ['the name of a package', { name: 'shop' }, 'cannot have an enum shop'],
  ['the name of a field', { name: 'mode' }, 'two declarations of mode'],
  ['a constant with the name of a field', { constants: ['mode'] }, 'two declarations of mode'],
  ['a constant with the name of a oneof', { constants: ['choice'] }, 'two declarations of choice'],
  ['a constant of another enum', { constants: ['KEPT'] }, 'two declarations of KEPT'],
  ['two constants that differ in case alone', { constants: ['info', 'INFO'] }, 'would have one name'],
  ['a text without a constant', { constants: ['WARN'] }, 'has a value that Level cannot hold'],
])('%s', (_, change, reason) => {
  expect(() => mapForward(tree, applyChanges([{ ...level, ...change }], forms, 'shop.v1.M'))).toThrow(reason);
});

test.each<[string, Partial<ColumnsChange>, string]>([
  ['a text as a list', { field: 'level' }, 'shop.v1.M.level is not a list of messages'],
  ['no column', { columns: [] }, 'needs a column'],
  ['a column with the name of a field', { columns: [{ ...x, field: 'raw' }] }, 'has a field raw'],
  ['a column with the number of a field', { columns: [{ ...x, number: 4 }] }, 'another field of number 4'],
  ['a column with the name of a oneof', { columns: [{ ...x, field: 'choice' }] }, 'two declarations of choice'],
  ['a column with the name of a constant', { columns: [{ ...x, field: 'KEPT' }] }, 'two declarations of KEPT'],
  ['a column with the name of a type', { columns: [{ ...x, field: 'Part' }] }, 'two declarations of Part'],
  ['a message as a column', { columns: [{ ...x, of: 'inner' }] }, 'inner cannot be a column'],
  ['a value in no column', { columns: [x] }, 'a record with a value that is in no column'],
  [
    'a value that a record does not have',
    { columns: [x, { field: 'y', number: 9, of: 'y' }] },
    'y is absent in a record',
  ],
])('%s', (_, change, reason) => {
  const columns: ColumnsChange = { change: 'columns', message: 'shop.v1.M', field: 'points', columns: [x] };
  const points = [
    [['x', 1]],
    [
      ['x', 2],
      ['y', 3],
    ],
  ] as const;
  const records = points.map((one) => new TreeNode('shop.v1.P', new Map(one.map(([name, value]) => [name, [value]]))));
  const list = new TreeNode('shop.v1.M', new Map([['points', records]]));
  expect(() => mapForward(list, applyChanges([{ ...columns, ...change }], forms, 'shop.v1.M'))).toThrow(reason);
});

test('a column may be of a value that can be absent, if each record has it; unknown fields are in no column', () => {
  const columns: ColumnsChange = {
    change: 'columns',
    message: 'shop.v1.M',
    field: 'points',
    columns: [{ field: 'y', number: 9, of: 'y' }],
  };
  const applied = applyChanges([columns], forms, 'shop.v1.M');
  const mapped = (unknown: readonly Uint8Array[]) => {
    const record = new TreeNode('shop.v1.P', new Map([['y', [3]]]), unknown);
    return mapForward(new TreeNode('shop.v1.M', new Map([['points', [record]]])), applied).fields;
  };
  expect([...mapped([])]).toEqual([['y', [3]]]);
  expect(() => mapped([Uint8Array.of(0x38, 1)])).toThrow('a record with a value that is in no column');
});

test.each<[string, string, string, string | null]>([
  ['of all records', 'p', 'x', null],
  ['of one message', 'one', 'x', 'r.M.one is not a list of messages'],
  ['of numbers', 'numbers', 'x', 'r.M.numbers is not a list of messages'],
  ['that is required', 'p', 'must', 'r.P.must cannot be written once'],
  ['that is a list', 'p', 'many', 'r.P.many cannot be written once'],
  ['in a oneof', 'p', 'choice', 'r.P.choice cannot be written once'],
  ['that is a group', 'p', 'part', 'r.P.part cannot be written once'],
  ['of an extension', 'p', '[r.more]', 'r.P.[r.more] cannot be written once'],
])('a constant %s', (_, list, of, reason) => {
  const content = `syntax = "proto2"; package r; extend P { optional int32 more = 10; }
    message M { repeated P p = 1; optional P one = 2; repeated int32 numbers = 3; }
    message P {
      required int32 must = 1; repeated int32 many = 2; oneof o { int32 choice = 3; } optional group Part = 4 {}
      optional int32 x = 5; extensions 10 to 20;
    }`;
  const own = new FieldEncodings(compileSchema([{ path: 'r.proto', content }]).registry);
  const change: Change = { change: 'constant', message: 'r.M', field: 'new', number: 4, list, of };
  const apply = () => applyChanges([change], own, 'r.M');
  if (reason === null) expect(apply).not.toThrow();
  else expect(apply).toThrow(reason);
});

test.each<[string, string, string, string | null]>([
  ['a number', 'n', '-1', null],
  ['a constant of an enum', 'e', '1', null],
  ['a message', 'one', 'the message is empty', null],
  ['a text', 's', '-1', 'r.M.s cannot be left out when -1'],
  ['a list', 'numbers', '-1', 'r.M.numbers cannot be left out when -1'],
  ['a required number', 'must', '-1', 'r.M.must cannot be left out when -1'],
  ['a message, as a number', 'one', '-1', 'r.M.one cannot be left out when -1'],
  ['a number, as a message', 'n', 'the message is empty', '"the message is empty" says no value'],
  ['a number, as a word', 'n', 'none', '"none" says no value'],
  ['a number that is absent somewhere', 'absent', '-1', 'r.M.absent is absent somewhere: that would mean -1'],
  ['a message that is absent somewhere', 'none', 'the message is empty', 'that would mean an empty message'],
])('%s is left out', (_, field, when, reason) => {
  const content = `syntax = "proto2"; package r; message P {} enum E { ZERO = 0; ONE = 1; }
    message M {
      optional int32 n = 1; optional E e = 2; optional P one = 3; optional string s = 4; repeated int32 numbers = 5;
      required int32 must = 6; optional int32 absent = 7; optional P none = 8;
    }`;
  const own = new FieldEncodings(compileSchema([{ path: 'r.proto', content }]).registry);
  const values = new Map<string, TreeValue[]>([
    ['n', [-1]],
    ['e', [1]],
    ['one', [new TreeNode('r.P')]],
  ]);
  const map = () => {
    const applied = applyChanges([{ change: 'left out', message: 'r.M', field, when }], own, 'r.M');
    return mapForward(new TreeNode('r.M', values), applied).fields.has(field);
  };
  if (reason === null) expect(map()).toBe(false);
  else expect(map).toThrow(reason);
});

test.each<[string, number, string | null]>([
  ['count', 60, 'shop.v1.N reserves number 60'],
  ['count', 155, 'shop.v1.N leaves number 155 to extensions'],
  ['count', 19000, '19000 is one of the numbers from 19000 to 19999, which protobuf reserves'],
  ['count', 2, 'Two fields of shop.v1.N would have number 2'],
  ['count', 59, null],
  ['[shop.v1.more]', 59, 'shop.v1.N leaves no number 59 to extensions'],
  ['[shop.v1.more]', 156, null],
])('number of %s: %i', (field, to, reason) => {
  const content = `syntax = "proto2"; package shop.v1; extend N { optional int32 more = 100; }
    message N { optional int32 count = 1; optional int32 other = 2; reserved 60 to 62; extensions 100 to 199; }`;
  const numbered = new FieldEncodings(compileSchema([{ path: 'n.proto', content }]).registry);
  const from = field === 'count' ? 1 : 100;
  const apply = () =>
    applyChanges([{ change: 'number', message: 'shop.v1.N', field, from, to }], numbered, 'shop.v1.N');
  if (reason === null) expect(apply).not.toThrow();
  else expect(apply).toThrow(reason);
});

test('two enums of a message share the scope of their constants', () => {
  const mode: EnumChange = { ...level, field: 'mode', name: 'Mode', constants: ['WARN', 'OFF'] };
  expect(() => applyChanges([level, mode], forms, 'shop.v1.M')).toThrow('two declarations of WARN');
});

const count = { message: 'shop.v1.M', field: 'count' };
const points = { message: 'shop.v1.M', field: 'points' };
const wrapped = new FieldEncodings(
  compileSchema([
    {
      path: 'w.proto',
      content: `syntax = "proto3"; package shop.v1;
        message M { W count = 1; W other = 2; repeated P points = 5; }
        message W { int32 value = 1; } message P { int32 x = 1; string s = 2; }`,
    },
  ]).registry,
);
const toNumber = (field: string): Change => ({
  change: 'type',
  message: 'shop.v1.M',
  field,
  from: 'shop.v1.W',
  to: 'optional int32',
  value: 'its only field',
});
const asGroup = (field: string): Change => ({
  change: 'message encoding',
  message: 'shop.v1.M',
  field,
  from: 'length-prefixed',
  to: 'delimited (editions)',
});
const ofW = { change: 'type', message: 'shop.v1.W', field: 'value', from: 'int32', to: 'sint32' } as const;
const ofP = { change: 'type', message: 'shop.v1.P', field: 'x', from: 'int32', to: 'sint32' } as const;
const asColumns: Change = {
  ...points,
  change: 'columns',
  columns: [
    { field: 'xs', number: 6, of: 'x' },
    { field: 'ss', number: 7, of: 's' },
  ],
};
const textsOfP: Change = {
  change: 'symbol table',
  table: { message: 'shop.v1.M', field: 'symbols', number: 9, first: '' },
  fields: ['shop.v1.P.s'],
  type: 'uint32',
  order: 'by first use',
};
const toUnsigned: Change = { ...ofP, from: 'sint32', to: 'uint32' };
const formOf = ({ after }: ReturnType<typeof applyChanges>) =>
  after.get('shop.v1.M')!.fields.map(({ name, type, cardinality }) => `${name} ${cardinality} ${type}`);

test.each<[string, readonly Change[], string | readonly string[]]>([
  [
    'a type and columns: the columns have the type',
    [ofP, asColumns],
    ['points repeated message', 'xs repeated sint32', 'ss repeated string'],
  ],
  ['a table and columns: the columns refer to the table', [textsOfP, asColumns], ['ss repeated uint32']],
  ['a type of a column', [asColumns, { ...ofP, ...points, field: 'xs' }], ['xs repeated sint32']],
  ['two types, one from the other', [ofP, toUnsigned, asColumns], ['xs repeated uint32']],
  [
    'a message that is a number, and delimited messages',
    [toNumber('count'), asGroup('count'), asGroup('other')],
    ['count singular int32', 'other singular group'],
  ],
  [
    'a message that is a number, and it alone delimited',
    [toNumber('count'), asGroup('count')],
    'shop.v1.M.count is not a message any more after another of the changes',
  ],
  ['the list of columns delimited', [asColumns, asGroup('points')], 'points is not a message any more'],
  [
    'the numbers in a message that nothing has any more',
    [toNumber('count'), toNumber('other'), { change: 'number', message: 'shop.v1.W', field: 'value', from: 1, to: 2 }],
    'shop.v1.W.value is no longer written after another of the changes',
  ],
  [
    'columns twice',
    [asColumns, { ...asColumns, columns: [{ field: 'x2', number: 8, of: 'x' }] }],
    'is no longer written',
  ],
  ['one type, or another', [ofW, { ...ofW, to: 'sfixed32' }], 'shop.v1.W.value is '],
])('in any order: %s', (_, changes, expected) => {
  const outcomes = new Set(
    [changes, changes.toReversed(), [...changes.slice(1), changes[0]!]].map((some) => {
      try {
        return JSON.stringify(formOf(applyChanges(some, wrapped, 'shop.v1.M')));
      } catch (error) {
        return String(error);
      }
    }),
  );
  expect(outcomes.size).toBe(1);
  const [outcome] = outcomes;
  for (const part of typeof expected === 'string' ? [expected] : expected) expect(outcome).toContain(part);
});

test('a type that columns leave without values is declared as before, for old messages', () => {
  const { after } = applyChanges([ofP, asColumns], wrapped, 'shop.v1.M');
  expect([...after.altered.keys()]).toEqual(['shop.v1.M']);
});

test('a map is not replaced by a number', () => {
  const change: Change = {
    ...count,
    change: 'type',
    field: 'tags',
    from: 'shop.v1.M.TagsEntry',
    to: 'string',
    value: 'its only field',
  };
  expect(() => applyChanges([change], forms, 'shop.v1.M')).toThrow('tags cannot become string');
});

test.each(['mode', 'count', 'KEPT', 'Part', 'Old'])('a new oneof with the name %s, which is taken', (to) => {
  const change: Change = { ...count, change: 'oneof', from: '', to };
  expect(() => applyChanges([change], forms, 'shop.v1.M')).toThrow(`two declarations of ${to}`);
});

test('absence of a field of a oneof means nothing else, because another field of it may be set', () => {
  const other = new TreeNode('shop.v1.M', new Map([['one', [new Uint8Array()]]]));
  const changes: readonly Change[] = [
    { ...count, change: 'oneof', from: '', to: 'choice' },
    { ...count, change: 'left out', when: '-1' },
  ];
  const applied = applyChanges(changes, forms, 'shop.v1.M');
  expect(() => mapForward(other, applied)).toThrow('count beside another field of choice');
});
