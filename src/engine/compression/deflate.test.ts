import { constants, createDeflate, createDeflateRaw, createGzip, deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inflateRaw } from './deflate.ts';
import { decodeBody } from './registry.ts';

const LIMIT = 1 << 20;
const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));

/** Text-like, with repetitions near and far, so that codes of all lengths and distances of all widths come up. */
const plain = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ maxLength: 60 }).map((text) => new TextEncoder().encode(text)),
      fc.tuple(fc.nat(255), fc.nat(4000)).map(([byte, count]) => new Uint8Array(count).fill(byte)),
    ),
    { maxLength: 12 },
  )
  .chain((parts) =>
    fc.nat(6).map(
      (repeats) =>
        new Uint8Array(
          Buffer.concat(
            Array(repeats + 1)
              .fill(parts)
              .flat(),
          ),
        ),
    ),
  );

const options = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  strategy: fc.constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
    constants.Z_FIXED,
    constants.Z_FILTERED,
  ),
  memLevel: fc.integer({ min: 1, max: 9 }),
});

test('inflates any level and strategy of zlib, and reports the end', () => {
  fc.assert(
    fc.property(plain, options, fc.uint8Array({ maxLength: 8 }), (bytes, how, behind) => {
      const packed = deflateRawSync(bytes, how);
      const inflated = inflateRaw(new Uint8Array([...packed, ...behind]), LIMIT);
      expect(inflated.ok && Buffer.compare(inflated.bytes, bytes)).toBe(0);
      expect(inflated).toMatchObject({ consumed: packed.length });
    }),
    { numRuns: 1000, endOnFailure: true },
  );
});

test('accepts exactly what zlib accepts', () => {
  fc.assert(
    fc.property(
      plain,
      options,
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
      fc.nat(),
      (bytes, how, changes, cut) => {
        const packed = new Uint8Array(deflateRawSync(bytes, how));
        for (const [at, value] of changes) packed[at % packed.length] = value;
        const given = cut % 3 === 0 ? packed.subarray(0, cut % packed.length) : packed;
        const expected = zlib(given);
        const inflated = inflateRaw(given, LIMIT);
        if (expected === null) expect(inflated.ok).toBe(false);
        else expect(inflated.ok && Buffer.compare(inflated.bytes, expected)).toBe(0);
      },
    ),
    { numRuns: 3000, endOnFailure: true },
  );
});

function zlib(bytes: Uint8Array): Uint8Array | null {
  try {
    return inflateRawSync(bytes, { maxOutputLength: LIMIT });
  } catch {
    return null;
  }
}

describe('a stream that is flushed and not finished', () => {
  const flushed = async (create: () => ReturnType<typeof createGzip>): Promise<Uint8Array> => {
    const stream = create();
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.write('hello, hello, hello');
    await new Promise<void>((resolve) => stream.flush(constants.Z_SYNC_FLUSH, resolve));
    return new Uint8Array(Buffer.concat(parts));
  };

  test.each([
    ['deflate', () => createDeflateRaw()],
    ['deflate', () => createDeflate()],
    ['gzip', () => createGzip()],
  ] as const)('%s is complete', async (codec, create) => {
    const bytes = await flushed(create);
    const decoded = decodeBody(bytes, codec);
    expect(decoded.ok && Buffer.from(decoded.bytes).toString()).toBe('hello, hello, hello');
    expect(decodeBody(bytes.subarray(0, -1), codec)).toMatchObject({ ok: false });
  });
});

describe('refuses', () => {
  test.each([
    ['nothing', '', 'truncated'],
    ['a block of the reserved kind', '07', 'malformed'],
    ['a stored block with a wrong length check', '01 05 00 00 00 61', 'malformed'],
    ['a stored block cut short', '01 05 00 fa ff 61', 'truncated'],
    ['codes that end early', '05', 'truncated'],
    ['a distance before the start', '03 02', 'malformed'],
    ['zeros', '00 00 00 00 00 00 00 00', 'malformed'],
  ])('%s', (_name, bytes, reason) => {
    expect(inflateRaw(hex(bytes), LIMIT)).toMatchObject({ ok: false, reason });
  });
});
