/** Large bodies decoded in slices give the same bytes as at once, with any other body decoded between the slices. */
import { constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskedSum } from '../bytes/crc32.ts';
import { AbortError } from '../bytes/source.ts';
import { readBits } from './bits/read-bits.ts';
import { atOnce, PLAIN_LIMIT, SLICE } from './codec.ts';
import { decoders } from './kernel.ts';
import { encodeLz4Block, encodeLz4Frame } from './lz4-encode.ts';
import { decodeBody, decodeOwned, decodeSlices, patiently } from './registry.ts';
import { encodeSnappy } from './snappy-encode.ts';

const SIZE = 3 * SLICE + 1000;

/** Random bytes, bytes of few values and copies, so that slices end within blocks, matches and stored blocks. */
const PLAIN = ((): Uint8Array => {
  const plain = new Uint8Array(SIZE);
  let seed = 1;
  for (let at = 0; at < SIZE; at++) {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    const part = (at >>> 18) % 3;
    plain[at] = part === 0 ? seed >>> 24 : part === 1 ? (seed >>> 24) & 7 : at % 251;
  }
  return plain;
})();

/** A frame of stored blocks, with its checksum left out. */
function zstdFrame(plain: Uint8Array): Uint8Array {
  const most = 128 * 1024;
  const parts: Uint8Array[] = [Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0x58)];
  for (let at = 0; at < plain.length; at += most) {
    const block = plain.subarray(at, at + most);
    const head = (block.length << 3) | (at + most >= plain.length ? 1 : 0);
    parts.push(Uint8Array.of(head & 255, (head >> 8) & 255, head >> 16), block);
  }
  return Uint8Array.from(Buffer.concat(parts));
}

const littleEndian = (value: number, width: number): Uint8Array =>
  Uint8Array.from({ length: width }, (_, at) => Math.floor(value / 256 ** at) & 255);

/** `plain` in parts of at most 64 KiB. */
const partsOf = (plain: Uint8Array): Uint8Array[] =>
  Array.from({ length: Math.ceil(plain.length / 65536) }, (_, at) => plain.subarray(at * 65536, (at + 1) * 65536));

function snappyFramed(plain: Uint8Array): Uint8Array {
  const chunks = partsOf(plain).map((part) => {
    const data = encodeSnappy(part);
    return [
      Uint8Array.of(0),
      littleEndian(data.length + 4, 3),
      littleEndian(maskedSum(decoders.sum('crc32c', part)), 4),
      data,
    ];
  });
  return Buffer.concat([Buffer.from('ff060000734e61507059', 'hex'), ...chunks.flat()]);
}

function snappyXerial(plain: Uint8Array): Uint8Array {
  const blocks = partsOf(plain).map((part) => {
    const data = encodeSnappy(part);
    return [littleEndian(data.length, 4).reverse(), data];
  });
  return Buffer.concat([Buffer.from('82534e41505059000000000100000001', 'hex'), ...blocks.flat()]);
}

/** With the checksum of the contents, which the encoder leaves out. */
function lz4WithSum(plain: Uint8Array): Uint8Array {
  const frame = encodeLz4Frame(plain).slice();
  frame[4]! |= 4;
  frame[14] = (decoders.sum('xxh32', frame.subarray(4, 14)) >>> 8) & 255;
  return Buffer.concat([frame, littleEndian(decoders.sum('xxh32', plain), 4)]);
}

/** A frame of stored blocks, without checksums. */
function lz4Stored(plain: Uint8Array): Uint8Array {
  const blocks = partsOf(plain).map((part) => [littleEndian(part.length + 0x80000000, 4), part]);
  const flags = Uint8Array.of(0x40, 0x40);
  const sum = Uint8Array.of((decoders.sum('xxh32', flags) >>> 8) & 255);
  return Buffer.concat([littleEndian(0x184d2204, 4), flags, sum, ...blocks.flat(), new Uint8Array(4)]);
}

/** Bytes of period three, as one match. */
const RUN = Uint8Array.from({ length: SIZE }, (_, at) => at % 3);

const SMALL = new Uint8Array(1000).fill(7);
const [HALF, REST] = [PLAIN.subarray(0, SIZE / 2), PLAIN.subarray(SIZE / 2)];
const GZIP = gzipSync(PLAIN, { level: 1 });

const STREAMS: readonly [string, string, Uint8Array][] = [
  ['gzip', 'gzip', GZIP],
  ['gzip, two members', 'gzip', Buffer.concat([gzipSync(HALF, { level: 1 }), gzipSync(REST, { level: 1 })])],
  ['gzip, stored', 'gzip', gzipSync(PLAIN, { level: 0 })],
  ['zlib', 'deflate', deflateSync(PLAIN, { level: 1 })],
  ['raw DEFLATE', 'deflate', deflateRawSync(PLAIN, { level: 1 })],
  [
    'a WebSocket message',
    'message-deflate',
    deflateRawSync(PLAIN, { level: 1, finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4),
  ],
  ['DFL', 'dfl', Buffer.concat([Buffer.from('DFL\0'), deflateRawSync(PLAIN, { level: 1 })])],
  ['zstd', 'zstd', zstdFrame(PLAIN)],
  ['snappy', 'snappy', encodeSnappy(PLAIN)],
  ['framed snappy', 'snappy-framed', snappyFramed(PLAIN)],
  ['xerial snappy', 'snappy-xerial', snappyXerial(PLAIN)],
  ['LZ4 block', 'lz4-block', encodeLz4Block(PLAIN)],
  ['LZ4 frame', 'lz4-frame', lz4WithSum(PLAIN)],
  ['LZ4 frame of stored blocks', 'lz4-frame', lz4Stored(PLAIN)],
  ['a slice of a body', `gzip|slice:0:${SIZE}`, GZIP],
  [
    'octets in a JSON string',
    'json-latin1',
    Buffer.from(JSON.stringify(Buffer.from(PLAIN).toString('latin1')).slice(1, -1)),
  ],
  ['in base64', 'base64|gzip', Buffer.from(GZIP.toString('base64'))],
];

test.each(STREAMS)('%s: other bodies may be decoded between the slices', (_name, compression, bytes) => {
  const work = decodeSlices(bytes, compression, PLAIN_LIMIT);
  let pauses = 0;
  for (;;) {
    const { done, value } = work.next();
    if (done === true) {
      expect(value.ok && Buffer.compare(value.bytes, PLAIN) === 0).toBe(true);
      break;
    }
    pauses++;
    expect(decodeBody(gzipSync(SMALL), 'gzip')).toEqual({ ok: true, bytes: SMALL });
  }
  expect(pauses).toBeGreaterThanOrEqual(Math.floor(SIZE / SLICE));
});

test('a small body is decoded without a pause', () => {
  const { done, value } = decodeSlices(gzipSync(SMALL), 'gzip', PLAIN_LIMIT).next();
  expect(done).toBe(true);
  expect(value).toEqual({ ok: true, bytes: SMALL });
});

test('a match of many slices gives way after every slice', () => {
  const work = decodeOwned(encodeLz4Block(RUN), 'lz4-block', PLAIN_LIMIT);
  let pauses = 0;
  for (;;) {
    const { done, value } = work.next();
    if (done === true) {
      expect(value.ok && Buffer.compare(value.bytes, RUN) === 0).toBe(true);
      expect(value.ok && value.bytes.buffer.byteLength).toBe(SIZE);
      break;
    }
    pauses++;
  }
  // One for the copy of the compressed bytes, one for the result; as many for the copy of the result as for decoding.
  expect(pauses).toBe(2 + 2 * Math.floor(SIZE / SLICE));
});

test('a long match has the limit and the faults of a short one', () => {
  const block = encodeLz4Block(RUN);
  for (const limit of [SLICE, 2 * SLICE, SIZE - 1])
    expect(atOnce(decodeOwned(block, 'lz4-block', limit))).toMatchObject({ ok: false, reason: 'limit' });
  for (const count of [1, 5, 6, 1000])
    expect(atOnce(decodeOwned(block.subarray(0, -count), 'lz4-block', PLAIN_LIMIT)).ok).toBe(false);
  // The decoder of all bodies has nothing left of such a match.
  const small = decodeBody(encodeLz4Block(SMALL), 'lz4-block');
  expect(small.ok && Buffer.compare(small.bytes, SMALL) === 0).toBe(true);
  expect(decodeBody(block, 'lz4-block', SIZE)).toMatchObject({ ok: true });
  const bits = readBits(block, 'lz4-block');
  expect(bits.ok && Buffer.compare(bits.plain, RUN) === 0).toBe(true);
});

test('a limit of a slice gives what it gives at once', () => {
  const limited = decodeSlices(GZIP, 'gzip', SLICE).next();
  expect(limited).toMatchObject({ done: true, value: { ok: false, reason: 'limit' } });
});

test.each([
  ['gzip', GZIP],
  ['snappy', encodeSnappy(PLAIN)],
  ['lz4-frame', lz4WithSum(PLAIN)],
])('a damaged large body of %s has the fault that it has at once', (codec, body) => {
  fc.assert(
    fc.property(fc.nat(body.length - 1), fc.boolean(), (place, isCut) => {
      const bytes = isCut ? body.subarray(0, place) : Buffer.from(body);
      if (!isCut) bytes[place]! ^= 0x55;
      const once = decodeBody(bytes, codec);
      const sliced = atOnce(decodeOwned(bytes, codec, PLAIN_LIMIT));
      if (!once.ok) expect(sliced).toEqual(once);
      else expect(sliced.ok && Buffer.compare(sliced.bytes, once.bytes) === 0).toBe(true);
    }),
    { numRuns: 10 },
  );
});

test('a cancel inside a body ends its decoding after the slice', async () => {
  const signal = { aborted: false };
  let pauses = 0;
  const work = decodeSlices(GZIP, 'gzip', PLAIN_LIMIT);
  const pause = async (): Promise<void> => {
    pauses++;
    signal.aborted = pauses === 2;
  };
  await expect(patiently(work, { signal, pause })).rejects.toThrow(AbortError);
  expect(pauses).toBe(2);
});

test.each([
  ['escapes', '\\ud83d\\ude00\\ud83d\\n\\u00e9\\\\'],
  ['UTF-8', 'a😀é€'],
])('a JSON string of many %s is cut between its characters', (_name, unit) => {
  const size = Buffer.byteLength(unit);
  const body = unit.repeat(SLICE / size + 4);
  for (let shift = 0; shift < size; shift++) {
    const bytes = Buffer.from('x'.repeat(shift) + body);
    const expected = Buffer.from(JSON.parse(`"${bytes.toString()}"`));
    const work = decodeSlices(bytes, 'json-string', PLAIN_LIMIT);
    for (let { done, value } = work.next(); ; { done, value } = work.next()) {
      if (done !== true) continue;
      expect(value?.ok && Buffer.compare(value.bytes, expected)).toBe(0);
      break;
    }
  }
});

test('a query of many slices is cut between its characters', () => {
  const bytes = Buffer.from('ab+%2B%00'.repeat(SLICE / 8));
  const whole = atOnce(decodeOwned(bytes, 'query', PLAIN_LIMIT));
  expect(whole.ok && Buffer.compare(whole.bytes, Buffer.from('ab +\0'.repeat(SLICE / 8)))).toBe(0);
});
