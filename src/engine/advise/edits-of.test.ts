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
  ]).registry,
);
const number = (field: string, from: number, to: number): Change => ({
  change: 'number',
  message: 'M',
  field,
  from,
  to,
});
const sint = (field: string): Change => ({ change: 'type', message: 'M', field, from: 'int64', to: 'sint64' });

test.each<[string, readonly Change[], Record<string, number>, number[]]>([
  ['a field that changes places with another', [number('a', 1, 16), number('c', 16, 1)], { a: 4, c: 5 }, [1, 16]],
  ['a field that moves to a free number', [number('c', 16, 4)], {}, [16]],
  ['a field of another type', [sint('b')], { b: 4 }, [2]],
  ['a field of another type, on a free number', [sint('b'), number('b', 2, 9)], {}, [2]],
])('%s', (_, changes, moved, reserved) => {
  const { after } = applyChanges(changes, forms, 'M');
  const { moves, reserved: kept } = newNumbers(changes, forms, after);
  expect(Object.fromEntries(moves.map(({ field, to }) => [field, to]))).toEqual(moved);
  expect(kept.map((one) => one.number).sort((a, b) => a - b)).toEqual(reserved);
});
