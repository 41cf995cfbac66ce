import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decoders } from './kernel.ts';
import { decodeBody, sliceStep } from './registry.ts';
import { sniffCodec } from './signatures.ts';

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const dfl = (bytes: Uint8Array): Uint8Array => new Uint8Array([0x44, 0x46, 0x4c, 0, ...deflateRawSync(bytes)]);

/** A block of literals only. */
function snappyLiteral(bytes: Uint8Array): Uint8Array {
  const size = bytes.length;
  if (size === 0) return Uint8Array.of(0);
  const length =
    size < 128
      ? [size]
      : size < 16_384
        ? [(size & 127) | 128, size >> 7]
        : [(size & 127) | 128, ((size >> 7) & 127) | 128, size >> 14];
  return new Uint8Array([...length, 62 << 2, (size - 1) & 255, ((size - 1) >> 8) & 255, (size - 1) >> 16, ...bytes]);
}

function snappyFramed(bytes: Uint8Array): Uint8Array {
  const sum = decoders.sum('crc32c', bytes);
  const masked = ((((sum >>> 15) | (sum << 17)) >>> 0) + 0xa282ead8) >>> 0;
  const size = bytes.length + 4;
  return new Uint8Array([
    ...hex('ff 06 00 00 73 4e 61 50 70 59'),
    ...[1, size & 255, (size >> 8) & 255, size >> 16],
    ...[masked & 255, (masked >>> 8) & 255, (masked >>> 16) & 255, masked >>> 24],
    ...bytes,
  ]);
}

const ENCODERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => new Uint8Array(gzipSync(bytes)),
  deflate: (bytes) => new Uint8Array(deflateSync(bytes)),
  dfl,
  snappy: snappyLiteral,
  'snappy-framed': snappyFramed,
  base64: (bytes) => text(Buffer.from(bytes).toString('base64')),
};

describe.each(Object.entries(ENCODERS))('%s', (id, encode) => {
  test('gives back what was encoded', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), fc.nat(20), (bytes, repeats) => {
        const plain = new Uint8Array(bytes.length * (repeats + 1)).map((_, i) => bytes[i % bytes.length]!);
        expect(decodeBody(encode(plain), id)).toEqual({ ok: true, bytes: plain });
      }),
      { numRuns: 1000 },
    );
  });

  test('refuses more than the limit', () => {
    expect(decodeBody(encode(new Uint8Array(5000)), id, 4999)).toMatchObject({ ok: false, reason: 'limit' });
    expect(decodeBody(encode(new Uint8Array(5000)), id, 5000).ok).toBe(true);
  });

  test('never throws for any input', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(299), fc.nat(255), (bytes, at, value) => {
        const mutated = encode(bytes);
        mutated[at % Math.max(1, mutated.length)] = value;
        const decoded = decodeBody(mutated, id, 1000);
        expect(!decoded.ok || decoded.bytes.length <= 1000).toBe(true);
        expect(() => decodeBody(bytes, id, 1000)).not.toThrow();
      }),
      { numRuns: 1000 },
    );
  });
});

test.each([
  ['snappy: copy without its offset', 'snappy', '06 00 61 05', 'truncated'],
  ['snappy: copy beyond the claimed length', 'snappy', '06 00 61 11 01', 'malformed'],
  ['snappy: copy before the start', 'snappy', '08 00 61 05 05', 'malformed'],
  ['snappy: literal beyond the end', 'snappy', '08 1c 61', 'truncated'],
  ['snappy: claims 4 GiB of 6 bytes', 'snappy', 'ff ff ff ff 0f 00', 'limit'],
  ['snappy: claims more than its bytes can hold', 'snappy', 'ff ff 03 00 61', 'malformed'],
  ['snappy framed: no identifier', 'snappy-framed', '01 05 00 00 00 00 00 00 61', 'malformed'],
  [
    'snappy framed: wrong checksum',
    'snappy-framed',
    'ff 06 00 00 73 4e 61 50 70 59 01 05 00 00 00 00 00 00 61',
    'malformed',
  ],
  ['gzip: cut', 'gzip', '1f 8b 08 00 00 00 00 00 00 03 4b', 'truncated'],
  ['dfl: no marker', 'dfl', '44 46 4d 00 03 00', 'malformed'],
  ['brotli: there is no such decoder', 'br', '0b 02 80', 'missing'],
  ['a name that every object has', 'constructor', '00', 'missing'],
])('%s', (_name, id, bytes, reason) => {
  expect(decodeBody(hex(bytes), id)).toMatchObject({ ok: false, reason });
});

test('snappy copies may overlap their own output', () => {
  // 6 bytes: literal "a", then a copy of length 5 from 1 back.
  expect(decodeBody(hex('06 00 61 05 01'), 'snappy')).toEqual({ ok: true, bytes: text('aaaaaa') });
});

/** A literal, or a copy from so far back (modulo what is there) in the form of one, two or four bytes. */
const element = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 90 }).map((literal) => ({ literal })),
  fc.record({ back: fc.nat(70_000), length: fc.integer({ min: 1, max: 64 }), form: fc.constantFrom(1, 2, 3) }),
);

test('snappy: any elements decode to their contents', () => {
  fc.assert(
    fc.property(fc.array(element, { maxLength: 60 }), (elements) => {
      const plain: number[] = [];
      const block: number[] = [];
      for (const one of elements) {
        if ('literal' in one) {
          const last = one.literal.length - 1;
          block.push(...(last < 60 ? [last << 2] : [60 << 2, last]), ...one.literal);
          plain.push(...one.literal);
          continue;
        }
        if (plain.length === 0) continue;
        const short = one.form === 1;
        const back = 1 + (one.back % Math.min(plain.length, short ? 2047 : 65_535));
        const length = short ? 4 + (one.length & 7) : one.length;
        if (short) block.push(((back >> 8) << 5) | ((length - 4) << 2) | 1, back & 255);
        else block.push(((length - 1) << 2) | one.form, back & 255, back >> 8, ...(one.form === 3 ? [0, 0] : []));
        for (let i = 0; i < length; i++) plain.push(plain[plain.length - back]!);
      }
      const size = plain.length;
      const claim = size < 128 ? [size] : [(size & 127) | 128, size >> 7];
      expect(decodeBody(new Uint8Array([...claim, ...block]), 'snappy')).toEqual({
        ok: true,
        bytes: new Uint8Array(plain),
      });
    }),
    { numRuns: 1000 },
  );
});

test('several streams in turn, each on the output of the previous one, large and small', () => {
  const large = new Uint8Array(20_000_000).map((_, at) => (at * at) >> 7);
  for (const bytes of [large, text('small'), large.subarray(0, 100_000)]) {
    const packed = new Uint8Array(gzipSync(deflateSync(gzipSync(bytes, { level: 1 })), { level: 0 }));
    const decoded = decodeBody(packed, 'gzip|deflate|gzip');
    expect(decoded.ok && Buffer.compare(decoded.bytes, bytes)).toBe(0);
  }
});

test.each([-8, -4])('gzip: a wrong trailer at offset %i', (at) => {
  const bytes = new Uint8Array(gzipSync(text('something')));
  bytes[bytes.length + at]! ^= 1;
  expect(decodeBody(bytes, 'gzip')).toMatchObject({ ok: false, reason: 'malformed' });
});

test('zlib with a preset dictionary says what it lacks', () => {
  const dictionary = text('http_requests_total');
  const stream = new Uint8Array(deflateSync(text('http_requests_total 12'), { dictionary }));
  expect(decodeBody(stream, 'deflate')).toMatchObject({ ok: false, detail: 'the zlib stream needs a dictionary' });
});

test('a bomb stops at the limit', () => {
  const bomb = new Uint8Array(gzipSync(new Uint8Array(40_000_000)));
  expect(decodeBody(bomb, 'gzip', 1_000_000)).toMatchObject({ ok: false, reason: 'limit' });
});

test('steps are applied in sequence', () => {
  const inner = gzipSync(text('inside'));
  const body = text(Buffer.concat([Buffer.from('12345'), inner]).toString('base64'));
  const steps = ['base64', sliceStep(5, 5 + inner.length), 'gzip'].join('|');
  expect(decodeBody(body, steps)).toEqual({ ok: true, bytes: text('inside') });
});

test('bodies in a text encoding', () => {
  expect(decodeBody(text('a\\u00e9\\n'), 'json-string')).toEqual({ ok: true, bytes: text('aé\n') });
  for (const mark of ['\ufeff', '\\ufeff']) {
    expect(decodeBody(text(`${mark}a`), 'json-string')).toEqual({ ok: true, bytes: text('\ufeffa') });
    expect(decodeBody(text(`${mark}a`), 'json-latin1')).toMatchObject({ reason: 'malformed' });
  }
  expect(decodeBody(text('"'), 'json-string')).toMatchObject({ reason: 'malformed' });
  expect(decodeBody(text('aé\\u00ff\\n'), 'json-latin1')).toEqual({
    ok: true,
    bytes: new Uint8Array([0x61, 0xe9, 0xff, 10]),
  });
  expect(decodeBody(text('\u0100'), 'json-latin1')).toMatchObject({ reason: 'malformed' });
  expect(decodeBody(text('ab'), 'json-latin1', 1)).toMatchObject({ reason: 'limit' });
  expect(decodeBody(text('a+b%2B%e9%00'), 'query')).toEqual({
    ok: true,
    bytes: new Uint8Array([0x61, 32, 0x62, 43, 0xe9, 0]),
  });
  for (const broken of ['%', '%4', '%4g']) {
    expect(decodeBody(text(broken), 'query')).toMatchObject({ reason: 'malformed' });
  }
  expect(decodeBody(text('ab'), 'query', 1)).toMatchObject({ reason: 'limit' });
});

test('checksums of the standard check string', () => {
  expect([decoders.sum('crc32', text('123456789')), decoders.sum('crc32c', text('123456789'))]).toEqual([
    0xcbf43926, 0xe3069283,
  ]);
});

test.each([
  ['gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['snappy-framed', 'snappy-framed'],
])('%s is known by its first bytes', (id, expected) => {
  expect(sniffCodec(ENCODERS[id]!(text('something')))).toBe(expected);
});

test.each([
  ['xxh32', 0x02cc5d05, 0xe2293b2f],
  ['xxh64', 0x51d8e999, 0x8a378bf1],
] as const)('%s of nothing and of 39 bytes is what its authors publish', (name, ofNothing, ofText) => {
  expect(decoders.sum(name, new Uint8Array(0))).toBe(ofNothing);
  // A sentence of the library's manual.
  const sentence = hex('4e6f626f647920696e737065637473207468652073 70616d6d69736820726570657469 74696f6e');
  expect(decoders.sum(name, sentence)).toBe(ofText);
});
