/** Layouts that the capnp compiler printed, the bytes of each field, and what Cap'n Proto cannot hold. */
import { expect, test } from 'vitest';
import { compileProto } from '#testing/arbitrary-message.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import { CAPNP, CAPNP_PACKED } from './capnp.ts';
import { structLayoutOf } from './capnp-layout.ts';
import { PackedWords } from './capnp-words.ts';
import { KeptRows } from './encoded-rows.ts';
import { type Encoded, type EncodingRow, type EncodingSubject, encode } from './encoding-row.ts';
import { encodingSubject } from './encodings.ts';
import type { Ledger } from './ledger.ts';
import { addToLedger } from './ledger-rows.ts';
import { TokenWriter } from './token-writer.ts';

const messageA = (fields: string): MessageDescriptor =>
  compileProto(`syntax = "proto3"; package random; message A { ${fields} }`);

/** A message of this type, ready to be written. */
function subjectOf(type: MessageDescriptor, message: Uint8Array): EncodingSubject {
  const read = encodingSubject(message, type);
  if (!read.ok) throw new Error(read.reason);
  return read.subject;
}

function encoded(row: EncodingRow, subject: EncodingSubject): Encoded {
  const result = encode(row, subject);
  if (!result.ok) throw new Error(result.reason);
  return result;
}

/**
 * As `capnp compile -ocapnp` of Cap'n Proto 0.9.2 prints them, for a struct with these fields by ascending number: a
 * oneof as `o :union { none :Void; … }`, a scalar with explicit presence as `f :union { none :Void; value :T; }`.
 */
test.each([
  [
    'scalars take the smallest hole',
    'bool a = 1; double b = 2; int32 c = 3; bool d = 4; uint64 e = 5; fixed32 f = 6;',
    '32 bytes, 0 ptrs; a bits[0, 1); b bits[64, 128); c bits[32, 64); d bits[1, 2); e bits[128, 192); f bits[192, 224)',
  ],
  [
    'fields are sorted by number',
    'int32 c = 3; bool b = 2; string d = 9; int64 a = 1;',
    '16 bytes, 1 ptrs; a bits[0, 64); b bits[64, 65); c bits[96, 128); d ptr[0]',
  ],
  [
    'a scalar with explicit presence is a union, a text is not',
    'optional int32 a = 1; optional bool b = 2; optional string c = 3; optional double d = 4; optional bytes e = 5;',
    '24 bytes, 2 ptrs; a bits[32, 64), tag bits[0, 16) = 1; b bits[64, 65), tag bits[16, 32) = 1; c ptr[0]; d bits[128, 192), tag bits[80, 96) = 1; e ptr[1]',
  ],
  [
    'the members of a oneof share their space',
    'oneof o { int64 a = 1; bool b = 2; int32 c = 3; string d = 4; A e = 5; }',
    '16 bytes, 1 ptrs; a bits[64, 128), tag bits[0, 16) = 1; b bits[64, 65), tag bits[0, 16) = 2; c bits[64, 96), tag bits[0, 16) = 3; d ptr[0], tag bits[0, 16) = 4; e ptr[0], tag bits[0, 16) = 5',
  ],
  [
    'the space of a oneof grows into the hole behind it',
    'oneof o { bool a = 1; bool b = 2; } int64 c = 3; oneof p { int32 d = 4; double e = 5; bool f = 6; }',
    '24 bytes, 0 ptrs; a bits[16, 17), tag bits[0, 16) = 1; b bits[16, 17), tag bits[0, 16) = 2; c bits[64, 128); d bits[128, 160), tag bits[32, 48) = 1; e bits[128, 192), tag bits[32, 48) = 2; f bits[128, 129), tag bits[32, 48) = 3',
  ],
  [
    'the space of a oneof does not grow over other bits',
    'bool a = 1; oneof o { bool b = 2; int32 c = 3; int64 d = 4; }',
    '16 bytes, 0 ptrs; a bits[0, 1); b bits[1, 2), tag bits[16, 32) = 1; c bits[32, 64), tag bits[16, 32) = 2; d bits[64, 128), tag bits[16, 32) = 3',
  ],
  [
    'the members of a oneof are between other fields',
    'oneof o { bool a = 1; int64 b = 4; bytes c = 7; } bool d = 2; int32 e = 3; repeated string f = 5; map<string, bool> g = 6;',
    '16 bytes, 3 ptrs; a bits[16, 17), tag bits[0, 16) = 1; d bits[17, 18); e bits[32, 64); b bits[64, 128), tag bits[0, 16) = 2; f ptr[0]; g ptr[1]; c ptr[2], tag bits[0, 16) = 3',
  ],
  [
    'a member takes the smallest space of its oneof',
    'oneof o { float a = 1; double b = 3; float g = 7; } oneof p { bool c = 2; int64 d = 4; A e = 5; } bool f = 6;',
    '32 bytes, 1 ptrs; a bits[32, 64), tag bits[0, 16) = 1; c bits[64, 65), tag bits[16, 32) = 1; b bits[128, 192), tag bits[0, 16) = 2; d bits[64, 128), tag bits[16, 32) = 2; e ptr[0], tag bits[16, 32) = 3; f bits[192, 193); g bits[32, 64), tag bits[0, 16) = 3',
  ],
  ['a message without fields has no words', '', '0 bytes, 0 ptrs'],
])('%s', (_, fields, printed) => {
  const { dataWords, pointers, slots } = structLayoutOf(messageA(fields));
  const bits = (lgSize: number, offset: number): string => `bits[${offset << lgSize}, ${(offset + 1) << lgSize})`;
  const lines = [...slots].map(([{ name }, { lgSize, offset, choice }]) => {
    const place = lgSize === null ? `ptr[${offset}]` : bits(lgSize, offset);
    return `${name} ${place}${choice === undefined ? '' : `, tag ${bits(4, choice.offset)} = ${choice.value}`}`;
  });
  expect([`${dataWords * 8} bytes, ${pointers.length} ptrs`, ...lines].join('; ')).toBe(printed);
});

test('the key and the value of an entry are not unions, where scalars have explicit presence, too', () => {
  const type = compileProto('syntax = "proto2"; package random; message A { map<int32, bool> m = 1; }');
  const { slots } = structLayoutOf(type.fields[0]!.message!);
  expect([...slots.values()]).toEqual([
    { lgSize: 5, offset: 0, choice: undefined },
    { lgSize: 0, offset: 32, choice: undefined },
  ]);
});

/** The bytes of each field, by category. The empty path is the message: the segment table and the first pointer. */
test.each([
  [
    'an absent field',
    'int32 a = 1; string b = 2; optional double c = 3;',
    '',
    { '': { length: 8, offset: 8, padding: 2 }, a: { value: 4 }, b: { offset: 8 }, c: { key: 2, value: 8 } },
    // 10 04 · 50 02 01 · 00 02
    { '': { length: 3, offset: 2 }, a: { length: 2 } },
  ],
  [
    'a text',
    'string a = 1;',
    '0a0161',
    { '': { length: 8, offset: 8 }, a: { offset: 8, value: 1, 'group-end': 1, padding: 6 } },
    // 10 03 · 40 01 · 11 01 12 · 01 61
    { '': { length: 3, offset: 1 }, a: { length: 2, offset: 2, value: 1 } },
  ],
  [
    'words without zeros',
    'string a = 1;',
    '0a10 30313233343536373031323334353637',
    { '': { length: 8, offset: 8 }, a: { offset: 8, value: 16, 'group-end': 1, padding: 7 } },
    // 10 05 · 40 01 · 11 01 8a · ff 30…37 01 30…37 · 00 00
    { '': { length: 3, offset: 1 }, a: { length: 5, offset: 2, value: 16 } },
  ],
  [
    'a word without zeros of two fields: the tag is of the first one, the count of the last one',
    'fixed32 a = 1; fixed32 b = 2;',
    '0d01010101 1501010101',
    { '': { length: 8, offset: 8 }, a: { value: 4 }, b: { value: 4 } },
    // 10 02 · 10 01 · ff 01 01 01 01 │ 01 01 01 01 00
    { '': { length: 3, offset: 1 }, a: { length: 1, value: 4 }, b: { value: 4, length: 1 } },
  ],
  [
    'a oneof that is not set, and a byte of several booleans',
    'bool a = 1; oneof o { bool b = 2; int32 c = 3; string d = 5; } bool e = 4;',
    '2001',
    { '': { length: 8, offset: 16, key: 2, padding: 5 }, a: { value: 1 } },
    // 10 03 · 50 01 01 · 01 04 · 00 00
    { '': { length: 5, offset: 2 }, a: { length: 1, value: 1 } },
  ],
  [
    'a number in a oneof',
    'bool a = 1; oneof o { bool b = 2; int32 c = 3; string d = 5; } bool e = 4;',
    '1807',
    { '': { length: 8, offset: 16, padding: 1 }, a: { value: 1 }, c: { key: 2, value: 4 } },
    // 10 03 · 50 01 01 · 14 02 07 · 00 00
    { '': { length: 5, offset: 2 }, a: { length: 1 }, c: { key: 1, value: 1 } },
  ],
  [
    'a double in a oneof whose other member has a place of its own',
    'oneof o { float a = 1; double b = 2; }',
    '110101010101010101',
    { '': { length: 8, offset: 8, padding: 6 }, b: { key: 2, value: 8 } },
    // 10 03 · 10 02 · 01 02 · ff 01 01 01 01 01 01 01 01 00
    { '': { length: 3, offset: 1 }, b: { length: 3, key: 1, value: 8 } },
  ],
  [
    'a text that is not UTF-8: U+FFFD in its place',
    'string a = 1;',
    '0a01ff',
    { '': { length: 8, offset: 8 }, a: { offset: 8, value: 3, 'group-end': 1, padding: 4 } },
    // 10 03 · 40 01 · 11 01 22 · 07 ef bf bd
    { '': { length: 3, offset: 1 }, a: { length: 2, offset: 2, value: 3 } },
  ],
  [
    'a text in a oneof',
    'bool a = 1; oneof o { bool b = 2; int32 c = 3; string d = 5; } bool e = 4;',
    '2a0178',
    {
      '': { length: 8, offset: 8, padding: 5 },
      a: { value: 1 },
      d: { key: 2, offset: 8, value: 1, 'group-end': 1, padding: 6 },
    },
    // 10 04 · 50 01 01 · 04 03 · 11 01 12 · 01 78
    { '': { length: 3, offset: 2 }, a: { length: 1 }, d: { key: 1, length: 2, offset: 2, value: 1 } },
  ],
  [
    'lists and maps within lists',
    'map<string, int32> m = 1; repeated A a = 2;',
    '1200 12070a050a01781001',
    {
      '': { length: 8, offset: 8 },
      m: { offset: 8 },
      a: { offset: 8, count: 8 },
      'a.m': { offset: 16, count: 8, padding: 4 },
      'a.a': { offset: 16 },
      'a.m.key': { offset: 8, value: 1, 'group-end': 1, padding: 6 },
      'a.m.value': { value: 4 },
    },
    // 10 0c · 40 02 · 00 00 · 11 01 27 · 41 08 02 · 00 01 · 11 05 17 · 00 00 · 51 04 01 01 · 01 01 · 11 01 12 · 01 78
    {
      '': { length: 3, offset: 1 },
      m: { length: 2 },
      a: { length: 2, offset: 2, count: 2 },
      'a.m': { length: 4, offset: 2, count: 3 },
      'a.a': { length: 2 },
      'a.m.key': { length: 2, offset: 2, value: 1 },
      'a.m.value': { length: 1, value: 1 },
    },
  ],
  [
    'lists of scalars and of texts',
    'repeated bool b = 1; repeated int32 i = 2; repeated string s = 3; repeated bytes d = 4;',
    '0a09010001010101010101 12020102 1a0161 1a00 2200 220162',
    {
      '': { length: 8, offset: 8 },
      b: { offset: 8, value: 2, padding: 6 },
      i: { offset: 8, value: 8 },
      s: { offset: 24, value: 1, 'group-end': 2, padding: 13 },
      d: { offset: 24, value: 1, padding: 7 },
    },
    {
      '': { length: 3, offset: 1 },
      b: { length: 2, offset: 2, value: 2 },
      i: { length: 2, offset: 2, value: 2 },
      s: { length: 6, offset: 6, value: 1 },
      d: { length: 4, offset: 6, value: 1 },
    },
  ],
])('%s: bytes by field', (_, fields, hex, plain, packed) => {
  const message = Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
  const ledgerOf = (row: EncodingRow): unknown => {
    const ledger: Ledger = new Map();
    addToLedger(ledger, encoded(row, subjectOf(messageA(fields), message)).table);
    return Object.fromEntries(ledger);
  };
  expect([ledgerOf(CAPNP), ledgerOf(CAPNP_PACKED)]).toEqual([plain, packed]);
});

test.each([
  ['zero words', '00'.repeat(256 * 8), '00 ff'],
  ['more zero words than a count can hold', '00'.repeat(257 * 8), '00 ff 00 00'],
  ['words without zeros', '01'.repeat(256 * 8), `ff ${'01'.repeat(8)} ff ${'01'.repeat(255 * 8)}`],
  [
    'more words without zeros than a count can hold',
    '01'.repeat(257 * 8),
    `ff ${'01'.repeat(8)} ff ${'01'.repeat(255 * 8)} ff ${'01'.repeat(8)} 00`,
  ],
  [
    'a word with one zero continues a run, one with two zeros ends it',
    '0101010101010101 0001010101010101 0000010101010101',
    'ff 0101010101010101 01 0001010101010101 fc 010101010101',
  ],
])('packed: %s', (_, words, packed) => {
  const value = Uint8Array.from(Buffer.from(words.replaceAll(' ', ''), 'hex'));
  const writer = new TokenWriter(new KeptRows(), annotate(new Uint8Array(0), undefined).table);
  writer.begin(undefined, 0);
  new PackedWords(writer).write('value', value, 0, value.length);
  expect(Buffer.from(writer.finish().bytes).toString('hex')).toBe(packed.replaceAll(' ', ''));
});

/** The bytes, as a message with this one field. */
function withBytes(value: Uint8Array): EncodingSubject {
  const type = messageA('bytes a = 1;');
  const [field] = type.fields as readonly [FieldDescriptor];
  const subject = subjectOf(type, new Uint8Array());
  return { ...subject, value: { type, fields: [{ field, row: -1, items: [{ row: -1, value }], entries: [] }] } };
}

/** A message of a type with this number of texts. */
function withTexts(count: number): EncodingSubject {
  const type = messageA('string a = 1;');
  const [field] = type.fields as readonly [FieldDescriptor];
  const fields = Array.from({ length: count }, (_, index) => ({ ...field, number: index + 1 }));
  return { ...subjectOf(type, new Uint8Array()), value: { type: { ...type, fields }, fields: [] } };
}

test.each([
  [
    'a struct',
    () => withTexts(2 ** 16),
    'A struct of Cap’n Proto has at most 65,535 words of data and as many pointers, and A has more.',
  ],
  [
    'a list',
    () => withBytes(new Uint8Array(2 ** 29)),
    'Cap’n Proto counts at most 536,870,911 elements or words, and a list has more.',
  ],
])('%s that is too large is refused', (_, subject, reason) => {
  expect(encode(CAPNP, subject())).toEqual({ ok: false, reason });
});

test('extensions are counted as lost, with what they contain', () => {
  const type = compileProto(
    'syntax = "proto2"; package random; message A { extensions 1 to 9; } extend A { optional A a = 1; optional int32 i = 2; }',
  );
  const { bytes, losses } = encoded(CAPNP, subjectOf(type, Uint8Array.of(10, 2, 16, 1, 16, 1)));
  // The segment table, and the pointer to a struct without fields.
  expect([Buffer.from(bytes).toString('hex'), losses]).toEqual(['0000000001000000fcffffff00000000', { extension: 2 }]);
});
