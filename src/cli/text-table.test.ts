import { expect, test } from 'vitest';
import { printMean, printPercent, printTenth } from './text-table.ts';

test.each([
  [0, '0.0 %'],
  [0.0123, '1.23 %'],
  [0.5, '50.0 %'],
  [1, '100.0 %'],
  [-0.25, '−25.0 %'],
  [5263.156_895, '526,315.7 %'],
])('%d is %s', (share, text) => expect(printPercent(share)).toBe(text));

test('means have the separators of counts', () => {
  expect([printMean(1234.5), printMean(-71_690), printMean(0.12345), printMean(1234.567, 2)]).toEqual([
    '1,234.5',
    '−71,690',
    '0.123',
    '1,234.57',
  ]);
  expect([printTenth(71_690), printTenth(-1234.56)]).toEqual(['71,690.0', '−1,234.6']);
});
