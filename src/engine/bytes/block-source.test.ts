/** Reading through blocks gives the same bytes as reading without. */

import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockSource } from './block-source.ts';
import { bytesSource } from './source.ts';

const SIZE = (6 << 20) + 12345;
const bytes = new Uint8Array(SIZE).map((_, index) => (index * 2654435761) >>> 24);

test('any spans, in any order, read from the file or from memory', async () => {
  const source = blockSource(bytesSource('x', bytes), setImmediate);
  const span = fc.tuple(fc.nat(SIZE), fc.oneof(fc.nat(50), fc.nat(SIZE))).map(([start, length]) => ({
    start,
    end: Math.min(SIZE, start + length),
  }));
  await fc.assert(
    fc.asyncProperty(fc.array(span, { maxLength: 8 }), async (spans) => {
      for (const { start, end } of spans) {
        const expected = bytes.subarray(start, end);
        const peeked = source.peek(start, end);
        if (peeked !== null) expect(Buffer.compare(peeked, expected)).toBe(0);
        expect(Buffer.compare(await source.read(start, end), expected)).toBe(0);
      }
    }),
    { numRuns: 200 },
  );
});

test('neighbouring blocks are read once', async () => {
  let reads = 0;
  const source = blockSource(
    {
      name: 'x',
      size: SIZE,
      read: async (start, end) => {
        reads++;
        return bytes.subarray(start, end);
      },
    },
    setImmediate,
  );
  for (let at = 0; at < 3_144_000; at += 1000) if (source.peek(at, at + 900) === null) await source.read(at, at + 900);
  expect(reads).toBe(12);
});

test('only memory that was given back is used again, and never that of a block', async () => {
  const source = blockSource(bytesSource('x', bytes), setImmediate);
  const across = (block: number) => source.read((block << 20) - 10, (block << 20) + 10);
  const kept = await across(1);
  const given = await across(2);
  const inBlock = await source.read(0, 20);
  source.letGo!(given);
  source.letGo!(inBlock);
  const next = await across(3);
  expect(next.buffer).toBe(given.buffer);
  expect((await across(4)).buffer).not.toBe(next.buffer);
  expect(kept).toEqual(bytes.subarray((1 << 20) - 10, (1 << 20) + 10));
  expect(source.peek(0, 20)).toEqual(bytes.subarray(0, 20));
});
