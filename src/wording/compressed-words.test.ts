import { expect, test } from 'vitest';
import type { Profile } from '#engine/cost/profile.ts';
import { ledgersOf } from '#testing/ledgers-of.ts';
import { type CompressedFacts, compressedWords } from './compressed-words.ts';

const sizes = (change: Partial<CompressedFacts>): CompressedFacts => ({
  codecs: [
    { codec: 'gzip level 6', protobuf: 1010, native: 1000 },
    { codec: 'snappy', protobuf: 1800, native: 2000 },
  ],
  messages: 1,
  outOf: 1,
  ...change,
});

const profile = (change: Partial<Profile> = {}): Profile => ({
  type: 'M',
  pair: ['protobuf', 'opensearch'],
  messages: 1,
  ledgers: ledgersOf({ protobuf: 5, opensearch: 5 }),
  header: null,
  unattributed: 0,
  fields: [],
  ...change,
});

test.each<[string, Partial<CompressedFacts>, readonly string[]]>([
  [
    'one message',
    {},
    [
      'After gzip level 6: protobuf 1,010 bytes, native 1,000: protobuf costs +1.00 %.',
      'After snappy: protobuf 1,800 bytes, native 2,000: protobuf saves 10.0 %.',
    ],
  ],
  [
    'several with equal figures',
    { codecs: [{ codec: 'snappy', protobuf: 5, native: 5 }], messages: 3, outOf: 3 },
    ['After snappy: protobuf 5 bytes, native 5: the same.', 'Each message compressed alone.'],
  ],
  [
    'a part of many',
    { codecs: [], messages: 500, outOf: 10_000 },
    ['Each message compressed alone, measured on a sample of 500 of 10,000 messages and extrapolated to all messages.'],
  ],
])('%s', (_, change, sentences) => {
  const said = compressedWords(sizes(change), profile());
  expect(said.map((text) => text.replaceAll('\u00a0', ' '))).toEqual(sentences);
});

test('the sides have the names of the compared encodings', () => {
  const facts = { codecs: [{ codec: 'zstd level 3', protobuf: 90, native: 100 }], messages: 1, outOf: 1 };
  const other = { label: 'MessagePack by name', isCaptured: false, isAlone: false };
  const captured = { 'captured-json': { ...ledgersOf({ x: 5 })['x']!, label: 'JSON' } };
  const json = profile({ pair: ['captured-json', 'msgpack-named'], other, ledgers: captured });
  expect(compressedWords(facts, json)[0]!.replaceAll('\u00a0', ' ')).toBe(
    'After zstd level 3: JSON 90 bytes, MessagePack by name 100: JSON saves 10.0 %.',
  );
});

test('bytes that one side alone has are in the sizes', () => {
  expect(
    compressedWords(sizes({ codecs: [] }), profile({ unattributed: 3 })).map((text) => text.replace('\u00a0', ' ')),
  ).toEqual(['The sizes include the 3 bytes that only protobuf has.']);
});
