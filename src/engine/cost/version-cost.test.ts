import { expect, test } from 'vitest';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compareSchemas } from '../schema/compare/compare-schemas.ts';
import { compileSchema } from '../schema/compile.ts';
import { Ledgers } from './type-profiler.ts';
import { versionCost } from './version-cost.ts';

const registryOf = (text: string) =>
  compileSchema([{ path: 't.proto', content: `syntax = "proto3"; package t; ${text}` }]).registry;

const A = registryOf(`message Hit {
  int64 version = 1; string id = 2; Inner inner = 3; string kept = 4; uint32 count = 5;
} message Inner { string text = 1; }`);

/** version −1 in eleven bytes, id "ab" in four, inner { text "c" } in five, kept "d" in three, count 1 in two. */
const HIT = Uint8Array.from([
  ...[0x08, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1],
  ...[0x12, 2, 0x61, 0x62],
  ...[0x1a, 3, 0x0a, 1, 0x63],
  ...[0x22, 1, 0x64],
  ...[0x28, 1],
]);

const ledgers = new Ledgers(A.messages.get('t.Hit')!, NATIVE_PROFILES[0]!);
ledgers.add(HIT);
ledgers.add(HIT);
const profile = ledgers.profile();

test.each<[string, string, readonly (readonly [string, number, number | undefined])[]]>([
  ['nothing changed', 'int64 version = 1; string id = 2; Inner inner = 3; string kept = 4; uint32 count = 5;', []],
  [
    'another integer type: exactly as wide as the values need',
    'sint64 version = 1; string id = 2; Inner inner = 3; string kept = 4; uint32 count = 5;',
    [['version', 22, 4]],
  ],
  [
    'a number above 15: another byte in each tag',
    'int64 version = 1; string id = 20; Inner inner = 3; string kept = 4; uint32 count = 5;',
    [['id', 8, 10]],
  ],
  [
    'a message that is gone, with what is in it',
    'int64 version = 1; string id = 2; string kept = 4; uint32 count = 5;',
    [['inner', 10, 0]],
  ],
  [
    'only presence changed: the same bytes',
    'int64 version = 1; optional string id = 2; Inner inner = 3; string kept = 4; uint32 count = 5;',
    [['id', 8, 8]],
  ],
  [
    'a type that the counts say nothing of',
    'int64 version = 1; string id = 2; Inner inner = 3; string kept = 4; string count = 5;',
    [['count', 4, undefined]],
  ],
])('%s', (_, fields, expected) => {
  const B = registryOf(`message Hit { ${fields} } message Inner { string text = 1; }`);
  const { changes, difference, unknown, bytes } = versionCost(profile, compareSchemas(A, B).types);
  expect(changes.map(({ path, before, after }) => [path, before, after])).toEqual(expected);
  expect(bytes).toBe(2 * HIT.length);
  expect(difference).toBe(
    expected.reduce((sum, [, before, after]) => sum + (after === undefined ? 0 : after - before), 0),
  );
  expect(unknown).toBe(expected.filter(([, , after]) => after === undefined).length);
});
