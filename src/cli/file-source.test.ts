/** A file gives the same bytes in any way of reading: in sequence, at random, two reads at once, into returned memory. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withSource } from './file-source.ts';
import { keepingFiles } from './kept-files.testing.ts';

const SIZE = 300_000;
const bytes = new Uint8Array(SIZE).map((_, index) => (index * 2654435761) >>> 24);
const { write } = keepingFiles();

test('any reads, some at the same time, some given back', async () => {
  const path = write('any.bin', bytes);
  const span = fc.record({ at: fc.nat(SIZE), size: fc.nat(100_000), goesOn: fc.boolean(), waits: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(span, { maxLength: 12 }), (spans) =>
      withSource(path, async (source) => {
        let last = 0;
        const open: Promise<boolean>[] = [];
        for (const { at, size, goesOn, waits } of spans) {
          const start = goesOn ? last : at;
          const end = Math.min(SIZE, start + size);
          last = end;
          const reading = source.read(start, end).then((found) => {
            const isSame = Buffer.compare(found, bytes.subarray(start, end)) === 0;
            source.letGo!(found);
            return isSame;
          });
          open.push(reading);
          if (waits) await reading;
        }
        expect(await Promise.all(open)).toEqual(spans.map(() => true));
      }),
    ),
    { numRuns: 200 },
  );
});
