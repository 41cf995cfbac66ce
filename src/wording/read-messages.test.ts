import { expect, test } from 'vitest';
import { countWords, firstOnly, listedWords, totalWords } from './read-messages.ts';

test.each([
  ['read to its end', true, '1,383', '1,383 in all'],
  ['not read to its end', false, '1,383 read', '1,383 read'],
])('the messages of an input that is %s', (_name, complete, count, total) => {
  const read = { messages: 1383, complete };
  expect([countWords(read), totalWords(read)]).toEqual([count, total]);
});

test.each([
  [34, 34, false, '34 messages, 120\u00a0bytes'],
  [3, 34, false, '3 of 34 messages, 120\u00a0bytes'],
  [1, 1, false, '1 message, 120\u00a0bytes'],
  [3, 34, true, '3 of 34 messages, 120 plain bytes'],
])('%i listed messages of %i, compressed: %s', (listed, messages, isCompressed, words) => {
  expect(listedWords(listed, 120, messages, isCompressed)).toBe(words);
});

test.each([
  [1383, false, 'Only the first 1,383 messages: reading was cancelled.'],
  [1, true, 'Only the first message: reading failed.'],
])('%i messages, and then reading ended', (messages, hasFailed, words) => {
  expect(firstOnly(messages, hasFailed)).toBe(words);
});
