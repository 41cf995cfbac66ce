import { expect, test } from 'vitest';
import { memberNamesWords, shareWords } from './share-words.ts';

const FACTS = {
  ...{ fields: 3, messages: 1, outOf: 1, size: 54, travelling: null, isExcerptCarried: false, hasMemberNames: false },
  ...{ schema: { files: 0, bytes: 0 }, hasKeys: false, namesTypes: false },
};

test.each([
  ['fields of a type', {}, /types\. No byte of any message\. The receiver/],
  ['with some bytes', { isExcerptCarried: true }, /types\. The bytes of messages chosen below, and no others\. The/],
  ['members of JSON', { hasMemberNames: true }, /types\. Of the messages, the names listed below\. The receiver/],
  [
    'members of JSON, and some bytes',
    { hasMemberNames: true, isExcerptCarried: true },
    /types\. Of the messages, the bytes chosen below, and the names listed below\. The receiver/,
  ],
])('figures carry of the messages: %s', (_, facts, words) => {
  expect(shareWords('profile', { ...FACTS, ...facts })).toMatch(words);
});

test('names from messages are listed with what is unseen in them, the first 500', () => {
  expect(memberNamesWords(['a', 'b\u202ec'])).toBe(
    'Names from the messages themselves, which may be data: a, b\\u202ec.',
  );
  expect(memberNamesWords(Array(1501).fill('a'))).toMatch(/a, a, and 1,001 more\.$/);
});
