import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { measureSaved, SHIFTS } from './saved-bytes.ts';

const gzip = async (plain: Uint8Array): Promise<Uint8Array> => new Uint8Array(gzipSync(plain));
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const random = (count: number): Uint8Array => Uint8Array.from({ length: count }, (_, at) => (at * 2654435761) >>> 24);

test('a field that no other part repeats saves its own size', async () => {
  const rest = text('status ok, took 12 ms\n'.repeat(50));
  const noise = random(400);
  const saved = await measureSaved([{ whole: Buffer.concat([rest, noise]), without: rest }], gzip);
  expect(saved.isMeasurable).toBe(true);
  expect(saved.low).toBeGreaterThan(300);
  expect(saved.bytes).toBeGreaterThanOrEqual(saved.low);
  expect(saved.bytes).toBeLessThanOrEqual(saved.high);
});

test('a saving that comes and goes with what stands in front is not measurable', async () => {
  const plain = text('a');
  let calls = 0;
  // One byte more or less, as a search that skips finds it or not.
  const fickle = async (): Promise<Uint8Array> => new Uint8Array(100 + (calls++ % 3));
  const saved = await measureSaved([{ whole: plain, without: plain }], fickle);
  expect(saved).toEqual({ bytes: -1, low: -1, high: 2, isMeasurable: false });
});

test('each shift is reported before it is measured, and a throw ends it', async () => {
  const shifts: number[] = [];
  const pair = { whole: text('ab'), without: text('a') };
  await measureSaved([pair], gzip, (shift) => void shifts.push(shift));
  expect(shifts).toEqual(Array.from({ length: SHIFTS }, (_, shift) => shift));
  const stop = () => {
    throw new Error('stopped');
  };
  await expect(measureSaved([pair], gzip, stop)).rejects.toThrow('stopped');
});
