import { expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import { applyChanges, mapForward } from './apply.ts';
import type { SymbolTableChange, TypeChange } from './change.ts';
import { FieldEncodings } from './forms.ts';
import { TreeNode, type TreeValue } from './value-tree.ts';

const proto = `syntax = "proto3"; package trace.v1;
message Batch { repeated Span spans = 1; }
message Span { fixed64 start = 1; fixed64 end = 2; }`;
const forms = new FieldEncodings(compileSchema([{ path: 'trace.proto', content: proto }]).registry);

const change = (field: string, to: string, value: string): TypeChange => ({
  change: 'type',
  message: 'trace.v1.Span',
  field,
  from: 'fixed64',
  to,
  value,
});
const duration = change('end', 'uint64', 'end minus start of the same span');
const lead = change('start', 'sint64', 'start minus end of the same span');
const delta = change('start', 'sint64', 'start minus start of the span before it in the list; the first: as it is');

test.each<[string, readonly TypeChange[], readonly (readonly TreeValue[])[]]>([
  [
    'a duration is from the start as it was, not from the difference that replaces the start',
    [delta, duration],
    [
      [100, 7],
      [50, 9],
    ],
  ],
  [
    'two differences from each other have one order',
    [lead, duration],
    [
      [93, 7],
      [141, 9],
    ],
  ],
])('%s', (_, changes, expected) => {
  const span = (start: number, end: number) =>
    new TreeNode(
      'trace.v1.Span',
      new Map([
        ['start', [start]],
        ['end', [end]],
      ]),
    );
  for (const order of [changes, changes.toReversed()]) {
    const tree = new TreeNode('trace.v1.Batch', new Map([['spans', [span(100, 107), span(150, 159)]]]));
    const after = mapForward(tree, applyChanges(order, forms, 'trace.v1.Batch'));
    const spans = (after.fields.get('spans') ?? []) as readonly TreeNode[];
    expect(spans.map((one) => [one.only('start'), one.only('end')])).toEqual(expected);
  }
});

test.each<[string, readonly (readonly string[])[], readonly string[]]>([
  ['of two fields', [['name'], ['place']], ['name', 'place']],
  [
    'of two sets that share a field',
    [
      ['name', 'note'],
      ['place', 'note'],
    ],
    ['name', 'note', 'place'],
  ],
])('tables %s are one table, in any order', (_, sets, all) => {
  const proto = `syntax = "proto3"; message L { repeated R r = 1; }
    message R { string name = 1; string place = 2; string note = 3; }`;
  const forms = new FieldEncodings(compileSchema([{ path: 'l.proto', content: proto }]).registry);
  const table = (names: readonly string[]): SymbolTableChange => ({
    change: 'symbol table',
    table: { message: 'L', field: 'symbols', number: 2, first: '' },
    fields: names.map((name) => `R.${name}`),
    type: 'uint32',
    order: 'by first use, entries in field number order',
  });
  const tables = sets.map(table);
  for (const order of [tables, tables.toReversed()])
    expect(applyChanges(order, forms, 'L').changes).toEqual([table(all)]);
});
