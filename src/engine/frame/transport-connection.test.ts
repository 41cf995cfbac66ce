import { expect, test } from 'vitest';
import { bytes, read, says } from './conversation.testing.ts';

test.each([
  ['TLS', bytes([0x16, 3, 1, 0, 5], 'hello'), ['frame/encrypted']],
  ['an unknown protocol', bytes('+PONG\r\n'), []],
])('%s is unattributed', async (_name, said, expected) => {
  const { messages, codes, layers } = await read([says(0, said)]);
  expect(messages).toEqual([]);
  expect(codes).toEqual(expected);
  expect(layers.unattributed).toBe(said.length);
});
