/** Large bodies decoded in slices give the same bytes as at once, with any other body decoded between the slices. */
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AbortError } from '../bytes/source.ts';
import { atOnce, PLAIN_LIMIT, SLICE } from './codec.ts';
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

const SMALL = new Uint8Array(1000).fill(7);
const [HALF, REST] = [PLAIN.subarray(0, SIZE / 2), PLAIN.subarray(SIZE / 2)];
const GZIP = gzipSync(PLAIN, { level: 1 });

const STREAMS: readonly [string, string, Uint8Array][] = [
  ['gzip', 'gzip', GZIP],
  ['gzip, two members', 'gzip', Buffer.concat([gzipSync(HALF, { level: 1 }), gzipSync(REST, { level: 1 })])],
  ['gzip, stored', 'gzip', gzipSync(PLAIN, { level: 0 })],
  ['zlib', 'deflate', deflateSync(PLAIN, { level: 1 })],
  ['raw DEFLATE', 'deflate', deflateRawSync(PLAIN, { level: 1 })],
  ['DFL', 'dfl', Buffer.concat([Buffer.from('DFL\0'), deflateRawSync(PLAIN, { level: 1 })])],
  ['zstd', 'zstd', zstdFrame(PLAIN)],
  ['a slice of a body', `gzip|slice:0:${SIZE}`, GZIP],
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

test('a body that cannot give way, and a limit of a slice, give what they give at once', () => {
  const whole = atOnce(decodeOwned(encodeSnappy(PLAIN), 'snappy', PLAIN_LIMIT));
  expect(whole.ok && Buffer.compare(whole.bytes, PLAIN) === 0).toBe(true);
  const limited = decodeSlices(GZIP, 'gzip', SLICE).next();
  expect(limited).toMatchObject({ done: true, value: { ok: false, reason: 'limit' } });
});

test('a damaged large body has the fault that it has at once', () => {
  fc.assert(
    fc.property(fc.nat(GZIP.length - 1), fc.boolean(), (place, isCut) => {
      const bytes = isCut ? GZIP.subarray(0, place) : Buffer.from(GZIP);
      if (!isCut) bytes[place]! ^= 0x55;
      const once = decodeBody(bytes, 'gzip');
      const sliced = atOnce(decodeOwned(bytes, 'gzip', PLAIN_LIMIT));
      if (!once.ok) expect(sliced).toEqual(once);
      else expect(sliced.ok && Buffer.compare(sliced.bytes, once.bytes) === 0).toBe(true);
    }),
    { numRuns: 20 },
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
