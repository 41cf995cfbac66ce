/**
 * Streams of real encoders, at every level and in every mode: all bits are accounted for, and a damaged stream ends in
 * a finding.
 */
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { Zstd } from '@hpcc-js/wasm-zstd';
import fc from 'fast-check';
import { gzipSync as fflateGzip } from 'fflate';
import lz4 from 'lz4js';
import snappy from 'snappyjs';
import { beforeAll, describe, expect, test } from 'vitest';
import '../../../cli/provide-brotli.ts';
import type { FormatId } from '../formats.ts';
import { encodeSnappy } from '../snappy-encode.ts';
import { Container } from './container.ts';
import { BIT_FORMATS, readBits, type StreamBits } from './read-bits.ts';
import { assignBits, assignSharedBits, BitSums, Spans } from './settle.ts';
import { RAW_LENGTHS, StreamTokens } from './tokens.ts';

let zstd: Zstd;
beforeAll(async () => {
  zstd = await Zstd.load();
});

type Encode = (plain: Uint8Array, level: number) => Uint8Array;
const { Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE, Z_DEFAULT_STRATEGY } = constants;
const STRATEGIES = [Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE];

/** `level`: 0 to 9, which also chooses the mode where there is one. */
const ENCODERS: readonly (readonly [name: string, format: FormatId, encode: Encode])[] = [
  ['zlib, bare', 'deflate', (plain, level) => deflateRawSync(plain, { level, strategy: STRATEGIES[level % 4]! })],
  ['zlib, flushed in parts', 'deflate', (plain, level) => inParts(plain, level)],
  ['zlib', 'zlib', (plain, level) => deflateSync(plain, { level })],
  ['gzip of two members', 'gzip', (plain, level) => Buffer.concat([gzipSync(plain, { level }), gzipSync(plain)])],
  ['fflate', 'gzip', (plain, level) => fflateGzip(plain, { level: level as 6 })],
  ['OpenSearch', 'dfl', (plain, level) => Buffer.concat([Buffer.from('DFL\0'), deflateRawSync(plain, { level })])],
  ['libzstd', 'zstd', (plain, level) => zstd.compress(plain, 1 + level * 2)],
  ['snappy as Go writes it', 'snappy', (plain) => encodeSnappy(plain)],
  ['snappyjs', 'snappy', (plain) => snappy.compress(plain)],
  ['lz4js frames', 'lz4-frame', (plain) => lz4.compress(plain)],
  ['lz4js blocks', 'lz4-block', (plain) => lz4Block(plain)],
  [
    'Brotli, totals only',
    'brotli',
    (plain, level) => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: level } }),
  ],
];

/** Two halves, with an empty block of fixed codes and an empty stored one between them. */
function inParts(plain: Uint8Array, level: number): Uint8Array {
  const half = plain.length >> 1;
  const first = deflateRawSync(plain.subarray(0, half), { level, finishFlush: constants.Z_SYNC_FLUSH });
  return Buffer.concat([first, Uint8Array.of(2, 0, 0, 0, 255, 255), deflateRawSync(plain.subarray(half), { level })]);
}

function lz4Block(plain: Uint8Array): Uint8Array {
  const block = lz4.makeBuffer(lz4.compressBound(plain.length));
  const size = lz4.compressBlock(plain, block, 0, plain.length, new Uint32Array(1 << 16));
  if (size > 0) return new Uint8Array(block.slice(0, size));
  // It writes nothing where nothing is saved: one run of literals then.
  const lengths = plain.length < 15 ? [] : [...new Array<number>(Math.floor((plain.length - 15) / 255)).fill(255)];
  const last = plain.length < 15 ? [] : [(plain.length - 15) % 255];
  return Uint8Array.of(Math.min(15, plain.length) << 4, ...lengths, ...last, ...plain);
}

/** Repetitive and random stretches, short and long. */
const plains = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.string({ maxLength: 40 }).map((text) => new TextEncoder().encode(text)),
      fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 300 })).map(([unit, count]) => {
        const run = new Uint8Array(unit.length * count);
        for (let at = 0; at < run.length; at++) run[at] = unit[at % unit.length]!;
        return run;
      }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => new Uint8Array(Buffer.concat(parts)));

/** Splits the plain bytes at `cuts` and adds up, both ways. */
function sumsOf(stream: StreamBits, cuts: readonly number[]): readonly [paid: number, shared: number] {
  const spans = new Spans();
  const { length } = stream.plain;
  for (const cut of [...cuts.map((share) => Math.floor(share * length)), length].sort((a, b) => a - b)) {
    spans.push(cut, spans.length % 3);
  }
  const [paid, shared] = [new BitSums(3), new BitSums(3)];
  assignBits(stream, spans, paid);
  assignSharedBits(stream, spans, shared);
  const sum = (sums: BitSums) => sums.at(0) + sums.at(1) + sums.at(2);
  return [sum(paid), sum(shared)];
}

const CUTS = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });

describe.each(ENCODERS)('%s', (_name, format, encode) => {
  test('every bit is counted once, in both ways of sharing, and the plain bytes are correct', () => {
    fc.assert(
      fc.property(plains, fc.nat(9), CUTS, (plain, level, cuts) => {
        const bytes = new Uint8Array(encode(plain, level));
        const stream = readBits(bytes, format);
        if (!stream.ok) throw new Error(`${stream.detail} at ${stream.offset}`);
        const twice = format === 'gzip' && stream.plain.length > plain.length;
        if (Buffer.compare(stream.plain, twice ? Buffer.concat([plain, plain]) : plain) !== 0) return false;
        return sumsOf(stream, cuts).every((sum) => Math.abs(sum + stream.container.total - bytes.length * 8) < 1e-6);
      }),
      { numRuns: 1000 },
    );
  });

  test('a stream cut anywhere reports the offset', () => {
    const plain = new TextEncoder().encode('sample{job="a"} 12\nsample{job="b"} 13\n'.repeat(20));
    const bytes = new Uint8Array(encode(plain, 6));
    for (let end = 0; end < bytes.length; end++) {
      const stream = readBits(bytes.subarray(0, end), format);
      // A frame of several, or a block of sequences, may end where it is cut.
      if (stream.ok) expect(stream.plain.length).toBeLessThan(2 * plain.length);
      else expect(stream.offset).toBeLessThanOrEqual(end);
    }
  });
});

test.each([
  ['deflate', (bytes) => bytes.slice(2)],
  ['zlib', (bytes) => bytes],
  ['gzip', (bytes) => [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, ...bytes.slice(2)]],
  ['dfl', (bytes) => [0x44, 0x46, 0x4c, 0, ...bytes.slice(2)]],
] as readonly [FormatId, (bytes: number[]) => number[]][])(
  '%s that was flushed and not finished accounts for all captured bytes',
  (format, wrap) => {
    const plain = new TextEncoder().encode('took 12 ms, took 13 ms, took 14 ms');
    const flushed = deflateSync(plain, { finishFlush: constants.Z_SYNC_FLUSH });
    const stream = readBits(Uint8Array.from(wrap([...flushed])), format);
    if (!stream.ok) throw new Error(stream.detail);
    expect(stream.plain).toEqual(plain);
    for (const sum of sumsOf(stream, [0.5])) {
      expect(sum + stream.container.total).toBeCloseTo(stream.compressedBytes * 8, 6);
    }
  },
);

test('literals after a code that changes with a match have their bits, in both ways of sharing', () => {
  const tokens = new StreamTokens(4);
  tokens.price(RAW_LENGTHS);
  tokens.literals(1, 0);
  tokens.price(new Uint8Array(256).fill(3));
  tokens.match(4, 1, 10);
  tokens.literals(5, 0);
  const plain = Uint8Array.of(7, 7, 7, 7, 9);
  const stream = {
    ok: true,
    format: 'deflate',
    plain,
    compressedBytes: 0,
    tokens,
    container: new Container(),
  } as const;
  for (const sum of sumsOf(stream, [0.5])) expect(sum).toBeCloseTo(8 + 10 + 3, 9);
});

test.each(BIT_FORMATS)(
  '%s changed anywhere: a correct sum or a failure with its offset, within the limit',
  (format) => {
    const plain = new TextEncoder().encode('{"level":"INFO","message":"took 12 ms","id":"a8f3"}\n'.repeat(30));
    const LIMIT = 1 << 16;
    const sounds: Uint8Array[] = ENCODERS.filter(([, own]) => own === format).flatMap(([, , encode]) =>
      [0, 1, 6].map((level) => new Uint8Array(encode(plain, level))),
    );
    if (format === 'snappy-framed') sounds.push(framedSnappy(plain));
    const change = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(fc.constantFrom(...sounds), fc.array(change, { minLength: 1, maxLength: 3 }), (sound, changes) => {
        const bytes = sound.slice();
        for (const [at, bits] of changes) bytes[at % bytes.length]! ^= bits;
        const stream = readBits(bytes, format, LIMIT);
        if (!stream.ok) return stream.offset <= bytes.length;
        if (stream.plain.length > LIMIT || stream.tokens.end !== stream.plain.length) return false;
        return sumsOf(stream, []).every((sum) => Math.abs(sum + stream.container.total - bytes.length * 8) < 1e-6);
      }),
      { numRuns: 10_000 },
    );
  },
);

/** A chunk stored, with a checksum of its own. */
function framedSnappy(plain: Uint8Array): Uint8Array {
  const identifier = [0xff, 6, 0, 0, 0x73, 0x4e, 0x61, 0x50, 0x70, 0x59];
  const padding = [0xfe, 3, 0, 0, 0, 0, 0];
  const block = encodeSnappy(plain);
  const sum = maskedCrc32c(plain);
  const size = block.length + 4;
  return Uint8Array.of(...identifier, ...padding, 0, size & 255, size >> 8, 0, ...sum, ...block);
}

function maskedCrc32c(bytes: Uint8Array): readonly number[] {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  crc = ~crc;
  const masked = (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
  return [masked & 255, (masked >>> 8) & 255, (masked >>> 16) & 255, masked >>> 24];
}
