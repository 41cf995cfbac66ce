import { expect, test } from 'vitest';
import type { MatrixSizes } from '#engine/analysis/measure/matrix-sizes.ts';
import { Ledgers } from '#engine/cost/type-profiler.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import { ledgersOf } from '#testing/ledgers-of.ts';
import {
  againstWords,
  capturedWithWords,
  inAnyWords,
  matrixWords,
  measuredAs,
  referenceRow,
  timesOf,
} from './matrix-words.ts';

const row = (id: string, label: string, bytes: number | null, zstd: number) => ({
  ...{ id, label, bytes, refused: null, losses: [], errors: {} },
  compressed: { zstd },
});
const sizes: MatrixSizes = {
  ...{ type: 't.Events', messages: 9, captured: 'protobuf', per: 'joined', sampled: null },
  compressors: [{ id: 'zstd', label: 'zstd level 3', library: 'libzstd', version: '1.5.7', parameters: '' }],
  rows: [
    row('protobuf', 'Protobuf', 5292, 1749),
    row('thrift-compact', 'Thrift compact', 5180, 1650),
    row('avro', 'Avro binary', 5489, 1553),
    row('borsh', 'Borsh', null, 0),
  ],
};
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

test.each([
  ['nothing is known', undefined, ''],
  ['no compression', { none: 9 }, ''],
  ['one', { dfl: 9 }, 'Captured with DEFLATE.'],
  [
    'several',
    { none: 50, snappy: 150, gzip: 800 },
    'Captured with gzip (80.0 % of the bytes), snappy (15.0 %), no compression (5.00 %).',
  ],
])('what messages were captured with: %s', (_name, sum, words) => {
  expect(plain(capturedWithWords(sum))).toBe(words);
});

test('the share of an Any, which most encodings keep as protobuf', () => {
  const { registry } = compileSchema([
    {
      path: 'a.proto',
      content:
        'syntax = "proto3"; import "google/protobuf/any.proto"; message M { google.protobuf.Any any = 1; int32 n = 2; }',
    },
  ]);
  const wordsOf = (...bytes: readonly number[]): string => {
    const ledgers = new Ledgers(registry.messages.get('M'), null);
    ledgers.add(Uint8Array.from(bytes));
    return plain(inAnyWords(ledgers.profile()));
  };
  expect(wordsOf(0x10, 5)).toBe('');
  expect(wordsOf(0x0a, 8, 0x0a, 2, 0x2f, 0x4d, 0x12, 2, 0x10, 5)).toBe(
    '20.0 % of the protobuf bytes are in an Any: JSON and text format write it out, all others keep it as protobuf.',
  );
});

test.each([
  [
    'after a compressor',
    sizes,
    'zstd',
    'Smallest of 3 encodings: Thrift compact, 5,180 bytes, 0.98 × protobuf; after zstd level 3 Avro binary, 1,553 bytes, 0.89 ×.',
  ],
  [
    'several are equally small',
    { ...sizes, rows: [...sizes.rows, row('cbor', 'CBOR', 5180, 1553), row('bson', 'BSON', 9000, 1553)] },
    'zstd',
    'Smallest of 5 encodings: Thrift compact, CBOR, 5,180 bytes each, 0.98 × protobuf; after zstd level 3 Avro binary, CBOR, BSON, 1,553 bytes each, 0.89 ×.',
  ],
  ['before any', sizes, null, 'Smallest of 3 encodings: Thrift compact, 5,180 bytes, 0.98 × protobuf.'],
  [
    'captured in an encoding that is also written',
    { ...sizes, captured: 'captured-json', rows: [...sizes.rows, row('captured-json', 'JSON as captured', 10360, 1)] },
    null,
    'Smallest of 4 encodings: Thrift compact, 5,180 bytes, 0.50 × JSON as captured.',
  ],
  [
    'with values that it leaves out, and others that it keeps in another form',
    {
      ...sizes,
      rows: sizes.rows.map((one) => ({
        ...one,
        losses: one.id === 'avro' ? ['extensions have no position: 7', 'NaN loses its bits: 1'] : [],
      })),
    },
    'zstd',
    'Smallest of 3 encodings: Thrift compact, 5,180 bytes, 0.98 × protobuf; after zstd level 3 Avro binary, 1,553 bytes, 0.89 ×. Avro binary leaves values out (extensions have no position: 7).',
  ],
  [
    'captured in a form that some messages do not have',
    {
      ...sizes,
      captured: 'captured-json',
      rows: [
        ...sizes.rows,
        { ...row('captured-json', 'JSON as captured', null, 0), refused: 'captured in protobuf', compressed: {} },
      ],
    },
    'zstd',
    'Smallest of 3 encodings: Thrift compact, 5,180 bytes, 0.98 × protobuf; after zstd level 3 Avro binary, 1,553 bytes, 0.89 ×.',
  ],
  ['nothing can be written', { ...sizes, rows: [] }, 'zstd', 'Nothing was measured.'],
])('the smallest: %s', (_, matrix, by, words) => {
  expect(plain(matrixWords(matrix, by))).toBe(words);
});

test.each([
  ['one', { ...sizes, messages: 1 }, undefined, '1 message.'],
  ['all', { ...sizes, messages: 1234 }, undefined, '1,234 messages, joined and compressed at once.'],
  [
    'a sample',
    { ...sizes, messages: 1234, per: 'message', sampled: { messages: 500, bytes: 9 } },
    { messages: 1234, bytes: 5200 },
    '1,234 messages, each compressed alone; a sample of 500, extrapolated to all messages.',
  ],
  [
    'with size prefixes',
    sizes,
    { messages: 9, bytes: 5283 },
    '9 messages, joined and compressed at once. Protobuf has 9 bytes of framing.',
  ],
  ['without', sizes, { messages: 9, bytes: 5292 }, '9 messages, joined and compressed at once.'],
  ['of other messages', sizes, { messages: 8, bytes: 5000 }, '9 messages, joined and compressed at once.'],
] as const)('how: %s', (_, matrix, of, words) => {
  const profile = of && { messages: of.messages, ledgers: ledgersOf({ protobuf: of.bytes }) };
  expect(plain(measuredAs(matrix, profile))).toBe(words);
});

test.each([
  ['larger', { label: 'JSON', bytes: 11_063 }, 'JSON takes 11,063 bytes, Protobuf 5,292: +109.1 %.'],
  ['smaller', { label: 'Thrift compact', bytes: 5180 }, 'Thrift compact takes 5,180 bytes, Protobuf 5,292: −2.12 %.'],
  ['as large', { label: 'X', bytes: 5292 }, 'X takes 5,292 bytes, Protobuf 5,292: the same.'],
])('against: %s', (_, other, words) => {
  expect(plain(againstWords({ label: 'Protobuf', bytes: 5292 }, other))).toBe(words);
});

test('against a message that takes no bytes, of which there is no share', () => {
  const words = againstWords({ label: 'Protobuf', bytes: 0 }, { label: 'JSON', bytes: 2 });
  expect(plain(words)).toBe('JSON takes 2 bytes, Protobuf 0: +2.');
});

test.each([
  ['nearly nothing', 3, 1000, '<0.01\u00a0×'],
  ['no reference', 3, null, ''],
])('a ratio of %s', (_, bytes, captured, words) => {
  expect(timesOf(bytes, captured)).toBe(words);
});

test('others are compared with protobuf where some messages have no captured form', () => {
  const captured = 'captured-native';
  const refused = { ...sizes, captured, rows: [row(captured, 'Native as captured', null, 0), ...sizes.rows] };
  expect([referenceRow(sizes)?.id, referenceRow(refused)?.id]).toEqual(['protobuf', 'protobuf']);
  expect(referenceRow({ captured, rows: [row(captured, 'Native as captured', null, 0)] })).toBeUndefined();
});
