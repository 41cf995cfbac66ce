import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveLayouts } from '../native/derive.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import { compileSchema } from '../schema/compile.ts';
import { SCALAR_TYPES } from '../schema/declaration.ts';
import { schemaCost } from './schema-cost.ts';

const usual = deriveLayouts(NATIVE_PROFILES.find(({ id }) => id === 'opensearch')!);
const tuned = deriveLayouts(NATIVE_PROFILES.find(({ id }) => id === 'opensearch-tuned')!);

function costOf(body: string, { syntax = 'proto3', layouts = usual } = {}) {
  const beside = 'message N { N again = 1; int32 a = 2; }';
  const rest =
    syntax === 'proto2'
      ? 'message R { required int32 a = 1; required R2 b = 16; } message R2 { required fixed64 c = 1; }'
      : beside;
  const { registry, diagnostics } = compileSchema([
    {
      path: 'c.proto',
      content: `syntax = "${syntax}"; import "google/protobuf/wrappers.proto"; import "google/protobuf/timestamp.proto";
        ${rest} message M { ${body} }`,
    },
  ]);
  expect(diagnostics).toEqual([]);
  return schemaCost(registry.messages.get('M')!, layouts);
}

const range = ({ absent, least, most }: { absent: number; least: number; most: number | undefined }) =>
  `${absent} ${least} ${most ?? '…'}`;

describe('the cost of a field: absent, minimum, maximum', () => {
  test.each([
    // Declaration, protobuf, native as usually written, native tuned.
    ['int32 a = 1;', '0 2 11', '4 4 4', '1 1 5'],
    ['int64 a = 1;', '0 2 11', '8 8 8', '1 1 10'],
    ['uint32 a = 1;', '0 2 6', '4 4 4', '1 1 5'],
    ['sint64 a = 1;', '0 2 11', '8 8 8', '1 1 10'],
    ['fixed32 a = 1;', '0 5 5', '4 4 4', '4 4 4'],
    ['double a = 1;', '0 9 9', '8 8 8', '8 8 8'],
    ['bool a = 1;', '0 2 2', '1 1 1', '1 1 1'],
    ['optional int32 a = 1;', '0 2 11', '1 5 5', '1 2 6'],
    ['optional bool a = 1;', '0 2 2', '1 1 1', '1 1 1'],
    ['string a = 1;', '0 3 …', '1 2 …', '1 2 …'],
    ['optional string a = 1;', '0 2 …', '1 2 …', '1 2 …'],
    ['bytes a = 16;', '0 4 …', '1 2 …', '1 2 …'],
    ['N a = 1;', '0 2 …', '1 6 …', '1 3 …'],
    ['repeated int32 a = 1;', '0 3 …', '1 5 …', '1 2 …'],
    ['repeated int32 a = 1 [packed = false];', '0 2 …', '1 5 …', '1 2 …'],
    ['map<string, int32> a = 1;', '0 6 …', '1 6 …', '1 3 …'],
    ['int32 a = 16;', '0 3 12', '4 4 4', '1 1 5'],
    ['int32 a = 2048;', '0 4 13', '4 4 4', '1 1 5'],
    ['int32 a = 536870911;', '0 6 15', '4 4 4', '1 1 5'],
  ])('%s', (declaration, protobuf, native, thrifty) => {
    const [field] = costOf(declaration).fields;
    expect(range(field!.protobuf)).toBe(protobuf);
    expect(range(field!.native!)).toBe(native);
    expect(range(costOf(declaration, { layouts: tuned }).fields[0]!.native!)).toBe(thrifty);
  });

  test('a group costs its tag twice, a required message its required fields', () => {
    const { fields, leastProtobuf } = costOf('optional group G = 16 {} required R r = 1; optional R s = 2;', {
      syntax: 'proto2',
    });
    expect(fields.map((field) => field.protobuf.least)).toEqual([4, 16, 16]);
    expect(fields.map(({ width }) => width)).toEqual(['group', 'length-prefixed', 'length-prefixed']);
    // r: tag, length, a: 2, b: 2 + 1, c: 9.
    expect(leastProtobuf).toBe(2 + 2 + 3 + 9);
  });
});

test.each([
  ['itself twice', 'required M a = 1; required M b = 2;'],
  [
    'the first of types that each require the next twice',
    `required T0 a = 1; ${Array.from({ length: 16 }, (_, at) => `message T${at} { required T${at + 1} a = 1; required T${at + 1} b = 2; }`).join('\n')} message T16 {}`,
  ],
])('the smallest message is limited if it requires %s', (_, body) => {
  expect(costOf(body, { syntax: 'proto2' }).leastProtobuf).toBeLessThan(10_000);
});

test('a message costs at least its flags and defaults natively, and nothing in protobuf', () => {
  const cost = costOf('optional int32 a = 1; optional N b = 2; bool c = 16; repeated string d = 2048; int64 e = 4;');
  expect(cost).toMatchObject({ leastProtobuf: 0, leastNative: 1 + 1 + 1 + 1 + 8, nativeFlags: 2 });
  expect(cost.tagWidths).toEqual([3, 1, 1, 0, 0]);
  expect(cost.fields.map(({ native }) => native?.flag)).toEqual([true, true, false, false, false]);
});

describe('declarations that cost more than necessary', () => {
  test.each([
    ['int32 a = 1;', ['negative']],
    ['sint32 a = 1;', []],
    ['uint32 a = 15;', []],
    ['uint32 a = 16;', ['tag']],
    ['uint64 content_hash = 1;', ['large-varint?']],
    ['uint32 contentHash = 1;', ['large-varint?']],
    ['fixed64 hash = 1;', []],
    ['uint64 time_unix_nano = 1;', ['large-varint?']],
    ['int64 delta = 1;', ['negative?']],
    ['repeated int32 a = 1 [packed = false];', ['unpacked', 'negative']],
    ['repeated uint32 a = 1;', []],
    ['map<int32, int32> a = 1;', ['map']],
    ['string trace_id = 1;', ['text-id?']],
    ['string name = 1;', []],
    ['int64 time_ns = 1;', ['negative', 'large-varint?']],
    ['uint32 time_ns = 1;', []],
    ['int64 seed = 1;', ['negative', 'large-varint?']],
    ['uint64 hash_count = 1;', []],
    ['uint32 seed_size = 1;', []],
    ['uint64 user_id = 1;', []],
    ['uint32 user_id = 1;', []],
    ['string content = 1;', []],
    ['repeated string a = 1;', []],
    ['string void = 1;', []],
    ['google.protobuf.StringValue a = 1;', ['wrapper']],
    ['google.protobuf.Timestamp a = 1;', ['timestamp']],
    ['N a = 1;', []],
  ])('%s', (declaration, expected) => {
    const { findings } = costOf(declaration).fields[0]!;
    expect(findings.map(({ code, isGuess }) => `${code}${isGuess ? '?' : ''}`)).toEqual(expected);
    for (const { message } of findings) expect(message).toMatch(/^[A-Z"].*\.$/);
  });

  test.each([
    ['uint32 a = 16;', 'Its tag takes 2 bytes: the number is above 15.'],
    ['uint32 a = 2047;', 'Its tag takes 2 bytes: the number is above 15.'],
    ['uint32 a = 2048;', 'Its tag takes 3 bytes: the number is above 2047.'],
    ['repeated uint32 a = 262143;', 'Its tag takes 3 bytes: the number is above 2047.'],
    ['repeated string a = 262144;', 'The tag of each element takes 4 bytes: the number is above 262143.'],
    ['uint32 a = 536870911;', 'Its tag takes 5 bytes: the number is above 33554431.'],
    ['repeated int32 a = 1 [packed = false];', 'Each element has a tag of its own, a byte.'],
    ['repeated int32 a = 16 [packed = false];', 'Each element has a tag of its own, 2 bytes.'],
    ['uint64 hash = 1;', 'Half of all random 64-bit numbers take 10 bytes as a varint, the others 9; fixed64 takes 8.'],
    ['uint32 hash = 1;', 'Random 32-bit numbers take 5 bytes as a varint, few of them 4; fixed32 takes 4.'],
    ['google.protobuf.Timestamp a = 1;', 'take up to 14 bytes with their tags; a fixed64 of nanoseconds takes 9.'],
    ['google.protobuf.Timestamp a = 16;', 'take up to 15 bytes with their tags; a fixed64 of nanoseconds takes 10.'],
  ])('their figures: %s', (declaration, words) => {
    expect(
      costOf(declaration)
        .fields[0]!.findings.map(({ message }) => message)
        .join(' '),
    ).toContain(words);
  });

  test('an enum with negative values, a group', () => {
    const { fields } = costOf('enum E { A = 0; B = -1; } optional E e = 1; optional group G = 2 {}', {
      syntax: 'proto2',
    });
    expect(fields.map(({ findings }) => findings.map(({ code }) => code))).toEqual([['negative'], ['group']]);
    expect(fields[0]!.findings[0]!.message).toMatch(/^"B" = -1 takes 10 bytes/);
    expect(fields[1]!.findings[0]!.message).toMatch(/^A group has its tag twice, 2 bytes,/);
    const positive = costOf('enum E { A = 0; B = 1; } optional E e = 1;', { syntax: 'proto2' });
    expect(positive.fields[0]!.findings).toEqual([]);
    expect(fields[0]?.protobuf).toEqual({ absent: 0, least: 2, most: 11 });
  });
});

test('members of a oneof are measured one by one', () => {
  const { fields } = costOf('oneof o { int32 a = 1; int64 b = 2; N c = 3; }');
  expect(fields.map(({ native }) => range(native!))).toEqual(['1 5 5', '1 9 9', '1 6 …']);
});

test('ten thousand fields are measured at once', () => {
  const body = Array.from({ length: 10_000 }, (_, at) => `optional int32 f${at} = ${at + 20_000};`).join(' ');
  const cost = costOf(body);
  expect(cost.leastNative).toBe(10_000);
  expect(new Set(cost.fields.map(({ native }) => range(native!)))).toEqual(new Set(['1 5 5']));
});

test('minimum and maximum sizes are consistent for any message', () => {
  const field = fc.record({
    type: fc.constantFrom(...SCALAR_TYPES, 'N'),
    label: fc.constantFrom('', 'optional ', 'repeated '),
    number: fc.constantFrom(1, 15, 16, 2047, 2048, 262_143, 262_144, 536_870_911),
  });
  const fields = fc.uniqueArray(field, { selector: ({ number }) => number, maxLength: 8 });
  fc.assert(
    fc.property(fields, fc.constantFrom(...NATIVE_PROFILES), (chosen, profile) => {
      const body = chosen.map(({ type, label, number }) => `${label}${type} f${number} = ${number};`).join(' ');
      const cost = costOf(body, { layouts: deriveLayouts(profile) });
      const absent = cost.fields.reduce((sum, { native }) => sum + (native?.absent ?? 0), 0);
      expect(cost.leastNative).toBe(absent);
      expect(cost.tagWidths.reduce((sum, count) => sum + count, 0)).toBe(chosen.length);
      for (const { protobuf, native, tagBytes } of cost.fields) {
        expect(protobuf.least).toBeGreaterThan(tagBytes);
        for (const { least, most } of [protobuf, native!]) expect(most ?? least).toBeGreaterThanOrEqual(least);
      }
    }),
    { numRuns: 1000, endOnFailure: true },
  );
}, 60_000);
