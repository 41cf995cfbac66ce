import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { AbortError, bytesSource } from '../../bytes/source.ts';
import { SLICE } from '../../compression/codec.ts';
import { openCapture } from './gzip-source.ts';

test('unzipping gives way after every slice, and a cancel ends it there', async () => {
  const zipped = bytesSource('a.gz', gzipSync(new Uint8Array(24 * SLICE)));
  const signal = { aborted: false };
  let pauses = 0;
  const pause = async (): Promise<void> => {
    pauses++;
  };
  expect((await openCapture(zipped, { pause })).size).toBe(24 * SLICE);
  // A step of 16 KiB gives at most four slices.
  expect(pauses).toBeGreaterThanOrEqual(6);
  pauses = 0;
  const cancel = async (): Promise<void> => {
    pauses++;
    signal.aborted = pauses === 2;
  };
  await expect(openCapture(zipped, { signal, pause: cancel })).rejects.toThrow(AbortError);
  expect(pauses).toBe(2);
});
