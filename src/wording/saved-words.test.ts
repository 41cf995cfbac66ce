import { expect, test } from 'vitest';
import { type FieldSaved, savedBand, savedTitle, savedWords } from './saved-words.ts';

const ONE: FieldSaved = {
  ...{ path: 'a.b', label: 'zstd level 3', messages: 10, outOf: 10, per: 'joined' },
  ...{ bytes: 12, low: 5, high: 19, isMeasurable: true },
};

test.each<[string, Partial<FieldSaved>, string]>([
  [
    'less',
    {},
    'Without a.b, 10 messages, joined and compressed at once, after zstd level 3 take 12 bytes less; saved are 5 to 19 bytes with 0 to 31 bytes put in front.',
  ],
  [
    'more',
    { bytes: -9, low: -20, high: -3 },
    'Without a.b, 10 messages, joined and compressed at once, after zstd level 3 take 9 bytes more; saved are −20 to −3 bytes with 0 to 31 bytes put in front.',
  ],
  [
    'inside the band, of a sample',
    { low: -2, isMeasurable: false, messages: 1, outOf: 9 },
    'Without a.b, what 1 of 9 messages after zstd level 3 saves is not measurable: −2 to 19 bytes with 0 to 31 bytes put in front.',
  ],
  [
    'of a sample whose messages are compressed alone',
    { messages: 3, outOf: 40, per: 'message' },
    'Without a.b, 3 of 40 messages, each compressed alone, after zstd level 3 take 12 bytes less; saved are 5 to 19 bytes with 0 to 31 bytes put in front.',
  ],
  [
    'of one message, always the same',
    { messages: 1, outOf: 1, bytes: 7, low: 7, high: 7 },
    'Without a.b, 1 message after zstd level 3 takes 7 bytes less; saved are 7 bytes with 0 to 31 bytes put in front.',
  ],
  [
    'of messages that are written anew',
    { encoding: 'JSON' },
    'Without a.b, 10 messages, written in JSON, joined and compressed at once, after zstd level 3 take 12 bytes less; saved are 5 to 19 bytes with 0 to 31 bytes put in front.',
  ],
])('%s', (_, change, words) => {
  expect(savedWords({ ...ONE, ...change }).replaceAll('\u00a0', ' ')).toBe(words);
});

test('title: measured messages and noise range', () => {
  const { label } = ONE;
  const of = { label, library: 'libzstd', version: '1.5.7', messages: 9, outOf: 10, per: 'message' } as const;
  expect(savedTitle(of)).toBe(
    '9 of 10 messages, each compressed alone, zstd level 3 by libzstd 1.5.7, with 0 to 31 bytes put in front. It is a sample; the bits that fields pay may be of other streams.',
  );
  expect(savedBand(ONE)).toBe('5 to 19');
  expect(savedBand({ ...ONE, high: 5 })).toBe('5');
});
