import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pieceSlicer } from './parts.ts';

test('each byte of the parts of a body is at its place', () => {
  const sizesFrom = (min: number) => fc.array(fc.integer({ min, max: 5 }), { maxLength: 8 });
  fc.assert(
    fc.property(sizesFrom(1), sizesFrom(0), (pieceSizes, partSizes) => {
      const pieces = pieceSizes.map((size, index) => ({ start: index * 9, end: index * 9 + size }));
      const placesOf = (slices: typeof pieces) =>
        slices.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, index) => start + index));
      const piecesOf = pieceSlicer(pieces);
      const all = placesOf(pieces);
      let from = 0;
      for (const size of partSizes) {
        const sliced = piecesOf(from, from + size);
        expect(placesOf(sliced)).toEqual(all.slice(from, from + size));
        expect(sliced.filter(({ start, end }) => start >= end)).toEqual([]);
        from += size;
      }
    }),
  );
});
