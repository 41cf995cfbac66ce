/** Profiles sum to their input, merge to the whole, and their causes sum to the difference. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryMessages, compileProto } from '#testing/arbitrary-message.ts';
import { NATIVE_PROFILES, SCHEMA_LAYOUT_PROFILE } from '../native/profiles.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { inferDescriptor } from '../wire/infer-descriptor.ts';
import { compareFieldCost, compareProfile } from './compare.ts';
import { withLedgers } from './encoding-ledger.ts';
import { mergeProfiles } from './merge-profiles.ts';
import { bytesIn, PROTOBUF, type Profile, totalIn } from './profile.ts';
import { profileJson } from './profile-json.ts';
import { Ledgers } from './type-profiler.ts';

const RUNS = { numRuns: 1000, endOnFailure: true };

function profileOf(
  type: MessageDescriptor,
  messages: readonly Uint8Array[],
  nativeProfile = NATIVE_PROFILES[0]!,
): Profile {
  const ledgers = new Ledgers(type, nativeProfile);
  for (const message of messages) ledgers.add(message);
  return ledgers.profile();
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

test('the profile of all messages is the merge of the profiles of two parts', () => {
  fc.assert(
    fc.property(arbitraryMessages({ maxMessages: 5, any: true }), fc.nat({ max: 5 }), ({ type, messages }, cut) => {
      const at = Math.min(cut, messages.length);
      const merged = mergeProfiles(profileOf(type, messages.slice(0, at)), profileOf(type, messages.slice(at)));
      expect(merged).toEqual(profileOf(type, messages));
    }),
    RUNS,
  );
});

const WASTEFUL = compileProto(`syntax = "proto3"; package random;
  message A { int32 a = 1; int64 b = 16; fixed32 c = 3; double d = 4; string e = 5; uint64 f = 6; sint32 g = 7;
    optional int32 h = 8; repeated int32 i = 9; E j = 10; fixed64 k = 2048; bool l = 11; }
  enum E { NONE = 0; LESS = -1; }`);
test.each([
  ['a zero', '0800', 'a', { defaults: 2 }],
  ['a zero with a tag of two bytes', '800100', 'b', { defaults: 3 }],
  ['a zero of fixed width', '1d00000000', 'c', { defaults: 5 }],
  ['a zero double', '210000000000000000', 'd', { defaults: 9 }],
  ['a zero of fixed width with a tag of three bytes', '8180010000000000000000', 'k', { defaults: 11 }],
  ['two empty texts', '2a00 2a00', 'e', { defaults: 4 }],
  ['a zero with presence', '4000', 'h', {}],
  ['zeros in a list', '4a020000', 'i', {}],
  ['a number in three bytes instead of one', '30818000', 'f', { overlong: 2 }],
  ['the shortest form', '308101', 'f', {}],
  ['-1, which sint writes in one byte', '08ffffffffffffffffff01', 'a', { negative: 9 }],
  ['-65, which sint writes in two', '8001bfffffffffffffffff01', 'b', { negative: 8 }],
  ['the least int64', '800180808080808080808001', 'b', {}],
  ['-1 as sint', '3801', 'g', {}],
  ['-1 of an enum', '50ffffffffffffffffff01', 'j', { negative: 9 }],
  ['two negative elements of a list', '4a14ffffffffffffffffff01feffffffffffffffff01', 'i', { negative: 18 }],
])('bytes that the same values do not need: %s', (_, hex, path, expected) => {
  const { fields } = profileOf(WASTEFUL, [new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'))]);
  const { waste } = fields.find((field) => field.path === path)!;
  expect(waste).toEqual({ overlong: 0, negative: 0, defaults: 0, ...expected });
});

test('losses add up, also beyond a thousand', () => {
  const type = compileProto('syntax = "proto3"; package random; message A { string a = 1; }');
  const text = Uint8Array.of(10, 1, 255);
  const parts = [1500, 1500, 3000].map((count) => profileOf(type, new Array<Uint8Array>(count).fill(text)));
  expect(mergeProfiles(parts[0]!, parts[1]!)).toEqual(parts[2]);
  expect(parts[2]!.ledgers['opensearch']!.losses).toEqual(['text that is not UTF-8 is replaced by U+FFFD: 3,000']);
});

test('a ledger that refuses the messages has no cells for a field called `constructor`', () => {
  const type = compileProto('syntax = "proto3"; package random; message A { string constructor = 1; }');
  const refusing = { label: 'JSON', bytes: null, refused: 'not UTF-8', losses: [], fields: {} };
  const profile = withLedgers(profileOf(type, [Uint8Array.of(10, 1, 255)]), { json: refusing });
  expect(profile.fields.map(({ path, ledgers }) => [path, ledgers['json']])).toEqual([['constructor', {}]]);
});

test('bytes beside the fields are merged by any name', () => {
  const own = Object.fromEntries([['__proto__', { value: 3 }]]);
  const json = { label: 'JSON', bytes: 3, refused: null, losses: [], fields: own };
  const part = withLedgers(profileOf(compileProto('syntax = "proto3"; package random; message A {}'), []), { json });
  const merged = mergeProfiles(part, part).ledgers['json']!;
  expect(Object.entries(merged.own)).toEqual([['__proto__', { value: 6 }]]);
});

test('a guessed field and records of its number with another wire type stay separate', () => {
  // Field 1 as a number, and as three bytes.
  const [number, bytes] = [Uint8Array.of(8, 5), Uint8Array.of(10, 1, 200)];
  const type = inferDescriptor([number]);
  const merged = mergeProfiles(profileOf(type, [number, bytes]), profileOf(type, [bytes, number, number]));
  expect(merged).toEqual(profileOf(type, [number, bytes, bytes, number, number]));
  expect(merged.fields.map(({ path, number: of }) => [path, of])).toEqual([
    ['?1', 1],
    ['?1-other', 1],
  ]);
});

test('ledgers sum to the bytes and causes to the difference, for valid messages and any bytes', () => {
  const any = fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 3 });
  fc.assert(
    fc.property(
      arbitraryMessages({ any: true }),
      any,
      fc.constantFrom(...NATIVE_PROFILES),
      ({ type, messages }, others, native) => {
        const profile = profileOf(type, [...messages, ...others], native);
        const { fields, unattributed } = profile;
        const { bytes } = profileJson(profile);
        expect(sum(fields.map((field) => bytesIn(field, PROTOBUF))) + unattributed).toBe(bytes.protobuf);
        expect(sum(fields.map((field) => bytesIn(field, native.id)))).toBe(bytes.native);
        expect(bytes.protobuf).toBe(sum([...messages, ...others].map((message) => message.length)));
        expect(sum(compareProfile(profile).map((caused) => caused.bytes))).toBe(bytes.protobuf - bytes.native);
        for (const { bytes: caused, fields: parts, cause } of compareProfile(profile)) {
          if (cause !== 'unattributed') expect(sum(parts.map((part) => part.bytes)), cause).toBe(caused);
        }
        for (const field of fields) {
          const difference = bytesIn(field, PROTOBUF) - bytesIn(field, native.id);
          expect(sum(compareFieldCost(field, profile.pair).map((caused) => caused.bytes)), field.path).toBe(difference);
          expect(field.presence, field.path).toBeLessThanOrEqual(field.parents);
        }
      },
    ),
    RUNS,
  );
});

const HIT = compileProto(`syntax = "proto3"; package random; message A {
  int64 version = 1; optional string id = 2; repeated int32 sort = 3; string index = 4; bool exact = 5; A nested = 6;
}`);

test.each([
  {
    name: 'a negative int64 in ten bytes against a Long',
    hex: '08ffffffffffffffffff01',
    causes: { tags: 1, negatives: 9, widths: -7 },
  },
  { name: 'a small int64 against a Long', hex: '0801', causes: { tags: 1, widths: -7 } },
  { name: 'a text beyond the first plane: 4 bytes against 6', hex: '1204f09f9880', causes: { tags: 1, text: -2 } },
  {
    name: 'a hundred characters of two bytes: a length of two bytes against one',
    hex: `12c801${'c3a4'.repeat(100)}`,
    causes: { tags: 1, text: 1 },
  },
  { name: 'nothing at all', hex: '', causes: {} },
])('$name', ({ hex, causes }) => {
  const profile = profileOf(HIT, [Buffer.from(hex, 'hex')]);
  const empty = profileOf(HIT, [new Uint8Array()]);
  const without = new Map(compareProfile(empty).map(({ cause, bytes }) => [cause, bytes]));
  // Absent fields cost natively what they did, except for the field that is present now.
  const present = profile.fields.filter((field) => field.occurrences > 0);
  const own = present
    .flatMap((field) => compareFieldCost(field, profile.pair))
    .filter(({ cause }) => cause !== 'flags');
  expect(
    Object.fromEntries(
      own
        .map(({ cause, bytes }) => [cause, bytes])
        .filter(([cause]) => cause !== 'lengths' || present[0]!.ledgers[PROTOBUF]!.length === 0),
    ),
  ).toEqual(causes);
  // id: a flag; sort: a count; nested: a flag; version 8, index 1 and exact 1 stand for what protobuf leaves out.
  expect(Object.fromEntries(without)).toEqual({ flags: -2, counts: -1, absent: -10 });
});

const NAMED = compileProto(`syntax = "proto3"; package random; import "native/options.proto";
message A {
  oneof of {
    option (wirecost.native.chosen_by) = BY_NAME;
    int32 average = 1 [(wirecost.native.name) = "avg", (wirecost.native.write) = VINT];
  }
  map<string, B> fragments = 2 [(wirecost.native.key) = "name"];
}
message B {
  string name = 1 [(wirecost.native.write) = STRING];
}`);

test('names that one side writes: a member natively, a map’s key in protobuf', () => {
  // average 5; two fragments, "title" and "body", whose names are their keys as well.
  const message = Buffer.from(
    '0805 12 10 0a057469746c65 12070a057469746c65 12 0e 0a04626f6479 12060a04626f6479'.replaceAll(' ', ''),
    'hex',
  );
  const profile = profileOf(NAMED, [message], SCHEMA_LAYOUT_PROFILE);
  const names = compareProfile(profile).find(({ cause }) => cause === 'names')!;
  // 03 61 76 67 natively; 0a 05 title and 0a 04 body in protobuf.
  expect(names.fields.map(({ field, bytes }) => [field.path, bytes])).toEqual([
    ['fragments.key', 13],
    ['average', -4],
  ]);
  expect(names.bytes).toBe(9);
  const causes = compareProfile(profile);
  expect(causes.map(({ cause }) => cause)).not.toContain('types');
  expect(causes.map(({ cause }) => cause)).not.toContain('outside');
  expect(sum(causes.map(({ bytes }) => bytes))).toBe(
    totalIn(profile, PROTOBUF) - totalIn(profile, SCHEMA_LAYOUT_PROFILE.id),
  );
});
