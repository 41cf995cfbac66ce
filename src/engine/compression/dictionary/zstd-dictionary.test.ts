import { expect, test } from 'vitest';
import { sizeWithDictionary, trainDictionary } from './zstd-dictionary.ts';

const messages = Array.from({ length: 200 }, (_, at) =>
  new TextEncoder().encode(`{"service":"checkout","region":"eu-west-1","order":${at * 7919},"state":"delivered"}`),
);
const [half, others] = [0, 1].map((odd) => messages.filter((_, at) => at % 2 === odd)) as [Uint8Array[], Uint8Array[]];

test('a dictionary from some messages makes others smaller, each compressed alone', () => {
  const dictionary = trainDictionary(half, 1024, 3)!;
  // RFC 8878, section 6: the magic number of a dictionary.
  expect([...dictionary.subarray(0, 4)]).toEqual([0x37, 0xa4, 0x30, 0xec]);
  expect(dictionary.length).toBeLessThanOrEqual(1024);
  const plain = sizeWithDictionary(others, undefined, 3);
  expect(sizeWithDictionary(others, dictionary, 3)).toBeLessThan(plain / 2);
  expect(sizeWithDictionary(others, undefined, 3)).toBe(plain);
});

test.each([
  ['no sample', []],
  ['two samples', messages.slice(0, 2)],
])('from %s no dictionary is trained', (_, samples) => {
  expect(trainDictionary(samples, 1024, 3)).toBeUndefined();
});

test('an empty message is also a frame', () => {
  expect(sizeWithDictionary([new Uint8Array(0)], undefined, 3)).toBeGreaterThan(0);
});
