/**
 * Avro, bincode, postcard, Borsh and XDR as their own libraries write them: a thousand random values of one message,
 * made and written in Rust (scripts/native-vectors), the same ones written here by avsc and js-xdr.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { config, Hyper, UnsignedHyper } from '@stellar/js-xdr';
import avro from 'avsc';
import protobuf from 'protobufjs';
import { expect, test } from 'vitest';
import { compileProto } from '#testing/arbitrary-message.ts';
import { annotate } from '../wire/annotate.ts';
import { deriveLayouts } from './derive.ts';
import { NATIVE_PROFILES } from './profiles.ts';
import { readNative } from './read.ts';
import { toWire } from './to-wire.ts';
import { writeNative } from './write.ts';

const PROTO = `syntax = "proto3"; package random;
enum Kind { A_KIND = 0; B_KIND = 1; C_KIND = 2; }
message Inner { sint32 small = 1; string text = 2; repeated uint64 numbers = 3; }
message A {
  int32 int32 = 1; int64 int64 = 2; uint32 uint32 = 3; uint64 uint64 = 4; sint32 sint32 = 5; sint64 sint64 = 6;
  fixed32 fixed32 = 7; fixed64 fixed64 = 8; sfixed32 sfixed32 = 9; sfixed64 sfixed64 = 10;
  bool flag = 11; float float = 12; double double = 13; string text = 14; bytes bytes = 15; Kind kind = 16;
  optional int64 maybe_int64 = 17; optional bool maybe_flag = 18; optional string maybe_text = 19;
  optional double maybe_double = 20; Inner inner = 21; repeated int32 numbers = 22; repeated string texts = 23;
  repeated Inner inners = 24; map<string, sint64> map = 25;
}`;
const FIELDS = [...PROTO.slice(PROTO.indexOf('message A')).matchAll(/(\w+) = \d+;/g)].map(([, name]) => name!);
const type = compileProto(PROTO);

const [head, ...lines] = gunzipSync(
  readFileSync(new URL('../../../fixtures/native/rust-values.txt.gz', import.meta.url)),
)
  .toString()
  .trimEnd()
  .split('\n')
  .map((line) => line.split(' '));
const column = (name: string): readonly string[] => lines.map((columns) => columns[head!.indexOf(name)]!);
const messages = column('protobuf').map((hex) => Buffer.from(hex, 'hex'));
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function ours(id: string): readonly string[] {
  const profile = NATIVE_PROFILES.find((candidate) => candidate.id === id)!;
  return messages.map((message) => {
    const layoutOf = deriveLayouts(profile);
    const { bytes, diagnostics } = writeNative(message, annotate(message, type).table, layoutOf(type), layoutOf);
    expect(diagnostics).toEqual([]);
    const read = readNative(bytes, layoutOf(type), layoutOf);
    expect(read.diagnostics).toEqual([]);
    expect(
      hex(
        writeNative(
          toWire(bytes, read).bytes,
          annotate(toWire(bytes, read).bytes, type).table,
          layoutOf(type),
          layoutOf,
        ).bytes,
      ),
    ).toBe(hex(bytes));
    return hex(bytes);
  });
}

test.each(['bincode-fixed', 'bincode-variable', 'borsh', 'postcard'])('%s, as its crate writes it', (id) => {
  const theirs = column(id);
  expect(theirs.length).toBe(1000);
  for (const [at, bytes] of ours(id).entries()) expect(bytes, `value ${at}`).toBe(theirs[at]);
});

interface Value {
  readonly [field: string]: unknown;
}
const decoder = protobuf.parse(PROTO, new protobuf.Root(), { keepCase: true }).root.lookupType('random.A');
const values = messages.map((message) => {
  const decoded = decoder.toObject(decoder.decode(message), { longs: String, defaults: true }) as Value;
  const maybe = (name: string) => (Object.hasOwn(decoder.decode(message), name) ? decoded[name] : null);
  const optional = Object.fromEntries(
    FIELDS.filter((name) => name.startsWith('maybe_')).map((name) => [name, maybe(name)]),
  );
  return { ...decoded, ...optional, inner: decoded['inner'] ?? null } as Value;
});
const LONGS = new Set(['int64', 'uint64', 'sint64', 'fixed64', 'sfixed64', 'maybe_int64']);

test('Avro, as avsc writes it', () => {
  const long = avro.types.LongType.__with({
    fromBuffer: (bytes: Buffer) => bytes.readBigInt64LE(),
    toBuffer: (value: bigint) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64LE(value);
      return bytes;
    },
    fromJSON: BigInt,
    toJSON: String,
    isValid: (value: unknown) => typeof value === 'bigint',
    compare: (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0),
  });
  const inner = {
    type: 'record',
    name: 'Inner',
    fields: [
      { name: 'small', type: 'int' },
      { name: 'text', type: 'string' },
      { name: 'numbers', type: { type: 'array', items: 'long' } },
    ],
  } as const;
  const typeOf = (name: string): unknown => {
    if (name === 'maybe_int64') return ['null', 'long'];
    if (LONGS.has(name) || name === 'uint32' || name === 'fixed32') return 'long';
    return (
      {
        flag: 'boolean',
        float: 'float',
        double: 'double',
        text: 'string',
        bytes: 'bytes',
        maybe_flag: ['null', 'boolean'],
        maybe_text: ['null', 'string'],
        maybe_double: ['null', 'double'],
        inner: ['null', inner],
        numbers: { type: 'array', items: 'int' },
        texts: { type: 'array', items: 'string' },
        inners: { type: 'array', items: 'Inner' },
        map: { type: 'map', values: 'long' },
      }[name] ?? 'int'
    );
  };
  const schema = { type: 'record', name: 'A', fields: FIELDS.map((name) => ({ name, type: typeOf(name) })) };
  const record = avro.Type.forSchema(schema as avro.Schema, { registry: { long } });
  // Avro has no unsigned integers: those of 64 bits keep their bits.
  const asLong = (value: unknown) => BigInt.asIntN(64, BigInt(String(value)));
  const asInner = (value: unknown) =>
    value && { ...(value as Value), numbers: ((value as Value)['numbers'] as unknown[]).map(asLong) };
  const bytes = ours('avro');
  for (const [at, value] of values.entries()) {
    const theirs = record.toBuffer({
      ...value,
      ...Object.fromEntries(
        [...LONGS, 'uint32', 'fixed32'].map((name) => [name, value[name] === null ? null : asLong(value[name])]),
      ),
      inner: asInner(value['inner']),
      inners: (value['inners'] as unknown[]).map(asInner),
      map: Object.fromEntries(Object.entries(value['map'] as Value).map(([key, number]) => [key, asLong(number)])),
    });
    expect(bytes[at], `value ${at}`).toBe(hex(theirs));
  }
});

test('XDR, as js-xdr writes it', () => {
  const types = config((xdr) => {
    xdr.struct('Inner', [
      ['small', xdr.int()],
      ['text', xdr.string(10_000)],
      ['numbers', xdr.varArray(xdr.uhyper(), 100)],
    ]);
    xdr.struct('Entry', [
      ['key', xdr.string(10_000)],
      ['value', xdr.hyper()],
    ]);
    const others: Readonly<Record<string, Parameters<typeof xdr.option>[0]>> = {
      uint32: xdr.uint(),
      fixed32: xdr.uint(),
      uint64: xdr.uhyper(),
      fixed64: xdr.uhyper(),
      flag: xdr.bool(),
      float: xdr.float(),
      double: xdr.double(),
      text: xdr.string(10_000),
      bytes: xdr.varOpaque(100),
      maybe_int64: xdr.option(xdr.hyper()),
      maybe_flag: xdr.option(xdr.bool()),
      maybe_text: xdr.option(xdr.string(10_000)),
      maybe_double: xdr.option(xdr.double()),
      inner: xdr.option(xdr.lookup('Inner')),
      numbers: xdr.varArray(xdr.int(), 100),
      texts: xdr.varArray(xdr.string(10_000), 100),
      inners: xdr.varArray(xdr.lookup('Inner'), 100),
      map: xdr.varArray(xdr.lookup('Entry'), 100),
    };
    xdr.struct(
      'A',
      FIELDS.map((name) => [name, others[name] ?? (LONGS.has(name) ? xdr.hyper() : xdr.int())] as const),
    );
  });
  const { A, Inner, Entry } = types;
  const asHyper = (value: unknown) => new Hyper(BigInt(String(value)));
  const asUnsigned = (value: unknown) => new UnsignedHyper(BigInt(String(value)));
  // js-xdr takes undefined for what is absent.
  const asInner = (value: unknown) =>
    value === null
      ? undefined
      : new Inner!({ ...(value as Value), numbers: ((value as Value)['numbers'] as unknown[]).map(asUnsigned) });
  const bytes = ours('xdr');
  for (const [at, value] of values.entries()) {
    const longs = [...LONGS].map((name) => {
      const as = name === 'uint64' || name === 'fixed64' ? asUnsigned : asHyper;
      return [name, value[name] === null ? undefined : as(value[name])];
    });
    const fields = {
      ...Object.fromEntries(Object.entries(value).map(([name, given]) => [name, given ?? undefined])),
      ...Object.fromEntries(longs),
      inner: asInner(value['inner']),
      inners: (value['inners'] as unknown[]).map(asInner),
      map: Object.entries(value['map'] as Value).map(([key, number]) => new Entry!({ key, value: asHyper(number) })),
    };
    expect(bytes[at], `value ${at}`).toBe(hex(A!.toXDR(new A!(fields))));
  }
});

test('docs/native-profiles.md has a row for each profile', () => {
  const page = readFileSync(new URL('../../../docs/native-profiles.md', import.meta.url), 'utf8');
  const [table] = page.split('\n\n').filter((part) => part.startsWith('| id |'));
  const ids = [...table!.matchAll(/^\| `([^`]+)`/gm)].map(([, id]) => id);
  expect(ids).toEqual(NATIVE_PROFILES.map(({ id }) => id));
});
