/**
 * The actions that a node of OpenSearch registers (fixtures/native/actions.tsv, written by scripts/opensearch-truth):
 * each has a layout for its request and its response.
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

test.each([...new Set(lines.map((line) => line.split('\t')[0]!))])('every action of OpenSearch %s', (version) => {
  const actions = lines.flatMap((line) => (line.startsWith(`${version}\t`) ? [line.split('\t')[1]!] : []));
  expect(actions.length).toBeGreaterThan(250);
  expect(actions.filter((action) => !hasLayout(action) && !(action in WITHOUT))).toEqual([]);
});

test('no action that has a layout is listed as one without', () => {
  const actions = new Set(lines.map((line) => line.split('\t')[1]!));
  expect(Object.keys(WITHOUT).filter((action) => hasLayout(action) || !actions.has(action))).toEqual([]);
});
