/** Reading JSON against @bufbuild/protobuf: the same text gives the same message; and every byte is in one row. */
import { readFileSync } from 'node:fs';
import { createFileRegistry, fromBinary, fromJsonString, toBinary, toJson, toJsonString } from '@bufbuild/protobuf';
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
import { readJson } from './read-json.ts';

const SET = new Uint8Array(readFileSync(new URL('../../../../fixtures/wire/every-type.binpb', import.meta.url)));
const { registry } = compileSchema([{ path: 'every-type.binpb', content: SET }]);
const theirs = createFileRegistry(fromBinary(FileDescriptorSetSchema, SET));
const findType = (name: string): MessageDescriptor | undefined => registry.messages.get(name);
const encoder = new TextEncoder();

const read = (text: string | Uint8Array, type?: MessageDescriptor) =>
  readJson(typeof text === 'string' ? encoder.encode(text) : text, type, { findType });

function ledgerOf(table: AnnotationTable<never>): Record<string, object> {
  const ledger: Ledger = new Map();
  addToLedger(ledger, table);
  return Object.fromEntries(ledger);
}

const ledger = (text: string, type?: MessageDescriptor) => ledgerOf(read(text, type).table as never);

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

describe.each(['every.Every', 'every2.Every'])('%s', (name) => {
  const type = registry.messages.get(name)!;
  const schema = theirs.getMessage(name)!;

  test('the reader decodes the library’s JSON to the same message as the library', () => {
    fc.assert(
      fc.property(arbitraryWire(type), fc.boolean(), fc.nat(3), (bytes, useProtoFieldName, prettySpaces) => {
        const text = toJsonString(schema, fromBinary(schema, bytes), {
          registry: theirs,
          useProtoFieldName,
          prettySpaces,
        });
        const ours = read(text, type);
        expect(ours.diagnostics).toEqual([]);
        expect(entered(ours.table)).toBe(encoder.encode(text).length);
        const message = fromJsonString(schema, text, { registry: theirs });
        const plain = (binary: Uint8Array) => toJson(schema, fromBinary(schema, binary), { registry: theirs });
        expect(plain(ours.protobuf)).toEqual(plain(toBinary(schema, message)));
        expect(ours.protobuf.length).toBe(toBinary(schema, message).length);
      }),
      { numRuns: 1000 },
    );
  });

  test('the reader and the writer give the same bytes by path and the same rows', () => {
    fc.assert(
      fc.property(arbitraryWire(type), fc.constantFrom('json', 'json-proto-names'), (bytes, id) => {
        const subject = encodingSubject(bytes, type);
        if (!subject.ok) throw new Error(subject.reason);
        const written = encode(encodingById(id)!, subject.subject);
        if (!written.ok) throw new Error(written.reason);
        const ours = read(written.bytes, type);
        expect(ledgerOf(ours.table as never)).toEqual(ledgerOf(written.table as never));
      }),
      { numRuns: 1000 },
    );
  });
});

const PROTO = compileProto(`syntax = "proto3"; package random;
import "google/protobuf/timestamp.proto"; import "google/protobuf/duration.proto";
import "google/protobuf/struct.proto"; import "google/protobuf/any.proto";
import "google/protobuf/field_mask.proto"; import "google/protobuf/wrappers.proto";
enum E { ZERO = 0; ONE = 1; }
message A {
  int32 small_int = 1; uint64 u = 2; double d = 3; float f = 4; string s = 5; bytes b = 6; E e = 7; bool yes = 8;
  repeated int32 list = 9; map<string, int32> m = 10; A inner = 11; optional int32 there = 12;
  oneof one { int32 left = 13; string right = 14; }
  google.protobuf.Timestamp t = 15; google.protobuf.Duration dur = 16; google.protobuf.Struct st = 17;
  google.protobuf.Any any = 18; google.protobuf.FieldMask mask = 19; google.protobuf.Int64Value wrapped = 20;
  google.protobuf.Value v = 21; int32 other = 22 [json_name = "custom"]; map<bool, A> by = 23;
}`);

const hex = (text: string): string => Buffer.from(read(text, PROTO).protobuf).toString('hex');
const codes = (text: string, type: MessageDescriptor | undefined = PROTO) =>
  read(text, type).diagnostics.map(({ code, start }) => `${code} ${start}`);

test.each<[what: string, json: string, protobuf: string]>([
  ['lowerCamel', '{"smallInt":1}', '0801'],
  ['as declared', '{"small_int":1}', '0801'],
  ['a name of its own', '{"custom":1}', 'b00101'],
  ['a number as a text', '{"smallInt":"1","u":"18446744073709551615"}', '080110ffffffffffffffffff01'],
  ['an integer with a point', '{"smallInt":10.0,"u":1e3}', '080a10e807'],
  ['an enum by name', '{"e":"ONE"}', '3801'],
  ['an enum by number', '{"e":1}', '3801'],
  ['base64', '{"b":"+/8="}', '3202fbff'],
  ['base64 of the other alphabet without padding', '{"b":"-_8"}', '3202fbff'],
  ['base64 in lines', '{"b":"+/8=\\r\\n"}', '3202fbff'],
  ['null is absent', '{"s":null,"list":null,"m":null,"inner":null,"wrapped":null}', ''],
  ['NaN', '{"f":"NaN","d":"-Infinity"}', '19000000000000f0ff250000c07f'],
  ['defaults', '{"smallInt":0,"s":"","there":0}', '6000'],
  ['escapes', '{"s":"\\u00e9\\ud83d\\ude00\\n"}', '2a07c3a9f09f98800a'],
  ['Timestamp', '{"t":"1970-01-01T00:00:01.5+00:00"}', '7a0808011080cab5ee01'],
  ['Duration', '{"dur":"-1.5s"}', '82011608ffffffffffffffffff011080b6ca91feffffffff01'],
  ['FieldMask', '{"mask":"aB,c"}', '9a01080a03615f620a0163'],
  ['wrapper', '{"wrapped":"0"}', 'a20100'],
  ['Value', '{"v":null}', 'aa01020800'],
  ['Any', '{"any":{"@type":"x/random.A","smallInt":1}}', '9201100a0a782f72616e646f6d2e4112020801'],
  ['a oneof', '{"left":0}', '6800'],
])('%s', (_, json, protobuf) => {
  const of = (name: string) => (name === 'random.A' ? PROTO : undefined);
  const ours = readJson(encoder.encode(json), PROTO, { findType: of });
  expect(Buffer.from(ours.protobuf).toString('hex')).toBe(protobuf);
  expect(ours.diagnostics).toEqual([]);
});

test.each<[what: string, json: string, codes: readonly string[], protobuf: string]>([
  ['a name that no field has', '{"x":{"y":[1]},"smallInt":1}', ['json/unknown-key 1'], '0801'],
  ['a duplicated key', '{"smallInt":1,"small_int":2}', ['json/duplicate-key 14'], '0802'],
  ['both members of a oneof', '{"left":1,"right":"a"}', ['json/oneof 10'], '720161'],
  ['a number out of range', '{"smallInt":2147483648,"yes":true}', ['json/range 12'], '4001'],
  ['a huge number', `{"u":1${'0'.repeat(5000)},"d":1e999}`, ['json/range 5', 'json/range 5011'], ''],
  ['a huge exponent', '{"smallInt":1e999999999999999999999}', ['json/range 12'], ''],
  ['half an integer', '{"smallInt":1.5}', ['json/mismatch 12'], ''],
  ['an object for a text', '{"s":{"a":1}}', ['json/mismatch 5'], ''],
  ['a text for a list', '{"list":"a"}', ['json/mismatch 8'], ''],
  ['a null in a list', '{"list":[1,null]}', ['json/mismatch 11'], '4a0101'],
  ['an unknown enum name', '{"e":"TWO"}', ['json/unknown-enum 5'], ''],
  ['no base64', '{"b":"!"}', ['json/base64 5'], ''],
  ['30 February', '{"t":"2024-02-30T00:00:00Z"}', ['json/mismatch 5'], ''],
  ['24 o’clock', '{"t":"2024-02-29T24:00:00Z"}', ['json/mismatch 5'], ''],
  ['a key of a Struct again', '{"st":{"a":1,"a":null}}', ['json/duplicate-key 21'], '8a01090a070a016112020800'],
  ['a lone surrogate', '{"s":"a\\ud800"}', ['json/lone-surrogate 7'], '2a0461efbfbd'],
  ['an escape that JSON does not have', '{"s":"\\x"}', ['json/escape 6'], '2a0178'],
  ['a control character', '{"s":"\n"}', ['json/control-character 6'], '2a010a'],
  ['text that ends in a value', '{"smallInt":1,"s":"ab', ['json/truncated 21'], '0801'],
  ['text that ends in a name', '{"smallInt":1,"s', ['json/truncated 16'], '0801'],
  ['text that ends behind a comma', '{"smallInt":1,', ['json/truncated 14'], '0801'],
  ['no comma', '{"smallInt":1 "s":""}', ['json/syntax 14'], '0801'],
  ['more text behind it', '{"smallInt":1}x', ['json/trailing 14'], '0801'],
  ['an unknown type of an Any', '{"any":{"@type":"x/y.Z"}}', ['json/unknown-type 7'], ''],
  ['no message at all', '[1]', ['json/mismatch 0'], ''],
  ['no text', ' ', ['json/empty 0'], ''],
  ['a word that JSON does not have', '{"yes":True}', ['json/value 7', 'json/mismatch 7'], ''],
])('%s', (_, json, expected, protobuf) => {
  expect(codes(json)).toEqual(expected);
  expect(hex(json)).toBe(protobuf);
  expect(entered(read(json, PROTO).table)).toBe(encoder.encode(json).length);
});

test('an Any of a well-known type without its value is a finding', () => {
  const findType = () => PROTO.byNumber.get(16)!.message;
  const ours = readJson(encoder.encode('{"any":{"@type":"x/google.protobuf.Duration"}}'), PROTO, { findType });
  expect(ours.diagnostics.map(({ code, start }) => `${code} ${start}`)).toEqual(['json/mismatch 7']);
});

test('an Any of Empty may have an empty value, as Go reads it', () => {
  const empty = compileSchema([
    { path: 'e.proto', content: 'syntax = "proto3"; import "google/protobuf/empty.proto"; message E {}' },
  ]).registry.messages.get('google.protobuf.Empty');
  for (const value of ['', ',"value":{}']) {
    const json = `{"any":{"@type":"x/google.protobuf.Empty"${value}}}`;
    const ours = readJson(encoder.encode(json), PROTO, { findType: () => empty });
    expect(ours.diagnostics).toEqual([]);
    expect(entered(ours.table)).toBe(json.length);
  }
});

test('a group has the name of its field, or of its message as Go’s UseProtoNames writes it', () => {
  const type = compileProto(
    'syntax = "proto2"; package random; message A { optional group Grp = 1 { optional int32 i = 2; } }',
  );
  for (const name of ['grp', 'Grp']) {
    const { protobuf, diagnostics } = read(`{"${name}":{"i":5}}`, type);
    expect([Buffer.from(protobuf).toString('hex'), diagnostics]).toEqual(['0b10050c', []]);
  }
});

test('bytes by path: white space, brackets, unknown names', () => {
  expect(ledger('{ "smallInt": 1, "x": {"y.z": ["a\\n"]} }', PROTO)).toEqual({
    '': { punctuation: 2, space: 2 },
    small_int: { key: 10, punctuation: 1, space: 1, value: 1 },
    x: { key: 3, punctuation: 4, space: 2 },
    'x."y.z"': { key: 5, punctuation: 3, quotes: 4, space: 1, value: 1 },
  });
});

test('without a type, rows have the names of the text', () => {
  const ours = read('{"a":[{"b":1},{"b":2}]}');
  expect(ours.protobuf.length).toBe(0);
  expect(ledgerOf(ours.table as never)).toEqual({
    '': { punctuation: 2 },
    a: { key: 3, punctuation: 8 },
    'a.b': { key: 6, punctuation: 2, value: 2 },
  });
});

const members = (count: number, value: (index: number) => unknown, name = (index: number) => 'n'.repeat(index + 1)) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), value(index)]));
const id = (at: number) => `n${at}`;
const list = (count: number, item: (index: number) => unknown) => Array.from({ length: count }, (_, at) => item(at));
const inner = (at: number) =>
  members(
    1,
    () => ({ a: 1 }),
    () => `i${at}`,
  );

test.each<[what: string, value: unknown, paths: string]>([
  ['64 objects', { m: members(64, () => ({ a: 1 })) }, 'each name'],
  ['65 objects', { m: members(65, () => ({ a: 1 })) }, 'm m.key m.value m.value.a'],
  ['65 objects and a number', { m: { ...members(65, () => ({})), n: 1 } }, 'each name'],
  ['256 numbers', { m: members(256, () => 1) }, 'each name'],
  ['257 numbers', { m: members(257, () => 1) }, 'm m.key m.value'],
  ['257 numbers and nulls', { m: members(257, (at) => (at > 9 ? null : 1)) }, 'm m.key m.value'],
  ['257 numbers and texts', { m: members(257, (at) => (at > 9 ? 'a' : 1)) }, 'each name'],
  ['a record with 257 numbers, 8 times', list(8, () => members(257, () => 1)), 'each name'],
  ['a key each in 65 objects', list(65, (at) => ({ m: { [`n${at}`]: 1 } })), 'm m.key m.value'],
  ['the keys of two maps', [{ m: members(65, () => []) }, { m: members(70, () => []) }], 'm m.key m.value'],
  ['8 objects with ids', { m: members(8, () => ({ a: 1 }), id) }, 'm m.key m.value m.value.a'],
  ['7 of them', { m: members(7, () => ({}), id) }, 'm m.n0 m.n1 m.n2 m.n3 m.n4 m.n5 m.n6'],
  ['8 numbers with ids', { m: members(8, () => 1, id) }, 'm m.n0 m.n1 m.n2 m.n3 m.n4 m.n5 m.n6 m.n7'],
  ['a record with 65 objects, 30 times', list(30, () => members(65, () => ({}))), 'each name'],
  ['8 objects with ids, 50 times', list(50, () => members(8, () => ({}), id)), 'n0 n1 n2 n3 n4 n5 n6 n7'],
  ['65 keys with digits in 9 maps', list(9, () => members(65, () => ({}), id)), 'key value'],
  ['a number', { m: { 404: {} } }, 'm m.key m.value'],
  ['numbers', { m: { '1.0': 3, 99: 4 } }, 'm m.key m.value'],
  ['numbers in one object, words in another', [{ m: { 1: 2 } }, { m: { a: 3 } }], 'm m.key m.value m.a'],
  ['a number and a word', { m: { 404: {}, default: {} } }, 'm m.404 m.default'],
  ['numbers with values of two kinds', { m: { 1: 1, 2: '' } }, 'm m.1 m.2'],
  ['the whole text', members(65, () => ({ a: 1 })), 'key value value.a'],
  ['maps in a map', { m: members(65, inner) }, 'm m.key m.value m.value.key m.value.value m.value.value.a'],
  [
    'quotes and brackets in names',
    {
      m: members(
        65,
        () => ({}),
        (at) => `"{:[${at}\\`,
      ),
    },
    'm m.key m.value',
  ],
])('names that are data, without a type: %s', (_, value, paths) => {
  const text = JSON.stringify(value, null, 1);
  for (const end of [text.length, text.length - 1, text.length >> 1]) {
    expect(entered(read(text.slice(0, end)).table)).toBe(end);
  }
  const found = Object.keys(ledgerOf(read(text).table as never)).filter((path) => path !== '');
  expect(found.length > 60 ? 'each name' : found.join(' ')).toBe(paths);
});

test('names that are data are values, as the keys of a map with a type are', () => {
  const text = JSON.stringify(members(65, () => ({})));
  const names = (65 * 66) / 2;
  expect(ledger(text)).toEqual({
    '': { punctuation: 2 + 65 + 64 },
    key: { quotes: 2 * 65, value: names },
    value: { punctuation: 2 * 65 },
  });
});

const unread = (table: AnnotationTable): string =>
  Array.from({ length: table.length }, (_, row) => row)
    .filter((row) => payloadCategoryAt(table, row) === 'unattributed')
    .map((row) => `${startAt(table, row)}–${endAt(table, row)}`)
    .join(' ');

test.each([
  ['a scalar', '{"smallInt":"ab"}', '13–15'],
  ['an element', '{"nums":[1,"ab",2]}', '12–14'],
  ['an entry', '{"counts":{"a":"b"}}', '12–13 16–17'],
  ['a list for a message, whose names show it already', '{"inner":[1,{"a":2}]}', '10–11'],
  ['a text of a well-known type', '{"at":"noon"}', '7–11'],
  ['the message', '"ab"', '1–3'],
])('a value that its field cannot hold is unattributed: %s', (_, text, places) => {
  const content = `syntax = "proto3"; import "google/protobuf/timestamp.proto"; message M { int32 small_int = 1;
    repeated int32 nums = 2; map<string, int32> counts = 3; M inner = 4; google.protobuf.Timestamp at = 5; }`;
  const type = compileSchema([{ path: 'misfit.proto', content }]).registry.messages.get('M')!;
  expect(unread(read(text, type).table)).toBe(places);
});

test('bytes after a fault are unattributed', () => {
  const { table } = read('{"smallInt":1,"s":"ab', PROTO);
  const last = table.length - 1;
  expect([payloadCategoryAt(table, last), startAt(table, last), endAt(table, last)]).toEqual(['unattributed', 18, 21]);
});

test('OTLP/JSON: ids in hex, and also ids in base64', () => {
  const type = compileSchema([
    {
      path: 'trace.proto',
      content:
        'syntax = "proto3"; package opentelemetry.proto.trace.v1; message Span { bytes trace_id = 1; bytes span_id = 2; bytes other = 3; }',
    },
  ]).registry.messages.get('opentelemetry.proto.trace.v1.Span')!;
  const bytes = (text: string) => Buffer.from(read(text, type).protobuf).toString('hex');
  const id = '5b8efff798038103d269b633813fc60c';
  expect(bytes(`{"traceId":"${id}","spanId":"EEE19B7EC3C1B174"}`)).toBe(`0a10${id}1208eee19b7ec3c1b174`);
  expect(bytes('{"traceId":"W47/95gDgQPSabYzgT/GDA=="}')).toBe(`0a10${id}`);
  expect(bytes('{"other":"0123456789abcdef"}')).toBe('1a0cd35db7e39ebbf3d69b71d79f');
});

test.each([
  ['lists', '['.repeat(200_000)],
  ['objects', '{"inner":'.repeat(100_000)],
  ['unknown objects', '{"x":'.repeat(100_000)],
  ['whole objects', `${'{"inner":'.repeat(5000)}{}${'}'.repeat(5000)}`],
  ['Values', `{"v":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ['Anys', '{"any":'.repeat(2000)],
])('deep nesting of %s neither throws nor loses a byte', (_, text) => {
  for (const type of [PROTO, undefined]) {
    const { table, diagnostics } = read(text, type);
    expect(entered(table)).toBe(text.length);
    expect(diagnostics.length).toBeGreaterThan(0);
  }
});

test('damaged text neither throws nor loses a byte', () => {
  const type = registry.messages.get('every.Every')!;
  const schema = theirs.getMessage('every.Every')!;
  fc.assert(
    fc.property(
      arbitraryWire(type),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
      fc.nat(),
      (bytes, changes, cut) => {
        const text = encoder.encode(toJsonString(schema, fromBinary(schema, bytes), { registry: theirs }));
        for (const [at, byte] of changes) if (text.length > 0) text[at % text.length] = byte;
        const damaged = text.subarray(0, cut % (text.length + 1));
        for (const one of [text, damaged]) {
          expect(entered(read(one, type).table)).toBe(one.length);
          expect(entered(read(one).table)).toBe(one.length);
        }
      },
    ),
    { numRuns: 1000 },
  );
});

test.each<[what: string, json: string, codes: readonly string[], losses: object]>([
  ['an integer of 64 bits that doubles hold', '{"u":9007199254740992}', [], {}],
  ['one that they do not', '{"u":9007199254740993}', ['json/unsafe-integer 5'], { 'unsafe-integer': 1 }],
  ['the same as a text', '{"u":"9007199254740993"}', [], {}],
  ['a float in its own digits', '{"f":0.1}', [], { 'float32-digits': 1 }],
  ['a float in the digits of its double', '{"f":0.10000000149011612}', [], {}],
  ['a float as C prints it', '{"f":0.100000001}', [], { 'float32-digits': 1 }],
  ['a float halfway between two numbers of its digits', '{"f":512.0093383789062}', [], {}],
  ['a float with more digits than it holds', '{"f":0.123456789}', ['json/rounded 5'], { rounded: 1 }],
  ['a double as C prints it', '{"d":0.10000000000000001}', [], {}],
  ['all digits of a double', '{"d":0.1000000000000000055511151231257827}', [], {}],
  ['a double with more digits than it holds', '{"d":"0.12345678901234567"}', ['json/rounded 5'], { rounded: 1 }],
  ['a number that is too small', '{"d":1e-400}', ['json/rounded 5'], { rounded: 1 }],
  ['exact numbers', '{"d":1.5e300,"f":16777216,"small_int":3}', [], {}],
])('precision: %s', (_, json, findings, losses) => {
  expect(codes(json)).toEqual(findings);
  expect(read(json, PROTO).losses).toEqual(losses);
});
