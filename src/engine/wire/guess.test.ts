/** Readings where no schema says them, and types guessed from them. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryMessages } from '#testing/arbitrary-message.ts';
import { Flag, flagsAt, payloadCategoryAt, WireType } from '../model/annotation.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from './annotate.ts';
import { guessReadings } from './guess.ts';
import { inferDescriptor } from './infer-descriptor.ts';
import { ownPayload } from './rows.ts';

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const text = (value: string): string => Buffer.from(value).toString('hex');
const { LEN, VARINT, I32, I64 } = WireType;

const readings = (payload: string, wireType: number): Record<string, string> => {
  const bytes = hex(payload);
  return Object.fromEntries(
    guessReadings(bytes, 0, bytes.length, wireType).map(({ reading, value }) => [reading, value]),
  );
};
const best = (payload: string, wireType: number): string => Object.keys(readings(payload, wireType))[0]!;

describe('the likeliest reading', () => {
  test.each([
    ['a word', text('hello'), LEN, 'string'],
    ['a text of several lines', text('one\ntwo\n'), LEN, 'string'],
    ['digits, although they parse as a message', text('80808080'), LEN, 'string'],
    ['a message that holds a text', `0a 05 ${text('hello')} 10 01`, LEN, 'message'],
    ['small numbers', '01 02 03 04', LEN, 'packed varint'],
    ['two doubles', '000000000000f03f 0000000000000040', LEN, 'packed double'],
    ['noise', 'ff fe fd 81 82', LEN, 'bytes'],
    ['a number', '96 01', VARINT, 'uint64'],
    ['a negative number', 'ff ff ff ff ff ff ff ff ff 01', VARINT, 'int64'],
    ['a float', '0000c03f', I32, 'float'],
    ['four small bytes', '05000000', I32, 'fixed32'],
    ['a double', '000000000000f03f', I64, 'double'],
    ['a time in nanoseconds', '0080c6a47e8d0317', I64, 'timestamp'],
  ])('%s', (_, payload, wireType, reading) => expect(best(payload, wireType)).toBe(reading));
});

test('every plausible reading is listed with its value', () => {
  expect(readings('01', VARINT)).toEqual({ uint64: '1', bool: 'true', sint64: '-1' });
  expect(readings(text('80'), LEN)).toEqual({
    string: '"80"',
    message: '1 field',
    'packed varint': '2 elements: 56, 48',
    bytes: '2 bytes: 38 30',
  });
  expect(readings('', LEN)).toEqual({ string: '""', message: '0 fields', bytes: '0 bytes' });
  expect(readings('80 a3 c9 a4 ad 33', VARINT)).toMatchObject({ timestamp: expect.stringMatching(/^20\d\d-/) });
});

test.each([
  ['two doubles', '000000000000f03f 0000000000000040', LEN, { 'packed double': '2 elements: 1, 2' }],
  ['three floats', '0000803f 00000040 0000c0bf', LEN, { 'packed float': '3 elements: 1, 2, -1.5' }],
  [
    'two doubles that no float can be',
    '9a9999999999b93f 9a9999999999c93f',
    LEN,
    { 'packed double': '2 elements: 0.1, 0.2' },
  ],
  ['a zero in a run', '0001', LEN, { 'packed varint': '2 elements: 0, 1' }],
  ['eight numbers', '01'.repeat(8), LEN, { 'packed varint': '8 elements: 1, 1, 1, 1, 1, 1, 1, 1' }],
  ['nine numbers', '01'.repeat(9), LEN, { 'packed varint': '9 elements: 1, 1, 1, 1, 1, 1, 1, 1, …' }],
  ['nine floats', '0000803f'.repeat(9), LEN, { 'packed float': '9 elements: 1, 1, 1, 1, 1, 1, 1, 1, …' }],
  ['a number of two bytes', '8001', LEN, { 'packed varint': '1 element: 128' }],
  ['a number that is longer than needed', '8000', LEN, { 'packed varint': undefined }],
  ['a negative fixed32', 'ffffffff', I32, { fixed32: '4294967295', sfixed32: '-1' }],
  ['a fixed32 of zero', '00000000', I32, { fixed32: '0', sfixed32: undefined, float: '0' }],
  ['a negative fixed64', 'feffffffffffffff', I64, { fixed64: '18446744073709551614', sfixed64: '-2' }],
  ['a fixed64 of zero', '0000000000000000', I64, { fixed64: '0', sfixed64: undefined, double: '0' }],
  ['the last second before the clocks', 'ffc99a3b', I32, { timestamp: undefined }],
  ['the first second of the clocks', '00ca9a3b', I32, { timestamp: '2001-09-09T01:46:40.000Z' }],
  ['the last second of the clocks', 'ff5dd0b2', I32, { timestamp: '2065-01-24T05:19:59.000Z' }],
  ['the first second after the clocks', '005ed0b2', I32, { timestamp: undefined }],
  ['one', '01', VARINT, { bool: 'true' }],
  ['two', '02', VARINT, { bool: undefined, sint64: '1' }],
])('the value of each reading: %s', (_, payload, wireType, expected) => {
  const found = readings(payload, wireType);
  expect(Object.fromEntries(Object.keys(expected).map((reading) => [reading, found[reading]]))).toEqual(expected);
});

test.each([
  ['a text', text('hello'), 'string', 'Valid UTF-8 without control characters.'],
  ['a text with a control character', '6101', 'string', 'Valid UTF-8, but with control characters.'],
  ['a text with DEL', '617f', 'string', 'Valid UTF-8, but with control characters.'],
  ['a text with a tab and lines', '61090d0a62', 'string', 'Valid UTF-8 without control characters.'],
  [
    'usual doubles',
    '000000000000f03f',
    'packed double',
    'A multiple of 8 bytes, and every double is of an everyday size.',
  ],
  ['a tiny double', '0100000000000000', 'packed double', 'A multiple of 8 bytes.'],
  ['the usual NaN', '0000c07f', 'packed float', 'A multiple of 4 bytes, and every float is of an everyday size.'],
  ['another NaN', '0100c07f', 'packed float', 'A multiple of 4 bytes.'],
])('the reason of a reading: %s', (_, payload, reading, reason) => {
  const bytes = hex(payload);
  const found = guessReadings(bytes, 0, bytes.length, LEN).find((guess) => guess.reading === reading);
  expect(found?.reason).toBe(reason);
});

test('readings of any payload have reasons, best first', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const found = guessReadings(bytes, 0, bytes.length, LEN);
      expect(found.some(({ reading }) => reading === 'bytes')).toBe(true);
      const order = found.map(({ likelihood }) => likelihood);
      expect(order).toEqual(order.toSorted((a, b) => b - a));
      for (const { reason } of found) expect(reason).not.toBe('');
    }),
    { numRuns: 1000 },
  );
});

const shape = (type: MessageDescriptor): Record<string, unknown> =>
  Object.fromEntries(
    type.fields.map((field) => [
      `${field.name} ${field.cardinality} ${field.type}`,
      field.message === undefined ? true : shape(field.message),
    ]),
  );

describe('inferDescriptor', () => {
  test('types, nesting and repetition', () => {
    const messages = [
      `08 05  12 05 ${text('hello')}  1a 04 0a 02 ${text('ab')}  21 000000000000f03f  2b 08 01 2c`,
      `08 07  12 05 ${text('world')}  1a 00  1a 02 10 01  35 00000000`,
    ].map(hex);
    const type = inferDescriptor(messages);
    expect(shape(type)).toEqual({
      '?1 singular uint64': true,
      '?2 singular string': true,
      '?3 repeated message': { '?1 singular string': true, '?2 singular uint64': true },
      '?4 singular double': true,
      '?5 singular group': { '?1 singular uint64': true },
      '?6 singular float': true,
    });
    expect(type.fields[2]!.message!.fullName).toBe('?3');
    expect(type.fields[2]!.message!.fields[0]!.fullName).toBe('?3.?1');
  });

  test('rows read by a guess are marked', () => {
    const bytes = hex('08 05');
    const { table, diagnostics } = annotate(bytes, inferDescriptor([bytes]));
    expect(flagsAt(table, 1) & Flag.GUESS).toBe(Flag.GUESS);
    expect(diagnostics).toEqual([]);
  });

  test('a real capture’s nesting and types are found', () => {
    const bytes = new Uint8Array(
      readFileSync(new URL('../../../fixtures/wire/truth/prometheus_codecfixture.rw1.binpb', import.meta.url)),
    );
    const type = inferDescriptor([bytes]);
    const series = type.byNumber.get(1)!;
    expect(series).toMatchObject({ type: 'message', cardinality: 'repeated' });
    const labels = series.message!.byNumber.get(1)!;
    expect(labels).toMatchObject({ type: 'message', cardinality: 'repeated' });
    expect(labels.message!.fields.map((field) => field.type)).toEqual(['string', 'string']);
    expect(series.message!.byNumber.get(2)!.message!.byNumber.get(1)).toMatchObject({ type: 'double' });
    expect(annotate(bytes, type).diagnostics).toEqual([]);
  });

  test('every message is read without an error by the type inferred from it', () => {
    fc.assert(
      fc.property(arbitraryMessages(), ({ messages }) => {
        const type = inferDescriptor(messages);
        for (const bytes of messages) {
          const { diagnostics } = annotate(bytes, type);
          expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  describe('a message that is cut', () => {
    const lostOf = (bytes: Uint8Array, type: MessageDescriptor | undefined): number => {
      const { table } = annotate(bytes, type);
      const rows = Array.from({ length: table.length }, (_, row) => row);
      return rows
        .filter((row) => payloadCategoryAt(table, row) === 'unattributed')
        .reduce((sum, row) => sum + ownPayload(table, row), 0);
    };

    test('inside its outermost field shows the complete fields inside', () => {
      // resource { attributes { key, value } } in a list of one.
      const inner = `0a 10 0a 04 ${text('host')} 12 08 0a 06 ${text('node-1')}  12 02 08 01`;
      const whole = hex(`0a 16 ${inner}`);
      expect(shape(inferDescriptor([whole.subarray(0, -3)]))).toEqual({
        '?1 singular message': {
          '?1 singular message': {
            '?1 singular string': true,
            '?2 singular message': { '?1 singular string': true },
          },
        },
      });
      const lost = Array.from({ length: whole.length }, (_, size) => {
        const bytes = whole.subarray(0, size);
        return lostOf(bytes, inferDescriptor([bytes]));
      });
      // Never more than what began and is not whole: five letters of six.
      expect(Math.max(...lost)).toBe(5);
    });

    test.each([
      ['a text', `0a 7f ${text('The quick brown fox jumps')}`, 'string'],
      ['a text, cut within a character', `0a 7f ${text('naïve café')}`.slice(0, -2), 'string'],
      ['other bytes', '0a 7f ff d8 ff e0 00 10 4a 46', 'bytes'],
    ])('inside %s is not entered', (_name, bytes, type) => {
      expect(inferDescriptor([hex(bytes)]).fields.map((field) => field.type)).toEqual([type]);
    });
  });

  test.each([
    ['messages in messages', nested(20_000)],
    ['groups in groups', new Uint8Array(100_000).fill(0x0b).fill(0x0c, 50_000)],
    [
      'as many numbers as can be',
      Uint8Array.from(
        { length: 90_000 },
        (_, i) => (i % 3 === 2 ? 1 : ((i * 31) & 127) | (i % 3 === 0 ? 128 : 8)) & 255,
      ),
    ],
    ['noise', Uint8Array.from({ length: 100_000 }, (_, i) => (i * i * 7919) & 255)],
  ])('work is bounded: %s', (_, bytes) => {
    const type = inferDescriptor([bytes, bytes, bytes]);
    let depth = 0;
    for (let at: MessageDescriptor | undefined = type; at !== undefined; at = at.fields.find((f) => f.message)?.message)
      depth++;
    expect(depth).toBeLessThanOrEqual(33);
  });
});

/** A message that holds a message, and so on, to a size. */
function nested(size: number): Uint8Array {
  const parts: number[] = [];
  while (parts.length < size) {
    const length: number[] = [];
    for (let rest = parts.length; ; rest >>= 7) {
      length.push(rest > 127 ? (rest & 127) | 128 : rest);
      if (rest <= 127) break;
    }
    parts.push(...length.reverse(), 0x0a);
  }
  return Uint8Array.from(parts.reverse());
}
