/** A column holds what it was given, wherever the rows are, and `rest` everywhere else. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberColumn, numbersColumn } from './number-column.ts';

test.each([0, Number.NaN])('rows in any order, with a rest of %d', (rest) => {
  const entry = fc.tuple(fc.nat(20_000), fc.oneof(fc.constant(rest), fc.double({ noDefaultInfinity: true })));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 40 }), fc.nat(20_000), (entries, other) => {
      const column = new NumberColumn(numbersColumn, rest);
      const expected = new Map<number, number>();
      for (const [row, value] of entries) {
        column.set(row, value);
        expected.set(row, value);
      }
      for (const row of [...expected.keys(), other]) expect(column.at(row)).toBe(expected.get(row) ?? rest);
    }),
    { numRuns: 500 },
  );
});

test('packed rows are read where they are', () => {
  const column = new NumberColumn(numbersColumn, 0);
  for (let row = 0; row < 10_000; row += 3) column.set(row, row);
  const packed = column.pack(Uint32Array.from({ length: 5000 }, (_, at) => 2 * at))!;
  const unpacked = new NumberColumn(numbersColumn, 0);
  unpacked.unpack(packed);
  for (let at = 0; at < 5000; at++) expect(unpacked.at(at)).toBe((2 * at) % 3 === 0 ? 2 * at : 0);
  expect(unpacked.at(5000)).toBe(0);
  packed[4999] = 7;
  expect(unpacked.at(4999)).toBe(7);
});
