/** Numbers and defaults in a patch: a number that a field had is never used again, and each default is a value of its field's type. */
import { describe, expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import { applyChanges } from './apply.ts';
import type { Change } from './change.ts';
import { editsOf, newNumbers } from './edits-of.ts';
import { FieldEncodings, freeNumber } from './forms.ts';
import { patchOf } from './patch.ts';
import { schemaAfter } from './schema-after.ts';

const forms = new FieldEncodings(
  compileSchema([
    {
      path: 'r.proto',
      content: 'syntax = "proto3"; message M { int64 a = 1; int64 b = 2; int64 c = 16; reserved 3; }',
    },
    {
      path: 'kept.proto',
      content: `syntax = "proto2"; message K { map<string, int64> by = 1; map<int64, string> of = 2; extensions 4 to 6; }
        message Full { extensions 4; } message Rest { optional int64 a = 1; extensions 2 to max; }
        message Dense { extensions 1 to 18999; } extend K { optional int64 x = 4; optional int64 y = 5; }
        extend Full { optional int64 z = 4; }`,
    },
  ]).registry,
);
const number = (field: string, from: number, to: number): Change => ({
  change: 'number',
  message: 'M',
  field,
  from,
  to,
});
const sint = (field: string, message = 'M'): Change => ({
  change: 'type',
  message,
  field,
  from: 'int64',
  to: 'sint64',
});

test.each<[string, readonly Change[], Record<string, number>, number[]]>([
  ['a field that changes places with another', [number('a', 1, 16), number('c', 16, 1)], { a: 4, c: 5 }, [1, 16]],
  ['a field that moves to a free number', [number('c', 16, 4)], {}, [16]],
  ['a field of another type', [sint('b')], { b: 4 }, [2]],
  ['a field of another type, on a free number', [sint('b'), number('b', 2, 9)], {}, [2]],
  ['a map with values of another type', [sint('value', 'K.ByEntry')], { by: 3 }, [1]],
  ['a map with keys of another type', [sint('key', 'K.OfEntry')], { of: 3 }, [2]],
  ['an extension of another type', [sint('[x]', 'K')], { '[x]': 6 }, []],
])('%s', (_, changes, moved, reserved) => {
  const { after } = applyChanges(changes, forms, 'M');
  const { moves, reserved: kept } = newNumbers(changes, forms, after);
  expect(Object.fromEntries(moves.map(({ field, to }) => [field, to]))).toEqual(moved);
  expect(kept.map((one) => one.number).sort((a, b) => a - b)).toEqual(reserved);
});

test.each([
  ['an extension', '[z]', 'Full', 'Full has no number left for another field'],
  ['a field whose extensions have all numbers but its own', 'a', 'Rest', 'Rest has no number left for another field'],
])('%s of another type is refused where the message has no number for it', (_, field, message, reason) => {
  const changes = [sint(field, message)];
  const { after } = applyChanges(changes, forms, message);
  expect(() => newNumbers(changes, forms, after)).toThrow(reason);
});

test.each([
  ['the first number after those in use and reserved', 'M', [], 4],
  ['a number that is not among others', 'M', [4, 5], 6],
  ['a number behind a range of extensions', 'K', [], 3],
  ['a number behind those that protobuf reserves', 'Dense', [], 20_000],
  ['none, where extensions have the rest', 'Rest', [], undefined],
])('the free number is %s', (_, message, others, expected) => {
  expect(freeNumber(forms.get(message)!, new Set(others))).toBe(expected);
});

describe('a default', () => {
  const sources = [
    {
      path: 'd.proto',
      content: `syntax = "proto2"; message D {
  optional int32 low = 1 [default = -1];
  optional int32 high = 2 [default = 7, deprecated = true];
  optional string text = 3 [default = "none"];
  optional double ratio = 4 [default = 0.5];
  optional bool on = 5 [default = true];
  optional string code = 6 [default = "12345"];
}`,
    },
  ];
  const schema = { ...compileSchema(sources), sources };
  const before = new FieldEncodings(schema.registry);
  const type = (field: string, from: string, to: string, value?: string): Change => ({
    change: 'type',
    message: 'D',
    field,
    from,
    to,
    ...(value === undefined ? {} : { value }),
  });
  const table: Change = {
    change: 'symbol table',
    table: { message: 'D', field: 'symbols', number: 9, first: '' },
    fields: ['D.text'],
    type: 'uint32',
    order: 'by first use',
  };

  test.each<[string, Change, string]>([
    ['that the new type has stays', type('low', 'int32', 'sint32'), 'optional sint32 low = 1 [default = -1];'],
    ['that the new type has not is removed', type('low', 'int32', 'uint32'), 'optional uint32 low = 1;'],
    ['is removed alone', type('high', 'int32', 'bool'), 'optional bool high = 2 [deprecated = true];'],
    ['of floating point stays', type('ratio', 'double', 'float'), 'optional float ratio = 4 [default = 0.5];'],
    [
      'is removed where values are converted',
      type('ratio', 'double', 'sint64', 'value × 10^1'),
      'optional sint64 ratio = 4;',
    ],
    ['that is a name is removed', type('on', 'bool', 'uint32'), 'optional uint32 on = 5;'],
    [
      'that is a number in text is removed',
      type('code', 'string', 'uint64', 'decimal read as a number'),
      'optional uint64 code = 6;',
    ],
    ['of a text that moves into a table is removed', table, 'optional uint32 text = 3;'],
  ])('%s', (_, change, declared) => {
    const edits = editsOf(before, applyChanges([change], before, 'D').after);
    const patched = patchOf(schema, edits).files.get('d.proto')!;
    expect(patched).toContain(declared);
    const compiled = compileSchema([{ path: 'd.proto', content: patched }]);
    expect(compiled.diagnostics).toEqual([]);
    const set = compileSchema([{ path: 'set', content: schemaAfter(sources, schema.registry, edits) }]);
    expect(set.registry.messages.get('D')!.fields.map((field) => field.defaultValue)).toEqual(
      compiled.registry.messages.get('D')!.fields.map((field) => field.defaultValue),
    );
  });
});
