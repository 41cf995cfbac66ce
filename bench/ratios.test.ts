import { describe, expect, test } from 'vitest';
import { quantile, race, standings } from './ratios.ts';

describe('quantile', () => {
  test.each([
    { values: [3, 1, 2], q: 0.5, result: 2 },
    { values: [4, 1, 3, 2], q: 0.5, result: 2.5 },
    { values: [0, 10], q: 0.1, result: 1 },
    { values: [7], q: 0.9, result: 7 },
  ])('quantile $q of $values', ({ values, q, result }) => expect(quantile(values, q)).toBeCloseTo(result, 12));
});

test('a ratio is computed within each round, so a round that is slow for all changes nothing', () => {
  const [base, fast] = standings(
    ['base', 'fast'],
    [
      [10, 100, 10],
      [5, 50, 5],
    ],
  );
  expect(base?.ratio).toEqual({ p10: 1, median: 1, p90: 1 });
  expect(fast).toEqual({ name: 'fast', time: 5, ratio: { p10: 2, median: 2, p90: 2 } });
});

test('every candidate runs in every round', () => {
  const runs = [0, 0, 0];
  let now = 0;
  const spin = (index: number) => () => {
    runs[index]!++;
    now += 25_000 * (index + 1);
    return 0;
  };
  const result = race(
    runs.map((_, index) => ({ name: `${index}`, run: spin(index) })),
    4,
    () => now,
  );
  expect(result.map(({ name, time }) => [name, time])).toEqual([
    ['0', 25_000],
    ['1', 50_000],
    ['2', 75_000],
  ]);
  expect(new Set(runs)).toEqual(new Set([12]));
});
