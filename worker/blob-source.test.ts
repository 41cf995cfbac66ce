/** A file gives the same bytes in any way of reading: sequential, random, two reads at once, into returned memory. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blobSource } from './blob-source.ts';

const SIZE = 300_000;
const bytes = new Uint8Array(SIZE).map((_, index) => (index * 2654435761) >>> 24);
const blob = new Blob([bytes]);

const isSame = (found: Uint8Array, start: number, end: number): boolean =>
  Buffer.compare(found, bytes.subarray(start, end)) === 0;

test('chunks in sequence, each returned before the next', async () => {
  for (const chunk of [1, 7000, 65_536, 200_000, SIZE]) {
    const source = blobSource('x', chunk === 1 ? blob.slice(0, 50) : blob);
    for (let start = 0; start < source.size; start += chunk) {
      const end = Math.min(source.size, start + chunk);
      const found = await source.read(start, end);
      expect(isSame(found, start, end), `${start} to ${end} of ${chunk}`).toBe(true);
      source.letGo!(found);
    }
  }
});

test('any reads, some at the same time', async () => {
  const span = fc.tuple(fc.nat(SIZE), fc.nat(100_000), fc.boolean(), fc.boolean());
  await fc.assert(
    fc.asyncProperty(fc.array(span, { maxLength: 8 }), async (spans) => {
      const source = blobSource('x', blob);
      let last = 0;
      const open: Promise<boolean>[] = [];
      for (const [anywhere, length, goesOn, waits] of spans) {
        const start = goesOn ? last : anywhere;
        const end = Math.min(SIZE, start + length);
        last = end;
        const reading = source.read(start, end).then((found) => isSame(found, start, end));
        open.push(reading);
        if (waits) await reading;
      }
      expect(await Promise.all(open)).toEqual(spans.map(() => true));
    }),
    { numRuns: 200 },
  );
});

/** The file and all slices of it, with some methods replaced. */
const withMethods = (of: Blob, methods: Partial<Blob>): Blob =>
  Object.assign(of, methods, {
    slice: (start?: number, end?: number) => withMethods(Blob.prototype.slice.call(of, start, end), methods),
  });

test.each([
  ['nothing but the stream, if there is one', { arrayBuffer: () => Promise.reject(new Error('Not asked for.')) }],
  [
    'without a stream that takes memory',
    {
      stream: () => {
        throw new TypeError('No such mode.');
      },
    },
  ],
  ['with a stream that ends too soon', { stream: () => new Blob([]).stream() }],
] as const)('%s', async (_, methods) => {
  const source = blobSource('x', withMethods(new Blob([bytes]), methods));
  for (const [start, end] of [
    [0, 70_000],
    [70_000, 140_000],
    [140_000, 210_000],
    [5, 10],
    [210_000, SIZE],
  ] as const) {
    const found = await source.read(start, end);
    expect(isSame(found, start, end), `${start} to ${end}`).toBe(true);
    source.letGo!(found);
  }
});

test('blocks that are returned several at once are read into again', async () => {
  const block = 1000;
  const source = blobSource('x', blob);
  const read = (index: number) => source.read(index * block, (index + 1) * block);
  const blocks: Uint8Array[] = [];
  for (let index = 0; index < 20; index++) blocks.push(await read(index));
  for (const returned of blocks) source.letGo!(returned);
  for (let index = 20; index < 40; index++) await read(index);
  // Memory that is read into again is detached.
  expect(blocks.filter(({ buffer }) => buffer.byteLength > 0)).toEqual([]);
});
