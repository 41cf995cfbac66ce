/** Compared with zlib: its output inflates, truncated or changed output is refused, and the limit is kept. */
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inflateWithin } from './bounded-inflate.ts';

const contents = fc.oneof(
  fc.uint8Array({ maxLength: 3000 }),
  fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat({ max: 200 })).map(([unit, times]) => {
    const all = new Uint8Array(unit.length * times);
    for (let at = 0; at < all.length; at += unit.length) all.set(unit, at);
    return all;
  }),
);

test('any output of zlib, at any level', async () => {
  await fc.assert(
    fc.asyncProperty(contents, fc.integer({ min: 0, max: 9 }), async (plain, level) => {
      const packed = Uint8Array.from(deflateRawSync(plain, { level }));
      expect(await inflateWithin(packed, plain.length)).toEqual({ ok: true, bytes: Uint8Array.from(plain) });
      if (plain.length > 0)
        expect(await inflateWithin(packed, plain.length - 1)).toEqual({ ok: false, reason: 'limit' });
    }),
    { numRuns: 1000 },
  );
});

test('a cut stream', async () => {
  await fc.assert(
    fc.asyncProperty(contents, fc.nat(), async (plain, at) => {
      const packed = Uint8Array.from(deflateRawSync(plain));
      expect(await inflateWithin(packed.subarray(0, at % packed.length), 1 << 20)).toMatchObject({ ok: false });
    }),
    { numRuns: 1000 },
  );
});

test('random bytes give an answer within the limit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (packed) => {
      const inflated = await inflateWithin(packed, 5000);
      if (inflated.ok) expect(inflated.bytes.length).toBeLessThanOrEqual(5000);
    }),
    { numRuns: 10_000 },
  );
});

test('256 MB of zeros in 256 kB stop at the limit, without that memory', async () => {
  const bomb = Uint8Array.from(deflateRawSync(new Uint8Array(256 << 20)));
  const before = process.memoryUsage().arrayBuffers;
  expect(await inflateWithin(bomb, 8 << 20)).toEqual({ ok: false, reason: 'limit' });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 << 20);
});
