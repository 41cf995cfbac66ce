import { brotliCompressSync, constants } from 'node:zlib';
import { BrotliDecStream } from 'brotli-dec-wasm/web';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { AbortError } from '#engine/bytes/source.ts';
import { decodeBrotli } from '#engine/compression/brotli.ts';
import { PLAIN_LIMIT, SLICE } from '#engine/compression/codec.ts';
import { decodeSlices, patiently } from '#engine/compression/registry.ts';
import { loadBrotli } from './load-brotli.ts';

const SIZE = 2 ** 20;
const PLAIN = Uint8Array.from({ length: SIZE }, (_, at) => (at * at) >> 7);

const packed = (plain: Uint8Array, window = 22): Uint8Array =>
  brotliCompressSync(plain, {
    params: { [constants.BROTLI_PARAM_LGWIN]: window, [constants.BROTLI_PARAM_QUALITY]: 4 },
  });

test('Brotli gives its bytes up to the limit, with any size in its headers', async () => {
  expect(await loadBrotli()).toBe(null);
  for (const window of [10, 16, 22]) {
    const stream = packed(PLAIN, window);
    const decoded = decodeBrotli(stream, SIZE);
    expect(decoded.ok && Buffer.compare(decoded.bytes, PLAIN) === 0).toBe(true);
    expect(decodeBrotli(stream, SIZE - 1)).toMatchObject({ ok: false, reason: 'limit' });
    expect(decodeBrotli(stream.subarray(0, 1000), SIZE)).toMatchObject({ ok: false, reason: 'truncated' });
  }
  expect(decodeBrotli(brotliCompressSync(new Uint8Array(0)), SIZE)).toEqual({ ok: true, bytes: new Uint8Array(0) });
});

test.each([
  ['many blocks', Uint8Array.from({ length: 3 * SLICE + 1000 }, (_, at) => (at * at) >> 7)],
  ['a single copy', new Uint8Array(3 * SLICE + 1000)],
])('a large body of %s gives way after every slice, and other bodies are decoded meanwhile', async (_name, plain) => {
  expect(await loadBrotli()).toBe(null);
  const small = packed(PLAIN);
  const work = decodeSlices(packed(plain), 'brotli', PLAIN_LIMIT);
  let pauses = 0;
  for (;;) {
    const { done, value } = work.next();
    if (done === true) {
      expect(value.ok && Buffer.compare(value.bytes, plain) === 0).toBe(true);
      break;
    }
    pauses++;
    const other = decodeBrotli(small, SIZE);
    expect(other.ok && Buffer.compare(other.bytes, PLAIN) === 0).toBe(true);
  }
  expect(pauses).toBeGreaterThanOrEqual(Math.floor(plain.length / SLICE));
});

test('a cancelled body gives the memory of the library back', async () => {
  expect(await loadBrotli()).toBe(null);
  const stream = packed(new Uint8Array(3 * SLICE));
  const given = vi.spyOn(BrotliDecStream.prototype, 'free');
  const signal = { aborted: false };
  let pauses = 0;
  // The first pause follows the decoding of a single slice, which is done with its stream; the second is inside another.
  const pause = async (): Promise<void> => {
    pauses++;
    signal.aborted = pauses === 2;
  };
  await expect(patiently(decodeSlices(stream, 'brotli', PLAIN_LIMIT), { signal, pause })).rejects.toThrow(AbortError);
  expect(given).toHaveBeenCalledTimes(2);
});

test('damaged Brotli ends with a fault, and the next body is decoded', async () => {
  expect(await loadBrotli()).toBe(null);
  const stream = packed(PLAIN);
  fc.assert(
    fc.property(fc.nat(stream.length - 1), fc.nat(254), (place, change) => {
      const damaged = Uint8Array.from(stream);
      damaged[place]! ^= change + 1;
      const decoded = decodeBrotli(damaged, SIZE);
      if (!decoded.ok) expect(['malformed', 'limit', 'truncated']).toContain(decoded.reason);
      const whole = decodeBrotli(stream, SIZE);
      expect(whole.ok && whole.bytes.length).toBe(SIZE);
    }),
    { numRuns: 50 },
  );
});
