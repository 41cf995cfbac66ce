import { expect, test } from 'vitest';
import { besideWords } from './beside-words.ts';

test.each([
  ['a file whose messages follow one another', 'size-prefixed-varint', 18, 0, ''],
  ['a file that ends within a message', 'size-prefixed-varint', 18, 213, '213 bytes in no message'],
  ['documents of _bulk', 'bulk', 649, 0, '649 bytes of action lines'],
  ['a search and an unread line', 'msearch', 9, 1, '9 bytes of search headers and 1 byte in no message'],
])('bytes beside the messages: %s', (_, framing, framingBytes, unattributedBytes, expected) => {
  const words = besideWords({ framing, framingBytes, unattributedBytes }).replaceAll('\u00a0', ' ');
  expect(words).toBe(expected === '' ? '' : `The input also has ${expected}.`);
});
