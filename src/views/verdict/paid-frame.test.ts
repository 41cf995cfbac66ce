import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Profile } from '#engine/cost/profile.ts';
import type { BitsFacts } from '#wording/bits-words.ts';
import { paidFrame } from './paid-frame.ts';

const FIXTURE = new URL('../../../fixtures/charts/opensearch-hits.profile.json', import.meta.url);
const hits: Profile = JSON.parse(readFileSync(FIXTURE, 'utf8'));

/** Ranks of `hits.id`, `hits.version` and `hits.seq_no`, which pay these bits. */
function ranks(...paid: readonly [number, number, number]): unknown {
  const bits: BitsFacts = {
    by: { kind: 'captured' },
    formats: ['zstd'],
    streams: 1,
    messages: 1,
    outOf: 1,
    plainBytes: 30,
    compressedBytes: 20,
    container: {},
    fields: ['hits.id', 'hits.version', 'hits.seq_no'].map((path, at) => ({
      path,
      bytes: { value: 10 },
      paid: { value: paid[at]! },
    })),
  };
  return [...paidFrame(bits, hits, 'plain').ranks.values()].map(({ plain, paid: after }) => [plain, after]);
}

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
