/** A file gives the same bytes in any way of reading: in sequence, at random, two reads at once, into returned memory. */
import { readdirSync, rmSync, truncateSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Source } from '#engine/bytes/source.ts';
import { keepingFiles } from '../kept-files.testing.ts';
import { Refusal } from '../output/outcome.ts';
import { withSource, withSources } from './file-source.ts';

const SIZE = 300_000;
const bytes = new Uint8Array(SIZE).map((_, index) => (index * 2654435761) >>> 24);
const { at, write } = keepingFiles();

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

test('hundreds of files are read in any order, few of them open at once', async () => {
  const paths = Array.from({ length: 200 }, (_, at) => write(`${at}.bin`, Uint8Array.of(at)));
  const openBefore = readdirSync('/dev/fd').length;
  await withSources(paths, async (sources) => {
    for (const order of [sources, [...sources].reverse()]) {
      const found = await Promise.all(order.map((source) => source.read(0, 1)));
      expect(found.map(([byte]) => byte)).toEqual(order.map((source) => paths.indexOf(source.name)));
    }
    await sources[0]!.read(0, 1);
    expect(readdirSync('/dev/fd').length).toBeLessThan(openBefore + 50);
  });
  expect(readdirSync('/dev/fd').length).toBeLessThan(openBefore + 10);
});

test.each<[string, (path: string) => void, (source: Source) => Promise<unknown>]>([
  ['cut', (path) => truncateSync(path, 10), (source) => source.read(0, 20)],
  ['cut, which another reader finds', (path) => truncateSync(path, 10), () => Promise.reject(new Error('end of data'))],
  ['removed, which another reader finds', (path) => rmSync(path), () => Promise.reject(new Error('ENOENT'))],
])('a file is refused that is %s while it is read', async (_, change, read) => {
  const path = write('cut.bin', new Uint8Array(20));
  const reading = withSource(path, (source) => {
    change(path);
    return read(source);
  });
  await expect(reading).rejects.toEqual(new Refusal(`${path} was cut or removed while it was read`));
});

test('a fault that no file explains is thrown as it is', async () => {
  const path = write('whole.bin', new Uint8Array(20));
  await expect(withSource(path, () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
});

test.each([
  ['a file that is not there', 'none', 'No such file'],
  ['a name that is not UTF-8', 'bad\ufffd.bin', 'its name is not UTF-8'],
  ['a folder', '.', 'is a folder'],
  ['a file in a file', '0.bin/none', 'cannot be read (ENOTDIR)'],
  ['a name longer than names may be', 'a'.repeat(300), 'cannot be read (ENAMETOOLONG)'],
])('%s is refused', async (_, name, words) => {
  write('0.bin', new Uint8Array());
  const refused = withSource(at(name), () => Promise.resolve());
  await expect(refused).rejects.toBeInstanceOf(Refusal);
  await expect(refused).rejects.toThrow(words);
});
