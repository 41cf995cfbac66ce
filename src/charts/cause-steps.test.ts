import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldSteps, SMALLER } from './cause-steps.ts';

const stepsOf = (bytes: readonly number[]) =>
  bytes.map((one, at) => ({ key: `cause ${at}`, label: `Cause ${at}`, bytes: one }));
const label = (count: number) => `${count} smaller`;

test('eight causes have a row each; of thirteen, the six smallest share one', () => {
  const eight = stepsOf([9, -1, 8, 7, 6, 5, 4, 3]);
  expect(foldSteps(eight, label)).toEqual(eight);
  const thirteen = stepsOf([1, 20, -30, 2, 40, 50, -3, 60, 70, -4, 80, 90, 5]);
  expect(foldSteps(thirteen, label)).toEqual([
    ...thirteen.filter(({ bytes }) => Math.abs(bytes) > 20),
    { key: SMALLER, label: '6 smaller', bytes: 21 },
  ]);
});

test('small causes that cancel out are not lost: their row takes one more', () => {
  const steps = stepsOf([90, 80, 70, 60, 50, 40, 30, 2, -2]);
  expect(foldSteps(steps, label).at(-1)).toEqual({ key: SMALLER, label: '3 smaller', bytes: 30 });
});

test('the rows sum to the difference', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -500, max: 500 }), { maxLength: 25 }), fc.nat(5), (bytes, more) => {
      const rows = foldSteps(stepsOf(bytes), label, 3 + more);
      const sum = (of: readonly number[]) => of.reduce((total, one) => total + one, 0);
      expect(sum(rows.map((row) => row.bytes))).toBe(sum(bytes));
      expect(rows.length).toBeLessThanOrEqual(3 + more);
    }),
  );
});
