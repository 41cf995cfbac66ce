/** Reading protobuf's text format against @bufbuild/protobuf: the same text gives the same message; and every byte is in one row. */
import { readFileSync } from 'node:fs';
import { createFileRegistry, fromBinary, toBinary } from '@bufbuild/protobuf';
import { fromText, toText } from '@bufbuild/protobuf/txtpb';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileProto } from '#testing/arbitrary-message.ts';
import { arbitraryWire } from '#testing/arbitrary-wire.ts';
import { type AnnotationTable, endAt, parentAt, payloadCategoryAt, startAt } from '../../model/annotation.ts';
import { compileSchema } from '../../schema/compile.ts';
import type { MessageDescriptor } from '../../schema/descriptor.ts';
import { encode } from '../encoding-row.ts';
import { encodingById, encodingSubject } from '../encodings.ts';
import type { Ledger } from '../ledger.ts';
import { addToLedger } from '../ledger-rows.ts';
import { readTxtpb } from './read-txtpb.ts';

const SET = new Uint8Array(readFileSync(new URL('../../../../fixtures/wire/every-type.binpb', import.meta.url)));
const { registry } = compileSchema([{ path: 'every-type.binpb', content: SET }]);
const theirs = createFileRegistry(fromBinary(FileDescriptorSetSchema, SET));
const findType = (name: string): MessageDescriptor | undefined =>
  name === 'random.A' ? PROTO : registry.messages.get(name);
const encoder = new TextEncoder();

const read = (text: string | Uint8Array, type?: MessageDescriptor) =>
  readTxtpb(typeof text === 'string' ? encoder.encode(text) : text, type, { findType });

function ledgerOf(table: AnnotationTable<never>): Record<string, object> {
  const ledger: Ledger = new Map();
  addToLedger(ledger, table);
  return Object.fromEntries(ledger);
}

/** Own bytes of all rows. */
function entered(table: AnnotationTable): number {
  const { length } = table;
  let sum = 0;
  for (let row = 0; row < length; row++) {
    const isLeaf = !(row + 1 < length && parentAt(table, row + 1) === row);
    if (isLeaf) sum += endAt(table, row) - startAt(table, row);
  }
  return sum;
}

function written(bytes: Uint8Array, type: MessageDescriptor) {
  const subject = encodingSubject(bytes, type);
  if (!subject.ok) throw new Error(subject.reason);
  const encoded = encode(encodingById('txtpb')!, subject.subject);
  if (!encoded.ok) throw new Error(encoded.reason);
  return encoded;
}

/** With numbers as JavaScript has them: protobuf-es writes other exponents, and the larger of two floats that are equally near. */
const lines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) =>
      line
        .replace(/: (-?[\d.]+e[+-]\d+)$/, (_, number: string) => `: ${Number(number)}`)
        .replace(
          /(float|floats): (-?[\d.]+)$/,
          (_, name: string, number: string) => `${name}: ${Math.fround(Number(number))}`,
        ),
    )
    .sort();

describe.each(['every.Every', 'every2.Every'])('%s', (name) => {
  const type = registry.messages.get(name)!;
  const schema = theirs.getMessage(name)!;

  test('the reader decodes 1,000 messages of @bufbuild/protobuf as the library does', () => {
    fc.assert(
      fc.property(arbitraryWire(type), (bytes) => {
        const text = toText(schema, fromBinary(schema, bytes), { registry: theirs });
        const ours = read(text, type);
        expect(ours.diagnostics).toEqual([]);
        expect(entered(ours.table)).toBe(encoder.encode(text).length);
        const message = fromText(schema, text, { registry: theirs });
        // Entries of maps may come in another order.
        const plain = (binary: Uint8Array) => lines(toText(schema, fromBinary(schema, binary), { registry: theirs }));
        expect(plain(ours.protobuf)).toEqual(plain(toBinary(schema, message)));
        expect(ours.protobuf.length).toBe(toBinary(schema, message).length);
      }),
      { numRuns: 1000 },
    );
  });

  test('for 1,000 messages the library writes the same lines and reads them back, and the reader gives the same bytes by path', () => {
    fc.assert(
      fc.property(arbitraryWire(type), (bytes) => {
        const { bytes: text, table } = written(bytes, type);
        expect(ledgerOf(read(text, type).table as never)).toEqual(ledgerOf(table as never));
        const printed = new TextDecoder('utf-8', { ignoreBOM: true }).decode(text);
        const message = fromBinary(schema, bytes);
        expect(lines(printed)).toEqual(lines(toText(schema, message, { registry: theirs })));
        const back = fromText(schema, printed, { registry: theirs });
        expect(lines(toText(schema, back, { registry: theirs }))).toEqual(lines(printed));
      }),
      { numRuns: 1000 },
    );
  });
});

const PROTO = compileProto(`syntax = "proto3"; package random;
import "google/protobuf/any.proto";
enum E { ZERO = 0; ONE = 1; MINUS = -1; }
message A {
  int32 i = 1; uint64 u = 2; double d = 3; float f = 4; string s = 5; bytes b = 6; E e = 7; bool yes = 8;
  repeated int32 list = 9; map<string, int32> m = 10; A inner = 11; optional int32 there = 12;
  oneof one { int32 left = 13; string right = 14; }
  google.protobuf.Any any = 15; repeated A many = 16; repeated string texts = 17; map<bool, A> by = 18;
}`);

const hex = (text: string): string => Buffer.from(read(text, PROTO).protobuf).toString('hex');
const codes = (text: string, type: MessageDescriptor | undefined = PROTO) =>
  read(text, type).diagnostics.map(({ code, start }) => `${code} ${start}`);

// protoc 31 (grpcio-tools) encodes the same bytes from the same text.
test.each<[what: string, text: string, protobuf: string]>([
  ['a comment before and behind', '# c {\n i: 1 # d\n', '0801'],
  ['separators of each kind', 'i: 1, u: 2; there: 3', '080110026003'],
  ['octal and hexadecimal', 'i: 010 u: 0xFF', '080810ff01'],
  ['a sign apart from its number', 'i: - 1', '08ffffffffffffffffff01'],
  ['floats', 'd: .5 f: 1.5F', '19000000000000e03f250000c03f'],
  ['an integer as a float', 'd: 10f f: -0', '1900000000000024402500000080'],
  ['infinities in any letters', 'd: -INF f: Infinity', '19000000000000f0ff250000807f'],
  ['floats out of range', 'f: 1e40 d: 1e400', '19000000000000f07f250000807f'],
  ['nan', 'f: nan', '250000c07f'],
  ['enum by name and by number', 'e: MINUS inner { e: 1 }', '38ffffffffffffffffff015a023801'],
  ['bools', 'yes: t many { yes: True } many { yes: 1 } many { yes: f }', '400182010240018201024001820100'],
  ['texts that follow one another', `s: "a" 'b'\n# c\n"c"`, '2a03616263'],
  ['escapes', String.raw`b: "\n\a\?\'\"\\\x4\101\0\u00e9\U0001F600"`, '320f0a073f27225c044100c3a9f09f9880'],
  ['a character in two halves', String.raw`s: "\ud83d\ude00"`, '2a04f09f9880'],
  ['angle brackets', 'inner < i: 1 > many: < u: 2 >', '5a0208018201021002'],
  ['a list and single values', 'list: [1, 2] list: 3', '4a03010203'],
  ['empty lists', 'list: [] many: [ ]', ''],
  ['a list of messages', 'many: [{ i: 1 }, < i: 2 >]', '82010208018201020802'],
  ['an entry of a map in a list', 'by: [{ key: true value { i: 1 } }]', '920106080112020801'],
  ['defaults', 'i: 0 s: "" there: 0', '6000'],
  ['a field without presence that is −0', 'i: -0', ''],
  [
    'the contents of an Any',
    'any { [type.googleapis.com/random.A] { i: 1 } }',
    '7a220a1c747970652e676f6f676c65617069732e636f6d2f72616e646f6d2e4112020801',
  ],
  [
    'blanks in brackets',
    'any { [ type.googleapis.com / random.A ] { i: 1 } }',
    '7a220a1c747970652e676f6f676c65617069732e636f6d2f72616e646f6d2e4112020801',
  ],
  [
    'an Any without contents',
    'any { [example.com/x/random.A]: { } }',
    '7a180a166578616d706c652e636f6d2f782f72616e646f6d2e41',
  ],
  ['an Any by its fields', 'any { type_url: "x" value: "y" }', '7a060a0178120179'],
])('%s', (_, text, protobuf) => {
  expect(codes(text)).toEqual([]);
  expect(hex(text)).toBe(protobuf);
});

// Entries are sorted here; protoc prints the last one first.
test('parts of an entry of a map may be left out', () => {
  expect(hex('m { key: "a" value: 1 } m { value: 2 } m { key: "b" }')).toBe('52040a00100252050a0161100152050a01621000');
});

test('fields that protoc prints by number are found', () => {
  expect(hex('1: 5')).toBe('0805');
  expect(codes('77: 5 78 { 1: "a" }')).toEqual(['txtpb/unknown-field 0', 'txtpb/unknown-field 6']);
});

test.each<[what: string, text: string, codes: readonly string[], protobuf: string]>([
  ['an unknown field', 'nope { a: [1, "x"] } i: 1', ['txtpb/unknown-field 0'], '0801'],
  ['an unknown extension', '[a.b]: 1', ['txtpb/unknown-field 0'], ''],
  ['a value of another kind', 'i: "1" u: 2', ['txtpb/mismatch 3'], '1002'],
  ['a number with a point', 'i: 1.0', ['txtpb/mismatch 3'], ''],
  ['a number out of range', 'i: 2147483648', ['txtpb/mismatch 3'], ''],
  ['an octal double', 'd: 017', ['txtpb/mismatch 3'], ''],
  ['a message for a scalar', 'i { a: 1 } u: 2', ['txtpb/mismatch 2'], '1002'],
  ['a scalar for a message', 'inner: 1 u: 2', ['txtpb/mismatch 7'], '1002'],
  ['a list for one value', 'i: [1]', ['txtpb/mismatch 3'], ''],
  ['an enum of another name', 'e: TWO', ['txtpb/mismatch 3'], ''],
  ['a scalar again', 'i: 1 i: 2', ['txtpb/duplicate-field 5'], '0802'],
  [
    'a message again',
    'inner { i: 1 list: 1 } inner { u: 2 list: 2 }',
    ['txtpb/duplicate-field 23'],
    '5a080801100' + '24a020102',
  ],
  ['two of a oneof', 'left: 1 right: "a"', ['txtpb/oneof 8'], '720161'],
  ['a key again', 'm { key: "a" value: 1 } m { key: "a" value: 2 }', ['txtpb/duplicate-key 47'], '52050a01611002'],
  ['an entry with a key of another kind', 'm { key: 1 value: 1 }', ['txtpb/mismatch 9'], ''],
  ['an Any of an unknown type', 'any { [x.y/No] { i: 1 } } u: 2', ['txtpb/unknown-type 6'], '10027a00'],
  ['an unknown escape', String.raw`s: "\q"`, ['txtpb/escape 4'], '2a0171'],
  ['text that is not UTF-8', String.raw`s: "\377"`, ['txtpb/invalid-utf8 3'], '2a01ff'],
  ['a float with more digits than it holds', 'f: 0.123456789f', ['txtpb/rounded 3'], '25ead6fc3d'],
  ['a separator too many', 'i: 1;; u: 2', ['txtpb/syntax 5'], '0801'],
  ['no colon', 'u: 2 i 1', ['txtpb/syntax 7'], '1002'],
  ['hexadecimal without a digit', 'u: 2 i: 0x', ['txtpb/syntax 8'], '1002'],
  ['a text over two lines', 'u: 2 s: "a\nb"', ['txtpb/syntax 8'], '1002'],
  ['a brace too many', 'u: 2 }', ['txtpb/syntax 5'], '1002'],
  ['another bracket', 'inner { u: 2 >', ['txtpb/syntax 13'], '5a021002'],
  ['cut in a message', 'inner { u: 2', ['txtpb/truncated 12'], '5a021002'],
  ['cut in a list', 'list: [1, 2', ['txtpb/truncated 11'], '4a020102'],
  ['cut behind a name', 'u: 2 i', ['txtpb/truncated 6'], '1002'],
])('%s is a finding with its offset', (_, text, findings, protobuf) => {
  expect(codes(text)).toEqual(findings);
  expect(hex(text)).toBe(protobuf);
  expect(entered(read(text, PROTO).table)).toBe(encoder.encode(text).length);
});

test.each([
  ['a scalar', 'i: "ab" u: 2', '4–6'],
  ['an element', 'list: [1, "ab", 2]', '11–13'],
  ['an entry', 'm { key: "a" value: "b" }', '10–11 21–22'],
  ['a message for a scalar, whose names show it already', 'i { a: 1 } u: 2', ''],
])('a value that its field cannot hold is unattributed: %s', (_, text, places) => {
  const { table } = read(text, PROTO);
  const unread = Array.from({ length: table.length }, (__, row) => row)
    .filter((row) => payloadCategoryAt(table, row) === 'unattributed')
    .map((row) => `${startAt(table, row)}–${endAt(table, row)}`);
  expect(unread.join(' ')).toBe(places);
});

test('floats have exponents where Go’s prototext has them', () => {
  const values = ['123456', '1.234567e+06', '0.0001', '1.5e-05', '1e+21', '1e+100', '-0', '0.1'];
  const text = values.map((value) => `many: {\n  d: ${value}\n}\n`).join('');
  expect(Buffer.from(written(read(text, PROTO).protobuf, PROTO).bytes).toString()).toBe(text);
});

test('keys, separators, quotes and escapes, values, and white space with comments have categories of their own', () => {
  expect(ledgerOf(read('# c\ni: -1\nmany { s: "a\\n" }\nm { key: "k" value: 2 }', PROTO).table as never)).toEqual({
    i: { key: 1, punctuation: 1, space: 5, value: 2 },
    many: { key: 4, punctuation: 2, space: 3 },
    'many.s': { key: 1, punctuation: 1, quotes: 4, space: 2, value: 1 },
    m: { key: 1, punctuation: 2, space: 3 },
    'm.key': { key: 3, punctuation: 1, quotes: 2, space: 2, value: 1 },
    'm.value': { key: 5, punctuation: 1, space: 2, value: 1 },
  });
});

test.each([
  ['after a blank line', '# one\n# two\n \n# of i\ni: 1', 14],
  ['that name schema and type', '# proto-file: a.proto\n# proto-message: A\ni: 1', 41],
  ['directly before a field', '# of i\ni: 1', undefined],
  ['after blank lines', '\n\n# of i\ni: 1', undefined],
  ['without a field', '# one\n', 6],
])('comments at the head of the text belong to the message: %s', (_, text, space) => {
  expect(ledgerOf(read(text, PROTO).table as never)['']).toEqual(space === undefined ? undefined : { space });
});

test('without a type, rows have the names of the text', () => {
  const { table, protobuf, diagnostics } = read('a { b: 1 } a { b: [2, 3] [x.y]: z } 7: "t"');
  expect([protobuf.length, diagnostics]).toEqual([0, []]);
  expect(Object.keys(ledgerOf(table as never))).toEqual(['7', 'a', 'a.b', 'a."[x.y]"']);
});

test('every byte of deep and damaged text is counted, and nothing throws', () => {
  const sound =
    'inner { s: "a\\n" list: [1, 2] } m { key: "k" value: 2 } any { [x/random.A] < i: 1 > } # end\nd: 1.5e-3';
  const bytes = encoder.encode(sound);
  const check = (text: Uint8Array): void => {
    for (const type of [PROTO, undefined]) expect(entered(read(text, type).table)).toBe(text.length);
  };
  for (let end = 0; end <= bytes.length; end++) check(bytes.subarray(0, end));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      (changes) => {
        const damaged = bytes.slice();
        for (const [at, byte] of changes) damaged[at] = byte;
        check(damaged);
      },
    ),
    { numRuns: 10_000 },
  );
  const deep = read('inner { '.repeat(20_000), PROTO);
  expect(deep.diagnostics[0]?.code).toBe('txtpb/too-deep');
});
