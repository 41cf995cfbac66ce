import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cellsIn, type FieldProfile, PROTOBUF, type Profile, totalIn } from '#engine/cost/profile.ts';
import {
  aroundWords,
  capturedPairWords,
  fieldChange,
  formatSignedTenths,
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
    const headline = (b: Profile, a: Profile) => pairHeadline(b, a).map(({ text, tone }) => [spaced(text), tone]);
    expect(headline(DOUBLED, HITS)).toEqual([
      ['B takes 18,285,720 bytes, A 9,207,862: ', undefined],
      ['+98.6 %', 'bad'],
      [', 1,828.57 instead of 920.79 a hit.', undefined],
    ]);
    expect(headline(HITS, DOUBLED).slice(1)).toEqual([
      ['−49.6 %', 'good'],
      [', 920.79 instead of 1,828.57 a hit.', undefined],
    ]);
    const whole = (profile: Profile): Profile => ({ ...profile, fields: profile.fields.slice(0, 1) });
    expect(headline(whole(DOUBLED), whole(HITS)).at(-1)).toEqual([
      ', 9,142,860 instead of 9,207,862 a message.',
      undefined,
    ]);
    expect(headline(whole({ ...DOUBLED, messages: 1 }), whole(HITS)).at(-1), 'a message each').toEqual([
      '.',
      undefined,
    ]);
    expect(spaced(plainText(pairHeadline(HITS, HITS)))).toMatch(/: the same\.$/);
    const empty = { ...HITS, messages: 1, ledgers: { protobuf: { ...HITS.ledgers[PROTOBUF]!, bytes: 0 } } };
    expect(spaced(plainText(pairHeadline(HITS, empty)))).toMatch(/^B takes 9,207,862 bytes, A 0: \+9,207,862/);
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
    expect(spaced(aroundWords({ a: 0, b: 2 }))).toContain('(0 bytes in A, 2 in B)');
    expect(spaced(aroundWords({ a: 1, b: 0 }))).toContain('(1 byte in A, 0 in B)');
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
    expect(spaced(pairReason(shownDiffOf(HITS, DOUBLED)))).toBe(
      'Most of it: hits.source +8,637,852, hits.id +200,000.',
    );
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

  test.each([
    ['total', 'in total', { a: 1, b: 1 }],
    ['message', 'a message', { a: 1, b: 2 }],
    ['record', 'a hit', { a: 10_000, b: 10_000 }],
  ] as const)('%s: steps by field and by cause sum to the change', (unit, words, units) => {
    expect(unitsOf(unit, HITS, DOUBLED)).toEqual(units);
    expect(unitWords(unit, HITS, DOUBLED)).toBe(words);
    const { rows, causes } = shownDiffOf(HITS, DOUBLED, {}, units);
    const change = totalIn(DOUBLED, PROTOBUF) / units.b - totalIn(HITS, PROTOBUF) / units.a;
    expect(rows.reduce((sum, { bytes }) => sum + bytes.b - bytes.a, 0)).toBeCloseTo(change, 6);
    expect(causes.reduce((sum, { bytes }) => sum + bytes, 0)).toBeCloseTo(change, 6);
  });

  test('a unit is called as both sides call it', () => {
    const records = (type: string): Profile => {
      const hits = HITS.fields.find(({ path }) => path === 'hits')!;
      const others = HITS.fields.filter((field) => field !== hits);
      return { ...HITS, type, fields: [{ ...hits, declared: { ...hits.declared!, type } }, ...others] };
    };
    expect(unitWords('record', records('a.Event'), records('a.Event'))).toBe('an event');
    expect(unitWords('record', records('a.Event'), records('a.Span'))).toBe('an event or span');
    expect(unitWords('record', records('a.Span'), records('a.Event'))).toBe('a span or event');
  });

  test('without messages on one side there is no size of a message', () => {
    const empty = { ...HITS, messages: 0 };
    expect([unitsOf('message', empty, HITS), unitsOf('message', HITS, empty)]).toEqual([null, null]);
  });
});

type Row = Parameters<typeof fieldChange>[0];
/** `path in A > path in B: bytes in A > bytes in B`. */
const rowOf = (a: string | null, b: string | null, inA: number, inB: number, more: Partial<Row> = {}): Row => ({
  ...{ a, b, aligned: 'path', bytes: { a: inA, b: inB }, change: {} },
  ...more,
});

test.each([
  ['the largest first', [rowOf('x', 'x', 1, 9), rowOf('a.b.c', 'a.b.c', 50, 10)], 'Most of it: …b.c −40, x +8.'],
  [
    'opposite changes',
    [rowOf('x', 'x', 0, 90), rowOf('y', 'y', 80, 0), rowOf('z', 'z', 5, 0), rowOf('w', 'w', 9, 0)],
    'Largest changes: x +90, y −80.',
  ],
  [
    'half of the sum',
    [rowOf('w', 'w', 0, 4), rowOf('x', 'x', 0, 4), rowOf('y', 'y', 0, 4), rowOf('z', 'z', 0, 4)],
    'Largest changes: w +4, x +4.',
  ],
  [
    'fields with another path',
    [
      rowOf('a.b.c', 'd.e.c', 3, 7, { aligned: 'name' }),
      rowOf('lines', 'rows', 5, 5, { aligned: 'chosen' }),
      rowOf('y', 'y', 2, 2),
    ],
    'Most of it: a.b.c → d.e.c +4. Fields: 2 aligned by name.',
  ],
  [
    'fields in one side alone that have bytes',
    [
      rowOf('p', null, 3, 0, { alone: 'only A' }),
      rowOf(null, 'q', 0, 2, { alone: 'only B' }),
      rowOf(null, 'r', 0, 0, { alone: 'only B' }),
      rowOf(null, null, 0, 1, { ofNoField: 'unattributed' }),
    ],
    'Largest changes: p −3, q +2. Fields: 1 in A alone, 1 in B alone.',
  ],
  ['no field', [rowOf(null, null, 0, 6, { ofNoField: 'messages' })], 'Most of it: the messages themselves +6.'],
])('the reason, %s', (_, rows, words) => {
  const diff = { rows } as unknown as Parameters<typeof pairReason>[0];
  expect(spaced(pairReason(diff))).toBe(words);
});

test.each([
  ['in total', null, { a: 12_170, b: 8646 }, 'A 12,170 bytes, B 8,646 bytes: −3,524.'],
  ['a series', 'a series', { a: 22.537, b: 1 }, 'A 22.54 bytes a series, B 1 byte a series: −21.54.'],
  ['a series, the same', 'a series', { a: 2.5, b: 2.5 }, 'A 2.5 bytes a series, B 2.5 bytes a series: the same.'],
  ['in A alone', null, { a: 1, b: null }, 'A 1 byte, B none: −1.'],
  ['in B alone', 'a hit', { a: null, b: 0.5 }, 'A none, B 0.5 bytes a hit: +0.5.'],
])('the change of a field, %s', (_, per, { a, b }, words) => {
  const row = rowOf(a === null ? null : 'x', b === null ? null : 'x', a ?? 0, b ?? 0);
  expect(spaced(fieldChange(row, per))).toBe(words);
});

test('changes after compression are rounded half away from zero, and have no sign if nothing is left', () => {
  expect([0.25, -0.25, 1200, 0.04, -0.04, 0].map(formatSignedTenths)).toEqual([
    ...['+0.3', '−0.3', '+1,200.0', '0.0', '0.0', '0.0'],
  ]);
});

test('bytes of no field have sizes on both sides', () => {
  expect(spaced(fieldChange(rowOf(null, null, 0, 3), null))).toBe('A 0 bytes, B 3 bytes: +3.');
});

test.each([
  ['both compressed', 50, 40, 'Compressed as captured: −20.0 %, B 40 bytes, A 50.'],
  ['B alone compressed', 100, 50, 'As captured: −50.0 %, B 50 bytes, A 100.'],
  ['A alone compressed', 50, 100, 'As captured: +100 %, B 100 bytes, A 50.'],
  ['both to the same size', 50, 50, 'Compressed as captured: the same, B 50 bytes, A 50.'],
  ['both plain', 100, 100, ''],
  ['not known of A', null, 50, ''],
  ['not known of B', 50, null, ''],
])('captured sizes: %s', (_, a, b, words) => {
  const profile = { ...HITS, ledgers: { ...HITS.ledgers, protobuf: { ...HITS.ledgers[PROTOBUF]!, bytes: 100 } } };
  const said = capturedPairWords({ profile, captured: a }, { profile, captured: b });
  expect(said.replaceAll('\u00a0', ' ')).toBe(words);
});
