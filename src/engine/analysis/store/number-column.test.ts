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
