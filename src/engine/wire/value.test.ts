/** Rows in words, and packed elements. */
import { describe, expect, test } from 'vitest';
import { compileSchema } from '../schema/compile.ts';
import { annotate } from './annotate.ts';
import { packedElements } from './packed.ts';
import { describeRow, printValue, valueAt } from './value.ts';

const { registry } = compileSchema([
  {
    path: 'words.proto',
    content: `syntax = "proto3";
      enum E { ZERO = 0; ONE = 1; BELOW = -1; }
      message M { E e = 1; string s = 2; M m = 3; repeated sint32 run = 4; double d = 5; bytes raw = 6; repeated E enums = 7; uint64 u = 8; bool b = 9; }`,
  },
]);
const type = registry.messages.get('M');
const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

/** The words of the first record. */
function words(text: string, withSchema = true) {
  const bytes = hex(text);
  return describeRow(annotate(bytes, withSchema ? type : undefined).table, bytes, 1);
}

describe('describeRow', () => {
  test.each([
    ['an enum', '08 01', { tag: 'field 1, VARINT', length: '', value: 'ONE (1)' }],
    [
      'a negative enum',
      '08 ff ff ff ff ff ff ff ff ff 01',
      { tag: 'field 1, VARINT', length: '', value: 'BELOW (-1)' },
    ],
    ['an enum without a name', '08 07', { tag: 'field 1, VARINT', length: '', value: '7 (no name)' }],
    ['a text', '12 03 61 22 62', { tag: 'field 2, LEN', length: '3', value: '"a\\"b"' }],
    ['an overlong length', '12 81 00 61', { tag: 'field 2, LEN', length: '1', value: '"a"' }],
    [
      'a text with a byte order mark',
      '12 04 ef bb bf 61',
      { tag: 'field 2, LEN', length: '4', value: String.raw`"\ufeffa"` },
    ],
    ['a message', '1a 04 08 01 12 00', { tag: 'field 3, LEN', length: '4', value: '2 fields' }],
    ['an empty message', '1a 00', { tag: 'field 3, LEN', length: '0', value: '0 fields' }],
    ['a packed run', '22 03 01 02 03', { tag: 'field 4, LEN', length: '3', value: '3 elements: -1, 1, -2' }],
    ['packed enums', '3a 02 00 01', { tag: 'field 7, LEN', length: '2', value: '2 elements: ZERO (0), ONE (1)' }],
    ['a double', '29 9a9999999999b93f', { tag: 'field 5, I64', length: '', value: '0.1' }],
    ['bytes', '32 02 00 ff', { tag: 'field 6, LEN', length: '2', value: '2 bytes: 00 ff' }],
    [
      'a 64-bit integer',
      '40 ff ff ff ff ff ff ff ff ff 01',
      { tag: 'field 8, VARINT', length: '', value: '18446744073709551615' },
    ],
    ['a bool of two bytes', '48 80 01', { tag: 'field 9, VARINT', length: '', value: 'true' }],
    ['unattributed bytes', '16 00', { tag: '', length: '', value: '2 bytes that cannot be read: 16 00' }],
  ])('%s', (_, bytes, expected) => expect(words(bytes)).toEqual(expected));

  test('a long text is shown by its beginning and size, for characters of any width', () => {
    const bytes = new TextEncoder().encode('𝄞'.repeat(100));
    const facts = { type: 'string', enum: undefined } as const;
    expect(printValue(bytes, 0, 400, facts)).toBe(`"${'𝄞'.repeat(60)}"… (400 bytes)`);
    expect(printValue(bytes, 0, 240, facts)).toBe(`"${'𝄞'.repeat(60)}"`);
    const letters = new TextEncoder().encode('a'.repeat(1234));
    expect(printValue(letters, 0, 1234, facts)).toBe(`"${'a'.repeat(60)}"… (1,234 bytes)`);
  });

  test('a long run is shown by its first elements', () => {
    expect(words(`22 0a ${'02'.repeat(10)}`).value).toBe('10 elements: 1, 1, 1, 1, 1, 1, 1, 1, …');
  });
});

describe('valueAt', () => {
  const valueIn = (text: string, withSchema = true) => {
    const bytes = hex(text);
    return valueAt(annotate(bytes, withSchema ? type : undefined).table, bytes, 1);
  };

  test.each([
    ['a message has none', '1a 00', undefined],
    ['bytes that cannot be read have none', '12 05 61', undefined],
    ['a packed run has a list', '22 02 01 02', [-1, 1]],
    ['64-bit integers are exact', '40 ff ff ff ff ff ff ff ff 7f', (1n << 63n) - 1n],
    ['unknown varints are unsigned', '50 ff 01', 255n],
  ])('%s', (_, bytes, expected) => expect(valueIn(bytes)).toEqual(expected));

  test('unknown bytes are borrowed', () => {
    expect(valueIn('52 02 01 02')).toEqual(Uint8Array.of(1, 2));
    expect(valueIn('53 54')).toBeUndefined();
  });
});

describe('packedElements', () => {
  const elements = (text: string) => {
    const bytes = hex(text);
    return packedElements(annotate(bytes, type).table, bytes, 1, { type: 'sint32' });
  };
  test('begin where the previous one ends', () => {
    expect([...elements('22 04 01 ac 02 03').offsets]).toEqual([2, 3, 5, 6]);
    expect([...elements('22 00').offsets]).toEqual([2]);
  });
  test('elements before a fault are listed', () => {
    const { offsets, diagnostics } = elements('22 03 01 02 80');
    expect([...offsets]).toEqual([2, 3, 4]);
    expect(diagnostics).toMatchObject([{ code: 'wire/malformed-packed', start: 4, end: 5 }]);
  });
  test('elements of fixed size', () => {
    const bytes = hex('22 09 0102030405060708 09');
    const { table } = annotate(bytes, type);
    expect([...packedElements(table, bytes, 1, { type: 'float' }).offsets]).toEqual([2, 6, 10]);
    expect([...packedElements(table, bytes, 1, { type: 'double' }).offsets]).toEqual([2, 10]);
    expect(packedElements(table, bytes, 1, { type: 'double' }).diagnostics).toMatchObject([{ start: 10, end: 11 }]);
  });
});
