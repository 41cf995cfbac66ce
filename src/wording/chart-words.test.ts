import { expect, test } from 'vitest';
import { varintWidths } from './chart-words.ts';

test.each([
  [480, 480, [{ size: 1, count: 480 }], '480 varints in 480 bytes, 1 byte each. 1 byte: 480.'],
  [1, 2, [{ size: 2, count: 1 }], '1 varint in 2 bytes, 2 bytes each. 2 bytes: 1.'],
])('widths of %i varints in %i bytes', (count, bytes, bars, words) => {
  expect(varintWidths(count, bytes, bars).replaceAll('\u00a0', ' ')).toBe(words);
});
