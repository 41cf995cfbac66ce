/** A claim about the values of doubles needs evidence: many different numbers, all of them short. */
import { expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import { FieldEncodings } from '../forms.ts';
import { readTree } from '../read-tree.ts';
import { FieldValues } from '../uses.ts';
import { decimals, floats } from './floats.ts';

const forms = new FieldEncodings(
  compileSchema([{ path: 'f.proto', content: 'syntax = "proto3"; message M { repeated double d = 1; }' }]).registry,
);

function usesOf(numbers: readonly number[]): FieldValues {
  const bytes = new Uint8Array(9 * numbers.length);
  numbers.forEach((value, at) => {
    bytes[9 * at] = 0x09;
    new DataView(bytes.buffer).setFloat64(9 * at + 1, value, true);
  });
  return new FieldValues([readTree(bytes, forms, 'M')!], forms, 'M');
}

test.each([
  ['thirty prices', (at: number) => 10 + at / 4, 30, 1, 1],
  ['thirty times the same price', () => 10.25, 30, 0, 0],
  ['three prices', (at: number) => 10 + at / 4, 3, 0, 0],
  ['thirty measurements', (at: number) => Math.sqrt(at + 2), 30, 0, 0],
])('%s', (_, value, count, asFloat, asDecimal) => {
  const uses = usesOf(Array.from({ length: count }, (_unused, at) => value(at)));
  expect([floats(uses).length, decimals(uses).length]).toEqual([asFloat, asDecimal]);
});

test.each([
  [1, 'they are whole numbers'],
  [2, 'they have 1 digit behind the point'],
  [4, 'they have 2 digits behind the point'],
])('in steps of 1 / %i, %s', (steps, words) => {
  const [decimal] = decimals(usesOf(Array.from({ length: 30 }, (_, at) => at / steps)));
  expect(decimal!.title).toMatch(new RegExp(`: ${words}$`));
});
