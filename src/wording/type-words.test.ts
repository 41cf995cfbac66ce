import { expect, test } from 'vitest';
import { rankingWords, typeNote, unlikeWords, untypedFields, untypedLabel, unusedSchemaWords } from './type-words.ts';

const plan = { type: null, twins: [], candidates: [{ type: 'a.Row', score: 1, reason: '' }] };
const compared = { types: 1402, messages: 1 };

test.each([
  ['asserted', 'a.Row', 'Row fits message 3. 1,402 types compared, best fit first.'],
  ['alike', null, 'Several types fit message 3 equally well. 1,402 types compared, best fit first.'],
  ['short', null, 'There are too few bytes in message 3 to detect its type. 1,402 types compared, best fit first.'],
  [
    'unproven',
    null,
    'Row fits message 3, but messages of other types may look the same. 1,402 types compared, best fit first.',
  ],
  [
    'presumed',
    'a.Row',
    'Row fits message 3, but messages of other types may look the same. 1,402 types compared, best fit first.',
  ],
  ['none', null, 'No type fits message 3. 1,402 types compared, best fit first.'],
] as const)('%s', (why, type, words) => {
  expect(rankingWords({ ...plan, why, type, compared }, 'message 3')).toBe(words);
});

test('one compared type', () => {
  const one = { ...plan, why: 'none', compared: { types: 1, messages: 1 } } as const;
  expect(rankingWords(one, 'message 3')).toBe('No type fits message 3. 1 type compared, best fit first.');
});

test('without candidates there is no ranking', () => {
  expect(rankingWords({ ...plan, why: 'none', compared, candidates: [] }, 'message 0')).toBe(
    'No type fits message 0. 1,402 types compared.',
  );
});

test.each([
  [null, 'fields by number'],
  ['by number', 'fields by number'],
  ['asserted', 'fields by number'],
  ['none', 'nothing fits: fields by number'],
  ['alike', 'several fit: fields by number'],
  ['unproven', 'weak evidence for a type: fields by number'],
  ['short', 'too few bytes to detect a type: fields by number'],
] as const)('without a type, %s', (why, label) => expect(untypedLabel(why && { why })).toBe(label));

test.each([
  ['alike', 'a.v2.Row', ['a.v1.Row'], '2 fit alike'],
  ['alike', null, ['a.Row', 'a.Cell'], ''],
  ['asserted', 'a.Row', ['a.Cell'], ''],
  ['presumed', 'a.Row', [], 'presumed'],
] as const)('beside a type: %s, %s', (why, type, twins, label) =>
  expect(typeNote({ ...plan, why, type, twins, compared })).toBe(label),
);

test('a bundled type beside a loaded schema is named as such', () => {
  const bundled = { ...plan, compared, twins: ['a.v1.Row'], type: 'a.v2.Row', isBundled: true } as const;
  expect(typeNote({ ...bundled, why: 'asserted' })).toBe('bundled');
  expect(typeNote({ ...bundled, why: 'alike' })).toBe('2 fit alike, bundled');
  expect(unusedSchemaWords({ ...bundled, why: 'asserted' })).toBe(
    'No type of your schema fits as well: Row ships with the app.',
  );
  expect(unusedSchemaWords({ ...plan, compared, type: 'a.Row', why: 'asserted' })).toBeUndefined();
});

test.each<readonly [string, readonly string[], string | undefined, string | null]>([
  ['one', ['a.Row'], '1 type was not compared, because errors of your schema touch it: Row.', null],
  [
    'several',
    ['a.Row', 'a.Cell', 'a.Sum', 'a.Mean', 'a.Table'],
    '5 types were not compared, because errors of your schema touch them: Row, Cell, Sum and 2 more.',
    null,
  ],
  [
    'one, for messages of a bundled type',
    ['a.Row'],
    'No type of your schema fits as well: Trace ships with the app. 1 type was not compared, because errors of your schema touch it: Row.',
    'b.Trace',
  ],
  ['one, for messages of another type', ['a.Row'], undefined, 'a.Cell'],
  ['none', [], undefined, null],
])('types that are left out: %s', (_, leftOut, words, type) => {
  const why = type === null ? 'none' : 'asserted';
  expect(
    unusedSchemaWords({ ...plan, compared, why, type, leftOut, ...(type === 'b.Trace' ? { isBundled: true } : {}) }),
  ).toBe(words);
});

test('text without a type has names', () => {
  expect(untypedLabel({ why: 'none', isText: true })).toBe('nothing fits: fields by name');
  expect(untypedFields({ other: { label: 'JSON', isCaptured: true, isAlone: true } })).toBe('fields by name');
  expect(untypedFields({ other: { label: 'JSON', isCaptured: false, isAlone: false } })).toBe('fields by number');
  expect(untypedFields({})).toBe('fields by number');
});

test('files of different types are named, and those that were not compared are counted', () => {
  const rows = { type: 'a.Row', files: ['1', '2', '3', '4', '5', '6'] };
  const types = [rows, { type: 'a.Cell', files: ['7'] }];
  expect(unlikeWords({ unlike: { types, oneIn: 1 } })).toBe(
    'The files are of different types: a.Row is the type of 1, 2, 3, 4, 5 and 1 more file; a.Cell is the type of 7. The figures mix them: open those of one type alone.',
  );
  expect(unlikeWords({ unlike: { types, oneIn: 3 } })).toContain(
    'The files are of different types, of which one in 3 was compared alone: a.Row',
  );
  expect(unlikeWords({})).toBeUndefined();
});
