import { expect, test } from 'vitest';
import { memberNamesWords, shareWords } from './share-words.ts';

const FACTS = {
  ...{ fields: 3, messages: 1, outOf: 1, size: 54, travelling: null, isExcerptCarried: false, hasMemberNames: false },
  ...{ schema: { files: 0, bytes: 0 }, hasKeys: false, holdsKeys: false, namesTypes: false },
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

const STAYS = /The link has no TLS secrets: encrypted parts of the input stay encrypted\.$/;
test.each([
  ['the input itself', 'inline', { hasKeys: true, holdsKeys: true }, STAYS],
  ['an address, with a key log that was opened beside it', 'address', { hasKeys: true }, STAYS],
  [
    'an address of a file that has the secrets',
    'address',
    { hasKeys: true, holdsKeys: true },
    /The file there has TLS secrets in it: its encrypted parts are read, too\.$/,
  ],
  ['an address without secrets', 'address', {}, /is asked first\.$/],
] as const)('TLS secrets are not in a link: %s', (_, kind, facts, words) => {
  expect(shareWords(kind, { ...FACTS, ...facts })).toMatch(words);
});
