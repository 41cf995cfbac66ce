import { expect, test } from 'vitest';
import { AbortError, bytesSource, readChunks } from '#engine/bytes/source.ts';
import { yieldingSource } from './yielding-source.ts';

const bytes = bytesSource('x', new Uint8Array(1000));
const later = () => {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 0);
  return abort.signal;
};

test('a queued cancel takes effect between two chunks', async () => {
  let time = 0;
  const source = yieldingSource(bytes, () => {
    time += 20;
    return time;
  });
  await expect(readChunks(source, () => {}, { signal: later() }, 1)).rejects.toBeInstanceOf(AbortError);
});

test('reads of bytes in memory do not wait', async () => {
  const source = yieldingSource(bytes, () => 0);
  const signal = later();
  await readChunks(source, () => {}, { signal }, 1);
  expect(signal.aborted).toBe(false);
});

test('the bytes read equal those of the source', async () => {
  const source = yieldingSource(bytesSource('y', Uint8Array.of(1, 2, 3)));
  expect([source.name, source.size, [...(await source.read(1, 3))]]).toEqual(['y', 3, [2, 3]]);
});
