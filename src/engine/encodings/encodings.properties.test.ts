/**
 * An independent library reads every encoding back (Cap'n Proto: a reader by its specification), and each byte is entered
 * once.
 */
import { isDeepStrictEqual } from 'node:util';
import { decode as decodeMsgpack } from '@msgpack/msgpack';
import { deserialize } from 'bson';
import { decode as decodeCbor } from 'cborg';
import fc from 'fast-check';
import { ByteBuffer } from 'flatbuffers';
import { parse as parseSmile } from 'smile-js';
import thrift from 'thrift';
import { expect, test } from 'vitest';
import { arbitraryMessages, compileProto } from '#testing/arbitrary-message.ts';
import { readCapnp, unpackCapnp } from '#testing/capnp-reader.ts';
import { NATIVE_PROFILES, SCHEMA_LAYOUT_PROFILE } from '../native/profiles.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';

import { encode } from './encoding-row.ts';
import { ENCODINGS, encodingById, encodingSubject } from './encodings.ts';
import { keyNameOf } from './json.ts';
import type { Ledger } from './ledger.ts';
import { addToLedger, LedgerRows, TooManyBytes } from './ledger-rows.ts';
import type { LossCounts } from './losses.ts';
import { type Item, isMessageField, MAX_DEPTH, type MessageValue, type Scalar } from './message-value.ts';
import { nativeEncoding } from './native-encoding.ts';

/** How a library's values are looked at. */
interface Reader {
  readonly decode: (bytes: Uint8Array, type: MessageDescriptor) => unknown;
  /** The key that a field is found by. */
  readonly keyOf: (field: FieldDescriptor) => string;
  readonly isByPosition?: boolean;
  /** Unsigned values come back as signed ones of the same bits: all of them, or those of 64 bits. */
  readonly signed?: 'all' | 'wide' | undefined;
  /** Keys of maps are read back as texts, for any key type. */
  readonly hasTextKeys?: boolean;
  /** Texts come back as bytes. */
  readonly isRaw?: boolean;
  /** The highest number that a field can have. */
  readonly mostNumber?: number;
  /** Bytes of the longest key of a map that the library reads right. */
  readonly longestKey?: number;
}

/** The matcher is slow: it takes half of the time of a test that asserts a million equal values. */
function expectEqual<T>(actual: T, wanted: T, message?: string): void {
  if (!isDeepStrictEqual(actual, wanted)) expect(actual, message).toStrictEqual(wanted);
}

type Members = ReadonlyMap<string, unknown>;

/** Keys and values of what a library gives for a map. */
function membersOf(decoded: unknown): Members {
  if (decoded instanceof Map) return new Map([...decoded].map(([key, value]) => [textOf(key), value]));
  return new Map(Object.entries(decoded as object).map(([key, value]) => [textOf(key.replace(/^:/, '')), value]));
}

const listOf = (decoded: unknown): readonly unknown[] =>
  Array.isArray(decoded) ? decoded : [...membersOf(decoded).values()];

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** A scalar in words that are the same for every library. */
function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value === 'object' && value !== null && 'buffer' in value)
    return textOf((value as { buffer: Uint8Array }).buffer);
  // Some libraries take a byte order mark at a text's start for none of it.
  return Object.is(value, -0) ? '-0' : String(value).replace(/^\ufeff/, '');
}

function expected(field: FieldDescriptor, value: Scalar, { signed, isRaw = false }: Reader): string {
  if (value instanceof Uint8Array) {
    const view = new DataView(value.buffer, value.byteOffset, value.length);
    if (field.type === 'float') return textOf(view.getFloat32(0, true));
    if (field.type === 'double') return textOf(view.getFloat64(0, true));
    return textOf(field.type === 'string' && !isRaw ? utf8.decode(value) : value);
  }
  if (signed !== undefined && typeof value === 'bigint') return String(BigInt.asIntN(64, value));
  if (signed === 'all' && typeof value === 'number') return String(value | 0);
  return String(value);
}

function compareMessage({ type, fields }: MessageValue, decoded: unknown, reader: Reader): void {
  if (reader.isByPosition === true) {
    const slots = listOf(decoded);
    const declared = [...type.fields].sort((a, b) => a.number - b.number);
    expectEqual(slots.length, declared.length);
    for (const { field, items, entries } of fields)
      compareField(field, items, entries, slots[declared.indexOf(field)], reader);
    return;
  }
  const members = membersOf(decoded);
  const kept = fields.filter(({ field }) => field.number <= (reader.mostNumber ?? field.number));
  expectEqual(members.size, kept.length);
  for (const { field, items, entries } of kept) {
    compareField(field, items, entries, members.get(reader.keyOf(field)), reader);
  }
}

function compareField(
  field: FieldDescriptor,
  items: readonly Item[],
  entries: MessageValue['fields'][number]['entries'],
  decoded: unknown,
  reader: Reader,
): void {
  if (field.cardinality === 'singular') compareValue(field, items[0]!, decoded, reader);
  else if (field.cardinality === 'repeated') {
    const list = listOf(decoded);
    expectEqual(list.length, items.length);
    for (const [index, item] of items.entries()) compareValue(field, item, list[index], reader);
  } else {
    const [key, value] = [field.message!.byNumber.get(1)!, field.message!.byNumber.get(2)!];
    const members = membersOf(decoded);
    expectEqual(members.size, entries.length);
    const ofKeys = reader.hasTextKeys === true ? { ...reader, signed: undefined } : reader;
    for (const entry of entries) {
      compareValue(value, entry.value, members.get(expected(key, entry.key.value as Scalar, ofKeys)), reader);
    }
  }
}

function compareValue(field: FieldDescriptor, { value }: Item, decoded: unknown, reader: Reader): void {
  if (isMessageField(field)) compareMessage(value as MessageValue, decoded, reader);
  else expectEqual(textOf(decoded), expected(field, value as Scalar, reader));
}

const numberOf = ({ number }: FieldDescriptor): string => String(number);
// Names that JavaScript's objects treat in their own way do not concern the bytes.
const msgpack = (bytes: Uint8Array): unknown =>
  decodeMsgpack(bytes, { useBigInt64: true, mapKeyConverter: (key) => `:${textOf(key)}` });
const cbor = (bytes: Uint8Array): unknown => decodeCbor(bytes, { useMaps: true, allowBigInt: true, strict: true });

function thriftReader(Protocol: new (transport: never) => unknown): (bytes: Uint8Array) => unknown {
  return (bytes) => {
    const transport = new thrift.TFramedTransport(Buffer.from(bytes));
    const value = readStruct(new Protocol(transport as never) as ThriftInput);
    expect((transport as unknown as { readPos: number }).readPos).toBe(bytes.length);
    return value;
  };
}

interface ThriftInput {
  readStructBegin(): void;
  readStructEnd(): void;
  readFieldBegin(): { readonly ftype: number; readonly fid: number };
  readFieldEnd(): void;
  readListBegin(): { readonly etype: number; readonly size: number };
  readListEnd(): void;
  readMapBegin(): { readonly ktype: number; readonly vtype: number; readonly size: number };
  readMapEnd(): void;
  readBool(): boolean;
  readByte(): number;
  readI32(): number;
  readI64(): { readonly buffer: Buffer };
  readDouble(): number;
  readBinary(): Buffer;
}

function readStruct(input: ThriftInput): Members {
  const fields = new Map<string, unknown>();
  input.readStructBegin();
  for (;;) {
    const { ftype, fid } = input.readFieldBegin();
    if (ftype === thrift.Thrift.Type.STOP) break;
    fields.set(String(fid), readThrift(input, ftype));
    input.readFieldEnd();
  }
  input.readStructEnd();
  return fields;
}

/** The library's compact protocol takes every boolean in a list for false: it compares an object with a number. */
const readElement = (input: ThriftInput, type: number): unknown =>
  type === thrift.Thrift.Type.BOOL ? input.readByte() === 1 : readThrift(input, type);

function readThrift(input: ThriftInput, type: number): unknown {
  const { Type } = thrift.Thrift;
  switch (type) {
    case Type.BOOL:
      return Boolean(input.readBool());
    case Type.I32:
      return input.readI32();
    case Type.I64:
      return input.readI64().buffer.readBigInt64BE();
    case Type.DOUBLE:
      return input.readDouble();
    case Type.STRING:
      return input.readBinary();
    case Type.STRUCT:
      return readStruct(input);
    case Type.LIST: {
      const { etype, size } = input.readListBegin();
      return Array.from({ length: size }, () => readElement(input, etype));
    }
    default: {
      const { ktype, vtype, size } = input.readMapBegin();
      return new Map(Array.from({ length: size }, () => [readElement(input, ktype), readElement(input, vtype)]));
    }
  }
}

/** A table of FlatBuffers, with the library's own way to its fields. */
function readTable(buffer: ByteBuffer, table: number, type: MessageDescriptor): Members {
  const fields = new Map<string, unknown>();
  for (const [index, field] of [...type.fields].sort((a, b) => a.number - b.number).entries()) {
    const place = buffer.__offset(table, 4 + 2 * index);
    if (place === 0) continue;
    const each = <T>(width: number, read: (at: number) => T): readonly T[] => {
      const start = buffer.__vector(table + place);
      return Array.from({ length: buffer.__vector_len(table + place) }, (_, at) => read(start + width * at));
    };
    const single = (at: number): unknown => readFlat(buffer, at, field);
    const entry = (at: number): readonly [unknown, unknown] => {
      const within = buffer.__indirect(at);
      const part = (number: 1 | 2): unknown => {
        const of = field.message!.byNumber.get(number)!;
        const inner = buffer.__offset(within, 2 + 2 * number);
        return inner === 0 ? (of.type === 'bool' ? false : 0) : readFlat(buffer, within + inner, of);
      };
      return [part(1), part(2)];
    };
    const value =
      field.cardinality === 'map'
        ? new Map(each(4, entry))
        : field.cardinality === 'singular'
          ? single(table + place)
          : field.type === 'bytes'
            ? each(4, (at) =>
                readFlat(buffer, buffer.__indirect(at) + buffer.__offset(buffer.__indirect(at), 4), field),
              )
            : each(flatWidth(field), single);
    fields.set(field.name, value);
  }
  return fields;
}

const flatWidth = ({ type }: FieldDescriptor): number =>
  type === 'bool' ? 1 : type === 'double' || type.endsWith('64') ? 8 : 4;

function readFlat(buffer: ByteBuffer, at: number, { type, message }: FieldDescriptor): unknown {
  switch (type) {
    case 'message':
    case 'group':
      return readTable(buffer, buffer.__indirect(at), message!);
    case 'string':
      return buffer.__string(at);
    case 'bytes':
      return buffer.bytes().slice(buffer.__vector(at), buffer.__vector(at) + buffer.__vector_len(at));
    case 'bool':
      return buffer.readInt8(at) !== 0;
    case 'float':
      return buffer.readFloat32(at);
    case 'double':
      return buffer.readFloat64(at);
    case 'uint64':
    case 'fixed64':
      return buffer.readUint64(at);
    case 'uint32':
    case 'fixed32':
      return buffer.readUint32(at);
    default:
      return type.endsWith('64') ? buffer.readInt64(at) : buffer.readInt32(at);
  }
}

const THRIFT = { signed: 'all', isRaw: true, mostNumber: 32767 } as const;

const READERS: Readonly<Record<string, Reader>> = {
  'msgpack-named': { decode: msgpack, keyOf: keyNameOf },
  'msgpack-numbered': { decode: msgpack, keyOf: numberOf },
  'msgpack-array': { decode: msgpack, keyOf: numberOf, isByPosition: true },
  'cbor-named': { decode: cbor, keyOf: keyNameOf },
  'cbor-numbered': { decode: cbor, keyOf: numberOf },
  'cbor-array': { decode: cbor, keyOf: numberOf, isByPosition: true },
  'cbor-short-named': { decode: cbor, keyOf: keyNameOf },
  'thrift-compact': { decode: thriftReader(thrift.TCompactProtocol as never), keyOf: numberOf, ...THRIFT },
  'thrift-binary': { decode: thriftReader(thrift.TBinaryProtocol as never), keyOf: numberOf, ...THRIFT },
  bson: {
    decode: (bytes) => deserialize(bytes, { useBigInt64: true, promoteBuffers: true }),
    keyOf: keyNameOf,
    signed: 'wide',
    hasTextKeys: true,
  },
  // The library has no reference for a longer name. OpenSearch has one, and reads it back.
  smile: { decode: parseSmile, keyOf: keyNameOf, hasTextKeys: true, longestKey: 56 },
  flatbuffers: {
    decode(bytes, type) {
      const buffer = new ByteBuffer(bytes);
      return readTable(buffer, buffer.__indirect(0), type);
    },
    keyOf: ({ name }) => name,
  },
  capnp: { decode: readCapnp, keyOf: numberOf },
  'capnp-packed': { decode: (bytes, type) => readCapnp(unpackCapnp(bytes), type), keyOf: numberOf },
};

test('1,000 messages in each encoding are read back by its library to the same values, and every byte is entered once', () => {
  const counts = new Map(Object.keys(READERS).map((id) => [id, 0]));
  while (Math.min(...counts.values()) < 1000) {
    fc.assert(
      fc.property(arbitraryMessages({ maxMessages: 9, any: true }), ({ type, messages }) => {
        for (const message of messages) readBack(message, type, counts);
      }),
      { numRuns: 50, endOnFailure: true },
    );
  }
}, 120_000);

/** @param counts messages that were read back, by encoding */
function readBack(message: Uint8Array, type: MessageDescriptor, counts: Map<string, number>): void {
  const read = encodingSubject(message, type);
  if (!read.ok) throw new Error(read.reason);
  for (const row of ENCODINGS) {
    const { id } = row;
    const result = encode(row, read.subject);
    if (!result.ok) {
      expectEqual(id, 'borsh');
      continue;
    }
    const ledger: Ledger = new Map();
    addToLedger(ledger, result.table);
    const sum = [...ledger.values()].flatMap((parts) => Object.values(parts)).reduce((a, b) => a + b, 0);
    expectEqual(sum, result.bytes.length, id);
    expectEqual(result.origin.length, result.table.length, id);
    const direct = new LedgerRows();
    const written = row.write(read.subject, direct);
    expectEqual(written.ok && written.bytes, result.bytes, id);
    direct.endMessage();
    expectEqual(direct.ledger(), ledger, id);
    direct.mostBytes = -1;
    expect(() => row.write(read.subject, direct), id).toThrow(TooManyBytes);
    const reader = READERS[id];
    // Names that are cut at a zero may become the same, and −0.0 may be left out.
    const isCut = result.losses['key-with-nul'] !== undefined || result.losses['negative-zero'] !== undefined;
    if (reader === undefined || isCut) continue;
    if (reader.longestKey !== undefined && longestKey(read.subject.value) > reader.longestKey) continue;
    compareMessage(read.subject.value, reader.decode(result.bytes, type), reader);
    counts.set(id, counts.get(id)! + 1);
  }
}

/** In bytes, of all maps in it. */
function longestKey({ fields }: MessageValue): number {
  const lengths = fields.flatMap(({ items, entries }) => [
    ...entries.map(({ key }) => (key.value instanceof Uint8Array ? Buffer.byteLength(utf8.decode(key.value)) : 0)),
    ...[...items, ...entries.map(({ value }) => value)].map(({ value }) => keyIn(value)),
  ]);
  return Math.max(0, ...lengths);
}

const keyIn = (value: Item['value']): number =>
  typeof value === 'object' && 'fields' in value ? longestKey(value) : 0;

/** One value of each kind that some encoding cannot carry. */
const UNITS = {
  'a NaN': ['double d = 1;', '09000000000000f87f'],
  'a NaN with bits of its own': ['double d = 1;', '09020000000000f07f'],
  'a NaN of 4 bytes with its own bits': ['float f = 1;', '0d0100a07f'],
  'several NaNs': ['repeated double d = 1;', '0a10000000000000f87f000000000000f87f'],
  'a −0': ['double d = 1;', '090000000000000080'],
  'a −0 in a map': ['map<int32, double> m = 1;', '0a0b0801110000000000000080'],
  'a −0 of 4 bytes': ['repeated float f = 1;', '0a0400000080'],
  'an unknown field': ['double d = 1;', '1001'],
  'an unknown field within': ['A a = 1;', '0a021001'],
  'a float32 that is a short double': ['float f = 1;', '0d0000c03f'],
  'a float32 that is not a short double': ['float f = 1;', '0dcdcccc3d'],
  'a uint64': ['uint64 u = 1;', '08ffffffffffffffffff01'],
  'a uint32': ['map<string, fixed32> u = 1;', '0a080a016115ffffffff'],
  'a high field number': ['bool b = 40000;', '80c41301'],
  'a key with a zero byte': ['map<string, bool> m = 1;', '0a070a0361006210 01'],
  'bytes that are not UTF-8': ['string s = 1;', '0a01ff'],
} as const;
type Unit = keyof typeof UNITS;

type Lost = Readonly<Partial<Record<Unit, LossCounts | string>>>;

const DROPPED = { 'an unknown field': { unknown: 1 }, 'an unknown field within': { unknown: 1 } };
const ONE_NAN = {
  'a NaN with bits of its own': { 'nan-bits': 1 },
  'a NaN of 4 bytes with its own bits': { 'nan-bits': 1 },
} as const;
const REPLACED = { 'bytes that are not UTF-8': { 'invalid-utf8': 1 } };
const SIGNED_64 = { 'a uint64': { unsigned: 1 } };
const SIGNED = { ...SIGNED_64, 'a uint32': { unsigned: 1 } };
const WIDENED = {
  'a NaN of 4 bytes with its own bits': { float32: 1 },
  'a −0 of 4 bytes': { float32: 1 },
  'a float32 that is a short double': { float32: 1 },
  'a float32 that is not a short double': { float32: 1 },
};
const TEXT = { ...DROPPED, ...ONE_NAN, ...REPLACED };
const JSON_TEXT = { ...TEXT, 'a float32 that is not a short double': { 'float32-digits': 1 } };
const THRIFT_STRUCT = { ...DROPPED, ...WIDENED, ...SIGNED, 'a high field number': { 'field-number': 1 } };
const NATIVE = { ...DROPPED, ...REPLACED };
const NO_NAN = 'NaN is refused, and at least one value is NaN.';

/** Lost values by encoding and unit. All others are carried. */
const LOST: Readonly<Record<string, Lost>> = {
  protobuf: {},
  json: JSON_TEXT,
  'json-otlp': JSON_TEXT,
  'json-proto-names': JSON_TEXT,
  txtpb: TEXT,
  'msgpack-named': DROPPED,
  'msgpack-numbered': DROPPED,
  'msgpack-array': DROPPED,
  'cbor-named': { ...DROPPED, ...REPLACED },
  'cbor-numbered': { ...DROPPED, ...REPLACED },
  'cbor-array': { ...DROPPED, ...REPLACED },
  'cbor-short-named': { ...DROPPED, ...REPLACED, ...ONE_NAN },
  smile: { ...DROPPED, ...REPLACED },
  'thrift-compact': THRIFT_STRUCT,
  'thrift-binary': THRIFT_STRUCT,
  bson: { ...DROPPED, ...WIDENED, ...SIGNED_64, ...REPLACED, 'a key with a zero byte': { 'key-with-nul': 1 } },
  flatbuffers: { ...DROPPED, ...REPLACED, 'a −0': { 'negative-zero': 1 }, 'a −0 in a map': { 'negative-zero': 1 } },
  capnp: NATIVE,
  'capnp-packed': NATIVE,
  opensearch: NATIVE,
  'opensearch-tuned': { ...NATIVE, 'a uint64': { vlong: 1 } },
  avro: { ...NATIVE, ...SIGNED_64 },
  'bincode-fixed': NATIVE,
  'bincode-variable': NATIVE,
  postcard: NATIVE,
  borsh: {
    ...NATIVE,
    'a NaN': NO_NAN,
    'a NaN with bits of its own': NO_NAN,
    'a NaN of 4 bytes with its own bits': NO_NAN,
    'several NaNs': NO_NAN,
  },
  xdr: NATIVE,
};

test.each(ENCODINGS.map(({ id }) => id))('%s: what it cannot carry is counted', (id) => {
  const lost = Object.fromEntries(
    Object.entries(UNITS).flatMap(([unit, [field, hex]]) => {
      const type = compileProto(`syntax = "proto3"; package random; message A { ${field} }`);
      const read = encodingSubject(Uint8Array.from(Buffer.from(hex.replace(' ', ''), 'hex')), type);
      if (!read.ok) throw new Error(read.reason);
      const result = encode(encodingById(id)!, read.subject);
      const found = result.ok ? result.losses : result.reason;
      return typeof found === 'string' || Object.keys(found).length > 0 ? [[unit, found]] : [];
    }),
  );
  expect(lost).toEqual(LOST[id]);
});

/** A message in itself, `depth` times: in a list, or as the value of a map. */
function nested(depth: number, isMap: boolean): Uint8Array {
  let bytes: Buffer = Buffer.alloc(0);
  const field = (number: number, content: Buffer): Buffer =>
    Buffer.concat([Buffer.of(8 * number + 2), Buffer.from(varint(content.length)), content]);
  for (let at = 0; at < depth; at++) bytes = isMap ? field(2, field(2, bytes)) : field(1, bytes);
  return new Uint8Array(bytes);
}

const varint = (value: number): readonly number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)];

test.each(ENCODINGS.map(({ id }) => id))('%s writes messages that are nested as deep as they may be', (id) => {
  const type = compileProto(
    'syntax = "proto3"; package random; message A { repeated A list = 1; map<int32, A> by = 2; int32 n = 3; }',
  );
  for (const isMap of [false, true]) {
    const read = encodingSubject(nested(MAX_DEPTH, isMap), type);
    if (!read.ok) throw new Error(read.reason);
    expect(encode(encodingById(id)!, read.subject).ok).toBe(true);
  }
});

test.each(NATIVE_PROFILES.filter((profile) => profile !== SCHEMA_LAYOUT_PROFILE))(
  '$id orders fields that are not declared by number in the same way on the native side and in a row',
  (profile) => {
    const type = compileProto(
      'syntax = "proto3"; package random; message A { string s = 5; A a = 2; repeated int32 l = 9; bool b = 1; }',
    );
    const read = encodingSubject(Uint8Array.from(Buffer.from('080112022a01782a017a4a020102', 'hex')), type);
    if (!read.ok) throw new Error(read.reason);
    const [side, row] = [nativeEncoding(profile, {}), encodingById(profile.id)!].map((of) => encode(of, read.subject));
    expect(side?.ok && row?.ok && [side.bytes, row.bytes.length]).toEqual(row?.ok && [row.bytes, row.bytes.length]);
  },
);
