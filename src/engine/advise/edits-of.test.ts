/** Numbers in a patch: a number that a field had is never used again. */
import { expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import { applyChanges } from './apply.ts';
import type { Change } from './change.ts';
import { newNumbers } from './edits-of.ts';
import { FieldEncodings } from './forms.ts';

const forms = new FieldEncodings(
  compileSchema([
    {
      path: 'r.proto',
      content: 'syntax = "proto3"; message M { int64 a = 1; int64 b = 2; int64 c = 16; reserved 3; }',
    },
    {
      path: 'kept.proto',
      content: `syntax = "proto2"; message K { map<string, int64> by = 1; map<int64, string> of = 2; extensions 4 to 6; }
        message Full { extensions 4; } extend K { optional int64 x = 4; optional int64 y = 5; }
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

test('an extension of another type is refused where the message leaves no number to it', () => {
  const changes = [sint('[z]', 'Full')];
  const { after } = applyChanges(changes, forms, 'Full');
  expect(() => newNumbers(changes, forms, after)).toThrow('Full has no number left for another extension');
});
