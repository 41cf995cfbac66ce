import { expect, test } from 'vitest';
import { SpreadSample } from './spread-sample.ts';

const numbered = (count: number, size: number, most: number, bytes: number): SpreadSample => {
  const sample = new SpreadSample(most, bytes);
  for (let n = 0; n < count; n++) {
    if (sample.wantsNext) sample.add(new Uint8Array(size).fill(n));
    else sample.skip();
  }
  return sample;
};

test.each([
  ['few are all kept', 3, 1, [0, 1, 2]],
  ['many are spread', 9, 1, [0, 4, 8]],
  ['by their bytes, too', 6, 30, [0, 2, 4]],
  ['a large one is cut', 1, 500, [0]],
])('%s', (_name, count, size, kept) => {
  const sample = numbered(count, size, 4, 100);
  expect(sample.kept.map(({ bytes }) => bytes[0])).toEqual(kept);
  expect(sample.seen).toBe(count);
  expect(sample.kept.every(({ bytes, isCut }) => bytes.length <= 100 && isCut === size > 100)).toBe(true);
});
