import { create, toJson } from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire';
import {
  DoubleValueSchema,
  FloatValueSchema,
  Int32ValueSchema,
  Int64ValueSchema,
  UInt32ValueSchema,
  UInt64ValueSchema,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import { compileSchema } from '../compile.ts';
import { SCALAR_TYPES } from '../declaration.ts';
import type { ScalarType } from '../descriptor.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { SymbolChange } from './symbol-change.ts';
import { jsonOfTypes } from './type-verdicts.ts';

const compile = (text: string) => {
  const { registry, diagnostics } = compileSchema([{ path: 'v.proto', content: text }]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return registry;
};
const compareTexts = (a: string, b: string) => compareSchemas(compile(a), compile(b));

const PROTO2 = 'syntax = "proto2"';

/** One message with the given body in two versions; what it needs is beside it in both. */
function compareBodies(before: string, after: string, syntax = 'syntax = "proto3"'): SymbolChange | undefined {
  const beside = 'enum E { E0 = 0; E1 = 1; } message N { N n = 1; } message P { int32 key = 1; N value = 2; }';
  const rest = syntax === PROTO2 ? 'message N {} enum E { E0 = 0; E1 = 1; }' : beside;
  const text = (body: string) => `${syntax}; ${rest} message M { ${body} }`;
  const { types } = compareTexts(text(before), text(after));
  expect(types.length).toBeLessThanOrEqual(1);
  return types[0];
}

describe('a field in two versions', () => {
  test.each([
    ['is the same', 'int32 a = 1;', 'int32 a = 1;', undefined, ''],
    ['is new', '', 'int32 a = 1;', 'added', 'conditional'],
    ['takes a reserved number', 'reserved 1;', 'int32 a = 1;', 'added', 'unsafe'],
    ['takes a reserved name', 'reserved "a";', 'int32 a = 1;', 'added', 'conditional'],
    ['is gone, and reserved', 'int32 a = 1;', 'reserved 1; reserved "a";', 'removed', 'conditional'],
    ['is gone, its number free', 'int32 a = 1;', 'reserved "a";', 'removed', 'conditional'],
    ['is gone, its name free', 'int32 a = 1;', 'reserved 1;', 'removed', 'conditional'],
    ['has another number', 'int32 a = 1;', 'int32 a = 2;', 'renumbered', 'unsafe'],
    ['has another name', 'int32 a = 1;', 'int32 b = 1;', 'renamed', 'conditional'],
    ['has another name in JSON', 'int32 a = 1;', 'int32 a = 1 [json_name = "x"];', 'changed', 'conditional'],
    ['is wider', 'int32 a = 1;', 'int64 a = 1;', 'retyped', 'conditional'],
    ['is zigzag now', 'int32 a = 1;', 'sint32 a = 1;', 'retyped', 'unsafe'],
    ['is fixed now', 'int32 a = 1;', 'fixed32 a = 1;', 'retyped', 'unsafe'],
    ['was a float', 'float a = 1;', 'fixed32 a = 1;', 'retyped', 'unsafe'],
    ['is an enum now', 'int32 a = 1;', 'E a = 1;', 'retyped', 'conditional'],
    ['is bytes now', 'string a = 1;', 'bytes a = 1;', 'retyped', 'conditional'],
    ['is opaque now', 'N a = 1;', 'bytes a = 1;', 'retyped', 'conditional'],
    ['was text and is a message', 'string a = 1;', 'N a = 1;', 'retyped', 'unsafe'],
    ['holds another message', 'N a = 1;', 'P a = 1;', 'retyped', 'unsafe'],
    ['is repeated now, as text', 'string a = 1;', 'repeated string a = 1;', 'retyped', 'conditional'],
    ['is repeated now, packed', 'int32 a = 1;', 'repeated int32 a = 1;', 'retyped', 'unsafe'],
    ['is repeated, expanded', 'int32 a = 1;', 'repeated int32 a = 1 [packed = false];', 'retyped', 'conditional'],
    ['is expanded now', 'repeated int32 a = 1;', 'repeated int32 a = 1 [packed = false];', 'changed', 'safe'],
    ['has presence now', 'int32 a = 1;', 'optional int32 a = 1;', 'changed', 'conditional'],
    ['has no presence any more', 'optional int32 a = 1;', 'int32 a = 1;', 'changed', 'conditional'],
    ['is a map now', 'repeated P a = 1;', 'map<int32, N> a = 1;', 'retyped', 'conditional'],
    ['was no message and is a map', 'int32 a = 1;', 'map<int32, N> a = 1;', 'retyped', 'unsafe'],
    ['maps from another key', 'map<int32, N> a = 1;', 'map<sint32, N> a = 1;', 'retyped', 'unsafe'],
    ['maps to the same', 'map<int32, N> a = 1;', 'map<int32, N> a = 1;', undefined, ''],
    ['moved alone into a oneof', 'optional int32 a = 1;', 'oneof o { int32 a = 1; }', 'changed', 'safe'],
    ['is new in a oneof', 'oneof o { int32 b = 2; }', 'oneof o { int32 b = 2; int32 a = 1; }', 'added', 'conditional'],
    ['is in a oneof called otherwise', 'oneof o { int32 a = 1; }', 'oneof p { int32 a = 1; }', 'changed', 'safe'],
  ])('%s', (_, before, after, kind, verdict) => {
    const change = compareBodies(before, after);
    expect(change?.fields.map((field) => `${field.kind} ${field.verdict}`)).toEqual(kind && [`${kind} ${verdict}`]);
    expect(change?.verdict ?? '').toBe(verdict);
    for (const { message } of change?.fields[0]?.reasons ?? []) expect(message).toMatch(/\.$/);
  });

  test.each([
    ['is required and new', '', 'required int32 a = 1;', 'added', 'unsafe'],
    ['was required and is gone', 'required int32 a = 1;', 'reserved 1; reserved "a";', 'removed', 'unsafe'],
    ['is required now', 'optional int32 a = 1;', 'required int32 a = 1;', 'changed', 'unsafe'],
    ['is required no longer', 'required int32 a = 1;', 'optional int32 a = 1;', 'changed', 'unsafe'],
    ['has another default', 'optional int32 a = 1;', 'optional int32 a = 1 [default = 7];', 'changed', 'conditional'],
    ['is a group no longer', 'optional group A = 1 {}', 'message A {} optional A a = 1;', 'retyped', 'unsafe'],
    ['is packed now', 'repeated int32 a = 1;', 'repeated int32 a = 1 [packed = true];', 'changed', 'safe'],
    ['is repeated now', 'optional int32 a = 1;', 'repeated int32 a = 1;', 'retyped', 'conditional'],
    ['was required and is repeated', 'required int32 a = 1;', 'repeated int32 a = 1;', 'retyped', 'unsafe'],
    [
      'has its default no longer',
      'optional E a = 1 [default = E1];',
      'optional int32 a = 1;',
      'retyped',
      'conditional',
    ],
  ])('proto2 %s', (_, before, after, kind, verdict) => {
    const change = compareBodies(before, after, PROTO2);
    expect(change?.fields.map((field) => `${field.kind} ${field.verdict}`)).toEqual([`${kind} ${verdict}`]);
  });

  const RUN = 'Readers take a packed run of';
  test.each([
    [
      'a packed run of another type',
      'repeated double a = 1;',
      'repeated int64 a = 1;',
      `${RUN} double for one of int64`,
    ],
    ['a packed run and text', 'repeated int32 a = 1;', 'string a = 1;', `${RUN} int32 for string`],
    ['bytes and a list', 'bytes a = 1;', 'repeated int32 a = 1 [packed = false];', `${RUN} int32 for bytes`],
    [
      'an expanded list, and a number of another width',
      'repeated int32 a = 1 [packed = false];',
      'float a = 1;',
      'Readers do not find',
    ],
    [
      'a negative number',
      'int32 a = 1;',
      'uint64 a = 1;',
      'low 32 bits only; the upper half of the one is the negative',
    ],
    [
      'an enum and a long number',
      'int64 a = 1;',
      'E a = 1;',
      'enum keeps the low 32 bits only; numbers without a name',
    ],
    ['zigzag and a bool', 'sint32 a = 1;', 'bool a = 1;', 'true is read as −1'],
    ['one of several bytes', 'bytes a = 1;', 'repeated N a = 1;', 'takes the last one'],
    ['several of one message', 'repeated bytes a = 1;', 'N a = 1;', 'merges them all'],
    ['fractions in JSON', 'int32 a = 1;', 'double a = 1;', 'one out of range or with a fraction is refused.'],
    ['long numbers in JSON', 'int64 a = 1;', 'double a = 1;', 'is refused, and double rounds long ones.'],
    ['doubles in JSON', 'double a = 1;', 'float a = 1;', 'one out of range is refused, and float rounds long ones.'],
    ['another message in code', 'N a = 1;', 'P a = 1;', 'Generated code has P where it had N.'],
    [
      'values of a map in code',
      'map<int32, N> a = 1;',
      'map<int32, P> a = 1;',
      'Of the value: Generated code has P where',
    ],
  ])('%s: the reason is what happens', (_, before, after, reason) => {
    const { reasons } = compareBodies(before, after)!.fields[0]!;
    expect(reasons.map(({ message }) => message).join(' ')).toContain(reason);
    expect(reasons.filter(({ message }) => message.startsWith('Records are alike'))).toHaveLength(
      reason.endsWith('last one') || reason.endsWith('all') ? 1 : 0,
    );
  });

  test.each([
    ['int32', '', '[default = 0]', false],
    ['string', '[default = ""]', '', false],
    ['bool', '[default = false]', '', false],
    ['E', '[default = E0]', '', false],
    ['string', '[default = "0"]', '', true],
    ['double', '[default = 1.5]', '[default = 2]', true],
    ['int64', '[default = 9007199254740993]', '[default = 9007199254740992]', true],
  ])('of %s, the defaults %j and %j are noticed if they differ', (type, before, after, isChanged) => {
    const change = compareBodies(`optional ${type} a = 1 ${before};`, `optional ${type} a = 1 ${after};`, PROTO2);
    expect(change?.fields[0]?.reasons.map(({ message }) => message.slice(0, 15))).toEqual(
      isChanged ? ['The default was'] : undefined,
    );
  });

  test('swapped numbers are two renumberings, each naming the other', () => {
    const change = compareBodies('int32 a = 1; string b = 2;', 'int32 a = 2; string b = 1;');
    expect(change?.fields.map(({ kind, before, after }) => [kind, before?.number, after?.number])).toEqual([
      ['renumbered', 1, 2],
      ['renumbered', 2, 1],
    ]);
    expect(change?.fields[0]?.reasons.map(({ message }) => message)[1]).toBe('Number 1 is read as "b" now.');
  });

  test.each([
    ['int32', 'int32'],
    ['int32', 'sint32'],
    ['int32', 'uint32'],
    ['int64', 'fixed64'],
    ['int32', 'int64'],
    ['float', 'double'],
    ['E', 'string'],
    ['string', 'bytes'],
    ['bool', 'int32'],
    ['int32', 'repeated int32'],
    ['int32', 'optional int32'],
  ])('JSON and code do not see another number: from %s to %s', (before, after) => {
    const sides = (number: number) => compareBodies(`${before} a = 1;`, `${after} a = ${number};`)?.fields[0]?.sides;
    const { json, source } = sides(1) ?? { json: 'safe', source: 'safe' };
    expect(sides(2)).toEqual({ binary: 'unsafe', json, source });
  });

  const [BOTH, ONE, NONE] = [
    'oneof o { int32 a = 1; int32 b = 2; }',
    'oneof o { int32 b = 2; } optional int32 a = 1;',
    'optional int32 a = 1; optional int32 b = 2;',
  ];
  const LOST = 'values are lost where a message sets several.';
  const REFUSED = 'JSON parsers refuse a message that sets several fields of the';
  test.each([
    ['into a new oneof with others', NONE, BOTH, 'conditional', LOST, `${REFUSED} new oneof "o".`],
    ['into a oneof that was there', ONE, BOTH, 'unsafe', LOST, `${REFUSED} oneof "o", which it moved into.`],
    ['out of a oneof', BOTH, ONE, 'conditional', 'the last of what is set', `${REFUSED} oneof "o", which it left.`],
    [
      'into another oneof that was there',
      'oneof o { int32 a = 1; int32 b = 2; } oneof p { int32 c = 3; }',
      'oneof o { int32 b = 2; } oneof p { int32 a = 1; int32 c = 3; }',
      'unsafe',
      LOST,
      `${REFUSED} oneof "p", which it moved into.`,
    ],
    [
      'between oneofs',
      'oneof o { int32 a = 1; int32 b = 2; }',
      'oneof o { int32 b = 2; } oneof p { int32 a = 1; }',
      'conditional',
      'they clear different fields',
      `${REFUSED} one or the other.`,
    ],
  ])('%s: bytes keep the last field, JSON with several is refused', (_, before, after, verdict, binary, json) => {
    const field = compareBodies(before, after)?.fields.find(({ after: side }) => side?.name === 'a');
    expect(field?.sides).toEqual({ binary: verdict, json: verdict, source: 'unsafe' });
    const reasonOf = (side: string) => field?.reasons.find(({ about }) => about.join() === side)?.message;
    expect(reasonOf('binary')).toContain(binary);
    expect(reasonOf('json')).toContain(json);
  });

  test('a list of messages is neither packed nor expanded', () => {
    const field = compareBodies('repeated int32 a = 1;', 'repeated N a = 1;')?.fields[0];
    expect(field?.reasons.map(({ message }) => message).join(' ')).not.toMatch(/expanded/);
  });

  test('both sides are printed as declarations', () => {
    const change = compareBodies(
      'map<int32, N> a = 1; repeated int32 b = 2 [packed = false]; optional E c = 3; N d = 4;',
      '',
    );
    expect(change?.fields.map(({ before }) => before?.type)).toEqual([
      'map<int32, N>',
      'repeated int32 (expanded)',
      'optional E',
      'N',
    ]);
  });
});

describe("the verdict on two scalar types is a reader's view of the bytes", () => {
  const SAMPLES = [0n, 1n, 2n, -1n, 127n, 2n ** 31n - 1n, -(2n ** 31n), 2n ** 32n - 1n, 2n ** 40n, 2n ** 63n - 1n];
  const holds = (type: ScalarType, value: bigint): boolean => {
    if (type === 'bool') return value === 0n || value === 1n;
    if (type === 'string' || type === 'bytes' || type === 'float' || type === 'double')
      return value >= 0n && value < 128n;
    const bits = BigInt(type.endsWith('64') ? 64 : 32);
    const isUnsigned = type.startsWith('u') || type.startsWith('fixed');
    const [low, high] = isUnsigned ? [0n, 2n ** bits] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n)];
    return value >= low && value < high;
  };
  const toValue = (type: ScalarType, value: bigint): unknown => {
    if (type === 'bool') return value === 1n;
    if (type === 'string') return String.fromCharCode(Number(value));
    if (type === 'bytes') return Uint8Array.of(Number(value));
    return type.endsWith('64') ? value : Number(value);
  };
  const fromValue = (value: unknown): unknown => {
    if (value instanceof Uint8Array) return new TextDecoder().decode(value);
    return typeof value === 'string' || Number.isNaN(value) ? value : Number(value);
  };
  const WIRE_TYPES: Readonly<Partial<Record<ScalarType, number>>> = {
    ...{ double: 1, fixed64: 1, sfixed64: 1, float: 5, fixed32: 5, sfixed32: 5, string: 2, bytes: 2 },
  };
  const survives = (a: ScalarType, b: ScalarType, value: bigint): boolean => {
    if ((WIRE_TYPES[a] ?? 0) !== (WIRE_TYPES[b] ?? 0)) return false;
    const written = toValue(a, value);
    const bytes = (new BinaryWriter()[a] as (value: unknown) => BinaryWriter)
      .call(new BinaryWriter(), written)
      .finish();
    const read: unknown = new BinaryReader(bytes)[b]();
    return fromValue(read) === fromValue(written);
  };
  const pairs = SCALAR_TYPES.flatMap((a) => SCALAR_TYPES.filter((b) => b !== a).map((b) => [a, b] as const));

  test.each(pairs)('%s to %s', (a, b) => {
    const verdict = compareBodies(`${a} f = 1;`, `${b} f = 1;`)!.verdict;
    const there = SAMPLES.filter((value) => holds(a, value)).map((value) => survives(a, b, value));
    const back = SAMPLES.filter((value) => holds(b, value)).map((value) => survives(b, a, value));
    const both = [...there, ...back];
    // The samples do not show whether bytes are text.
    const isText = [a, b].every((type) => type === 'string' || type === 'bytes');
    if (verdict === 'safe') expect(both).not.toContain(false);
    // A zero survives everywhere its wire type does: it takes more than that to call two types alike.
    if (verdict === 'unsafe') expect(there.slice(1)).toContain(false);
    if (verdict === 'conditional' && !isText) {
      expect(both).toContain(false);
      expect(there[1]).toBe(true);
    }
  });
});

test('numbers that JSON puts in quotes are those that protobuf-es puts in quotes', () => {
  const inQuotes: Readonly<Record<string, boolean>> = {
    double: typeof toJson(DoubleValueSchema, create(DoubleValueSchema, { value: 1 })) === 'string',
    float: typeof toJson(FloatValueSchema, create(FloatValueSchema, { value: 1 })) === 'string',
    int64: typeof toJson(Int64ValueSchema, create(Int64ValueSchema, { value: 1n })) === 'string',
    uint64: typeof toJson(UInt64ValueSchema, create(UInt64ValueSchema, { value: 1n })) === 'string',
    int32: typeof toJson(Int32ValueSchema, create(Int32ValueSchema, { value: 1 })) === 'string',
    uint32: typeof toJson(UInt32ValueSchema, create(UInt32ValueSchema, { value: 1 })) === 'string',
  };
  const types = Object.keys(inQuotes) as ScalarType[];
  for (const [a, b] of types.flatMap((one) => types.filter((other) => other !== one).map((other) => [one, other]))) {
    const quoted = [a!, b!].filter((type) => inQuotes[type]);
    const says = ['', `, ${quoted[0]} in quotes`, ', both in quotes'][quoted.length];
    const text = `In JSON ${a} and ${b} are numbers${says}; one out of range`;
    expect(jsonOfTypes(a as ScalarType, b as ScalarType)?.message).toContain(text);
  }
  // A string reads them, too.
  for (const type of types) {
    const { verdict, message } = jsonOfTypes(type, 'string')!;
    const says = inQuotes[type] ? 'are in quotes; text that is not a number is refused' : 'are written differently';
    expect([verdict, message]).toEqual([
      inQuotes[type] ? 'conditional' : 'unsafe',
      `In JSON ${type} and string ${says}.`,
    ]);
  }
});

describe('types', () => {
  test('are added, removed, and moved to another package', () => {
    const { types, unchanged, verdict } = compareTexts(
      'syntax = "proto3"; package v1; message Kept { Kept a = 1; E e = 2; } message Gone {} enum E { Z = 0; } service S { rpc Get (Kept) returns (Gone); }',
      'syntax = "proto3"; package v2; message Kept { Kept a = 1; E e = 2; } message New {} enum E { Z = 0; }',
    );
    expect(types.map((type) => `${type.kind} ${type.before} → ${type.after}: ${type.verdict}`)).toEqual([
      'removed v1.S → undefined: unsafe',
      'moved v1.Kept → v2.Kept: conditional',
      'moved v1.E → v2.E: conditional',
      'removed v1.Gone → undefined: conditional',
      'added undefined → v2.New: safe',
    ]);
    expect(types[1]?.fields).toEqual([]);
    expect({ unchanged, verdict }).toEqual({ unchanged: 0, verdict: 'unsafe' });
  });

  test.each([
    ['half of its fields', 'message T { int32 a = 1; int32 b = 2; }', 'message T { int32 a = 1; int32 c = 2; }', 1],
    ['no field', 'message T { int32 seconds = 1; }', 'message T { int64 duration = 1; string unit = 2; }', 2],
    ['no fields at all', 'message T {}', 'message T {}', 1],
    ['fields where it had none', 'message T {}', 'message T { int32 a = 1; }', 2],
    ['no value', 'enum T { A = 0; }', 'enum T { X = 0; Y = 1; }', 2],
    ['a method', 'service T { rpc Do (M) returns (M); }', 'service T { rpc Do (M) returns (M); }', 1],
  ])('of another package is the moved one or another one, if it has %s', (_, before, after, changes) => {
    const text = (name: string, type: string) =>
      `syntax = "proto3"; package ${name}; message M { int32 m = 1; } ${type}`;
    const { types } = compareTexts(text('v1', before), text('v2', after));
    const kinds = types.filter((type) => (type.after ?? type.before)?.endsWith('.T')).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(changes === 1 ? ['moved'] : ['added', 'removed']);
  });

  const M = 'message M { int32 a = 1; N n = 2; }';
  const N = 'message N { int32 b = 1; }';
  const one = 'package p;';
  const called = (path: string) => `It is called ${path} now`;
  const gone = 'Files that import it no longer compile';

  test.each<[string, Record<string, string>, Record<string, string>, Record<string, string>]>([
    [
      'a folder, whose files import each other',
      { 'v1/a.proto': `${one} import "v1/b.proto"; ${M}`, 'v1/b.proto': one + N },
      { 'api/x/a.proto': `${one} import "api/x/b.proto"; ${M}`, 'api/x/b.proto': one + N },
      { 'v1/a.proto': called('api/x/a.proto'), 'v1/b.proto': called('api/x/b.proto') },
    ],
    [
      'a folder and its package',
      { 'v1/a.proto': `package v1; import "v1/b.proto"; ${M}`, 'v1/b.proto': `package v1; ${N}` },
      { 'v2/a.proto': `package v2; import "v2/b.proto"; ${M}`, 'v2/b.proto': `package v2; ${N}` },
      {
        'v1/a.proto': `${called('v2/a.proto')}Its package was v1`,
        'v1/b.proto': `${called('v2/b.proto')}Its package was v1`,
      },
    ],
    [
      'files whose names are exchanged with other ones, by their types',
      { 'a.proto': `${one} import "b.proto"; ${M}`, 'b.proto': one + N },
      { 'c.proto': one + N, 'd.proto': `${one} import "c.proto"; ${M}` },
      { 'a.proto': called('d.proto'), 'b.proto': called('c.proto') },
    ],
    [
      'a file without types',
      { 'v1/a.proto': `${one} import public "v1/b.proto";`, 'v1/b.proto': `${one} ${N} message O {}` },
      { 'v2/a.proto': `${one} import public "v2/b.proto";`, 'v2/b.proto': `${one} ${N} message O {}` },
      { 'v1/a.proto': called('v2/a.proto'), 'v1/b.proto': called('v2/b.proto') },
    ],
    [
      'a file that is parted, with most of its types',
      { 'a.proto': `${one} ${M} ${N} message O {}`, 'z.proto': `${one} enum E { Z = 0; }` },
      {
        'b.proto': `${one} import "c.proto"; ${M} message O {}`,
        'c.proto': one + N,
        'z.proto': `${one} enum E { Z = 0; }`,
      },
      { 'a.proto': called('b.proto') },
    ],
    [
      'no file, if others are in place of its types',
      { 'v1/a.proto': one + N, 'v1/b.proto': `package q; message B { int32 x = 1; }` },
      { 'v2/a.proto': `package r; message C { int32 y = 1; }`, 'v2/b.proto': `package s; message D { int32 z = 1; }` },
      { 'v1/a.proto': gone, 'v1/b.proto': gone },
    ],
  ])('moved files are paired: %s', (_, before, after, expected) => {
    const [a, b] = [before, after].map((files) => {
      const sources = Object.entries(files).map(([path, text]) => ({ path, content: `syntax = "proto3"; ${text}` }));
      const { registry, diagnostics } = compileSchema(sources);
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      return registry;
    });
    const { files } = compareSchemas(a!, b!);
    const reasons = files.map(({ path, reasons }) => [path, reasons.map(({ message }) => message).join('')]);
    expect(Object.fromEntries(reasons)).toEqual(
      Object.fromEntries(
        Object.entries(expected).map(([path, words]) => [
          path,
          expect.stringMatching(new RegExp(words.replace(/now(?=Its)/, 'now.*'))),
        ]),
      ),
    );
  });

  test('unchanged types are counted', () => {
    const text = 'syntax = "proto3"; message M { map<int32, N> a = 1; } message N {} enum E { Z = 0; }';
    expect(compareTexts(text, text)).toEqual({
      verdict: 'safe',
      sides: { binary: 'safe', json: 'safe', source: 'safe' },
      files: [],
      types: [],
      unchanged: 3,
    });
  });

  test('can be excluded by file', () => {
    const text = 'syntax = "proto3"; import "google/protobuf/any.proto"; message M {}';
    const [a, b] = [compile('syntax = "proto3";'), compile(text)];
    const { types } = compareSchemas(a, b, (file) => !file.startsWith('google/'));
    expect(types.map(({ after }) => after)).toEqual(['M']);
  });

  test.each([
    ['added', 'Z = 0;', 'Z = 0; A = 1;', 'added conditional'],
    ['removed', 'Z = 0; A = 1;', 'Z = 0;', 'removed conditional'],
    ['renamed', 'Z = 0; A = 1;', 'Z = 0; B = 1;', 'renamed conditional'],
    ['renumbered', 'Z = 0; A = 1;', 'Z = 0; A = 2;', 'renumbered unsafe'],
    ['an alias no longer', 'option allow_alias = true; Z = 0; A = 1; B = 1;', 'Z = 0; B = 1;', 'removed conditional'],
  ])('an enum value is %s', (_, before, after, expected) => {
    const { types } = compareTexts(`syntax = "proto3"; enum E { ${before} }`, `syntax = "proto3"; enum E { ${after} }`);
    expect(types[0]?.values.map(({ kind, verdict }) => `${kind} ${verdict}`)).toEqual([expected]);
  });

  test.each([
    ['the same fields', 'A', 'B', 'int32 x = 1;', 'int32 x = 1;', 'conditional', 'conditional'],
    ['other numbers and names', 'A', 'B', 'int32 x = 1;', 'sint32 y = 2;', 'conditional', 'conditional'],
    ['a number of another form', 'A', 'B', 'int32 x = 1;', 'sint32 x = 1;', 'unsafe', 'conditional'],
    ['a name of another form', 'A', 'B', 'string x = 1;', 'bytes x = 1;', 'conditional', 'unsafe'],
    ['one in itself', 'A', 'B', 'A x = 1;', 'B x = 1;', 'conditional', 'conditional'],
    [
      'one of another form in itself',
      'A',
      'B',
      'A x = 1; int32 y = 2;',
      'B x = 1; fixed32 y = 2;',
      'unsafe',
      'conditional',
    ],
    ['a message of another form', 'A', 'B', 'P x = 1;', 'Q x = 1;', 'unsafe', 'conditional'],
    ['a map of another form', 'A', 'B', 'map<int32, P> x = 1;', 'map<int32, Q> x = 1;', 'unsafe', 'conditional'],
    [
      'the same numbers, and JSON of its own',
      'google.protobuf.Timestamp',
      'google.protobuf.Duration',
      '',
      '',
      'conditional',
      'conditional',
    ],
  ])('a message that is read as another with %s', (_, was, is, a, b, binary, json) => {
    const text = (type: string) =>
      `syntax = "proto3"; import "google/protobuf/timestamp.proto"; import "google/protobuf/duration.proto";
       message M { ${type} m = 1; } service S { rpc Call (${type}) returns (M); }
       message A { ${a} } message B { ${b} } message P { int64 p = 1; } message Q { double p = 1; }`;
    const [message, service] = compareTexts(text(was), text(is)).types;
    const { sides } = message!.fields[0]!;
    expect(sides.binary).toBe(binary);
    expect(service?.methods[0]?.sides.binary).toBe(binary);
    expect(sides.json).toBe(json);
  });

  test('a message that is read as one with a required field', () => {
    const text = (type: string) =>
      `syntax = "proto2"; message M { optional ${type} m = 1; } message A {} message B { required int32 x = 1; }`;
    const { message } = compareTexts(text('A'), text('B')).types[0]!.fields[0]!.reasons.find(
      ({ verdict, about }) => verdict === 'unsafe' && about.includes('binary'),
    )!;
    expect(message).toBe('"B.x" is required: readers refuse messages without it.');
  });

  test.each([
    ['its entries', 'int32 key = 1; P value = 2;', 'conditional'],
    ['other messages', 'string key = 1; P value = 2;', 'unsafe'],
  ])('a map that becomes a list of %s', (_, fields, binary) => {
    const text = (field: string) =>
      `syntax = "proto3"; message M { ${field} m = 1; } message N { ${fields} } message P { int64 p = 1; }`;
    const { types } = compareTexts(text('map<int32, P>'), text('repeated N'));
    expect(types[0]?.fields[0]?.sides.binary).toBe(binary);
  });

  test.each([
    ['new, and open', 'proto3', 'E e = 1;', 'Z = 0;', 'Z = 0; A = 1;', 'safe', 'Old readers keep the number'],
    ['new, and closed', 'proto2', 'optional E e = 1;', 'Z = 0;', 'Z = 0; A = 1;', 'conditional', 'field were absent.'],
    ['new in a map', 'proto2', 'map<int32, E> e = 1;', 'Z = 0;', 'Z = 0; A = 1;', 'conditional', 'the whole entry.'],
    [
      'new, and required',
      'proto2',
      'required E e = 1;',
      'Z = 0;',
      'Z = 0; A = 1;',
      'unsafe',
      '"M.e", which is required',
    ],
    ['gone, and required', 'proto2', 'required E e = 1;', 'Z = 0; A = 1;', 'Z = 0;', 'unsafe', 'New readers refuse'],
    [
      'another name',
      'proto2',
      'required E e = 1;',
      'Z = 0;',
      'option allow_alias = true; Z = 0; A = 0;',
      'safe',
      'Another name',
    ],
  ])('bytes with an enum value that is %s', (_, syntax, field, before, after, binary, said) => {
    const text = (values: string) => `syntax = "${syntax}"; message M { ${field} } enum E { ${values} }`;
    const [value] = compareTexts(text(before), text(after)).types[0]!.values;
    expect(value?.sides.binary).toBe(binary);
    expect(value?.reasons.map(({ message }) => message).join(' ')).toContain(said);
  });

  test.each([
    ['Int64Value', 'int64', 'safe'],
    ['BytesValue', 'bytes', 'safe'],
    ['Int64Value', 'int32', 'conditional'],
    ['BoolValue', 'string', 'unsafe'],
    ['Duration', 'string', 'unsafe'],
  ])('JSON has a wrapper without its message: %s and %s', (wrapper, scalar, json) => {
    const imports = 'import "google/protobuf/wrappers.proto"; import "google/protobuf/duration.proto";';
    const of = (type: string) => `syntax = "proto3"; ${imports} message M { ${type} a = 1; }`;
    const { types } = compareTexts(of(`google.protobuf.${wrapper}`), of(`optional ${scalar}`));
    expect(types[0]?.fields[0]?.sides.json).toBe(json);
  });

  test('a message may be named as a wrapper and have no field', () => {
    const own = 'syntax = "proto3"; package google.protobuf; message StringValue {}';
    const change = compareTexts(`${own} message M { StringValue s = 1; }`, `${own} message M { string s = 1; }`);
    expect(change.types[0]?.fields[0]?.sides.json).toBe('unsafe');
  });

  test('an enum becomes open, or has another first value', () => {
    const body = 'enum E { A = 1; B = 2; }';
    const closed = `edition = "2023"; enum E { option features.enum_type = CLOSED; Z = 0; }`;
    expect(compareTexts('edition = "2023"; enum E { Z = 0; }', closed).types[0]?.reasons).toHaveLength(1);
    const turned = compareTexts(`syntax = "proto2"; ${body}`, 'syntax = "proto2"; enum E { B = 2; A = 1; }');
    expect(turned.types[0]?.reasons.map(({ message }) => message)).toEqual([
      'The default was 1 and is 2: an absent field means another value.',
    ]);
  });

  test.each([
    ['is new', '', 'rpc A (M) returns (M);', 'added safe'],
    ['is gone', 'rpc A (M) returns (M);', '', 'removed unsafe'],
    ['streams now', 'rpc A (M) returns (M);', 'rpc A (stream M) returns (M);', 'changed unsafe'],
    ['returns another message', 'rpc A (M) returns (M);', 'rpc A (M) returns (N);', 'changed conditional'],
  ])('a method %s', (_, before, after, expected) => {
    const text = (body: string) => `syntax = "proto3"; message M {} message N {} service S { ${body} }`;
    const { types } = compareTexts(text(before), text(after));
    expect(types[0]?.methods.map(({ kind, verdict }) => `${kind} ${verdict}`)).toEqual([expected]);
  });

  test.each([
    ['is gone, and reserved', 'reserved 9; extensions 10;', '', ['removed safe conditional']],
    [
      'has another name',
      'extensions 9;',
      'extend M { optional int32 y = 9; }',
      [
        'added conditional conditional was the extension "x"',
        'removed conditional conditional is the extension "y" now',
      ],
    ],
    [
      'is a field now',
      'optional int32 x = 9;',
      '',
      ['added conditional conditional was the extension "x"', 'removed conditional conditional is the field "x" now'],
    ],
    [
      'extends another message',
      'extensions 9;',
      'message O { extensions 9; } extend O { optional int32 x = 9; }',
      ['added safe safe', 'removed conditional conditional'],
    ],
  ])('an extension %s', (_, body, beside, expected) => {
    const { types } = compareTexts(
      'syntax = "proto2"; message M { extensions 9; } extend M { optional int32 x = 9; }',
      `syntax = "proto2"; message M { ${body} } ${beside}`,
    );
    const said = types.flatMap(({ fields }) =>
      fields.map(({ kind, sides, reasons }) => {
        const about = /(was|is) the (extension|field) "."( now)?/.exec(reasons[0]?.message ?? '')?.[0];
        return [kind, sides.binary, sides.json, about].filter(Boolean).join(' ');
      }),
    );
    expect(said.sort()).toEqual(expected);
  });

  test('numbers that are no longer reserved are reported', () => {
    const change = compareBodies('reserved 4, 7 to 9, 20 to max;', 'reserved 4;');
    expect(change?.reasons.map(({ message }) => message)).toEqual([
      'Numbers are no longer reserved: 7 to 9, 20 to max. Old messages may still hold them.',
    ]);
  });
});
