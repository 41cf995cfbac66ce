import { expect, test } from 'vitest';
import { isOnThisMachine } from './own-machine.ts';

test.each([
  ['localhost', true],
  ['app.localhost', true],
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['[::1]', true],
  ['127.0.0.1.example.org', false],
  ['localhost.example.org', false],
  ['wirecost.example.org', false],
  ['10.0.0.1', false],
])('%s', (host, is) => {
  expect(isOnThisMachine(host)).toBe(is);
});
