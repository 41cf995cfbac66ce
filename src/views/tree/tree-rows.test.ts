import { describe, expect, test } from 'vitest';
import { ENCODINGS } from '#engine/encodings/encodings.ts';
import { readJson } from '#engine/encodings/read-json/read-json.ts';
import { readTxtpb } from '#engine/encodings/read-txtpb/read-txtpb.ts';
import { inspectAgainst } from '#engine/inspect/inspect-against.ts';
import { type AnnotationTable, type Category, endAt, fieldAt, subtreeEnds } from '#engine/model/annotation.ts';
import { packRows } from '#engine/model/pack-rows.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import type { FieldFacts } from '#engine/schema/descriptor.ts';
import { builtRows } from '#testing/built-rows.ts';
import { sharesWords } from '#wording/row-words.ts';
import { walkRows } from '../hex/row-walk.ts';
import { countTreeRows, firstOpen, openAll, openTo, sharesOfRow, treePlaceOf, visibleTreeRows } from './tree-rows.ts';

const FIELDS = ['took', 'hits', 'id', 'version'].map(
  (name, index): FieldFacts => ({
    name,
    fullName: `demo.${name}`,
    number: index + 1,
    type: 'int64',
    cardinality: name === 'hits' ? 'repeated' : 'singular',
    presence: 'implicit',
    packed: false,
    isExtension: false,
    oneof: undefined,
    enum: undefined,
  }),
);

/** Depth and name of each row; offsets do not matter for the open rows. */
function tableOf(text: string): AnnotationTable {
  const lines = text.trimEnd().split('\n').filter(Boolean);
  const depths = lines.map((line) => line.search(/\S/) / 2);
  const parents = depths.map((depth, row) =>
    depths.findLastIndex((above, index) => index < row && above === depth - 1),
  );
  const count = lines.length;
  const zeros = new Array<number>(count).fill(0);
  const field = lines.map((line) => FIELDS.findIndex(({ name }) => name === line.trim()));
  const columns = { start: zeros, end: zeros, parent: parents, field, head: zeros, flags: zeros };
  return packRows('protobuf', count, builtRows(columns), FIELDS);
}

const MESSAGE = tableOf(
  `
message
  took
  hits
    id
    version
  hits
    id
  took
`.slice(1),
);
const ENDS = subtreeEnds(MESSAGE);

const shown = (open: Iterable<number>, window: { from?: number; limit?: number } = {}) =>
  visibleTreeRows(MESSAGE, ENDS, new Set(open), window).rows.map(({ row, depth, state, index, position, siblings }) => {
    const name = FIELDS[fieldAt(MESSAGE, row)]?.name ?? 'message';
    return `${'  '.repeat(depth)}${row} ${name}${index === null ? '' : `[${index}]`} ${state} ${position}/${siblings}`;
  });

describe('visibleTreeRows', () => {
  test.each([
    ['folded', [], ['0 message folded 1/1']],
    [
      'one level',
      [0],
      [
        '0 message open 1/1',
        '  1 took leaf 1/4',
        '  2 hits[0] folded 2/4',
        '  5 hits[1] folded 3/4',
        '  7 took leaf 4/4',
      ],
    ],
    [
      'one of two',
      [0, 5],
      [
        '0 message open 1/1',
        '  1 took leaf 1/4',
        '  2 hits[0] folded 2/4',
        '  5 hits[1] open 3/4',
        '    6 id leaf 1/1',
        '  7 took leaf 4/4',
      ],
    ],
    ['open below a folded row', [2], ['0 message folded 1/1']],
  ])('%s', (_, open, expected) => {
    expect(shown(open)).toEqual(expected);
  });

  test('a limit cuts the list and marks it as cut', () => {
    expect(shown([0, 2, 5], { limit: 3 })).toHaveLength(3);
    expect(visibleTreeRows(MESSAGE, ENDS, new Set([0]), { limit: 3 }).cut).toBe(true);
    expect(visibleTreeRows(MESSAGE, ENDS, new Set([0])).cut).toBe(false);
  });

  test('ten thousand levels do not use the stack', () => {
    const deep = tableOf(Array.from({ length: 10_000 }, (_, depth) => `${'  '.repeat(depth)}x`).join('\n'));
    const ends = subtreeEnds(deep);
    expect(visibleTreeRows(deep, ends, openAll(ends)).rows).toHaveLength(10_000);
  }, 20_000);
});

test('at first, whole levels are open while they fit', () => {
  expect([...firstOpen(MESSAGE, ENDS)].toSorted()).toEqual([0, 2, 5]);
  expect([...firstOpen(MESSAGE, ENDS, 6)].toSorted()).toEqual([0]);
});

test('openTo opens the ancestors of a row', () => {
  expect([...openTo(MESSAGE, new Set(), 6)].toSorted()).toEqual([0, 5]);
  const open = new Set([0, 5]);
  expect(openTo(MESSAGE, open, 6)).toBe(open);
});

describe('walkRows', () => {
  test.each([
    ['down passes over what is inside', 2, 'ArrowDown', 5],
    ['down from the message enters it', 0, 'ArrowDown', 1],
    ['down leaves a message at its end', 4, 'ArrowDown', 5],
    ['down at the end stays', 7, 'ArrowDown', 7],
    ['up passes over what is inside', 5, 'ArrowUp', 2],
    ['up from the first child is its parent', 3, 'ArrowUp', 2],
    ['up from a later child', 4, 'ArrowUp', 3],
    ['right enters', 2, 'ArrowRight', 3],
    ['left leaves', 6, 'ArrowLeft', 5],
    ['left at the top stays', 0, 'ArrowLeft', 0],
    ['home', 6, 'Home', 0],
    ['end', 1, 'End', 7],
    ['nothing selected yet', -1, 'ArrowDown', 0],
    ['another key', 3, 'x', -1],
  ])('%s', (_, row, key, to) => {
    expect(walkRows(MESSAGE, ENDS, row, key)).toBe(to);
  });

  test('consecutive windows show every open row once, and the window of a row is known', () => {
    const open = new Set([0, 2]);
    const whole = shown(open);
    const windows = [0, 2, 4, 6].flatMap((from) => shown(open, { from, limit: 2 }));
    expect(windows).toEqual(whole);
    for (const [place, { row }] of visibleTreeRows(MESSAGE, ENDS, open).rows.entries())
      expect(treePlaceOf(MESSAGE, ENDS, open, row)).toBe(place);
  });
});

const { registry } = compileSchema([
  {
    path: 't.proto',
    content: `syntax = "proto3"; message Shop { string name = 1; repeated Item items = 2; map<string, int32> stock = 3; }
message Item { string id = 1; int64 size = 2; repeated int32 sizes = 3; }`,
  },
]);
const SHOP = registry.messages.get('Shop')!;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const JSON_TEXT =
  '{"items": [{"id": "a-1", "size": "12"}, {"sizes": [7, 8], "x": null}], "stock": {"k": 3}, "y": [[1], {}]}\n';
const PROTO_TEXT = 'items { id: "a-1" size: 12 } items { sizes: [7, 8] } stock { key: "k" value: 3 } # end\n';

/** The rows that are shown if all are open, with the words of their own bytes. */
const ownOf = (table: AnnotationTable): readonly (readonly [row: number, shares: ReadonlyMap<Category, number>])[] => {
  const ends = subtreeEnds(table);
  return visibleTreeRows(table, ends, openAll(ends)).rows.map(({ row }) => [row, sharesOfRow(table, ends, row)]);
};

describe('the own bytes of the shown rows sum to the message, and the rows are counted', () => {
  const { protobuf } = readJson(utf8(JSON_TEXT), SHOP);
  test.each<readonly [string, AnnotationTable | undefined]>([
    ['captured JSON', readJson(utf8(JSON_TEXT), SHOP).table],
    ['captured JSON without a schema', readJson(utf8(JSON_TEXT), undefined).table],
    ['captured text format', readTxtpb(utf8(PROTO_TEXT), SHOP).table],
    ...ENCODINGS.map((row) => [row.label, inspectAgainst(protobuf, SHOP, row, 0).native?.table] as const),
  ])('%s', (_, table) => {
    const rows = ownOf(table!);
    expect(countTreeRows(table!, subtreeEnds(table!))).toBe(rows.length);
    const own = rows.flatMap(([, shares]) => [...shares.values()]);
    expect(own.reduce((sum, bytes) => sum + bytes, 0)).toBe(endAt(table!, 0));
  });
});

test('the bytes of tokens are those of the row around them', () => {
  const { table } = readJson(utf8('{"id": "a-1", "sizes": [7, 8]}'), registry.messages.get('Item')!);
  expect(ownOf(table).map(([, shares]) => sharesWords(shares))).toEqual([
    'punctuation 2',
    'key 4 · punctuation 1 · space 1 · quotes 2 · value 3',
    'punctuation 4 · space 2 · key 7',
    'value 1',
    'punctuation 1 · space 1 · value 1',
  ]);
});
