import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteMemo } from './byte-memo.ts';

test('returns the value found for any bytes, at any offset', () => {
  const memo = new ByteMemo<string>(8, 4);
  fc.assert(
    fc.property(fc.uint8Array({ max: 2, maxLength: 12 }), fc.nat(12), fc.nat(12), (bytes, a, b) => {
      const [start, end] = [Math.min(a, b, bytes.length), Math.min(Math.max(a, b), bytes.length)];
      const meant = bytes.slice(start, end).join();
      expect(memo.get(bytes, start, end, (own) => own.join())).toBe(meant);
    }),
    { numRuns: 1000 },
  );
});

test('does not compute the value of the same bytes again, unless they are too long to be kept', () => {
  const memo = new ByteMemo<number>(8, 4);
  let asked = 0;
  const ask = (length: number) => memo.get(new Uint8Array(9), 1, 1 + length, () => ++asked);
  expect([ask(4), ask(4), ask(3), ask(3), ask(5), ask(5)]).toEqual([1, 1, 2, 2, 3, 4]);
});
