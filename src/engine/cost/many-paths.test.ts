/** A message of more field paths than a profile has rows: the others share rows, and everything sums. */
import { expect, test } from 'vitest';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import { bytesIn, PROTOBUF } from './profile.ts';
import { Ledgers } from './type-profiler.ts';

/** Rows of a profile, and those of absent fields. */
const MOST = 16_384 + 1024;

const { registry } = compileSchema([
  { path: 'a.proto', content: 'syntax = "proto3"; message M { int32 a = 1; M m = 2; repeated int32 list = 3; }' },
]);

function tagOf(number: number): number[] {
  const tag: number[] = [];
  let rest = number * 8;
  for (; rest > 127; rest = Math.floor(rest / 128)) tag.push((rest % 128) + 128);
  return [...tag, rest];
}

/** Each number once, with tags of two to five bytes; then a field that is declared. */
const NUMBERS = Uint8Array.from(
  Array.from({ length: 60_000 }, (_, at) => [...tagOf(100 + at * (at > 50_000 ? 4000 : at > 40_000 ? 10 : 1)), 1])
    .flat()
    .concat(8, 5),
);

test.each([
  ['by number', undefined],
  ['with a type', registry.messages.get('M')!],
])('60,000 unknown numbers, %s', (_, type) => {
  const ledgers = new Ledgers(type, NATIVE_PROFILES[0]!);
  ledgers.add(NUMBERS);
  const { fields, unattributed } = ledgers.profile();
  expect(fields.length).toBeLessThan(MOST);
  expect(fields.reduce((sum, field) => sum + bytesIn(field, PROTOBUF), unattributed)).toBe(NUMBERS.length);
  expect(fields.reduce((sum, field) => sum + field.occurrences, 0)).toBe(60_001);
  expect(new Set(fields.map(({ path }) => path)).size).toBe(fields.length);
  const shared = fields.filter(({ number }) => number === 0).map(({ path }) => path);
  expect(shared).toEqual(['?0-5', '?0-4', '?0-3', '?0']);
});
