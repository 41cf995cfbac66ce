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

const SCHEMA = { files: 3, bytes: 3000 };
test.each([
  ['shape', 'without a schema', {}, 'structure of 1 message, and no schema. Texts'],
  [
    'shape',
    'some of the messages, and fewer files',
    { messages: 2, outOf: 5, schema: SCHEMA, travelling: { files: 1, bytes: 400 } },
    'structure of 2 of 5 messages, and the part of the schema that the messages need, 1 file of 400 bytes, without the comments of .proto files. Texts',
  ],
  [
    'shape',
    'all files, which are smaller without their comments',
    { messages: 5, outOf: 5, schema: SCHEMA, travelling: { files: 3, bytes: 2000 } },
    'structure of 5 messages, and the schema, 3 files of 2,000 bytes, without',
  ],
  [
    'inline',
    'a part of the files',
    { schema: SCHEMA, travelling: { files: 3, bytes: 2999 } },
    'The unchanged input, 54 bytes, with every value, and the part of the schema that the messages need, 3 files of 2,999 bytes.',
  ],
  [
    'inline',
    'all files',
    { schema: SCHEMA, travelling: SCHEMA },
    'with every value, and the schema, 3 files of 3,000 bytes.',
  ],
  [
    'address',
    'files that are not known yet',
    { schema: SCHEMA },
    'fetched from, and the schema, 3 files of 3,000 bytes.',
  ],
  [
    'profile',
    'some of the messages',
    { messages: 2, outOf: 5 },
    'Counts and sizes of 3 fields of 2 of 5 messages, with',
  ],
  [
    'shape',
    'an Any, which names types',
    { namesTypes: true },
    'but the names of types in URLs of an Any stay: the plain',
  ],
] as const)('the messages and the schema in a link, %s: %s', (kind, _, facts, words) => {
  expect(shareWords(kind, { ...FACTS, ...facts }).replaceAll('\u00a0', ' ')).toContain(words);
});

test('names from messages are listed with what is unseen in them, the first 500', () => {
  expect(memberNamesWords(['a', 'b\u202ec'])).toBe(
    'Names from the messages themselves, which may be data: a, b\\u202ec.',
  );
  expect(memberNamesWords(Array(1501).fill('a'))).toMatch(/: (a, ){500}and 1,001 more\.$/);
  expect(memberNamesWords(Array(500).fill('a'))).toMatch(/: (a, ){499}a\.$/);
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
