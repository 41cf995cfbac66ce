import { describe, expect, test } from 'vitest';
import { countedUnit, countedUnits } from '#engine/cost/counted-unit.ts';
import type { FieldProfile, Profile } from '#engine/cost/profile.ts';
import { ledgersOf } from '#testing/ledgers-of.ts';
import { plainText, verdictOf } from './verdict-words.ts';

const widths = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

function field(path: string, change: Partial<FieldProfile> = {}): FieldProfile {
  const dot = path.lastIndexOf('.');
  return {
    path,
    parent: path.slice(0, Math.max(0, dot)),
    name: path.slice(dot + 1),
    number: 1,
    declared: {
      fullName: `a.Message.${path}`,
      type: 'int64',
      kind: 'int64',
      cardinality: 'singular',
      presence: 'implicit',
      packed: false,
    },
    writer: 'Long',
    occurrences: 1,
    elements: 1,
    packedRuns: 0,
    parents: 1,
    presence: 1,
    ledgers: { protobuf: { tag: 1, value: 9 }, opensearch: { value: 8 } },
    absent: 0,
    names: {},
    widths: { tag: widths, length: null, value: null },
    size: { min: 0, max: 0 },
    waste: { overlong: 0, negative: 0, defaults: 0 },
    utf16: 0,
    writers: [],
    types: [],
    ...change,
  };
}

const list = (path: string, type: string, elements: number, value: number): FieldProfile =>
  field(path, {
    declared: {
      fullName: `a.Message.${path}`,
      type,
      kind: 'message',
      cardinality: 'repeated',
      presence: 'none',
      packed: false,
    },
    elements,
    ledgers: { protobuf: { value } },
  });

const anyField = (path: string): FieldProfile => {
  const one = list(path, 'google.protobuf.Any', 1, 0);
  return { ...one, declared: { ...one.declared!, cardinality: 'singular' } };
};

const profile = (change: Partial<Profile>): Profile => ({
  type: 'a.Message',
  pair: ['protobuf', 'opensearch'],
  messages: 1,
  ledgers: ledgersOf({ protobuf: 100, opensearch: 100 }),
  header: null,
  unattributed: 0,
  fields: [],
  ...change,
});

describe('the verdict', () => {
  test.each<[string, Partial<Profile>, string]>([
    [
      'costs more, counted in elements',
      {
        type: 'x.SearchHitsProto',
        ledgers: ledgersOf({ protobuf: 9191, opensearch: 9125 }),
        fields: [list('hits', 'x.SearchHitProto', 10, 9000)],
      },
      '10 search hits. Protobuf 9,191 bytes, native 9,125: protobuf costs +0.72 %, 6.6 bytes a hit.',
    ],
    [
      'saves, counted in messages',
      { type: 'x.ApmEvent', messages: 3, ledgers: ledgersOf({ protobuf: 90, opensearch: 120 }) },
      '3 apm events. Protobuf 90 bytes, native 120: protobuf saves 25.0 %, 10 bytes an event.',
    ],
    [
      'the same',
      { type: 'WriteRequest', ledgers: ledgersOf({ protobuf: 7, opensearch: 7 }) },
      '1 write request. Protobuf 7 bytes, native 7: both cost the same.',
    ],
    [
      'elements of several messages',
      {
        type: 'WriteRequest',
        messages: 2,
        ledgers: ledgersOf({ protobuf: 110, opensearch: 100 }),
        fields: [list('timeseries', 'prometheus.TimeSeries', 10, 110)],
      },
      '10 time series in 2 messages. Protobuf 110 bytes, native 100: protobuf costs +10.0 %, 1 byte a series.',
    ],
    [
      'a part that could not be read',
      { type: 'Item', ledgers: ledgersOf({ protobuf: 110, opensearch: 100 }), unattributed: 10 },
      '1 item. Protobuf 110 bytes, native 100. Without the 10 bytes that only protobuf has: both cost the same. 10 bytes could not be read.',
    ],
    [
      'a field that the native side has no place for',
      {
        type: 'Item',
        ledgers: ledgersOf({ protobuf: 110, opensearch: 100 }),
        fields: [field('?7', { declared: null, writer: null, ledgers: { protobuf: { tag: 1, value: 29 } } })],
      },
      '1 item. Protobuf 110 bytes, native 100. Without the 30 bytes that only protobuf has: protobuf saves 20.0 %, 20 bytes an item.',
    ],
    [
      'names of a captured text that the type does not have, and a part of it that could not be read',
      {
        type: 'Item',
        pair: ['protobuf', 'captured-json'],
        other: { label: 'JSON', isCaptured: true, isAlone: false },
        ledgers: ledgersOf({ protobuf: 7, 'captured-json': 1010 }),
        fields: [
          field('more', { declared: null, ledgers: { 'captured-json': { key: 6, value: 894 } } }),
          field('(root)', {
            declared: null,
            ledgers: { protobuf: {}, 'captured-json': { key: 0, unattributed: 100 } },
          }),
        ],
      },
      '1 item. Protobuf 7 bytes, JSON 1,010. Without the 1,000 bytes that only JSON has: protobuf saves 30.0 %, 3 bytes an item. 100 bytes could not be read.',
    ],
    [
      'names of a captured text, and a field that the other side has no place for',
      {
        type: 'Item',
        pair: ['protobuf', 'captured-json'],
        other: { label: 'JSON', isCaptured: true, isAlone: false },
        ledgers: ledgersOf({ protobuf: 10, 'captured-json': 11 }),
        fields: [
          field('more', { declared: null, ledgers: { 'captured-json': { key: 1 } } }),
          field('?7', { declared: null, writer: null, ledgers: { protobuf: { tag: 1, value: 1 } } }),
        ],
      },
      '1 item. Protobuf 10 bytes, JSON 11. Without the 2 bytes that only protobuf has and the 1 byte that only JSON has: protobuf saves 20.0 %, 2 bytes an item.',
    ],
    [
      'nothing in the native encoding, of which there is no share',
      { type: 'Item', ledgers: ledgersOf({ protobuf: 2, opensearch: 0 }) },
      '1 item. Protobuf 2 bytes, native 0: protobuf costs 2 bytes an item.',
    ],
    [
      'a message in an Any, which no side of its own has',
      {
        type: 'Item',
        ledgers: ledgersOf({ protobuf: 110, opensearch: 100 }),
        fields: [
          anyField('held'),
          field('held.[a.B]', { name: '[a.B]', parent: 'held' }),
          field('held.[a.B].n', {
            parent: 'held.[a.B]',
            ledgers: { protobuf: { value: 90 }, opensearch: { value: 90 } },
          }),
        ],
      },
      '1 item. Protobuf 110 bytes, native 100: protobuf costs +10.0 %, 10 bytes an item. 90 bytes are in an Any, protobuf on both sides.',
    ],
    [
      'compressed contents, whose inside is in no ledger',
      {
        type: 'PublishRequest',
        messages: 2,
        ledgers: ledgersOf({ protobuf: 110, opensearch: 100 }),
        contents: [
          { field: 'PublishRequest.state', type: 'State', count: 2, packed: 90, native: 1000, protobuf: 1066 },
        ],
      },
      '2 publish requests. Protobuf 110 bytes, native 100: protobuf costs +10.0 %, 5 bytes a request.',
    ],
    [
      'indented JSON',
      {
        type: 'Item',
        pair: ['protobuf', 'captured-json'],
        other: { label: 'JSON', isCaptured: true, isAlone: false },
        ledgers: ledgersOf({ protobuf: 20, 'captured-json': 100 }),
        fields: [field('id', { ledgers: { 'captured-json': { key: 50, value: 10, space: 40 } } })],
      },
      '1 item. Protobuf 20 bytes, JSON 100: protobuf saves 80.0 %, 80 bytes an item. The JSON has 40 bytes of white space.',
    ],
    [
      'JSON with one space',
      {
        type: 'Item',
        pair: ['protobuf', 'captured-json'],
        other: { label: 'JSON', isCaptured: true, isAlone: false },
        ledgers: ledgersOf({ protobuf: 4, 'captured-json': 8 }),
        fields: [field('id', { ledgers: { 'captured-json': { key: 5, value: 2, space: 1 } } })],
      },
      '1 item. Protobuf 4 bytes, JSON 8: protobuf saves 50.0 %, 4 bytes an item. The JSON has 1 byte of white space.',
    ],
    [
      'JSON that fits no type',
      {
        type: '',
        pair: ['protobuf', 'captured-json'],
        other: { label: 'JSON', isCaptured: true, isAlone: true },
        ledgers: ledgersOf({ protobuf: 0, 'captured-json': 1234 }),
      },
      '1 message. JSON 1,234 bytes.',
    ],
    [
      'no schema',
      {
        type: '',
        pair: ['protobuf', null],
        ledgers: ledgersOf({ protobuf: 10 }),
        fields: [field('?1', { declared: null })],
      },
      '1 message. Protobuf 10 bytes: tags 1, length prefixes 0, values 9. Overhead 10.0 %.',
    ],
    [
      'no schema, and a byte that could not be read',
      {
        type: '',
        pair: ['protobuf', null],
        ledgers: ledgersOf({ protobuf: 10 }),
        unattributed: 1,
        fields: [field('?1', { declared: null, ledgers: { protobuf: { tag: 1, length: 3, value: 5 } } })],
      },
      '1 message. Protobuf 10 bytes: tags 1, length prefixes 3, values 5, unattributed 1. Overhead 40.0 %.',
    ],
    ['nothing', { messages: 0, ledgers: ledgersOf({ protobuf: 0, opensearch: 0 }) }, 'No messages.'],
  ])('%s', (_, change, expected) => {
    expect(plainText(verdictOf(profile(change))).replaceAll('\u00a0', ' ')).toBe(expected);
  });

  test.each([
    ['bad', 101],
    ['good', 99],
    ['even', 100],
  ])('%s: protobuf takes %i bytes, native 100', (tone, protobuf) => {
    const words = verdictOf(profile({ ledgers: ledgersOf({ protobuf, opensearch: 100 }) }));
    expect(words.map((phrase) => phrase.tone).filter((one) => one !== undefined)).toEqual(['subject', tone]);
  });
});

describe('the counted records', () => {
  test.each([
    ['a.SearchHit', 'search hit', 'search hits'],
    ['OTLPSpan', 'OTLP span', 'OTLP spans'],
    ['query.ExecuteBatchRequest', 'execute batch request', 'execute batch requests'],
    ['Entry', 'entry', 'entries'],
    ['Address', 'address', 'addresses'],
    ['Status', 'status', 'statuses'],
    ['TimeSeries', 'time series', 'time series'],
    ['Batch', 'batch', 'batches'],
    ['a.HitEntryProto', 'hit entry', 'hit entries'],
    ['ChatMessage', 'chat message', 'chat messages'],
    ['KafkaMsg', 'kafka message', 'kafka messages'],
    ['RequestMessageProto', 'request message', 'request messages'],
    ['Message', 'message', 'messages'],
    ['MetricsData', 'message', 'messages'],
    ['', 'message', 'messages'],
    ['?3.?1', 'record of field 1', 'records of field 1'],
  ])('%s', (type, singular, plural) => {
    expect(countedUnit(profile({ type }))).toMatchObject({ singular, plural, path: null });
  });

  test.each([
    ['x.ChatMessage', 'chat messages', 'chat message'],
    ['x.Message', 'elements', 'element'],
    ['x.SearchHit', 'search hits', 'hit'],
    ['x.MetricData', 'metric data', 'record'],
    ['x.NodeSettings', 'node settings', 'record'],
    ['x.TimeSeries', 'time series', 'series'],
  ])('elements are not taken for the message that holds them: %s', (type, plural, short) => {
    expect(countedUnit(profile({ fields: [list('a', type, 9, 90)] }))).toMatchObject({ plural, short, path: 'a' });
  });

  test('a list with few of the bytes is not used as the unit', () => {
    expect(countedUnit(profile({ fields: [list('tags', 'x.Tag', 50, 30)] })).path).toBeNull();
  });

  test('the outermost of nested lists is the unit', () => {
    const fields = [list('a.b', 'x.Inner', 90, 95), list('a', 'x.Outer', 9, 5)];
    expect(countedUnit(profile({ fields }))).toMatchObject({ path: 'a', count: 9 });
  });

  test('two sides of one type count the same list, also where another one holds most of a side', () => {
    const few = profile({ fields: [list('a.b', 'x.Inner', 90, 95), list('a', 'x.Outer', 1, 5)] });
    const many = profile({ fields: [list('a.b', 'x.Inner', 900, 95), list('a', 'x.Outer', 9, 5)] });
    expect(countedUnits(few, many)).toMatchObject([
      { path: 'a', count: 1, singular: 'outer' },
      { path: 'a', count: 9, singular: 'outer' },
    ]);
    expect(countedUnits(many, few).map(({ count }) => count)).toEqual([9, 1]);
    expect(countedUnits(few, { ...many, type: 'b.Other' }).map(({ path }) => path)).toEqual(['a.b', 'a']);
  });
});
