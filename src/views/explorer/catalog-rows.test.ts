import { expect, test } from 'vitest';
import type { CatalogNode } from '#state/explore.ts';
import { catalogRows, type KnownNodes } from './catalog-rows.ts';

const node = (id: string, hasChildren: boolean): CatalogNode => ({
  id,
  kind: 'package',
  name: id,
  label: id,
  count: 0,
  hasChildren,
});
const KNOWN: KnownNodes = new Map([
  ['', [node('a', true), node('b', true), node('c', false)]],
  ['a', [node('a.x', true), node('a.y', false)]],
  ['a.x', [node('a.x.z', false)]],
]);

test.each<[string, readonly string[], readonly string[]]>([
  ['folded', [], ['0 folded a 1/3', '0 folded b 2/3', '0 leaf c 3/3']],
  ['one open', ['a'], ['0 open a 1/3', '1 folded a.x 1/2', '1 leaf a.y 2/2', '0 folded b 2/3', '0 leaf c 3/3']],
  ['open within what is folded is not seen', ['a.x'], ['0 folded a 1/3', '0 folded b 2/3', '0 leaf c 3/3']],
  ['not yet fetched is not yet open', ['b'], ['0 folded a 1/3', '0 folded b 2/3', '0 leaf c 3/3']],
])('%s', (_, open, expected) => {
  const rows = catalogRows(KNOWN, new Set(open));
  expect(
    rows.map(({ depth, state, node: { id }, position, siblings }) => `${depth} ${state} ${id} ${position}/${siblings}`),
  ).toEqual(expected);
});
