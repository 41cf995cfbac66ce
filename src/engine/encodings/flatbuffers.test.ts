/** The bytes of flatc: `fixtures/encodings` has a message of every type, and what flatc 2.0.8 wrote of its values as JSON. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileProto } from '#testing/arbitrary-message.ts';
import { compileSchema } from '../schema/compile.ts';
import { encode } from './encoding-row.ts';
import { encodingSubject } from './encodings.ts';
import { FLATBUFFERS } from './flatbuffers.ts';

const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/encodings/${name}`, import.meta.url)));

function written(bytes: Uint8Array, type: Parameters<typeof encodingSubject>[1], isDelimited = false): Uint8Array {
  const read = encodingSubject(bytes, type);
  const result = read.ok ? encode(FLATBUFFERS, { ...read.subject, isDelimited }) : read;
  if (!result.ok) throw new Error(result.reason);
  return result.bytes;
}

test('a message of every type, as flatc writes it', () => {
  const { registry } = compileSchema([{ path: 'set', content: fixture('alltypes.fds.binpb') }]);
  const type = registry.messages.get('protobuf_test_messages.proto3.TestAllTypesProto3')!;
  const bytes = written(fixture('alltypes.binpb'), type);
  expect(Buffer.from(bytes).toString('hex')).toBe(Buffer.from(fixture('alltypes.flatbuffers')).toString('hex'));
});

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

// Written by `flatc -b` 2.0.8, from a schema and JSON of the same values.
test.each<[string, string, string, boolean, string]>([
  [
    'a bool after a double, at multiples of their widths',
    'bool b = 1; double d = 2;',
    '0801 11000000000000f03f',
    false,
    '10000000 00000000 0800 1000 0700 0800 08000000 000000 01 000000000000f03f',
  ],
  [
    'one of several messages: its size, --size-prefixed',
    'bool b = 1; double d = 2;',
    '0801 11000000000000f03f',
    true,
    '1c000000 0c000000 0800 1000 0700 0800 08000000 000000 01 000000000000f03f',
  ],
  [
    'an optional 0, empty texts and bytes, a map with a default value, equal vtables, messages within',
    'optional int32 n = 1; repeated string s = 2; map<int32, double> m = 3; repeated bytes t = 4;' +
      'repeated uint64 l = 5; A c = 6; string z = 7; repeated bool e = 8;',
    '0800 120161 1200 120461626364 1a0911000000000000f83f 1a020807 2203010203 2200 ' +
      '2a0b01ffffffffffffffffff01 320408053200 3a02c3a9 4203010001',
    false,
    '1c000000 0000 0000 14002400040008000c001000140018001c002000 14000000 00000000 c0000000 88000000 5c000000 44000000' +
      '2c000000 10000000 04000000 03000000 01000100 02000000 c3a90000 10000c00040000000000000000000800 10000000 05000000' +
      '08000000 04000400 04000000 02000000 0100000000000000 ffffffffffffffff 02000000 14000000 04000000 d6ffffff' +
      '04000000 00000000 e2ffffff 04000000 03000000 01020300 02000000 20000000 0c000000 00000600 08000400 06000000' +
      '07000000 08001000 00000400 08000000 000000000000f83f 00000000 03000000 20000000 14000000 04000000 04000000' +
      '61626364 00000000 00000000 00000000 01000000 61000000',
  ],
])('%s', (_, fields, protobuf, isDelimited, expected) => {
  const type = compileProto(`syntax = "proto3"; package random; message A { ${fields} }`);
  const bytes = written(hex(protobuf), type, isDelimited);
  expect(Buffer.from(bytes).toString('hex')).toBe(expected.replaceAll(' ', ''));
});

test('a table has at most 65,535 bytes', () => {
  const numbers = Array.from({ length: 8200 }, (_, at) => at + 1);
  const fields = numbers.map((number) => `double d${number} = ${number};`).join(' ');
  const type = compileProto(`syntax = "proto3"; package random; message A { ${fields} }`);
  const bytes = numbers.flatMap((number) => [...varint(number * 8 + 1), 1, 0, 0, 0, 0, 0, 0, 0]);
  expect(() => written(Uint8Array.from(bytes), type)).toThrow('A table of FlatBuffers takes at most 65,535 bytes.');
});

const varint = (value: number): readonly number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)];
