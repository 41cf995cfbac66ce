/** The computed cost of an alternative equals the measured cost after the change. */
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { expect, test } from 'vitest';
import { arbitraryMessages, compileProto } from '#testing/arbitrary-message.ts';
import { NATIVE_PROFILES } from '../native/profiles.ts';
import type { MessageDescriptor } from '../schema/descriptor.ts';
import { bytesIn, type FieldProfile } from './profile.ts';
import { Ledgers } from './type-profiler.ts';

const RUNS = { numRuns: 1000, endOnFailure: true };

function profileOf(
  type: MessageDescriptor,
  messages: readonly Uint8Array[],
  native = NATIVE_PROFILES[0]!,
  override = {},
) {
  const ledgers = new Ledgers(type, native, override);
  for (const message of messages) ledgers.add(message);
  return ledgers.profile();
}

const nativeBytes = (field: FieldProfile): number => bytesIn(field, Object.keys(field.ledgers)[1]!);

function descriptorAt(type: MessageDescriptor, path: string) {
  const names = path.split('.');
  const last = names.pop()!;
  const parent = names.reduce((message, name) => message.fields.find((field) => field.name === name)!.message!, type);
  return parent.fields.find((field) => field.name === last)!;
}

test('an overridden field costs the predicted bytes, also in odd messages', () => {
  fc.assert(
    fc.property(
      arbitraryMessages({ odd: true }),
      fc.constantFrom(...NATIVE_PROFILES),
      fc.nat(),
      ({ type, messages }, native, pick) => {
        const weighed = profileOf(type, messages, native).fields.flatMap(({ path, writers }) =>
          writers.map((cost) => ({ path, ...cost })),
        );
        if (weighed.length === 0) return;
        const { path, writer, bytes } = weighed[pick % weighed.length]!;
        const changed = profileOf(type, messages, native, { [descriptorAt(type, path).fullName]: writer });
        expect(nativeBytes(changed.fields.find((field) => field.path === path)!), `${path} as ${writer}`).toBe(bytes);
      },
    ),
    RUNS,
  );
});

const TYPES = ['int32', 'int64', 'uint32', 'uint64', 'sint32', 'sint64'] as const;
const valuesOf = (type: (typeof TYPES)[number]): fc.Arbitrary<bigint> => {
  const bits = type.endsWith('32') ? 32n : 64n;
  const all = type.startsWith('u')
    ? fc.bigInt(0n, (1n << bits) - 1n)
    : fc.bigInt(-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n);
  const small = fc.bigInt(type.startsWith('u') ? 0n : -200n, 200n);
  return fc.oneof(all, small);
};
const schemaOf = (type: string) => `syntax = "proto3"; package random; message A { optional ${type} v = 1; }`;

test('the protobuf bytes of another type are those that its encoder writes', () => {
  const compiled = new Map(TYPES.map((type) => [type, compileProto(schemaOf(type))]));
  const encoders = new Map<string, protobuf.Type>();
  const encode = (type: string, v: bigint) => {
    if (!encoders.has(type))
      encoders.set(type, protobuf.parse(schemaOf(type), new protobuf.Root()).root.lookupType('random.A'));
    const encoder = encoders.get(type)!;
    return encoder.encode(encoder.fromObject({ v: String(v) })).finish();
  };
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      fc
        .constantFrom(...TYPES)
        .chain((type) => fc.tuple(fc.constant(type), fc.array(valuesOf(type), { minLength: 1, maxLength: 5 }))),
      ([type, values]) => {
        const [field] = profileOf(
          compiled.get(type)!,
          values.map((v) => encode(type, v)),
        ).fields;
        expect(field!.types[0]!.type).toBe(type);
        for (const cost of field!.types) {
          seen.add(`${type} as ${cost.type}`);
          expect(cost.bytes, cost.type).toBe(values.reduce((sum, v) => sum + encode(cost.type, v).length, 0));
        }
      },
    ),
    RUNS,
  );
  expect(seen.size).toBe(14);
});

const HIT = compileProto(`syntax = "proto3"; package random; message A {
  int64 version = 1; string id = 2; repeated int32 sort = 3; bool exact = 4; uint32 shard = 5;
}`);

test.each([
  [
    'two versions, −1 and 300',
    ['08ffffffffffffffffff01', '08ac02'],
    'version',
    { SHORT: 4, INT: 8, LONG: 16, VLONG: 12, ZLONG: 3 },
  ],
  ['beyond a byte, within a short', ['08c801'], 'version', { SHORT: 2, INT: 4, LONG: 8, VLONG: 2, ZLONG: 2 }],
  [
    'one version, and one left out',
    ['0805', ''],
    'version',
    { BYTE: 2, SHORT: 4, INT: 8, LONG: 16, VLONG: 2, ZLONG: 2 },
  ],
  ['a text beyond the first plane', ['1204f09f9880'], 'id', { STRING: 7, TEXT: 8 }],
  ['a list', ['1a03010203'], 'sort', { BYTE: 4, SHORT: 7, INT: 13, VINT: 4, LONG: 25, VLONG: 4, ZLONG: 4 }],
  ['overlong, so not known', ['088100'], 'version', {}],
  ['no choice', ['2001'], 'exact', {}],
])('native writers of %s', (_, messages, path, costs) => {
  const profile = profileOf(
    HIT,
    messages.map((hex) => Buffer.from(hex, 'hex')),
  );
  const { writers } = profile.fields.find((field) => field.path === path)!;
  expect(Object.fromEntries(writers.map(({ writer, bytes }) => [writer, bytes]))).toEqual(costs);
  // The one in use leads.
  if (path === 'version' && writers.length > 0) expect(writers[0]!.writer).toBe('LONG');
});
