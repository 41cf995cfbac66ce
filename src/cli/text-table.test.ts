import { expect, test } from 'vitest';
import { printMean, printPercent, printSignedPercent, printTenth } from './text-table.ts';

test.each([
  [0, '0.0 %'],
  [0.0123, '1.23 %'],
  [0.5, '50.0 %'],
  [1, '100.0 %'],
  [-0.25, '−25.0 %'],
  [0.000_04, '<0.01 %'],
  [-0.000_04, '>−0.01 %'],
  [0.000_06, '0.01 %'],
  [0.099_99, '10.0 %'],
  [0.9996, '>99.9 %'],
  [-0.9996, '<−99.9 %'],
  [5263.156_895, '526,315.7 %'],
])('%d is %s', (share, text) => expect(printPercent(share)).toBe(text));

test.each([
  [0.25, '+25.0 %'],
  [-0.25, '−25.0 %'],
  [0, '0.0 %'],
  [0.000_04, '<+0.01 %'],
])('%d is a change of %s', (share, text) => expect(printSignedPercent(share)).toBe(text));

test('means have the separators of counts', () => {
  expect([printMean(1234.5), printMean(-71_690), printMean(0.12345), printMean(1234.567, 2)]).toEqual([
    '1,234.5',
    '−71,690',
    '0.123',
    '1,234.57',
  ]);
  expect([printTenth(71_690), printTenth(-1234.56)]).toEqual(['71,690.0', '−1,234.6']);
});
