import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeSnappy } from './snappy.ts';
import { encodeSnappy } from './snappy-encode.ts';

/** Bytes that repeat themselves, near and far. */
const repetitive = fc
  .array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 60 })), { maxLength: 8 })
  .map((parts) =>
    Uint8Array.from(parts.flatMap(([bytes, times]) => Array.from({ length: times }, () => [...bytes]).flat())),
  );

test('every encoded text is decoded', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 400 }), repetitive), (plain) => {
      const decoded = decodeSnappy(encodeSnappy(plain), plain.length);
      expect(decoded.ok && Buffer.from(decoded.bytes).equals(plain)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('blocks of 64 KiB are encoded independently', () => {
  const plain = Uint8Array.from({ length: 200_000 }, (_, at) => (at * at) >> 7);
  const decoded = decodeSnappy(encodeSnappy(plain), plain.length);
  expect(decoded.ok && Buffer.from(decoded.bytes).equals(plain)).toBe(true);
});

test.each([
  ['prometheus-remote-write-1.binpb', 8156],
  ['prometheus-remote-write-2.binpb', 5338],
])('%s takes as many bytes as Prometheus sent', (file, size) => {
  const plain = readFileSync(new URL(`../../../public/samples/${file}`, import.meta.url));
  expect(encodeSnappy(plain).length).toBe(size);
});
