import { expect, test } from 'vitest';
import { type BitsFacts, bitsSource, bitsWords, containerWords, copiedWords } from './bits-words.ts';

const ZSTD = { kind: 'encoder', label: 'zstd level 3', library: 'libzstd', version: '1.5.7' } as const;
const bits = (change: Partial<BitsFacts>): BitsFacts => ({
  ...{ by: ZSTD, formats: ['zstd'], streams: 1, messages: 1, outOf: 1, plainBytes: 1000, compressedBytes: 100 },
  container: { frame_header: 16, huffman_tables: 84 },
  fields: [
    { path: 'a', bytes: { tag: 100, value: 500 }, paid: { tag: 60, value: 400 } },
    { path: 'b', bytes: { tag: 20, length: 50, value: 330 }, paid: { tag: 4, length: 152, value: 84 } },
  ],
  ...change,
});
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test.each<[string, Partial<BitsFacts>, string]>([
  [
    'by a named encoder',
    {},
    'After zstd level 3, 1,000 bytes are 100: tags are 12.0 % of the plain bytes and 8.00 % after, lengths 5.00 % and 19.0 %.',
  ],
  [
    'as captured, natively: there are no tags',
    {
      by: { kind: 'captured' },
      formats: ['dfl'],
      fields: [{ path: 'a', bytes: { length: 10, value: 990 }, paid: { length: 80, value: 620 } }],
    },
    'As captured (dfl), 1,000 bytes are 100: lengths are 1.00 % of the plain bytes and 10.0 % after.',
  ],
  [
    'numbers alone: there are no lengths',
    { fields: [{ path: 'a', bytes: { tag: 100, value: 900 }, paid: { tag: 60, value: 640 } }] },
    'After zstd level 3, 1,000 bytes are 100: tags are 10.0 % of the plain bytes and 7.50 % after, lengths 0 % and 0 %.',
  ],
  [
    'JSON: there are neither tags nor lengths',
    { fields: [{ path: 'a', bytes: { key: 400, value: 600 }, paid: { key: 80, value: 620 } }] },
    'After zstd level 3, 1,000 bytes are 100.',
  ],
  [
    'Brotli: totals only',
    {
      by: { kind: 'captured' },
      formats: ['brotli'],
      container: { not_attributed: 800 },
      fields: [{ path: 'a', bytes: { tag: 10, value: 990 }, paid: { tag: 0, value: 0 } }],
    },
    'As captured (brotli), 1,000 bytes are 100. Brotli’s bits are not known by field, only its totals.',
  ],
])('%s', (_, change, words) => {
  expect(plain(bitsWords(bits(change)))).toBe(words);
});

test.each<[string, Partial<BitsFacts>, string]>([
  ['one', {}, '1 message in 1 stream, by libzstd 1.5.7.'],
  [
    'a part',
    { by: { kind: 'captured' }, messages: 5, outOf: 9, streams: 5 },
    '5 of 9 messages in 5 streams, as they were sent.',
  ],
  ['all in one', { messages: 9, outOf: 9 }, '9 messages, joined and compressed at once, by libzstd 1.5.7.'],
  ['each alone', { messages: 9, outOf: 9, streams: 9 }, '9 messages, each compressed alone, by libzstd 1.5.7.'],
  ['by request', { messages: 9, outOf: 9, streams: 2 }, '9 messages in 2 streams, by libzstd 1.5.7.'],
])('source: %s', (_, change, words) => {
  expect(bitsSource(bits(change))).toBe(words);
});

test('the container, the largest item first', () => {
  expect(plain(containerWords(bits({})))).toBe('Container, 12.5 %: huffman tables 10.5, frame header 2.0.');
  expect(containerWords(bits({ container: { not_attributed: 800 } }))).toBe('');
});

test.each<[string, Parameters<typeof copiedWords>[0], string]>([
  ['literals', { start: 0, end: 1, bits: 8, from: null }, 'byte 0, 1.0 bytes after compression: not copied'],
  ['one byte', { start: 9, end: 10, bits: 8, from: null }, 'byte 9, 1.0 bytes after compression: not copied'],
  [
    'of the same message',
    { start: 4, end: 20, bits: 24, from: { distance: 120, ordinal: 3, offset: 44, path: 'a' } },
    'bytes 4 to 19, 3.0 bytes after compression: copied from byte 44 of this message, 120 bytes back',
  ],
  [
    'of another',
    { start: 4, end: 20, bits: 24, from: { distance: 120, ordinal: 2, offset: 44, path: 'a' } },
    'bytes 4 to 19, 3.0 bytes after compression: copied from byte 44 of message 2, 120 bytes back',
  ],
  [
    'of what stands between messages',
    { start: 0, end: 20, bits: 24, from: { distance: 1, ordinal: undefined, offset: 44, path: null } },
    'bytes 0 to 19, 3.0 bytes after compression: copied from before the message, 1 byte back',
  ],
])('copies: %s', (_, stretch, words) => {
  expect(copiedWords(stretch, 3).replaceAll('\u00a0', ' ')).toBe(words);
});
