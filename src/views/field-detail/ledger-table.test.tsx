import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { FieldProfile, LedgerPair, Profile } from '#engine/cost/profile.ts';
import { LedgerTable } from './ledger-table.tsx';

const FIXTURE = new URL('../../../fixtures/charts/opensearch-hits.profile.json', import.meta.url);
const hits: Profile = JSON.parse(readFileSync(FIXTURE, 'utf8'));
const version = hits.fields.find(({ path }) => path === 'hits.version')!;
const TEXT: Partial<FieldProfile> = { declared: null, occurrences: 0, parents: 0 };
const alone: LedgerPair = [hits.pair[0], null];

test.each<readonly [string, Partial<FieldProfile>, LedgerPair, readonly string[]]>([
  ['alone', {}, alone, ['Category', 'protobuf', 'a record']],
  ['of a name in a text, which has no records', TEXT, alone, ['Category', 'protobuf']],
  ['compared', {}, hits.pair, ['Category', 'protobuf', 'a record', 'native', 'a parent']],
  ['compared, without records', { occurrences: 0 }, hits.pair, ['Category', 'protobuf', 'native', 'a parent']],
])('the columns of a field %s', (_, change, pair, heads) => {
  const html = renderToStaticMarkup(
    <LedgerTable field={{ ...version, ...change }} pair={pair} below={null} first="protobuf" side="native" />,
  );
  const cells = (row: string): readonly string[] =>
    (row.match(/<t[hd].*?<\/t[hd]>/g) ?? []).map((cell) => cell.replace(/<[^>]*>/g, ''));
  const rows = html.match(/<tr.*?<\/tr>/g)!.map(cells);
  expect(rows[0]).toEqual(heads);
  const isPlain = ([name]: readonly string[]) => name !== 'difference';
  expect(rows.filter(isPlain).map(({ length }) => length)).toEqual(rows.filter(isPlain).map(() => heads.length));
});
