import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeZstd } from './zstd.ts';

const ROOT = new URL('../../../', import.meta.url);
const LIMIT = 1 << 20;
const read = (path: string): Uint8Array => new Uint8Array(readFileSync(new URL(path, ROOT)));
const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** Recordings as the reference program packed them, at levels from --fast=5 to 19. */
const PACKED = readdirSync(new URL('fixtures/compression/', ROOT)).map((name) => {
  const folder = name.startsWith('prometheus') ? 'public/samples' : 'fixtures/input';
  return { name, packed: read(`fixtures/compression/${name}`), plain: read(`${folder}/${name.replace('.zst', '')}`) };
});

describe.each(PACKED)('$name', ({ packed, plain }) => {
  test('gives the recording', () => {
    const decoded = decodeZstd(packed, plain.length);
    expect(decoded.ok && Buffer.compare(decoded.bytes, plain)).toBe(0);
  });

  test('gives no byte beyond the limit', () => {
    expect(decodeZstd(packed, plain.length - 1)).toMatchObject({ ok: false, reason: 'limit' });
  });

  test('a frame cut anywhere is refused', () => {
    for (let end = 0; end < packed.length; end++) expect(decodeZstd(packed.subarray(0, end), LIMIT).ok).toBe(false);
  });

  test('a frame changed anywhere never throws, and a wrong checksum is refused', () => {
    const guarded = (packed[4]! & 4) !== 0;
    fc.assert(
      fc.property(fc.nat(packed.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = packed.slice();
        changed[at]! ^= change;
        const decoded = decodeZstd(changed, LIMIT);
        if (decoded.ok && guarded && at > 5) expect(Buffer.compare(decoded.bytes, plain)).toBe(0);
      }),
      { numRuns: 1000 },
    );
  });

  test('frames may follow one another, with skippable frames between', () => {
    const skipped = hex('50 2a 4d 18 03 00 00 00 01 02 03');
    const decoded = decodeZstd(new Uint8Array([...skipped, ...packed, ...skipped, ...packed]), LIMIT);
    expect(decoded.ok && Buffer.compare(decoded.bytes, Buffer.concat([plain, plain]))).toBe(0);
  });
});

/** Frame with a window of 128 KiB, no plain size, no checksum. */
const FRAME = '28 b5 2f fd 00 38';

test.each([
  ['a stored block', `${FRAME} 19 00 00 61 62 63`, 'abc'],
  ['a byte repeated', `${FRAME} 2b 00 00 7a`, 'zzzzz'],
  ['an empty block, then another', `${FRAME} 00 00 00 09 00 00 21`, '!'],
  ['literals without sequences, their number in two bytes', `${FRAME} 2d 00 00 10 68 69 80 00`, 'hi'],
])('%s', (_name, bytes, plain) => {
  expect(decodeZstd(hex(bytes), LIMIT)).toEqual({ ok: true, bytes: text(plain) });
});

test.each([
  ['nothing', '', 'truncated'],
  ['another magic number', '28 b5 2f fe 00 38 01 00 00', 'malformed'],
  ['a reserved flag', '28 b5 2f fd 08 38 01 00 00', 'malformed'],
  ['a dictionary', '28 b5 2f fd 01 38 07 01 00 00', 'malformed'],
  ['a block of the reserved kind', `${FRAME} 0f 00 00 00`, 'malformed'],
  ['a block longer than any may be', `${FRAME} 03 00 20 7a`, 'malformed'],
  ['another size than it says', '28 b5 2f fd 20 04 19 00 00 61 62 63', 'malformed'],
  ['a claim of 2⁶³ bytes', '28 b5 2f fd e0 00 00 00 00 00 00 00 80 01 00 00', 'limit'],
  ['a window of 2 TiB with nothing in it', '28 b5 2f fd 00 ff 01 00', 'truncated'],
])('%s is refused', (_name, bytes, reason) => {
  expect(decodeZstd(hex(bytes), LIMIT)).toMatchObject({ ok: false, reason });
});

test('a bomb stops at the limit', () => {
  const block = hex('02 00 10 00');
  const bomb = new Uint8Array(6 + 10_000 * block.length);
  bomb.set(hex(FRAME));
  for (let at = 6; at < bomb.length; at += block.length) bomb.set(block, at);
  expect(decodeZstd(bomb, LIMIT)).toMatchObject({ ok: false, reason: 'limit' });
});

test('any bytes after a frame header never throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(0, 4, 32), (bytes, flags) => {
      const frame = new Uint8Array([...hex('28 b5 2f fd'), flags, ...bytes]);
      const decoded = decodeZstd(frame, LIMIT);
      expect(!decoded.ok || decoded.bytes.length <= LIMIT).toBe(true);
    }),
    { numRuns: 5000 },
  );
});
