import { expect, test } from 'vitest';
import { compileSchema } from '../schema/compile.ts';
import { timeOf } from './changed-compressors.ts';

test('the time of a compressor that takes less than a step of the clock', async () => {
  let now = 0;
  const taking = (id: string, milliseconds: number) => ({
    id,
    size: async ({ length }: Uint8Array) => {
      now += milliseconds;
      return length;
    },
  });
  const subject = {
    registry: compileSchema([]).registry,
    type: 'M',
    units: [],
    compressors: [taking('zstd', 0.05)],
    rankedBy: 'zstd',
    others: { brotli: async () => taking('brotli', 0.04) },
    clock: () => Math.floor(now * 10) / 10,
  };
  const time = await timeOf(subject, [{ change: 'compressor', from: 'zstd', to: 'brotli' }], [new Uint8Array(9)]);
  expect(time).toBeCloseTo(0.8, 1);
});
