import { expect, test } from 'vitest';
import { printPercent } from './text-table.ts';

test.each([
  [0, '0.0 %'],
  [0.0123, '1.23 %'],
  [0.5, '50.0 %'],
  [1, '100.0 %'],
  [-0.25, '−25.0 %'],
  [5263.156_895, '526,315.7 %'],
])('%d is %s', (share, text) => expect(printPercent(share)).toBe(text));
