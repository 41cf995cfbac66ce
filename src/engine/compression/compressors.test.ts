/**
 * Each compressor's output is read back by a decoder of its own format, and has the size that the named library gives.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import lz4 from 'lz4js';
import { gzip } from 'pako';
import { expect, test } from 'vitest';
import { BROTLI_CODE } from './brotli-encoder/brotli-code.ts';
import { openLibrary } from './c-library.ts';
import type { CompressorId } from './compressor-row.ts';
import { COMPRESSORS, loadCompressor } from './compressors.ts';
import { ZSTD_CODE } from './dictionary/zstd-code.ts';
import { ZLIB_CODE } from './gzip-encoder/zlib-code.ts';
import { decodeGzip } from './inflate.ts';
import { decodeBody } from './registry.ts';

const fileAt = (path: string) => new Uint8Array(readFileSync(new URL(`../../../${path}`, import.meta.url)));
const HITS = fileAt('fixtures/input/opensearch-10.typed.bin');

const codeAt = (path: string) => new TextDecoder().decode(fileAt(`src/engine/compression/${path}-code.ts`));

const decode: Readonly<Record<CompressorId, (bytes: Uint8Array, size: number) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes),
  snappy: (bytes) => ours(bytes, 'snappy'),
  'lz4-block': (bytes, size) => {
    const plain = new Uint8Array(size);
    return plain.subarray(0, lz4.decompressBlock(bytes, plain, 0, bytes.length, 0));
  },
  'lz4-frame': (bytes, size) => (size === 0 ? new Uint8Array() : lz4.decompress(bytes)),
  zstd: (bytes) => ours(bytes, 'zstd'),
  brotli: (bytes) => brotliDecompressSync(bytes),
};

function ours(bytes: Uint8Array, codec: string): Uint8Array {
  const decoded = decodeBody(bytes, codec);
  if (!decoded.ok) throw new Error(decoded.detail);
  return decoded.bytes;
}

/** Bytes that repeat themselves near and far. */
const plainBytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.array(fc.nat(3), { maxLength: 3000 }).map((numbers) => Uint8Array.from(numbers)),
);

test.each(COMPRESSORS.map(({ id }) => id))('%s is read back', async (id) => {
  const { compress } = await loadCompressor(id);
  await fc.assert(
    fc.asyncProperty(plainBytes, async (plain) => {
      expect(Buffer.compare(decode[id](await compress(plain), plain.length), plain)).toBe(0);
    }),
    { numRuns: 300 },
  );
  const large = Uint8Array.from({ length: 200_000 }, (_, at) => (at * at) >> 7);
  expect(Buffer.compare(decode[id](await compress(large), large.length), large)).toBe(0);
});

test('gzip writes what pako, a port of zlib, writes, after any other message and at any level', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(plainBytes, fc.constantFrom(1, 6, 9))), async (messages) => {
      for (const [plain, level] of messages) {
        const { compress } = await loadCompressor('gzip', level);
        expect(Buffer.compare(await compress(plain), gzip(plain, { level: level as 1 | 6 | 9 }))).toBe(0);
      }
    }),
  );
  const { compress } = await loadCompressor('gzip', 9);
  const random = randomBytes(300_000);
  expect(Buffer.compare(await compress(random), gzip(random, { level: 9 }))).toBe(0);
});

test('Brotli writes what its own library in Node writes, at every level', async () => {
  const { levels } = COMPRESSORS.find(({ id }) => id === 'brotli')!;
  const theirs = (plain: Uint8Array, level: number) =>
    brotliCompressSync(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: level,
        [constants.BROTLI_PARAM_LGWIN]: 22,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    });
  const expectSame = async (plain: Uint8Array, level: number) => {
    const { compress } = await loadCompressor('brotli', level);
    expect(Buffer.compare(await compress(plain), theirs(plain, level))).toBe(0);
  };
  // Node ends a stream without bytes in another way than the library's function for a whole message.
  const some = plainBytes.filter(({ length }) => length > 0);
  await fc.assert(fc.asyncProperty(some, fc.constantFrom(...levels), expectSame));
  // A message of over 1 MiB has another hash table. This one repeats itself beyond a block of the encoder.
  const part = randomBytes(70_000);
  const large = Uint8Array.from({ length: 1_500_000 }, (_, at) => part[(at + (at >> 17)) % part.length]!);
  for (const level of [1, 5, 9]) await expectSame(large, level);
});

/** By zlib 1.2.13 and 1.3.1, golang/snappy 1.0.0, liblz4 1.9.4, libzstd 1.5.7, Google Brotli 1.2.1. */
test.each([
  ['fixtures/input/opensearch-10.typed.bin', [1708, 2522, 2429, 2464, 1695, 1564]],
  ['public/samples/prometheus-remote-write-1.binpb', [4634, 8156, 6181, 6212, 3944, 3824]],
  ['public/samples/prometheus-remote-write-2.binpb', [4223, 5338, 5611, 5896, 3557, 3311]],
  ['nothing', [20, 1, 1, 11, 9, 1]],
])('%s takes as many bytes as with the native library', async (path, expected) => {
  const plain = path === 'nothing' ? new Uint8Array(0) : fileAt(path);
  const sizes = await Promise.all(
    COMPRESSORS.map(async ({ id }) => (await (await loadCompressor(id)).compress(plain)).length),
  );
  expect(sizes).toEqual(expected);
});

test('levels and version are those of the library', async () => {
  const sizeAt = async (id: CompressorId, level?: number) =>
    (await (await loadCompressor(id, level)).compress(HITS)).length;
  for (const { id, levels, level } of COMPRESSORS) {
    if (levels.length === 0) continue;
    expect(await sizeAt(id, levels.at(-1))).toBeLessThan(await sizeAt(id, levels[0]));
    expect(await sizeAt(id)).toBe(await sizeAt(id, level));
  }
  const versionOf = (id: CompressorId) => COMPRESSORS.find((row) => row.id === id)!.version;
  expect(codeAt('brotli-encoder/brotli')).toContain(`Google Brotli ${versionOf('brotli')}`);
  expect(codeAt('gzip-encoder/zlib')).toContain(`zlib ${versionOf('gzip')}`);
  expect(versionOf('zstd')).toBe((await (await import('@hpcc-js/wasm-zstd')).Zstd.load()).version());
});

test('a label names the level where there is one', async () => {
  const labels = await Promise.all(COMPRESSORS.map(async ({ id }) => (await loadCompressor(id)).label));
  expect(labels).toEqual(['gzip level 6', 'snappy', 'lz4-block', 'lz4-frame', 'zstd level 3', 'brotli level 5']);
  expect((await loadCompressor('brotli', 11)).parameters).toBe('quality 11, lgwin 22, mode generic');
});

test.each([
  ['zlib', ZLIB_CODE],
  ['Brotli', BROTLI_CODE],
  ['libzstd', ZSTD_CODE],
])('%s opens beside a message that is borrowed from the decoders', (_, code) => {
  const message = decodeGzip(gzip(HITS), HITS.length);
  openLibrary(code);
  expect(message).toMatchObject({ bytes: HITS });
});
