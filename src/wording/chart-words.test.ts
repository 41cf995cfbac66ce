import { expect, test } from 'vitest';
import { breakEvenHere, varintWidths } from './chart-words.ts';

test.each([
  [480, 480, [{ size: 1, count: 480 }], '480 varints in 480 bytes, 1 byte each. 1 byte: 480.'],
  [1, 2, [{ size: 2, count: 1 }], '1 varint in 2 bytes, 2 bytes each. 2 bytes: 1.'],
])('widths of %i varints in %i bytes', (count, bytes, bars, words) => {
  expect(varintWidths(count, bytes, bars).replaceAll('\u00a0', ' ')).toBe(words);
});

test.each([
  [3.2, 4, 'costs 3.2 in protobuf and 4 in native: protobuf saves 0.8.'],
  [1, 1.125, 'costs 1 in protobuf and 1.13 in native: protobuf saves 0.13.'],
  [1.125, 1, 'costs 1.13 in protobuf and 1 in native: protobuf costs 0.13 more.'],
  [1, 1.004, 'costs 1 in protobuf and 1 in native: no difference.'],
])('a parent message of %d bytes in protobuf and %d in native', (protobuf, native, words) => {
  expect(breakEvenHere({ presence: 0.5, protobuf, native })).toContain(words);
});
