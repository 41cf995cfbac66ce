import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asciiEnd, invalidUtf8At } from './utf8.ts';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodes(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Bytes near the edges of the table. */
const nearlyUtf8 = fc
  .array(
    fc.constantFrom(
      ...[0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef],
      ...[0xf0, 0xf1, 0xf4, 0xf5, 0xff],
    ),
    { maxLength: 8 },
  )
  .map((bytes) => Uint8Array.from(bytes));

test('validity equals a strict decoder’s, and the valid beginning ends at the first invalid byte', () => {
  fc.assert(
    fc.property(fc.oneof(nearlyUtf8, fc.uint8Array({ maxLength: 12 })), (bytes) => {
      const at = invalidUtf8At(bytes, 0, bytes.length);
      expect(at < 0).toBe(decodes(bytes));
      if (at >= 0) expect(decodes(bytes.subarray(0, at))).toBe(true);
    }),
    { numRuns: 5000 },
  );
});

test('every text is valid', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bytes = new TextEncoder().encode(text);
      expect(invalidUtf8At(bytes, 0, bytes.length)).toBe(-1);
    }),
    { numRuns: 1000 },
  );
});

test.each([0, 1, 3, 4, 5, 8, 9])('ASCII ends at %i', (at) => {
  const bytes = new Uint8Array(10).fill(65);
  expect(asciiEnd(bytes, 0, at)).toBe(at);
  bytes[at] = 0xc3;
  expect(asciiEnd(bytes, 0, 10)).toBe(at);
});
