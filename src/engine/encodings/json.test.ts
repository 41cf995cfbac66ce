/** JSON against @bufbuild/protobuf: it reads back the same message, and unusual values have the forms of Go's protojson. */
import { readFileSync } from 'node:fs';
import { createFileRegistry, fromBinary, fromJsonString, type Message, toBinary, toJson } from '@bufbuild/protobuf';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileProto } from '#testing/arbitrary-message.ts';
import { arbitraryWire } from '#testing/arbitrary-wire.ts';
import { compileSchema } from '../schema/compile.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { encode } from './encoding-row.ts';
import { encodingById, encodingSubject } from './encodings.ts';
import type { Ledger } from './ledger.ts';
import { addToLedger } from './ledger-rows.ts';
import type { MessageValue } from './message-value.ts';
import { writeProtobuf } from './write-protobuf.ts';

const SET = new Uint8Array(readFileSync(new URL('../../../fixtures/wire/every-type.binpb', import.meta.url)));
const { registry } = compileSchema([{ path: 'every-type.binpb', content: SET }]);
const theirs = createFileRegistry(fromBinary(FileDescriptorSetSchema, SET));

function written(id: string, bytes: Uint8Array, type: MessageDescriptor) {
  const read = encodingSubject(bytes, type);
  if (!read.ok) throw new Error(read.reason);
  const encoded = encode(encodingById(id)!, read.subject);
  if (!encoded.ok) throw new Error(encoded.reason);
  return { ...encoded, text: Buffer.from(encoded.bytes).toString(), value: read.subject.value };
}

test.each(['every.Every', 'every2.Every'])('%s: @bufbuild/protobuf reads 1,000 messages back unchanged', (name) => {
  const type = registry.messages.get(name)!;
  const schema = theirs.getMessage(name)!;
  // Protobuf-es rounds floats only when it encodes them.
  const plain = (message: Message) =>
    toJson(schema, fromBinary(schema, toBinary(schema, message)), { registry: theirs });
  fc.assert(
    fc.property(arbitraryWire(type), (bytes) => {
      const decoded = plain(fromBinary(schema, bytes));
      const values: MessageValue[] = [];
      for (const id of ['json', 'json-proto-names']) {
        const { text, value } = written(id, bytes, type);
        expect(plain(fromJsonString(schema, text, { registry: theirs }))).toEqual(decoded);
        values.push(value);
      }
      expect(plain(fromBinary(schema, writeProtobuf(values[0]!)))).toEqual(decoded);
    }),
    { numRuns: 1000 },
  );
});

const ODD = compileProto(`syntax = "proto3"; package random; message A {
  double d = 1; float f = 2; repeated double ds = 3; string s = 4; map<int64, bytes> m = 5; uint64 u = 6;
  bool named = 8 [json_name = "a\\"\\\\"];
}`);
const doubles = (...values: readonly number[]): Buffer =>
  Buffer.concat([
    Buffer.from([0x1a, values.length * 8]),
    ...values.map((value) => Buffer.from(Float64Array.of(value).buffer)),
  ]);

test.each<[what: string, bytes: Uint8Array, json: string]>([
  [
    'exponents as JavaScript has them',
    doubles(1e21, 1e20, 1e-6, 1e-7, 5),
    '{"ds":[1e+21,100000000000000000000,0.000001,1e-7,5]}',
  ],
  ['−0 is kept', doubles(-0), '{"ds":[-0]}'],
  ['−0 is not a default', Buffer.from('090000000000000080', 'hex'), '{"d":-0}'],
  ['NaN and infinities are texts', doubles(Number.NaN, 1 / 0, -1 / 0), '{"ds":["NaN","Infinity","-Infinity"]}'],
  ['a float has its own digits', Buffer.from('15cdcccc3d', 'hex'), '{"f":0.1}'],
  ['escapes', Buffer.from('220622 5c 0a 01 2f 7f'.replaceAll(' ', ''), 'hex'), '{"s":"\\"\\\\\\n\\u0001/\u007f"}'],
  [
    'keys of maps are texts in their order',
    Buffer.from('2a0408021200 2a0d08ffffffffffffffffff01 1200'.replaceAll(' ', ''), 'hex'),
    '{"m":{"-1":"","2":""}}',
  ],
  ['64-bit integers are texts', Buffer.from('30ffffffffffffffffff01', 'hex'), '{"u":"18446744073709551615"}'],
  ['names have escapes, too', Buffer.from('4001', 'hex'), '{"a\\"\\\\":true}'],
  ['bytes that are not UTF-8 are replaced', Buffer.from('220261ff', 'hex'), '{"s":"a\ufffd"}'],
])('%s', (_, bytes, json) => {
  expect(written('json', new Uint8Array(bytes), ODD).text).toBe(json);
});

test('values that JSON does not carry are counted', () => {
  const nan = Buffer.from('09020000000000f07f', 'hex');
  expect(written('json', new Uint8Array(Buffer.concat([nan, Buffer.from('220261ff3801', 'hex')])), ODD).losses).toEqual(
    {
      'nan-bits': 1,
      'invalid-utf8': 1,
      unknown: 1,
    },
  );
});

const WITH_ANY = compileSchema([
  {
    path: 'any.proto',
    content: `syntax = "proto2"; import "google/protobuf/any.proto"; import "google/protobuf/field_mask.proto";
      enum E { ZERO = 0; } message A { optional E e = 1; optional google.protobuf.Any any = 2; }
      message M { optional google.protobuf.FieldMask mask = 3; }`,
  },
]).registry;
const ANY_URL = `0a03${Buffer.from('x/A').toString('hex')}`;

test.each<[what: string, contents: string, json: string, losses: object, txtpb: string]>([
  ['an unknown field', '12021801', '{"any":{"@type":"x/A"}}', { unknown: 1 }, 'any: {\n  [x/A]: {}\n}\n'],
  [
    'a value that its enum does not list',
    '12020807',
    '{"any":{"@type":"x/A"}}',
    { unlisted: 1 },
    'any: {\n  [x/A]: {}\n}\n',
  ],
  [
    'bytes that do not parse',
    '120108',
    '{"any":{"typeUrl":"x/A","value":"CA=="}}',
    { 'unread-any': 1 },
    'any: {\n  type_url: "x/A"\n  value: "\\x08"\n}\n',
  ],
])('an Any with %s is written, and what it loses is counted', (_, contents, json, losses, txtpb) => {
  const held = Buffer.from(ANY_URL + contents, 'hex');
  const bytes = Buffer.concat([Buffer.from([0x12, held.length]), held]);
  const find = (name: string) => WITH_ANY.messages.get(name);
  const read = encodingSubject(bytes, find('A')!);
  if (!read.ok) throw new Error(read.reason);
  const [inJson, inText] = ['json', 'txtpb'].map((id) => encode(encodingById(id)!, read.subject));
  if (!inJson!.ok || !inText!.ok) throw new Error('refused');
  expect([Buffer.from(inJson!.bytes).toString(), inJson!.losses]).toEqual([json, losses]);
  const { 'unread-any': _stays, ...dropped } = losses as Record<string, number>;
  expect([Buffer.from(inText!.bytes).toString(), inText!.losses]).toEqual([txtpb, dropped]);
});

const ONEOF = compileSchema([
  {
    path: 'oneof.proto',
    content: `syntax = "proto2"; enum E { ZERO = 0; ONE = 1; }
      message M { oneof o { string s = 1; E e = 2; int32 i = 3; } }`,
  },
]).registry.messages.get('M')!;

test.each<[what: string, message: string, json: string, losses: object]>([
  ['keeps the member before it', '0a03616263 1007', '{"s":"abc"}', { unlisted: 1 }],
  ['keeps the listed one before it', '1001 1007', '{"e":"ONE"}', { unlisted: 1 }],
  ['before a member', '1007 1805', '{"i":5}', { unlisted: 1 }],
  ['alone', '1007', '{}', { unlisted: 1 }],
  ['between members', '0a0161 1007 1805 1009', '{"i":5}', { unlisted: 2 }],
])('a number that a closed enum of a oneof does not list %s', (_, message, json, losses) => {
  const read = encodingSubject(new Uint8Array(Buffer.from(message.replaceAll(' ', ''), 'hex')), ONEOF);
  const inJson = read.ok && encode(encodingById('json')!, read.subject);
  if (inJson === false || !inJson.ok) throw new Error('refused');
  expect([Buffer.from(inJson.bytes).toString(), inJson.losses]).toEqual([json, losses]);
});

test('an Any whose type no schema has keeps its bytes, in JSON as base64', () => {
  const held = Buffer.from(`0a03${Buffer.from('x/B').toString('hex')}12020801`, 'hex');
  const { text, losses } = written('json', held, WITH_ANY.messages.get('google.protobuf.Any')!);
  expect([text, losses]).toEqual(['{"typeUrl":"x/B","value":"CAE="}', { 'unread-any': 1 }]);
});

test('an Any in two records has the contents of its last type', () => {
  // { type_url: x/M, value: 1a00 } and { type_url: x/A }: A has no field 3.
  const [first, last] = ['0a03782f4d 12021a00', '0a03782f41'].map((hex) => Buffer.from(hex.replace(' ', ''), 'hex'));
  const bytes = Buffer.concat([first!, last!].flatMap((part) => [Buffer.from([0x12, part.length]), part]));
  const read = encodingSubject(new Uint8Array(bytes), WITH_ANY.messages.get('A')!);
  const inJson = read.ok && encode(encodingById('json')!, read.subject);
  if (inJson === false || !inJson.ok) throw new Error('refused');
  expect([Buffer.from(inJson.bytes).toString(), inJson.losses]).toEqual(['{"any":{"@type":"x/A"}}', { unknown: 1 }]);
});

test.each(['json', 'txtpb'])('%s: Anys that are nested too deep are written as plain messages', (id) => {
  const find = (name: string) => WITH_ANY.messages.get(name);
  let nested = new Uint8Array(0);
  for (let depth = 0; depth < 8000; depth++)
    nested = new BinaryWriter().tag(1, 2).string('x/google.protobuf.Any').tag(2, 2).bytes(nested).finish();
  const read = encodingSubject(nested, find('google.protobuf.Any')!);
  if (!read.ok) throw new Error(read.reason);
  const encoded = encode(encodingById(id)!, read.subject);
  if (!encoded.ok) throw new Error(encoded.reason);
  expect(Buffer.from(encoded.bytes).toString()).toMatch(/type_?url"?: ?"x.google.protobuf.Any"/i);
});

test('bytes by path: keys include their quotes; quotes and escapes of values are separate', () => {
  const ledger: Ledger = new Map();
  addToLedger(
    ledger,
    written('json', Uint8Array.from(Buffer.from('2203612262' + '2a04080212' + '00', 'hex')), ODD).table,
  );
  expect(Object.fromEntries(ledger)).toEqual({
    '': { punctuation: 2 },
    s: { key: 3, punctuation: 1, quotes: 4, value: 2 },
    m: { key: 3, punctuation: 5 },
    'm.key': { quotes: 2, value: 1 },
    'm.value': { quotes: 2 },
  });
});

test('a message set is written with the names of its extensions, as in Python, and read back byte for byte', () => {
  const content = readFileSync(new URL('../../../fixtures/schema/message-set.proto', import.meta.url), 'utf8');
  const { messages } = compileSchema([{ path: 'message-set.proto', content }]).registry;
  const held = '0a2e0b10e8071a1608960112036865791a0c0b10808c8d9e021a0208050c0c0b10808c8d9e021a070801080208ac020c1007';
  const { text, value } = written('json', Buffer.from(held, 'hex'), messages.get('ms.Holder')!);
  expect(JSON.parse(text)).toEqual({
    set: {
      '[ms.A.a]': { x: 150, s: 'hey', inner: { '[ms.B.b]': { r: [5] } } },
      '[ms.B.b]': { r: [1, 2, 300] },
    },
    n: 7,
  });
  expect(Buffer.from(writeProtobuf(value)).toString('hex')).toBe(held);
});
