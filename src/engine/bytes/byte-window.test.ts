import { expect, test } from 'vitest';
import { ByteWindow } from './byte-window.ts';

test.each([
  ['small', 100, 1000],
  ['large', 64 * 1024, 400],
])('%s pieces of what arrives are seldom copied', (_name, piece, count) => {
  const window = new ByteWindow();
  let copies = 0;
  for (let n = 0; n < count; n++) {
    const before = window.bytes;
    window.append(new Uint8Array(piece).fill(n));
    if (window.bytes !== before) copies++;
  }
  expect([window.length, window.bytes[window.end - 1]]).toEqual([piece * count, (count - 1) & 255]);
  expect(copies).toBeLessThan(20);
});
