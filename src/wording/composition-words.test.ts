import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { FieldProfile, Profile } from '#engine/cost/profile.ts';
import { ledgersOf } from '#testing/ledgers-of.ts';
import { compositionOf, largestPart } from './composition-words.ts';
import { TERMS } from './terms.ts';
import { plainText } from './verdict-words.ts';

const url = new URL('../../fixtures/charts/opensearch-hits.profile.json', import.meta.url);
const hits: Profile = JSON.parse(readFileSync(url, 'utf8'));
const said = (profile: Profile): string => plainText(compositionOf(profile)).replaceAll('\u00a0', ' ');

test('the amount, the share of each part, and the part without values', () => {
  expect(said(hits)).toMatchInlineSnapshot(
    `"10,000 search hits take 9,207,862 bytes, 920.79 each. 1.41 % is tags and lengths."`,
  );
  expect(largestPart(hits).replaceAll('\u00a0', ' ')).toMatchInlineSnapshot(
    `"hits.source is the largest field: 8,667,852 bytes, 94.1 %. Every byte is explained."`,
  );
});

test('records that take less than nearly all bytes are not said to take all: the messages are counted', () => {
  const { protobuf } = hits.ledgers;
  const rest = (bytes: number): Profile => ({
    ...hits,
    ledgers: { ...hits.ledgers, protobuf: { ...protobuf!, bytes } },
  });
  expect(said(rest(10_000_000))).toMatch(/^10,000 search hits take /);
  expect(said(rest(11_000_000))).toMatch(/^1 message takes 11,000,000 bytes\. /);
});

test.each([
  ['none', { ...hits, messages: 0 }, 'No messages.'],
  [
    'one without a unit',
    { ...hits, messages: 1, fields: [], ledgers: ledgersOf({ protobuf: 7 }), pair: ['protobuf', null] as const },
    /^1 .* takes 7 bytes\. 0 % is/,
  ],
  [
    'an empty message',
    {
      ...hits,
      type: 'google.protobuf.Empty',
      messages: 1,
      fields: [],
      ledgers: ledgersOf({ protobuf: 0 }),
      pair: ['protobuf', null] as const,
    },
    /^1 message takes 0 bytes\. $/,
  ],
])('%s', (_, profile, expected) => {
  expect(said(profile)).toMatch(expected);
});

test.each([
  ['protobuf', ['tag', 'length']],
  ['captured-json', ['key', 'punctuation', 'quotes', 'space']],
  ['opensearch', ['length', 'flag', 'count']],
])('the part of %s without values has the words of the legend', (id, categories) => {
  const isProtobuf = id === 'protobuf';
  const captured: Profile = {
    ...hits,
    pair: ['protobuf', isProtobuf ? null : id],
    ...(isProtobuf ? {} : { other: { label: id, isCaptured: true, isAlone: false } }),
    nativeLedger: null,
    ledgers: ledgersOf({ protobuf: 5, ...{ [id]: 10 } }),
  };
  for (const category of categories) {
    expect(said(captured)).toContain(TERMS[category as keyof typeof TERMS].word.replace(/ and .*/, ''));
  }
});

test('unread bytes are reported', () => {
  expect(largestPart({ ...hits, fields: [], unattributed: 1 })).toMatch(/^1\sbyte could not be read\.$/);
});

test('names of a captured text that the type does not have are not explained', () => {
  const [first] = hits.fields;
  const text: Profile = {
    ...hits,
    pair: ['protobuf', 'captured-json'],
    other: { label: 'JSON', isCaptured: true, isAlone: false },
    ledgers: ledgersOf({ protobuf: 1, 'captured-json': 107 }),
    fields: [
      { ...first!, ledgers: { 'captured-json': { key: 90, unattributed: 10 } } },
      { ...first!, path: 'more', name: 'more', declared: null, ledgers: { 'captured-json': { key: 4, value: 3 } } },
    ],
  };
  expect(largestPart(text).replaceAll('\u00a0', ' ')).toMatch(
    / 10 bytes could not be read\. 7 bytes are in fields that no schema has a type for\.$/,
  );
});

test('fields without a known type are not explained', () => {
  const some = hits.fields.map((field, index) => (index === 0 ? { ...field, name: '?7' } : field));
  const rest = (profile: Profile) =>
    largestPart(profile)
      .replaceAll('\u00a0', ' ')
      .replace(/^.*?%\. /, '');
  expect(rest({ ...hits, fields: some })).toMatch(/^[\d,]+ bytes are in fields that no schema has a type for\.$/);
});

test('contents of an Any whose type no schema has are not explained', () => {
  const [any, value] = hits.fields;
  const fields: readonly FieldProfile[] = [
    { ...any!, path: 'any', declared: { ...any!.declared!, type: 'google.protobuf.Any' } },
    { ...value!, path: 'any.value', parent: 'any', name: 'value', ledgers: { protobuf: { value: 9 } } },
  ];
  expect(largestPart({ ...hits, fields })).toMatch(/ 9\sbytes are in an Any whose type no schema has\.$/);
});

test('without a schema: the records, the bytes of each wire type, and what names the fields', () => {
  const field = hits.fields[0]!;
  const none = { length: null, value: null, tag: field.widths.tag };
  const of = (name: string, kind: string, occurrences: number, value: number, change: Partial<FieldProfile>) => ({
    ...field,
    name,
    path: name,
    declared: { ...field.declared!, kind, type: kind },
    occurrences,
    ledgers: { protobuf: { tag: occurrences, value } },
    widths: none,
    ...change,
  });
  const fields = [
    of('?1', 'uint64', 6, 14, { widths: { ...none, value: [0, 6] } }),
    of('?2', 'string', 2, 1000, { widths: { ...none, length: [2] } }),
    of('?3', 'double', 1, 8, { size: { min: 8, max: 8 } }),
    of('?4', 'float', 1, 4, { size: { min: 4, max: 4 } }),
    of('?5', '', 2, 3, { declared: null }),
  ];
  const words = (bytes: number, unattributed: number) =>
    largestPart({
      ...hits,
      type: '',
      fields,
      pair: ['protobuf', null],
      ledgers: ledgersOf({ protobuf: bytes }),
      unattributed,
    }).replaceAll('\u00a0', ' ');
  expect(words(1041, 0)).toMatchInlineSnapshot(
    `"12 records: LEN 1,002 bytes, VARINT 20, I64 9, I32 5, others 5. A type would name the fields. ?2 is the largest field: 1,002 bytes, 96.3 %."`,
  );
  expect(words(1044, 3)).toMatchInlineSnapshot(
    `"12 records: LEN 1,002 bytes, VARINT 20, I64 9, I32 5, others 5. 3 bytes could not be read. A type would name the fields. ?2 is the largest field: 1,002 bytes, 96.0 %."`,
  );
});

test('fields that are equally large are named together', () => {
  const [id, seqNo] = ['hits.id', 'hits.seq_no'].map((path) => hits.fields.find((field) => field.path === path)!);
  const profile = {
    ...hits,
    fields: [id!, { ...seqNo!, ledgers: id!.ledgers }],
    ledgers: ledgersOf({ protobuf: 440_000 }),
  };
  expect(largestPart(profile)).toMatch(/^hits\.id and 1 more are the largest fields: [\d,]+\sbytes each, 50\.0/);
});

test('computed protobuf is not said to have been captured', () => {
  expect(said({ ...hits, nativeLedger: null })).toMatch(/^10,000 search hits would take 9,207,862 bytes in protobuf, /);
});

test('the part without values of captured JSON is named as its legend names it', () => {
  const json: Profile = {
    ...hits,
    pair: ['protobuf', 'captured-json'],
    other: { label: 'JSON', isCaptured: true } as Profile['other'] & object,
    ledgers: ledgersOf({ protobuf: 1, 'captured-json': 100 }),
  };
  expect(said(json)).toMatch(/ is keys, punctuation, quotes and white space\.$/);
});
