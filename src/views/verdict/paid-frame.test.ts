import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Profile } from '#engine/cost/profile.ts';
import type { BitsFacts } from '#wording/bits-words.ts';
import { paidFrame } from './paid-frame.ts';

const FIXTURE = new URL('../../../fixtures/charts/opensearch-hits.profile.json', import.meta.url);
const hits: Profile = JSON.parse(readFileSync(FIXTURE, 'utf8'));

/** One stream of 30 bytes that takes 20. */
const bitsOf = (fields: BitsFacts['fields'], container: BitsFacts['container'] = {}): BitsFacts => ({
  ...{ by: { kind: 'captured' }, formats: ['zstd'], streams: 1, messages: 1, outOf: 1 },
  ...{ plainBytes: 30, compressedBytes: 20, container, fields },
});

/** Ranks of `hits.id`, `hits.version` and `hits.seq_no`, which pay these bits. */
function ranks(...paid: readonly [number, number, number]): unknown {
  const bits = bitsOf(
    ['hits.id', 'hits.version', 'hits.seq_no'].map((path, at) => ({
      path,
      bytes: { value: 10 },
      paid: { value: paid[at]! },
    })),
  );
  return [...paidFrame(bits, hits, 'plain').ranks.values()].map(({ plain, paid: after }) => [plain, after]);
}

test('the messages themselves have their own bits, and copies share them if this is drawn', () => {
  const bits = bitsOf(
    [
      { path: '(message)', bytes: { punctuation: 10 }, paid: { punctuation: 40 }, shared: { punctuation: 30 } },
      { path: 'hits.id', bytes: { value: 20 }, paid: { value: 60 }, shared: { value: 70 } },
    ],
    { header: 60 },
  );
  const root = { ...hits.fields[0]!, path: '(root)', parent: '', name: '(root)' };
  const profile = { ...hits, fields: [root, ...hits.fields] };
  const shown = (drawn: 'plain' | 'paid' | 'shared') => {
    const { of, bars } = paidFrame(bits, profile, drawn);
    const drawnBytes = (path: string) => bars?.get(path)?.reduce((sum, { bytes }) => sum + bytes, 0);
    return [of('(root)'), of('hits.id'), drawnBytes('(root)'), drawnBytes('hits.id'), drawnBytes('')];
  };
  expect(shown('plain')).toEqual([40, 60, undefined, undefined, undefined]);
  expect(shown('paid')).toEqual([40, 60, 5, 7.5, 20]);
  expect(shown('shared')).toEqual([30, 70, 3.75, 8.75, 20]);
});

test('fields of equal size share a rank, also where a link rounds their bits', () => {
  const shared = [
    [1, 1],
    [1, 2],
    [1, 2],
  ];
  expect(ranks(40, 36.001, 36.004)).toEqual(shared);
  expect(ranks(40, 36, 36)).toEqual(shared);
  expect(ranks(40, 30, 36)).toEqual([
    [1, 1],
    [1, 3],
    [1, 2],
  ]);
});
