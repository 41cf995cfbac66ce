import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { SHIFTS, savedOf, sizesBehindNoise } from './saved-bytes.ts';

const gzip = async (plain: Uint8Array): Promise<Uint8Array> => new Uint8Array(gzipSync(plain));
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const random = (count: number): Uint8Array => Uint8Array.from({ length: count }, (_, at) => (at * 2654435761) >>> 24);

test('a field that no other part repeats saves its own size', async () => {
  const rest = text('status ok, took 12 ms\n'.repeat(50));
  const noise = random(400);
  const whole = await sizesBehindNoise([Buffer.concat([rest, noise])], gzip);
  const saved = savedOf(whole, await sizesBehindNoise([rest], gzip));
  expect(saved.isMeasurable).toBe(true);
  expect(saved.low).toBeGreaterThan(300);
  expect(saved.bytes).toBeGreaterThanOrEqual(saved.low);
  expect(saved.bytes).toBeLessThanOrEqual(saved.high);
});

test('a saving that depends on the bytes in front of the messages is not measurable', () => {
  // One byte more or less, as a search that skips finds it or not.
  expect(savedOf([100, 101, 102], [101, 99, 103])).toEqual({ bytes: -1, low: -1, high: 2, isMeasurable: false });
});

test('each shift is reported before it is measured, and a throw ends the run', async () => {
  const shifts: number[] = [];
  const streams = [text('ab'), text('a')];
  const sizes = await sizesBehindNoise(streams, gzip, (shift) => void shifts.push(shift));
  expect(shifts).toEqual(Array.from({ length: SHIFTS }, (_, shift) => shift));
  expect(sizes[0]).toBe(streams.reduce((sum, stream) => sum + gzipSync(stream).length, 0));
  const stop = () => {
    throw new Error('stopped');
  };
  await expect(sizesBehindNoise(streams, gzip, stop)).rejects.toThrow('stopped');
});
