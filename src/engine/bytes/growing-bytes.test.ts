import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowingBytes } from './growing-bytes.ts';
import { joinBytes } from './join.ts';

test('pieces are joined, and the given arrays do not change', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 900 }), { maxLength: 40 }), (pieces) => {
      const growing = new GrowingBytes();
      const copies = pieces.map((piece) => growing.add(piece));
      expect(copies).toEqual(pieces);
      expect(growing.whole()).toEqual(joinBytes(pieces));
      expect(growing.length).toBe(growing.whole().length);
    }),
  );
});

test('a large piece is kept as it is, between copied ones', () => {
  const growing = new GrowingBytes();
  const large = new Uint8Array(2 << 20).fill(7);
  growing.own(large);
  expect(growing.whole().buffer).toBe(large.buffer);
  growing.own(Uint8Array.of(1));
  growing.own(large);
  growing.add(Uint8Array.of(2));
  expect(growing.length).toBe(2 * large.length + 2);
  expect(Buffer.compare(growing.whole(), joinBytes([large, Uint8Array.of(1), large, Uint8Array.of(2)]))).toBe(0);
  expect(large.every((byte) => byte === 7)).toBe(true);
});
