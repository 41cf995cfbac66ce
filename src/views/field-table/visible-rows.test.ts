import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addCosts, buildFieldTree, NO_COSTS } from '#engine/cost/field-tree.ts';
import { type FieldProfile, type Profile, sumCells } from '#engine/cost/profile.ts';
import type { TableView } from '#state/view-state.ts';
import { chooseColumns } from './field-columns.tsx';
import { allNodes, firstView, heaviestOpen, isFlat, nextSort, reveal, sumOwn, visibleRows } from './visible-rows.ts';

/** `path tag value native`, one field a line; parents before their children. */
const PAIR = ['protobuf', 'opensearch'] as const;

function fieldsOf(text: string): Pick<Profile, 'fields' | 'pair'> {
  const fields = text
    .trim()
    .split('\n')
    .map((line, index): FieldProfile => {
      const [path, tag, value, native] = line.trim().split(/\s+/);
      const dot = path!.lastIndexOf('.');
      return {
        path: path!,
        parent: dot < 0 ? '' : path!.slice(0, dot),
        name: path!.slice(dot + 1),
        number: index + 1,
        declared: null,
        writer: 'Long',
        occurrences: Number(tag),
        elements: Number(tag),
        packedRuns: 0,
        parents: 10,
        presence: Math.min(10, Number(tag)),
        ledgers: { protobuf: { tag: Number(tag), value: Number(value) }, opensearch: { value: Number(native) } },
        absent: 0,
        names: {},
        widths: { tag: [], length: null, value: null },
        size: { min: 0, max: 0 },
        waste: { overlong: 0, negative: 0, defaults: 0 },
        utf16: 0,
        writers: [],
        types: [],
      };
    });
  return { fields, pair: PAIR };
}

const HITS = fieldsOf(`
  max_score     1    4     4
  hits          2    0     1
  hits.version  2   20    16
  hits.id       2   40    48
  hits.shard    0    0     2
  took          1    2     8
`);

const view = (change: Partial<TableView> = {}): TableView => ({
  sort: null,
  filter: '',
  flat: false,
  expanded: ['hits'],
  ...change,
});

const shown = (change: Partial<TableView>) =>
  visibleRows(buildFieldTree(HITS), view(change)).map(
    ({ node: { field, own, total }, depth, state }) =>
      `${'  '.repeat(depth)}${field.path} ${state} ${own.bytes} ${sumCells(total.sides[0])}/${sumCells(total.sides[1])} ${total.delta}`,
  );

describe('visibleRows', () => {
  test.each<[string, Partial<TableView>, readonly string[]]>([
    [
      'an open message has the same self and total',
      {},
      [
        'max_score leaf 5 5/4 1',
        'hits open 2 66/67 -1',
        '  hits.version leaf 22 22/16 6',
        '  hits.id leaf 42 42/48 -6',
        '  hits.shard leaf 0 0/2 -2',
        'took leaf 3 3/8 -5',
      ],
    ],
    [
      'as when it is folded',
      { expanded: [] },
      ['max_score leaf 5 5/4 1', 'hits folded 2 66/67 -1', 'took leaf 3 3/8 -5'],
    ],
    [
      'sorted among siblings, by subtree',
      { sort: { column: 'protobuf', descending: true } },
      [
        'hits open 2 66/67 -1',
        '  hits.id leaf 42 42/48 -6',
        '  hits.version leaf 22 22/16 6',
        '  hits.shard leaf 0 0/2 -2',
        'max_score leaf 5 5/4 1',
        'took leaf 3 3/8 -5',
      ],
    ],
    [
      'by difference, the most saved first',
      { sort: { column: 'delta', descending: false }, expanded: [] },
      ['took leaf 3 3/8 -5', 'hits folded 2 66/67 -1', 'max_score leaf 5 5/4 1'],
    ],
    [
      'flat: the same figures',
      { flat: true, sort: { column: 'field', descending: false } },
      [
        'hits leaf 2 66/67 -1',
        'hits.id leaf 42 42/48 -6',
        'hits.shard leaf 0 0/2 -2',
        'hits.version leaf 22 22/16 6',
        'max_score leaf 5 5/4 1',
        'took leaf 3 3/8 -5',
      ],
    ],
    ['filtered by every word, in any case', { filter: ' HITS ver ' }, ['hits.version leaf 22 22/16 6']],
    ['nothing matches', { filter: 'nowhere' }, []],
  ])('%s', (_, change, expected) => {
    expect(shown(change)).toEqual(expected);
  });

  test('position and count refer to visible siblings', () => {
    const rows = visibleRows(buildFieldTree(HITS), view());
    expect(rows.map(({ node, position, siblings }) => `${node.field.name} ${position}/${siblings}`)).toEqual([
      'max_score 1/3',
      'hits 2/3',
      'version 1/3',
      'id 2/3',
      'shard 3/3',
      'took 3/3',
    ]);
  });

  test('self sums to the whole, and total is self and all rows below, for any open rows and any order', () => {
    const tree = fc
      .array(fc.tuple(fc.nat(20), fc.nat(50), fc.nat(50), fc.nat(50)), { minLength: 1, maxLength: 40 })
      .map((drawn) => {
        const paths: string[] = [];
        const lines = drawn.map(([above, tag, value, native], index) => {
          const parent = above < index ? paths[above]! : '';
          paths.push(parent === '' ? `f${index}` : `${parent}.f${index}`);
          return `${paths[index]} ${tag} ${value} ${native}`;
        });
        return fieldsOf(lines.join('\n'));
      });
    const sorts = fc.constantFrom(
      null,
      ...(['field', 'delta', 'overhead', 'share', 'presence'] as const).map((column) => ({ column, descending: true })),
    );
    fc.assert(
      fc.property(tree, fc.array(fc.nat(40)), sorts, fc.boolean(), ({ fields }, open, sort, flat) => {
        const roots = buildFieldTree({ fields, pair: PAIR });
        const expanded = open.flatMap((index) => fields[index]?.path ?? []);
        const rows = visibleRows(roots, { sort, filter: '', flat, expanded });
        const all = allNodes(roots);
        expect(all).toHaveLength(fields.length);
        const costs = new Map(all.map((node) => [node.field.path, node]));
        for (const { node } of rows) expect(node).toBe(costs.get(node.field.path));
        for (const { own, total, children } of all) {
          expect(total).toEqual(children.reduce((sum, child) => addCosts(sum, child.total), own));
        }
        const everything = visibleRows(roots, { sort, filter: '', flat: true, expanded });
        expect(sumOwn(everything)).toEqual(roots.reduce((sum, { total }) => addCosts(sum, total), NO_COSTS));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('buildFieldTree', () => {
  test('a field whose parent is not listed is at the top level', () => {
    const [orphan] = buildFieldTree(fieldsOf('lost.child 1 1 1'));
    expect(orphan).toMatchObject({ depth: 0, field: { path: 'lost.child' } });
  });

  test('the difference may be the part of one cause', () => {
    const [, hits] = buildFieldTree(HITS, ({ ledgers }) => ledgers['protobuf']!.tag!);
    expect([hits!.own.delta, hits!.total.delta]).toEqual([2, 6]);
  });
});

test.each([
  ['numbers by the largest first', null, 'delta', { column: 'delta', descending: true }],
  ['names from A', null, 'field', { column: 'field', descending: false }],
  ['then the other way', { column: 'delta', descending: true }, 'delta', { column: 'delta', descending: false }],
  ['then schema order', { column: 'delta', descending: false }, 'delta', null],
  [
    'another column starts anew',
    { column: 'delta', descending: false },
    'native',
    { column: 'native', descending: true },
  ],
] as const)('nextSort: %s', (_, sort, column, next) => {
  expect(nextSort(sort, column)).toEqual(next);
});

test('reveal opens the ancestors of a field and nothing else', () => {
  const roots = buildFieldTree(fieldsOf('a 1 0 0\na.b 1 0 0\na.b.c 1 0 0\nd 1 0 0\nd.e 1 0 0'));
  expect(reveal(roots, view({ expanded: [] }), 'a.b.c').expanded.toSorted()).toEqual(['a', 'a.b']);
  const open = view({ expanded: ['a', 'a.b'] });
  expect(reveal(roots, open, 'a.b.c')).toBe(open);
});

test('at first everything is open while it fits', () => {
  const roots = buildFieldTree(HITS);
  expect(firstView(roots).expanded).toEqual(['hits']);
  expect(isFlat(firstView(roots))).toBe(false);
});

test('where not everything fits, the ancestors of the largest fields are open', () => {
  const roots = buildFieldTree(
    fieldsOf('a 1 0 0\na.b 1 0 0\na.b.c 1 99 0\na.d 1 0 0\na.d.e 1 9 0\nf 1 0 0\nf.g 1 1 0'),
  );
  expect([2, 4, 5, 99].map((rows) => heaviestOpen(roots, rows))).toEqual([
    [],
    ['a'],
    ['a', 'a.b'],
    ['a', 'a.b', 'a.d', 'f'],
  ]);
});

test.each([
  [1280, true, 'field occurrences presence overhead self protobuf share native delta'],
  [800, true, 'field overhead self protobuf native delta'],
  [600, true, 'field overhead protobuf native delta'],
  [440, true, 'field overhead delta'],
  [440, false, 'field overhead protobuf'],
  [700, false, 'field overhead self protobuf share'],
  [1280, false, 'field occurrences presence overhead self protobuf share'],
])('columns at %d pixels (compared: %s)', (width, compares, columns) => {
  expect(
    chooseColumns(width, compares, false)
      .columns.map(({ id }) => id)
      .join(' '),
  ).toBe(columns);
});

test('columns of measured compressed streams have room too', () => {
  const ids = chooseColumns(1280, false, true).columns.map(({ id }) => id);
  expect(ids).toEqual(['field', 'occurrences', 'presence', 'overhead', 'self', 'protobuf', 'share', 'paid', 'rank']);
});

test('beside compressed bytes, a comparison keeps both totals where there is no room for ranks', () => {
  const ids = chooseColumns(768, true, true).columns.map(({ id }) => id);
  expect(ids).toEqual(['field', 'overhead', 'protobuf', 'native', 'delta', 'paid']);
});

test('beside compressed bytes, names have more room than the bars', () => {
  const { columns, template, barWidth } = chooseColumns(736, false, true);
  const fixed = template.match(/[\d.]+(?=rem)/g)!.map((width) => 16 * Number(width));
  expect(fixed).toHaveLength(columns.length - 1);
  expect(736 - fixed.reduce((sum, width) => sum + width, 0)).toBeGreaterThan(2 * barWidth);
});

test('the bits that fields pay after compression add up along the tree', () => {
  const [a] = buildFieldTree(fieldsOf('a 1 0 0\na.b 1 0 0'), undefined, (path) => (path === 'a.b' ? 30 : 5));
  expect([a?.own.paid, a?.total.paid]).toEqual([5, 35]);
});
