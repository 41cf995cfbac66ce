import { expect, test } from 'vitest';
import { isReadableBy } from './remote-sources.ts';

const SOURCES = ["'self'", 'https://a.example', 'https://*.b.example:8443'];

test.each([
  ['https://a.example', true],
  ['http://a.example', false],
  ['https://a.example:8443', false],
  ['https://x.a.example', false],
  ['https://x.b.example:8443', true],
  ['https://x.y.b.example:8443', true],
  ['https://b.example:8443', false],
  ['https://evilb.example:8443', false],
  ['https://x.b.example', false],
  ['http://x.b.example:8443', false],
])('%s: %s', (origin, isReadable) => {
  expect(isReadableBy(SOURCES, origin)).toBe(isReadable);
});

test('without a policy every origin is allowed', () => {
  expect(isReadableBy(null, 'https://a.example')).toBe(true);
});
