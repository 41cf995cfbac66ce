/** A singular field that occurs several times: the replaced records do not count as text. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compareFieldCost } from './compare.ts';
import type { FieldProfile, Profile } from './profile.ts';

const url = new URL('../../../fixtures/charts/opensearch-hits.profile.json', import.meta.url);
const hits: Profile = JSON.parse(readFileSync(url, 'utf8'));
const text = hits.fields.find(({ path }) => path === 'hits.id')!;

const twice = (kind: string, value: number, native: number): FieldProfile => ({
  ...text,
  declared: { ...text.declared!, kind, cardinality: 'singular' },
  occurrences: 2,
  elements: 2,
  parents: 1,
  presence: 1,
  ledgers: { protobuf: { tag: 2, length: 2, value }, 'laid-out': { length: 1, value: native } },
  absent: 0,
  names: {},
  utf16: 0,
  waste: { overlong: 0, negative: 0, defaults: 0 },
});

test.each([
  ['bytes', 30, 20, { tags: 2, lengths: 1, superseded: 10 }],
  ['string', 30, 20, { tags: 2, lengths: 1, superseded: 10 }],
  ['string', 20, 26, { tags: 2, lengths: 1, text: -6 }],
] as const)('%s: %i bytes against %i', (kind, value, native, expected) => {
  const causes = compareFieldCost(twice(kind, value, native), hits.pair);
  expect(Object.fromEntries(causes.map(({ cause, bytes }) => [cause, bytes]))).toEqual(expected);
});
