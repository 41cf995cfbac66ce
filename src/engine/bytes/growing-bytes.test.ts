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
