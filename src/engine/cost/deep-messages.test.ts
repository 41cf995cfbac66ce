/** A small message that is nested deep, of a type with many fields, is added up in little time and without recursion. */
import { expect, test } from 'vitest';
import { printPartial, readPartial } from '#permalink/partial-profile.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import * as ScanFlag from '../wire/scan-flags.ts';
import { bytesIn, PROTOBUF } from './profile.ts';
import { profileJson } from './profile-json.ts';
import { Ledgers } from './type-profiler.ts';

const numbers = Array.from({ length: 149 }, (_, at) => `int32 field_${at} = ${at + 2};`);
const content = `syntax = "proto3"; message M { M m = 1; ${numbers.join(' ')} }`;
const M = compileSchema([{ path: 'a.proto', content }]).registry.messages.get('M')!;

/** Field 1 nested in itself to a depth. */
function nested(depth: number): Uint8Array {
  const heads: number[][] = [];
  let size = 0;
  for (let level = 0; level < depth; level++) {
    const head = [10];
    let rest = size;
    for (; rest > 127; rest >>>= 7) head.push((rest & 127) | 128);
    head.push(rest);
    heads.push(head);
    size += head.length;
  }
  return Uint8Array.from(heads.reverse().flat());
}

test.each([500, 20_000])('field 1 nested %d deep, with 149 absent fields at each level', (depth) => {
  const bytes = nested(depth);
  const ledgers = new Ledgers(M, NATIVE_PROFILES[0]!);
  expect(ledgers.add(bytes) & ScanFlag.FAULT).toBe(0);
  expect(ledgers.unattributed).toBe(0);
  const profile = ledgers.profile();
  const { fields } = profile;
  expect(fields.reduce((sum, field) => sum + bytesIn(field, PROTOBUF), 0)).toBe(bytes.length);
  expect(new Set(fields.map(({ path }) => path)).size).toBe(fields.length);
  // Absent fields are listed level by level up to 1,024 of them. Deeper levels have one row for them each.
  const absent = (parent: string) => fields.filter((field) => field.parent === parent && field.occurrences === 0);
  expect(absent('').length).toBe(149);
  const seventh = 'm.m.m.m.m.m.m';
  expect(absent(seventh).map(({ name }) => name)).toEqual(['… 149 absent']);
  expect(fields.length).toBeLessThan(128 + 1024 + 128);
  expect(JSON.stringify(profileJson(profile)).length).toBeLessThan(2 ** 21);
});

test('a path is cut off before it is too long for a link', () => {
  const name = `a_${'long'.repeat(20)}_name`;
  const { registry } = compileSchema([
    { path: 'a.proto', content: `syntax = "proto3"; message M { M ${name} = 1; int32 n = 2; }` },
  ]);
  const bytes = nested(100);
  const ledgers = new Ledgers(registry.messages.get('M')!, NATIVE_PROFILES[0]!);
  ledgers.add(bytes);
  const profile = ledgers.profile();
  expect(profile.fields.reduce((sum, field) => sum + bytesIn(field, PROTOBUF), 0)).toBe(bytes.length);
  expect(readPartial(printPartial({ key: '', profile }))).toEqual({ key: '', profile });
});
