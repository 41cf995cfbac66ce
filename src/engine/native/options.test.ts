/** The options of schemas/native/options.proto: each with its bytes, as docs/native-options.md shows them, and misused. */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnsOf } from '#testing/table-columns.ts';
import { readSchemaFiles } from '../../cli/inputs/schema-files.ts';
import { endAt, parentAt, startAt } from '../model/annotation.ts';
import { compileSchema } from '../schema/compile.ts';
import { annotate } from '../wire/annotate.ts';
import { checkNativeOptions } from './check-options.ts';
import { deriveLayouts } from './derive.ts';
import { SCHEMA_LAYOUT_PROFILE } from './profiles.ts';
import { readNative } from './read.ts';
import { toWire } from './to-wire.ts';
import { describeNative } from './value.ts';
import { parseVersion } from './version.ts';
import { writeNative } from './write.ts';

const OPTIONS = readFileSync(new URL('../../../schemas/native/options.proto', import.meta.url), 'utf8');
const HEAD = 'syntax = "proto3"; import "native/options.proto"; import "google/protobuf/descriptor.proto";\n';

const compile = (body: string) =>
  compileSchema([
    { path: 'a.proto', content: HEAD + body.replaceAll('(.', '(wirecost.native.') },
    { path: 'native/options.proto', content: OPTIONS },
  ]);

const bytesOf = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Fields of message M, native bytes, and the same as protobuf. */
const CASES: readonly (readonly [name: string, body: string, native: string, wire: string, version?: string])[] = [
  ['BYTE', 'message M { int32 a = 1 [(.write) = BYTE]; }', 'ff', '08 ffffffffffffffffff01'],
  ['VINT 300', 'message M { int32 a = 1 [(.write) = VINT]; }', 'ac02', '08 ac02'],
  ['VINT −1 in 5 bytes', 'message M { int32 a = 1 [(.write) = VINT]; }', 'ffffffff0f', '08 ffffffffffffffffff01'],
  ['ZLONG −2', 'message M { int64 a = 1 [(.write) = ZLONG]; }', '03', '08 feffffffffffffffff01'],
  ['STRING, UTF-16 units', 'message M { string a = 1 [(.write) = STRING]; }', '02 eda0bd edb4a5', '0a 04 f09f94a5'],
  ['TEXT, SENTINEL', 'message M { optional string a = 1 [(.write) = TEXT, (.absent) = SENTINEL]; }', 'ffffffff', ''],
  ['FLAG, present', 'message M { optional int32 a = 1 [(.write) = VINT, (.absent) = FLAG]; }', '01 07', '08 07'],
  ['FLAG, absent', 'message M { optional int32 a = 1 [(.write) = VINT, (.absent) = FLAG]; }', '00', ''],
  [
    'FLAG of a list',
    'message M { repeated int32 a = 1 [(.write) = VINT, (.absent) = FLAG]; }',
    '01 02 0506',
    '0a 02 0506',
  ],
  ['LENGTH_PLUS_ONE', 'message M { optional bytes a = 1 [(.absent) = LENGTH_PLUS_ONE]; }', '03 cafe', '0a 02 cafe'],
  [
    'LENGTH_PLUS_ONE of a list',
    'message M { repeated int32 a = 1 [(.write) = VINT, (.absent) = LENGTH_PLUS_ONE]; }',
    '00',
    '',
  ],
  ['ONE_BYTE', 'message M { optional bool a = 1 [(.absent) = ONE_BYTE]; }', '02', ''],
  ['INVERTED', 'message M { bool a = 1 [(.write) = INVERTED]; }', '00', '08 01'],
  ['SHORT_BYTES', 'message M { bytes a = 1 [(.write) = SHORT_BYTES]; }', '02 cafe', '0a 02 cafe'],
  ['TWICE', 'message M { repeated int32 a = 1 [(.write) = VINT, (.count) = TWICE]; }', '01 01 09', '0a 01 09'],
  ['TWICE without elements', 'message M { repeated int32 a = 1 [(.count) = TWICE]; }', '00', ''],
  ['FIXED count', 'message M { repeated int32 a = 1 [(.write) = VINT, (.count) = FIXED]; }', '00000001 09', '0a 01 09'],
  [
    'BYTES of a message',
    'message M { N a = 1 [(.write) = BYTES, (.absent) = DEFAULT]; } message N { int32 b = 1 [(.write) = VINT]; }',
    '01 05',
    '0a 02 08 05',
  ],
  [
    'sized_by of bytes',
    'message M { int32 a = 1 [(.write) = VINT]; string c = 2 [(.write) = STRING]; bytes b = 3 [(.sized_by) = "a"]; }',
    '02 01 78 cafe',
    '08 02 12 01 78 1a 02 cafe',
  ],
  [
    'sized_by, a power of two',
    'message M { int32 a = 1 [(.write) = BYTE]; bytes b = 2 [(.sized_by) = "2^a"]; }',
    '01 cafe',
    '08 01 12 02 cafe',
  ],
  [
    'sized_by of a list',
    'message M { repeated int32 a = 1 [(.write) = VINT]; repeated N b = 2 [(.sized_by) = "a"]; } message N { int32 c = 1 [(.write) = VINT]; }',
    '02 0506 0708',
    '0a 02 0506 12 02 08 07 12 02 08 08',
  ],
  [
    'REST',
    'message M { int32 a = 1 [(.write) = VINT]; bytes b = 2 [(.write) = REST]; }',
    '05 cafe',
    '08 05 12 02 cafe',
  ],
  [
    'when',
    'message M { string a = 1 [(.write) = STRING]; int32 b = 2 [(.write) = VINT, (.when) = "a"]; }',
    '01 78 05',
    '0a 01 78 10 05',
  ],
  [
    'when a text is so long, in what its length counts',
    'message M { string a = 1 [(.write) = STRING]; int32 b = 2 [(.write) = VINT, (.when) = "a=2"]; }',
    '02 eda0bd edb4a5 05',
    '0a 04 f09f94a5 10 05',
  ],
  [
    'when not',
    'message M { string a = 1 [(.write) = STRING]; int32 b = 2 [(.write) = VINT, (.when) = "a"]; }',
    '00',
    '',
  ],
  [
    'since, before it',
    'message M { int32 a = 1 [(.write) = VINT]; int32 b = 2 [(.write) = VINT, (.since) = "2.0.0"]; }',
    '05',
    '08 05',
    '1.3.0',
  ],
  [
    'until, before it',
    'message M { int32 a = 1 [(.write) = VINT]; int32 b = 2 [(.write) = VINT, (.until) = "2.0.0"]; }',
    '05 06',
    '08 05 10 06',
    '1.3.0',
  ],
  [
    'chosen_by BY_BYTE',
    'message M { oneof o { option (.chosen_by) = BY_BYTE; bool n = 1 [(.type) = -1, (.write) = NONE]; int64 l = 2 [(.type) = 2, (.write) = LONG]; } }',
    '02 0000000000000005',
    '10 05',
  ],
  [
    'NONE',
    'message M { oneof o { option (.chosen_by) = BY_BYTE; bool n = 1 [(.type) = -1, (.write) = NONE]; int64 l = 2 [(.type) = 2, (.write) = LONG]; } }',
    'ff',
    '08 01',
  ],
  [
    'chosen_by BY_INT',
    'message M { oneof o { option (.chosen_by) = BY_INT; int32 a = 1 [(.type) = 2, (.write) = VINT]; } }',
    '00000002 05',
    '08 05',
  ],
  [
    'chosen_by BY_NAME',
    'message M { oneof o { option (.chosen_by) = BY_NAME; int32 a = 1 [(.name) = "avg", (.write) = VINT]; } }',
    '03 617667 05',
    '08 05',
  ],
  [
    'content',
    'message M { repeated bytes a = 1 [(.content) = "V"]; } message V { oneof o { option (.chosen_by) = BY_BYTE; int32 i = 1 [(.type) = 1, (.write) = INT]; } }',
    '01 01 00000007',
    '0a 05 01 00000007',
  ],
  [
    'key',
    'message M { map<string, N> a = 1 [(.key) = "n"]; } message N { string n = 1 [(.write) = STRING]; }',
    '01 01 78',
    '0a 08 0a 01 78 12 03 0a 01 78',
  ],
  [
    'write_key, write_value',
    'message M { map<int32, int32> a = 1 [(.write_key) = VINT, (.write_value) = ZLONG]; }',
    '01 05 03',
    '0a 0d 08 05 10 feffffffffffffffff01',
  ],
  [
    'values_since, before it',
    'message M { map<string, float> a = 1 [(.values_since) = "2.13.0", (.count) = TWICE]; }',
    '01 01 78',
    '0a 03 0a 01 78',
    '2.12.0',
  ],
  ['INT_LE', 'message M { int32 a = 1 [(.write) = INT_LE]; }', '05000000', '08 05'],
  ['SHORT_LE of an unsigned number', 'message M { uint32 a = 1 [(.write) = SHORT_LE]; }', 'ffff', '08 ffff03'],
  ['LONG_LE', 'message M { int64 a = 1 [(.write) = LONG_LE]; }', '0200000000000000', '08 02'],
  ['FLOAT_LE', 'message M { float a = 1 [(.write) = FLOAT_LE]; }', '0000803f', '0d 0000803f'],
  ['DOUBLE_LE', 'message M { double a = 1 [(.write) = DOUBLE_LE]; }', '000000000000f03f', '09 000000000000f03f'],
  [
    'C_STRING',
    'message M { string a = 1 [(.write) = C_STRING]; int32 b = 2 [(.write) = BYTE]; }',
    'c3a900 05',
    '0a 02 c3a9 10 05',
  ],
  ['C_STRING without text', 'message M { string a = 1 [(.write) = C_STRING]; }', '00', ''],
  [
    'write_length of a text',
    'message M { optional string a = 1 [(.write) = TEXT, (.write_length) = SHORT, (.absent) = SENTINEL]; }',
    '0002 6869',
    '0a 02 6869',
  ],
  [
    'write_length of an absent text',
    'message M { optional string a = 1 [(.write) = TEXT, (.write_length) = SHORT, (.absent) = SENTINEL]; }',
    'ffff',
    '',
  ],
  [
    'write_length of bytes, zigzag',
    'message M { optional bytes a = 1 [(.write_length) = ZLONG, (.absent) = SENTINEL]; }',
    '04 cafe',
    '0a 02 cafe',
  ],
  [
    'write_length of a blob',
    'message M { N a = 1 [(.write_length) = INT_LE, (.absent) = SENTINEL]; } message N { int32 b = 1 [(.write) = VINT]; }',
    '01000000 05',
    '0a 02 08 05',
  ],
  [
    'SENTINEL of a blob',
    'message M { N a = 1 [(.write_length) = INT_LE, (.absent) = SENTINEL]; } message N { int32 b = 1 [(.write) = VINT]; }',
    'ffffffff',
    '',
  ],
  [
    'write_count',
    'message M { repeated int32 a = 1 [(.write) = BYTE, (.write_count) = SHORT_LE]; }',
    '0200 0506',
    '0a 02 0506',
  ],
  [
    'SENTINEL of a list',
    'message M { repeated int32 a = 1 [(.write) = BYTE, (.write_count) = ZLONG, (.absent) = SENTINEL]; }',
    '01',
    '',
  ],
  [
    'TO_END',
    'message M { repeated N a = 1 [(.count) = TO_END]; } message N { int32 b = 1 [(.write) = VINT]; }',
    '05 ac02',
    '0a 02 08 05 0a 03 08 ac02',
  ],
  [
    'MINUS_ONE, present',
    'message M { N a = 1 [(.absent) = MINUS_ONE]; } message N { int32 b = 1 [(.write) = VINT]; }',
    '01 05',
    '0a 02 08 05',
  ],
  [
    'MINUS_ONE, absent',
    'message M { N a = 1 [(.absent) = MINUS_ONE]; } message N { int32 b = 1 [(.write) = VINT]; }',
    'ff',
    '',
  ],
  ['sized_by a number', 'message M { bytes a = 1 [(.sized_by) = "2"]; }', 'cafe', '0a 02 cafe'],
  [
    'when a bit is set',
    'message M { int32 a = 1 [(.write) = BYTE]; int32 b = 2 [(.write) = BYTE, (.when) = "a&4"]; }',
    '06 05',
    '08 06 10 05',
  ],
  [
    'when bits have a value',
    'message M { int32 a = 1 [(.write) = BYTE]; int32 b = 2 [(.write) = BYTE, (.when) = "a&3=1"]; }',
    '06',
    '08 06',
  ],
  [
    'compact_since',
    'message M { option (.compact_since) = "9"; optional string a = 1 [(.write) = TEXT, (.write_length) = SHORT, (.absent) = SENTINEL]; repeated int32 b = 2 [(.write) = BYTE, (.count) = FIXED]; }',
    '03 6869 02 05',
    '0a 02 6869 12 01 05',
    '12',
  ],
  [
    'compact_since, absent',
    'message M { option (.compact_since) = "9"; optional string a = 1 [(.write) = TEXT, (.write_length) = SHORT, (.absent) = SENTINEL]; }',
    '00',
    '',
    '9',
  ],
  [
    'compact_since, before it',
    'message M { option (.compact_since) = "9"; string a = 1 [(.write) = TEXT, (.write_length) = SHORT]; }',
    '0002 6869',
    '0a 02 6869',
    '8',
  ],
  [
    'AT_END, present',
    'message M { int32 a = 1 [(.write) = BYTE]; optional int32 b = 2 [(.write) = VINT, (.absent) = AT_END]; }',
    '05 00',
    '08 05 10 00',
  ],
  [
    'AT_END, absent',
    'message M { int32 a = 1 [(.write) = BYTE]; optional int32 b = 2 [(.write) = VINT, (.absent) = AT_END]; }',
    '05',
    '08 05',
  ],
  [
    'ends_with',
    'message M { map<string, int32> a = 1 [(.write_value) = VINT, (.ends_with) = ">"]; int32 b = 2 [(.write) = BYTE]; }',
    '01 78 05 01 3e 07',
    '0a 05 0a 01 78 10 05 10 07',
  ],
  [
    'when a list that ends with a text has elements',
    'message M { map<string, int32> a = 1 [(.write_value) = VINT, (.ends_with) = ">"]; int32 b = 2 [(.write) = BYTE, (.when) = "a"]; }',
    '01 6b 05 01 3e 07',
    '0a 05 0a016b1005 10 07',
  ],
  [
    'ends_with, without elements',
    'message M { map<string, int32> a = 1 [(.write_value) = VINT, (.ends_with) = ">"]; }',
    '01 3e',
    '',
  ],
];

describe('each option', () => {
  test.each(CASES.map(([name, body, native, wire, version]) => ({ name, body, native, wire, version })))(
    '$name',
    (row) => {
      const { body, native, wire, version } = row;
      const schema = compile(body);
      expect([...schema.diagnostics, ...checkNativeOptions(schema)]).toEqual([]);
      const type = schema.registry.messages.get('M')!;
      const layoutOf = deriveLayouts(
        SCHEMA_LAYOUT_PROFILE,
        {},
        version === undefined ? {} : { version: parseVersion(version)! },
      );
      const read = readNative(bytesOf(native), layoutOf(type), layoutOf);
      expect(read.diagnostics).toEqual([]);
      expect(hexOf(toWire(bytesOf(native), read).bytes)).toBe(hexOf(bytesOf(wire)));
      const written = writeNative(bytesOf(wire), annotate(bytesOf(wire), type).table, layoutOf(type), layoutOf);
      expect(written.diagnostics).toEqual([]);
      expect(hexOf(written.bytes)).toBe(hexOf(bytesOf(native)));
      expect(columnsOf(written.table).head).toEqual(columnsOf(read.table).head);
      expect(columnsOf(written.table).start).toEqual(columnsOf(read.table).start);
    },
  );
});

/** The only field of message M, its native bytes, the same as protobuf, and the value in words. */
test.each([
  [
    'a LONG beyond int32',
    'int32 a = 1 [(.write) = LONG];',
    '0000000100000001',
    '08 01',
    '4294967297',
    'native/overflow',
  ],
  ['a VLONG beyond an enum', 'E a = 1 [(.write) = VLONG];', '8080808010', '08 00', '4294967296', 'native/overflow'],
  [
    'a ZLONG below uint32',
    'uint32 a = 1 [(.write) = ZLONG];',
    '01',
    '08 ffffffff0f',
    '18446744073709551615',
    'native/overflow',
  ],
  ['a LONG of int32', 'int32 a = 1 [(.write) = LONG];', 'ffffffffffffffff', '08 ffffffffffffffffff01', '-1', undefined],
  [
    'a LONG of uint64',
    'uint64 a = 1 [(.write) = LONG];',
    'ffffffffffffffff',
    '08 ffffffffffffffffff01',
    '18446744073709551615',
    undefined,
  ],
  [
    'half a surrogate pair',
    'string a = 1 [(.write) = STRING];',
    '01 eda0bd',
    '0a 03 efbfbd',
    '"\\ud83d"',
    'native/lone-surrogate',
  ],
])('%s: its value, and whether protobuf holds it', (_, field, native, wire, value, code) => {
  const { registry } = compile(`enum E { ZERO = 0; } message M { ${field} }`);
  const layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE);
  const read = readNative(bytesOf(native), layoutOf(registry.messages.get('M')!), layoutOf);
  const { bytes, diagnostics } = toWire(bytesOf(native), read);
  expect(hexOf(bytes)).toBe(hexOf(bytesOf(wire)));
  expect(describeNative(read, bytesOf(native), 1)).toBe(value);
  expect(diagnostics.map((found) => found.code)).toEqual(code === undefined ? [] : [code]);
});

test('a value behind another one that the end marks as absent has no place, and is named', () => {
  const mark = '[(.write) = BYTE, (.absent) = AT_END]';
  const type = compile(
    `message M { optional int32 a = 1 ${mark}; optional int32 b = 2 ${mark}; }`,
  ).registry.messages.get('M')!;
  const layoutOf = deriveLayouts(SCHEMA_LAYOUT_PROFILE);
  const written = (wire: string) =>
    writeNative(bytesOf(wire), annotate(bytesOf(wire), type).table, layoutOf(type), layoutOf);
  const [both, second] = [written('08 05 10 07'), written('10 07')];
  expect([hexOf(both.bytes), both.diagnostics]).toEqual(['0507', []]);
  expect([hexOf(second.bytes), second.diagnostics.map(({ code }) => code)]).toEqual(['', ['native/not-written']]);
});

test('a list to the end may precede a field if conditions exclude each other', () => {
  const to = 'message M { bool x = 1; repeated int32 a = 2 [(.count) = TO_END, (.when) = "x"]; ';
  expect(checkNativeOptions(compile(`${to}int32 b = 3 [(.when) = "!x"]; }`))).toEqual([]);
  expect(checkNativeOptions(compile(`${to}int32 b = 3; }`))).toHaveLength(1);
});

test('docs/native-options.md shows the bytes of each option', () => {
  const doc = readFileSync(new URL('../../../docs/native-options.md', import.meta.url), 'utf8');
  for (const [name, , native, wire] of CASES) {
    expect(doc, name).toContain(`| ${name} |`);
    expect(doc, name).toContain(`| \`${native}\` | ${wire === '' ? '(nothing)' : `\`${wire}\``} |`);
  }
});

/** A oneof of two members: the options of the second one are in line 6. */
const CHOICE = (chooser: string, first: string, second: string): string =>
  `message M {\n  oneof o {\n    option (.chosen_by) = ${chooser};\n    int32 a = 1 [${first}];\n    int32 b = 2 [${second}];\n  }\n}`;

describe('a misused option is an error at its place', () => {
  test.each([
    ['a writer that cannot hold the type', 'message M {\n  string a = 1 [(.write) = LONG];\n}', 3, 'LONG cannot write'],
    [
      'a sentinel without a fixed length',
      'message M {\n  optional string a = 1 [(.absent) = SENTINEL];\n}',
      3,
      'fixed width',
    ],
    ['a condition on nothing', 'message M {\n  int32 a = 1 [(.when) = "b"];\n}', 3, '"b" is not one'],
    [
      'a condition on bits above 31',
      'message M {\n  int64 a = 1;\n  int32 b = 2 [(.when) = "a&4294967296"];\n}',
      4,
      'has bits from 1 to 2147483647, not 4294967296',
    ],
    [
      'a condition on no bit',
      'message M {\n  int64 a = 1;\n  int32 b = 2 [(.when) = "!a&0"];\n}',
      4,
      'has bits from 1 to',
    ],
    ['no version', 'message M {\n  int32 a = 1 [(.since) = "two"];\n}', 3, 'is not a version'],
    ['content that is not a message', 'message M {\n  bytes a = 1 [(.content) = "X"];\n}', 3, '"X" is not a message'],
    [
      'a member without a number',
      'message M {\n  oneof o {\n    option (.chosen_by) = BY_BYTE;\n    int32 a = 1;\n  }\n}',
      4,
      'has no (wirecost.native.type)',
    ],
    ['a message that never ends', 'message M {\n  M a = 1 [(.absent) = DEFAULT];\n}', 3, 'never end'],
    ['a size of a number', 'message M {\n  int32 a = 1;\n  int32 b = 2 [(.sized_by) = "a"];\n}', 4, 'Only bytes'],
    ['a size that nothing says', 'message M {\n  bytes b = 2 [(.sized_by) = "a"];\n}', 3, '"a" is not one'],
    ['a length of a number', 'message M {\n  int32 a = 1 [(.write_length) = INT];\n}', 3, 'has no length'],
    ['a length as text', 'message M {\n  string a = 1 [(.write_length) = TEXT];\n}', 3, 'does not write an integer'],
    ['a map up to the end', 'message M {\n  map<int32, int32> a = 1 [(.count) = TO_END];\n}', 3, 'Only a list'],
    ['a compact form of no version', 'message M {\n  option (.compact_since) = "new";\n}', 3, 'is not a version'],
    [
      'a list to the end before a field',
      'message M {\n  repeated int32 a = 1 [(.count) = TO_END];\n  int32 b = 2;\n}',
      3,
      '"b"',
    ],
    [
      'an end that is not after the beginning',
      'message M {\n  int32 a = 1 [\n    (.since) = "3.0.0",\n    (.until) = "3.0.0"\n  ];\n}',
      5,
      'No version',
    ],
    ['a number beyond a byte', CHOICE('BY_BYTE', '(.type) = 1', '(.type) = 128'), 6, '128 is not between'],
    ['a number of two members', CHOICE('BY_VINT', '(.type) = 1, (.type) = 300', '(.type) = 300'), 6, '300 is taken'],
    ['a name of two members', CHOICE('BY_NAME', '(.name) = "x"', '(.name) = "x"'), 6, '"x" is taken'],
    [
      'a second member for all other numbers',
      CHOICE('BY_INT', '(.any_type) = true', '(.any_type) = true'),
      6,
      '"a" has',
    ],
    ['a count of one value', 'message M {\n  int32 a = 1 [(.count) = TWICE];\n}', 3, 'Only repeated'],
    [
      'a writer for the count of one value',
      'message M {\n  int32 a = 1 [(.write_count) = INT];\n}',
      3,
      'Only repeated',
    ],
    ['a number outside a choice', 'message M {\n  int32 a = 1 [(.type) = 1];\n}', 3, 'chosen by a number'],
    ['all other numbers outside a choice', 'message M {\n  int32 a = 1 [(.any_type) = true];\n}', 3, 'by a number'],
    ['a name outside a choice', 'message M {\n  int32 a = 1 [(.name) = "x"];\n}', 3, 'chosen by name'],
    [
      'a number in a choice by name',
      CHOICE('BY_NAME', '(.name) = "x"', '(.name) = "y", (.type) = 1'),
      6,
      'by a number',
    ],
    ['a name in a choice by number', CHOICE('BY_BYTE', '(.type) = 1', '(.type) = 2, (.name) = "y"'), 6, 'by name'],
    ['a mark of a member', CHOICE('BY_BYTE', '(.type) = 1', '(.type) = 2, (.absent) = FLAG'), 6, 'if it is chosen'],
    [
      'a version of a member',
      CHOICE('BY_BYTE', '(.type) = 1', '(.type) = 2, (.since) = "2.0.0"'),
      6,
      'if it is chosen',
    ],
    ['no bytes of a value', CHOICE('BY_NAME', '(.name) = "x"', '(.name) = "y", (.write) = NONE'), 6, 'is not known'],
    [
      'a condition of no choice',
      'message M {\n  bool z = 1;\n  oneof o {\n    option (.chosen_when) = "z";\n    int32 a = 2;\n  }\n}',
      5,
      'Without chosen_by',
    ],
    [
      'two counts',
      'message M {\n  repeated int32 a = 1 [(.count) = FIXED, (.write_count) = SHORT];\n}',
      3,
      'only TWICE',
    ],
    [
      'a count beside a size',
      'message M {\n  int32 z = 1;\n  repeated string a = 2 [(.count) = FIXED, (.sized_by) = "z"];\n}',
      4,
      'No count',
    ],
    [
      'a writer of bytes beside a size',
      'message M {\n  bytes a = 1 [(.write) = BYTES, (.sized_by) = "2"];\n}',
      3,
      'No writer',
    ],
    [
      'a count one larger, twice',
      'message M {\n  repeated int32 a = 1 [(.count) = TWICE, (.absent) = LENGTH_PLUS_ONE];\n}',
      3,
      'not written twice',
    ],
    ['several values up to the end', 'message M {\n  repeated bytes a = 1 [(.write) = REST];\n}', 3, 'single value'],
    [
      'elements without a text before a text',
      'message M {\n  map<int32, int32> a = 1 [(.ends_with) = "x"];\n}',
      3,
      'begin with a text',
    ],
    [
      'a writer of content',
      'message M {\n  bytes a = 1 [(.content) = "N", (.write) = BYTES];\n} message N { }',
      3,
      'as content says',
    ],
    [
      'a writer of a key that stands in the value',
      'message M {\n  map<int32, N> a = 1 [(.key) = "b", (.write_key) = INT];\n} message N { int32 b = 1; }',
      3,
      'in the value',
    ],
    ['a condition on a float', 'message M {\n  float z = 1;\n  int32 a = 2 [(.when) = "z"];\n}', 4, 'it is a float'],
    [
      'a condition on content',
      'message M {\n  bytes z = 1 [(.content) = "N"];\n  int32 a = 2 [(.when) = "z"];\n} message N { }',
      4,
      'no length of its own',
    ],
    [
      'a condition on no bytes',
      'message M {\n  int32 z = 1 [(.write) = NONE];\n  int32 a = 2 [(.when) = "z"];\n}',
      4,
      'no bytes are written',
    ],
    ['a size that is a double', 'message M {\n  double z = 1;\n  bytes a = 2 [(.sized_by) = "z"];\n}', 4, 'a double'],
    [
      'an absence at the end before a field',
      'message M {\n  optional int32 a = 1 [(.absent) = AT_END];\n  int32 b = 2;\n}',
      3,
      '"b" follows',
    ],
  ])('%s', (_, body, line, words) => {
    const schema = compile(body);
    expect(schema.diagnostics).toEqual([]);
    const findings = checkNativeOptions(schema);
    expect(findings).toMatchObject([{ code: 'native/option', severity: 'error', file: 'a.proto', line }]);
    expect(findings[0]!.message).toContain(words);
  });
});

const bundled = compileSchema(await readSchemaFiles([new URL('../../../schemas', import.meta.url).pathname]));
test('the bundled schemas misuse no option', () => expect(checkNativeOptions(bundled)).toEqual([]));

/** Without OpenSearch's gRPC API, which is never native: bytes could set two members of a oneof. */
const TYPES = [...bundled.registry.messages.values()].filter(
  ({ fullName, isMapEntry }) => /^org\.(opensearch\.(?!protobufs\.)|apache\.kafka\.)/.test(fullName) && !isMapEntry,
);
/** The last one is a version of Kafka's. */
const LAYOUTS = ['1.3.0', '2.12.0', '2.19.2', '3.0.0', '12'].map((version) =>
  deriveLayouts(SCHEMA_LAYOUT_PROFILE, {}, { version: parseVersion(version)! }),
);

test('any bytes, by any bundled layout: rows tile them, and nothing throws', () => {
  // Small numbers are lengths, counts and type numbers that lead further than noise does.
  const bytes = fc.array(fc.oneof({ weight: 3, arbitrary: fc.nat(5) }, fc.nat(255)), { maxLength: 200 });
  fc.assert(
    fc.property(fc.constantFrom(...TYPES), fc.constantFrom(...LAYOUTS), bytes, (type, layoutOf, numbers) => {
      const input = Uint8Array.from(numbers);
      const read = readNative(input, layoutOf(type), layoutOf);
      const { table } = read;
      const covered = new Map<number, number>();
      for (let row = 1; row < table.length; row++) {
        const parent = parentAt(table, row);
        const from = covered.get(parent);
        if (from !== undefined) expect(startAt(table, row)).toBe(from);
        covered.set(parent, endAt(table, row));
      }
      for (const [parent, end] of covered) expect(end).toBe(endAt(table, parent));
      expect([startAt(table, 0), endAt(table, 0)]).toEqual([0, input.length]);
      toWire(input, read);
    }),
    { numRuns: 3000 },
  );
});

test('completely read messages are written as the same bytes, except for lost widths and one-sided values', () => {
  const bytes = fc.array(fc.nat(3), { maxLength: 60 });
  fc.assert(
    fc.property(fc.constantFrom(...TYPES), fc.constantFrom(...LAYOUTS), bytes, (type, layoutOf, numbers) => {
      const input = Uint8Array.from(numbers);
      const read = readNative(input, layoutOf(type), layoutOf);
      if (read.diagnostics.length > 0) return;
      const wire = toWire(input, read);
      if (wire.diagnostics.length > 0) return;
      const before = hexOf(wire.bytes);
      const again = writeNative(wire.bytes, annotate(wire.bytes, type).table, layoutOf(type), layoutOf);
      // An optional list that is there and empty is as good as none.
      const reread = readNative(again.bytes, layoutOf(type), layoutOf);
      expect(reread.diagnostics).toEqual([]);
      expect(hexOf(toWire(again.bytes, reread).bytes)).toBe(before);
      expect(again.bytes.length).toBe(endAt(reread.table, 0));
    }),
    { numRuns: 3000 },
  );
});
