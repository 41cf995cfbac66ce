import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compareProfile, type ProfileCause } from '#engine/cost/compare.ts';
import type { FieldProfile, Profile } from '#engine/cost/profile.ts';
import { ledgersOf } from '#testing/ledgers-of.ts';
import { fieldsBehind, otherTypes } from './cause-words.ts';

const FIXTURE = new URL('../../fixtures/charts/opensearch-hits.profile.json', import.meta.url);
const hits: Profile = JSON.parse(readFileSync(FIXTURE, 'utf8'));
const plain = (text: string | null) => text?.replaceAll('\u00a0', ' ') ?? null;

test('ten thousand hits: each cause with its fields', () => {
  expect(compareProfile(hits).map((caused) => `${caused.cause}: ${fieldsBehind(caused)}`)).toEqual([
    'tags: 10 fields',
    'lengths: 4 fields',
    'flags: 5 fields',
    'counts: 10 fields',
    'absent: primary_term −10,000, relation −1',
    'widths: version',
    'negatives: version +90,000, seq_no +90,000',
  ]);
});

const part = (path: string, bytes: number) => ({
  field: { path, name: path.slice(path.lastIndexOf('.') + 1) } as FieldProfile,
  bytes,
});

test.each<[string, readonly [string, number][], string]>([
  ['one field', [['a.b', 7]], 'b'],
  [
    'two of the same name',
    [
      ['a.id', 7],
      ['b.id', 2],
    ],
    'a.id +7, b.id +2',
  ],
  [
    'three and a little',
    [
      ['a', 70],
      ['b', 20],
      ['c', 5],
      ['d', 5],
    ],
    'a +70, b +20, …',
  ],
  [
    'many alike',
    [
      ['a', 5],
      ['b', 5],
      ['c', 5],
      ['d', 5],
      ['e', 5],
    ],
    '5 fields',
  ],
  [
    'parts that cancel out',
    [
      ['a', 70],
      ['b', -69],
    ],
    '2 fields',
  ],
  ['none', [], ''],
])('the fields behind a cause: %s', (_, parts, words) => {
  const fields = parts.map(([path, bytes]) => part(path, bytes));
  const bytes = fields.reduce((sum, { bytes: more }) => sum + more, 0);
  expect(fieldsBehind({ cause: 'tags', bytes, fields } satisfies ProfileCause)).toBe(words);
});

const typed = (
  changes: Readonly<Record<string, FieldProfile['types']>>,
  bytes?: { readonly protobuf: number; readonly native: number },
): Profile => ({
  ...hits,
  ledgers: bytes === undefined ? hits.ledgers : ledgersOf({ protobuf: bytes.protobuf, 'laid-out': bytes.native }),
  fields: hits.fields.map((field) => ({ ...field, types: changes[field.path] ?? [] })),
});
const int64 = (declared: number, sint64: number): FieldProfile['types'] => [
  { type: 'int64', bytes: declared },
  { type: 'sint64', bytes: sint64 },
  { type: 'sfixed64', bytes: 90_000 },
];

test.each<[string, Profile, string | null]>([
  [
    'two fields, and native is the larger one',
    typed({ 'hits.version': int64(110_000, 20_000), 'hits.seq_no': int64(110_000, 20_000) }),
    'With sint64 for hits.version and hits.seq_no protobuf would take 180,000 bytes less: 1.20 % less than native.',
  ],
  [
    'not enough',
    typed({ 'hits.version': int64(110_000, 90_000) }),
    'With sint64 for hits.version protobuf would take 20,000 bytes less: +0.55 % against native.',
  ],
  ['too little to say', typed({ 'hits.version': int64(50_000, 49_999) }), null],
  ['nothing better', typed({ 'hits.version': int64(20_000, 30_000) }), null],
])('other types: %s', (_, profile, words) => {
  expect(plain(otherTypes(profile))).toBe(words);
});
