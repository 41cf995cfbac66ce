import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { FieldProfile, Profile } from '#engine/cost/profile.ts';
import {
  declaredType,
  differenceSentence,
  fieldFacts,
  isGuess,
  presenceSentence,
  sizeSentence,
  wasteWords,
} from './field-words.ts';
import { lowerFirst } from './sentence-case.ts';

const FIXTURE = new URL('../../fixtures/charts/opensearch-hits.profile.json', import.meta.url);
const hits: Profile = JSON.parse(readFileSync(FIXTURE, 'utf8'));
const field = (path: string, change: Partial<FieldProfile> = {}): FieldProfile => ({
  ...hits.fields.find((candidate) => candidate.path === path)!,
  ...change,
});
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

describe('differenceSentence', () => {
  test.each([
    [
      'hits.version',
      '10,000 × (tag 1 + value 10) against 10,000 × Long 8 = +30,000 bytes, of which tags +10,000, fixed against variable widths −70,000, negative numbers in ten bytes +90,000.',
    ],
    [
      'hits.id',
      '10,000 × (tag 1 + length 1 + value 20) against 10,000 × Text, length −1 if absent (length 4 + value 20) = −20,000 bytes, of which tags +10,000, length prefixes −30,000.',
    ],
    ['hits.shard', 'nothing against 10,000 × optional fields (flag 1) = −10,000 bytes.'],
    ['max_score', '1 × (tag 1 + value 4) against 1 × Float 4 = +1 byte.'],
  ])('%s', (path, sentence) => {
    expect(plain(differenceSentence(field(path), hits.pair))).toBe(sentence);
  });

  test('a field of a message that is absent in protobuf and written natively', () => {
    const version = field('hits.version');
    const [ours, theirs] = hits.pair;
    const ledgers = { [ours]: {}, [theirs!]: { value: 8 } };
    const absent = { ...version, occurrences: 0, elements: 0, parents: 0, presence: 0, ledgers };
    expect(plain(differenceSentence(absent, hits.pair))).toBe('nothing against Long 8 = −8 bytes.');
  });

  test('a field with a mean that no value takes', () => {
    const [ours, theirs] = hits.pair;
    const ledgers = { [ours]: { tag: 4, value: 30 }, [theirs!]: { value: 32 } };
    const several = { ...field('hits.version'), occurrences: 4, elements: 4, parents: 3, presence: 3, ledgers };
    expect(plain(differenceSentence(several, hits.pair))).toMatch(
      /^4 × \(tag 1 \+ value 7\.5\) against 3 × Long 10\.67 on average = \+2 bytes/,
    );
  });

  test('a field without a native writer', () => {
    const unknown = field('max_score', {
      writer: null,
      ledgers: { protobuf: field('max_score').ledgers['protobuf']! },
    });
    expect(differenceSentence(unknown, hits.pair)).toBe(
      '1 × (tag 1 + value 4); the native layout does not contain it.',
    );
  });
});

describe('declaredType', () => {
  const declared = (change: Partial<NonNullable<FieldProfile['declared']>>) =>
    declaredType(field('hits.version', { declared: { ...field('hits.version').declared!, ...change } }));
  test.each([
    ['implicit presence', {}, 'int64'],
    ['explicit presence, as of a member of a oneof', { presence: 'explicit' }, 'int64'],
    ['a message', { presence: 'explicit', kind: 'message', type: 'demo.Hit' }, 'Hit'],
    ['required', { presence: 'required' }, 'required int64'],
    ['repeated', { cardinality: 'repeated', presence: 'none' }, 'repeated int64'],
    ['packed', { cardinality: 'repeated', presence: 'none', packed: true }, 'repeated int64, packed'],
    ['a map', { cardinality: 'map', kind: 'message', type: 'demo.Hit.TagsEntry' }, 'map'],
  ] as const)('%s', (_, change, words) => {
    expect(declared(change)).toBe(words);
  });

  test('a guess is named as one, and has no presence', () => {
    const guessed = field('hits.version', {
      name: '?2',
      declared: { ...field('hits.version').declared!, presence: 'explicit' },
    });
    expect(isGuess(guessed)).toBe(true);
    expect(isGuess(field('hits.version'))).toBe(false);
    expect(fieldFacts({ ...guessed, writer: null }).title).toBe('hits.version: field 2, by guess int64');
  });

  test('an unknown number', () => {
    expect(declaredType(field('hits.version', { declared: null }))).toBe('not declared');
    expect(declaredType(field('hits.version', { declared: null, name: '?2-other' }))).toBe('another wire type');
  });
});

test('facts in the tooltip', () => {
  expect(fieldFacts(field('hits.version')).title).toBe('hits.version: field 2, int64, implicit presence; native: Long');
});

test.each([
  ['always there', {}, '10,000 of 10,000 parents (100 %)'],
  ['sometimes', { presence: 2500, occurrences: 2500 }, '2,500 of 10,000 parents (25.0 %)'],
  ['several a parent', { presence: 2500, occurrences: 10000 }, '2,500 of 10,000 parents (25.0 %), 4 records each'],
  [
    'packed',
    { packedRuns: 10000, elements: 70000 },
    '10,000 of 10,000 parents (100 %); 10,000 packed runs, 70,000 elements in all',
  ],
  [
    'one of each',
    { packedRuns: 1, elements: 1, parents: 1, presence: 1, occurrences: 1 },
    '1 of 1 parent (100 %); 1 packed run, 1 element in all',
  ],
  ['no parent', { parents: 0, presence: 0, occurrences: 0 }, 'The parent message does not occur.'],
])('presence: %s', (_, change, sentence) => {
  expect(plain(presenceSentence(field('hits.version', change)))).toBe(sentence);
});

test.each([
  ['one size', {}, '10 bytes each'],
  ['a range', { size: { min: 1, max: 10 } }, '1 to 10 bytes'],
  ['nothing', { occurrences: 0 }, 'none'],
  ['of a text without a schema', { occurrences: 0, declared: null }, 'not counted, as no schema declares it'],
])('payload: %s', (_, change, sentence) => {
  expect(plain(sizeSentence(field('hits.version', change)))).toBe(sentence);
});

test('waste is listed by size, and only where there is any', () => {
  expect(wasteWords(field('hits.id'), hits)).toEqual([]);
  const wasteful = field('hits.version', { waste: { overlong: 5, negative: 90, defaults: 0 } });
  expect(wasteWords(wasteful, hits).map(({ label, bytes }) => `${label} ${bytes}`)).toEqual([
    'Negative values as ten-byte varints 90',
    'Overlong varints 5',
  ]);
  // The field pane's profile of captured JSON: protobuf is not shown.
  expect(wasteWords(wasteful, { pair: ['json', null] })).toEqual([]);
  expect(wasteWords(wasteful, { ...hits, nativeLedger: 'native' })).toEqual([]);
});

test('negative numbers of an enum: no other type writes them shorter', () => {
  const { declared } = field('hits.version');
  const waste = { overlong: 0, negative: 90, defaults: 0 };
  const remedies = (kind: string) =>
    wasteWords(field('hits.version', { declared: { ...declared!, kind }, waste }), hits).map(({ remedy }) => remedy);
  expect(remedies('int64')).toEqual(['declare it sint32 or sint64']);
  expect(remedies('enum')).toEqual(['give the values of the enum positive numbers']);
});

test('an abbreviation at the start of a cause keeps its capitals', () => {
  expect([lowerFirst('UTF-8 against UTF-16 units'), lowerFirst('Tags')]).toEqual([
    'UTF-8 against UTF-16 units',
    'tags',
  ]);
});
