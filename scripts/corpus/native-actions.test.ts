/**
 * The actions that a node of OpenSearch and the kNN plugin register (fixtures/native/actions.tsv, written by
 * scripts/opensearch-truth): each has a layout for its request and its response.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { actionTypes } from '#engine/native/actions.ts';
import { PROJECT } from './check.ts';
import { bundledRegistry } from './native-truth.ts';

/** Actions without a layout, and the reason. */
const WITHOUT: Readonly<Record<string, string>> = {
  'cluster:admin/snapshot/status[nodes]':
    'its request refuses to be written: the node asks itself, and sends [nodes][n] to others',
};

const lines = readFileSync(join(PROJECT, 'fixtures/native/actions.tsv'), 'utf8').trim().split('\n');
const typesOf = actionTypes(await bundledRegistry());
const hasLayout = (action: string): boolean =>
  (['request', 'response'] as const).every((direction) => typesOf(action, direction).length > 0);

test.each([
  { registers: '2.19.2', count: 285 },
  { registers: '3.9.0', count: 316 },
  { registers: 'kNN 2.19.1', count: 12 },
  { registers: 'kNN 3.3.0', count: 12 },
  { registers: 'kNN 3.5.0', count: 12 },
])('every action that $registers registers', ({ registers, count }) => {
  const actions = lines.flatMap((line) => (line.startsWith(`${registers}\t`) ? [line.split('\t')[1]!] : []));
  expect(actions.length).toBe(count);
  expect(actions.filter((action) => !hasLayout(action) && !(action in WITHOUT))).toEqual([]);
});

test('no action that has a layout is listed as one without', () => {
  const actions = new Set(lines.map((line) => line.split('\t')[1]!));
  expect(Object.keys(WITHOUT).filter((action) => hasLayout(action) || !actions.has(action))).toEqual([]);
});
