import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cellsIn, type FieldProfile, PROTOBUF, type Profile, totalIn } from '#engine/cost/profile.ts';
import {
  aroundWords,
  capturedPairWords,
  fieldChange,
  pairHeadline,
  pairReason,
  shownDiffOf,
  unitsOf,
  unitWords,
  untypedSide,
} from './pair-words.ts';
import { plainText } from './verdict-words.ts';

const HITS: Profile = JSON.parse(
  readFileSync(new URL('../../fixtures/charts/opensearch-hits.profile.json', import.meta.url), 'utf8'),
);
const spaced = (text: string): string => text.replaceAll('\u00a0', ' ');

const valueBytes = (field: FieldProfile): number => cellsIn(field, PROTOBUF).value ?? 0;

/** The same, every field's value twice as large, in twice as many messages. */
const DOUBLED: Profile = {
  ...HITS,
  messages: HITS.messages * 2,
  ledgers: {
    ...HITS.ledgers,
    protobuf: {
      ...HITS.ledgers['protobuf']!,
      bytes: totalIn(HITS, PROTOBUF) + HITS.fields.reduce((sum, field) => sum + valueBytes(field), 0),
    },
  },
  fields: HITS.fields.map((field) => ({
    ...field,
    ledgers: { ...field.ledgers, protobuf: { ...field.ledgers['protobuf'], value: valueBytes(field) * 2 } },
  })),
};

describe('the words for A and B', () => {
  test('the headline has both totals, the change, and what one record takes', () => {
    expect(spaced(plainText(pairHeadline(DOUBLED, HITS)))).toMatch(
      /^B takes [\d,]+ bytes, A [\d,]+: \+\d+\.\d %, [\d,.]+ instead of [\d,.]+ a hit\.$/,
    );
    expect(spaced(plainText(pairHeadline(HITS, HITS)))).toMatch(/: the same\.$/);
  });

  test('without types, records of different paths are not compared', () => {
    const untyped = (profile: Profile): Profile => ({ ...profile, type: '' });
    const hits = HITS.fields.find(({ path }) => path === 'hits')!;
    const around = { ...hits, elements: 1, declared: { ...hits.declared!, cardinality: 'singular' as const } };
    const inside = DOUBLED.fields.map((field) => ({ ...field, path: `hits.${field.path}` }));
    const wrapped = { ...DOUBLED, messages: HITS.messages, fields: [around, ...inside] };
    expect(unitsOf('record', untyped(HITS), untyped(DOUBLED))).not.toBeNull();
    expect(unitsOf('record', untyped(HITS), untyped(wrapped))).toBeNull();
  });

  test('each side is measured in the encoding in which it was captured', () => {
    const pair = ['protobuf', 'laid-out'] as const;
    const ledgers = { ...HITS.ledgers, 'laid-out': { ...HITS.ledgers[HITS.pair[1]!]!, label: 'laid-out' } };
    const fields = HITS.fields.map((field) => ({
      ...field,
      ledgers: { ...field.ledgers, 'laid-out': cellsIn(field, HITS.pair[1]) },
    }));
    const native: Profile = { ...HITS, pair, ledgers, fields, nativeLedger: 'laid-out' };
    const change = totalIn(HITS, PROTOBUF) - totalIn(HITS, HITS.pair[1]);
    const { rows, causes } = shownDiffOf(native, HITS);
    expect(rows.reduce((sum, { bytes }) => sum + bytes.b - bytes.a, 0)).toBe(change);
    expect(causes.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(change);
    expect(spaced(plainText(pairHeadline(HITS, native)))).toMatch(
      /^B takes [\d,]+ bytes in protobuf, A [\d,]+ in the native encoding: \+/,
    );
    expect(spaced(plainText(pairHeadline(native, native)))).toMatch(
      /^B takes [\d,]+ bytes in the native encoding, A [\d,]+: the same\.$/,
    );
  });

  test('bytes around the messages are named where a stream has them', () => {
    expect(spaced(aroundWords({ a: 12, b: 2 }))).toContain('(12 bytes in A, 2 in B)');
    expect(aroundWords({ a: 0, b: 0 })).toBe('');
  });

  test('a side without a type is named: none of its fields aligns', () => {
    const untyped = { ...HITS, type: '' };
    expect(untypedSide(untyped, HITS)).toMatch(/^A is read by field number, .*: swap both, and choose its type\. $/);
    expect(untypedSide(HITS, untyped)).toMatch(/^B is read by field number, .*: choose its type\. $/);
    expect([untypedSide(HITS, HITS), untypedSide(untyped, untyped)]).toEqual(['', '']);
    const json = { ...untyped, other: { label: 'JSON', isCaptured: true, isAlone: true } };
    expect([untypedSide(json, HITS), untypedSide(HITS, json), untypedSide(json, json)]).toEqual(['', '', '']);
    expect(untypedSide(untyped, json)).toMatch(/^A is read by field number/);
  });

  test('the reason names the fields that change most', () => {
    expect(spaced(pairReason(shownDiffOf(HITS, DOUBLED)))).toMatch(/^Most of it: \S+ \+[\d,]+, \S+ \+[\d,]+\.$/);
    const longer: Profile = {
      ...HITS,
      fields: HITS.fields.map((field) => ({
        ...field,
        ledgers: { ...field.ledgers, protobuf: { ...field.ledgers['protobuf'], value: valueBytes(field) + 10 } },
      })),
    };
    expect(spaced(pairReason(shownDiffOf(HITS, longer))), 'many alike').toMatch(
      /^Largest changes: \S+ \+10, \S+ \+10\.$/,
    );
    expect(pairReason(shownDiffOf(HITS, HITS))).toBe('Every field takes the same bytes in both.');
    const without = { ...HITS, fields: HITS.fields.filter(({ path }) => path !== 'hits.source') };
    expect(spaced(pairReason(shownDiffOf(HITS, without)))).toMatch(/Fields: 1 in A alone\.$/);
  });

  test.each([['total'], ['message'], ['record']] as const)(
    '%s: steps by field and by cause sum to the change',
    (unit) => {
      const units = unitsOf(unit, HITS, DOUBLED)!;
      const { rows, causes } = shownDiffOf(HITS, DOUBLED, {}, units);
      const change = totalIn(DOUBLED, PROTOBUF) / units.b - totalIn(HITS, PROTOBUF) / units.a;
      expect(rows.reduce((sum, { bytes }) => sum + bytes.b - bytes.a, 0)).toBeCloseTo(change, 6);
      expect(causes.reduce((sum, { bytes }) => sum + bytes, 0)).toBeCloseTo(change, 6);
      expect(unitWords(unit, HITS, DOUBLED)).toBe({ total: 'in total', message: 'a message', record: 'a hit' }[unit]);
    },
  );
});

test.each([
  ['in total', null, { a: 12_170, b: 8646 }, 'A 12,170 bytes, B 8,646 bytes: −3,524.'],
  ['a series', 'a series', { a: 22.537, b: 1 }, 'A 22.54 bytes a series, B 1 byte a series: −21.54.'],
  ['a series, the same', 'a series', { a: 2.5, b: 2.5 }, 'A 2.5 bytes a series, B 2.5 bytes a series: the same.'],
])('the change of a field, %s', (_, per, bytes, words) => {
  const row = { a: 'x', b: 'x', bytes } as unknown as Parameters<typeof fieldChange>[0];
  expect(fieldChange(row, per).replaceAll('\u00a0', ' ')).toBe(words);
});

test.each([
  ['both compressed', 50, 40, 'Compressed as captured: −20.0 %, B 40 bytes, A 50.'],
  ['B alone compressed', 100, 50, 'As captured: −50.0 %, B 50 bytes, A 100.'],
  ['both plain', 100, 100, ''],
  ['not known of A', null, 50, ''],
])('captured sizes: %s', (_, a, b, words) => {
  const profile = { ...HITS, ledgers: { ...HITS.ledgers, protobuf: { ...HITS.ledgers[PROTOBUF]!, bytes: 100 } } };
  const said = capturedPairWords({ profile, captured: a }, { profile, captured: b });
  expect(said.replaceAll('\u00a0', ' ')).toBe(words);
});
