/**
 * Values against two libraries: what our rows say, put together by protobuf's rules, is what they decode.
 * Messages are random, in every form that readers accept: any order, duplicates, packed or not, overlong varints.
 */

import { readFileSync } from 'node:fs';
import { createFileRegistry, type DescField, fromBinary, type Message, type Registry } from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { expect, test } from 'vitest';
import { arbitraryWire } from '#testing/arbitrary-wire.ts';
import { columnsOf } from '#testing/table-columns.ts';
import { type AnnotationTable, Flag, fieldAt, parentAt } from '../model/annotation.ts';
import { compileSchema } from '../schema/compile.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from './annotate.ts';
import { isDescended } from './rows.ts';
import { type Value, valueAt } from './value.ts';

const FOLDER = new URL('../../../fixtures/wire/', import.meta.url);
const PROTO3 = readFileSync(new URL('every-type.proto', FOLDER), 'utf8');
const SET = new Uint8Array(readFileSync(new URL('every-type.binpb', FOLDER)));

const { registry } = compileSchema([{ path: 'every-type.binpb', content: SET }]);
const RUNS = { numRuns: 1000 };

/** A message as a plain value: 64-bit integers as text, bytes as hex, so that equality is plain. */
type Plain = string | number | boolean | readonly Plain[] | { readonly [name: string]: Plain };

function plainScalar(value: unknown): Plain {
  if (typeof value === 'bigint') return String(value);
  // An array: protobufjs's bytes where there are none.
  if (value instanceof Uint8Array || Array.isArray(value)) return Buffer.from(value as Uint8Array).toString('hex');
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return Object.is(value, -0) ? '-0' : (value as Plain);
}

const ZERO: Partial<Record<FieldDescriptor['type'], Plain>> = { bool: false, string: '', bytes: '' };
const zeroOf = ({ type }: FieldDescriptor): Plain => ZERO[type] ?? (/64$/.test(type) ? '0' : 0);

type Draft = Record<string, Plain>;

/** Our rows as a value: the last of singular fields, messages merged, maps by their last entries. */
function fromRows(table: AnnotationTable, bytes: Uint8Array, type: MessageDescriptor): Draft {
  const children: number[][] = Array.from({ length: table.length }, () => []);
  for (let row = 1; row < children.length; row++) children[parentAt(table, row)]!.push(row);

  const fill = (row: number, of: MessageDescriptor, into: Draft): Draft => {
    for (const child of children[row]!) {
      const index = fieldAt(table, child);
      if (index < 0) continue;
      const field = table.fields[index] as FieldDescriptor;
      const name = field.isExtension ? `[${field.fullName}]` : field.name;
      if (field.cardinality === 'map') {
        const entry = fill(child, field.message!, {});
        const [, value] = field.message!.fields;
        const key = String(entry['key'] ?? zeroOf(field.message!.fields[0]!));
        into[name] = {
          ...((into[name] as Draft) ?? {}),
          [key]: entry['value'] ?? (value!.message === undefined ? zeroOf(value!) : withZeros(value!.message, {})),
        };
      } else if (field.cardinality === 'repeated') {
        const found = isDescended(table, child)
          ? [withZeros(field.message!, fill(child, field.message!, {}))]
          : [valueAt(table, bytes, child) as Value | Value[]].flat().map(plainScalar);
        into[name] = [...((into[name] as Plain[]) ?? []), ...found];
      } else {
        for (const other of field.oneof?.fields ?? []) if (other !== field) delete into[other.name];
        into[name] = isDescended(table, child)
          ? withZeros(field.message!, fill(child, field.message!, { ...((into[name] as Draft) ?? {}) }))
          : plainScalar(valueAt(table, bytes, child));
      }
    }
    return of === type && row === 0 ? withZeros(of, into) : into;
  };
  return fill(0, type, {});
}

/** Implicit fields that are absent have their zero, and what is empty is absent. */
function withZeros(type: MessageDescriptor, value: Draft): Draft {
  for (const field of type.fields) {
    const found = value[field.name];
    if (field.cardinality !== 'singular' && found !== undefined && Object.keys(found).length === 0) {
      delete value[field.name];
    }
    if (field.presence === 'implicit' && !type.isMapEntry) value[field.name] ??= zeroOf(field);
  }
  return value;
}

/** The values that @bufbuild/protobuf decoded, in the same form. */
function fromBufbuild(message: ReflectMessage, ours: MessageDescriptor): Draft {
  const into: Draft = {};
  for (const field of message.desc.fields) {
    if (message.isSet(field)) into[field.name] = bufbuildField(message, field, ours.byNumber.get(field.number)!);
  }
  return withZeros(ours, into);
}

function bufbuildField(message: ReflectMessage, field: DescField, ours: FieldDescriptor): Plain {
  const value: unknown = message.get(field as never);
  const element = (one: unknown, type: MessageDescriptor | undefined): Plain =>
    type === undefined ? plainScalar(one) : fromBufbuild(one as ReflectMessage, type);
  if (field.fieldKind === 'list') return [...(value as Iterable<unknown>)].map((one) => element(one, ours.message));
  if (field.fieldKind === 'map') {
    const type = ours.message!.byNumber.get(2)!.message;
    const entries = [...(value as Iterable<[unknown, unknown]>)];
    return Object.fromEntries(entries.map(([key, one]) => [String(key), element(one, type)]));
  }
  return element(value, ours.message);
}

/** protobufjs's 64-bit integers. */
const isLong = (value: unknown): boolean => typeof value === 'object' && value !== null && 'unsigned' in value;

/** The values that protobufjs decoded, in the same form. Maps with 64-bit keys are left to the other library. */
function fromProtobufjs(message: Record<string, unknown>, ours: MessageDescriptor): Draft {
  const into: Draft = {};
  for (const field of ours.fields) {
    if (!Object.hasOwn(message, field.name)) continue;
    const value = message[field.name];
    const element = (one: unknown, type: MessageDescriptor | undefined): Plain =>
      type === undefined
        ? plainScalar(isLong(one) ? String(one) : one)
        : fromProtobufjs(one as Record<string, unknown>, type);
    if (Array.isArray(value)) into[field.name] = value.map((one) => element(one, field.message));
    else if (field.cardinality === 'map') {
      const type = field.message!.byNumber.get(2)!.message;
      const entries = Object.entries(value as object).map(([key, one]) => [key, element(one, type)]);
      into[field.name] = Object.fromEntries(entries);
    } else if (value !== null && value !== undefined) into[field.name] = element(value, field.message);
  }
  return withZeros(ours, into);
}

test.each(['every.Every', 'every2.Every'])('%s: as @bufbuild/protobuf reads it', (name) => {
  const type = registry.messages.get(name)!;
  const theirs: Registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, SET));
  const schema = theirs.getMessage(name)!;
  fc.assert(
    fc.property(arbitraryWire(type), (bytes) => {
      const { table } = annotate(bytes, type);
      const decoded = fromBinary(schema, bytes) as Message;
      expect(fromRows(table, bytes, type)).toEqual(fromBufbuild(reflect(schema, decoded), type));
    }),
    RUNS,
  );
});

test('every.Every: as protobufjs reads it', () => {
  const type = registry.messages.get('every.Every')!;
  const theirs = protobuf.parse(PROTO3, { keepCase: true }).root.lookupType('every.Every');
  fc.assert(
    fc.property(arbitraryWire(type, { unknown: false }), (bytes) => {
      const { table } = annotate(bytes, type);
      const decoded = theirs.decode(bytes) as unknown as Record<string, unknown>;
      expect(drop64BitKeys(fromRows(table, bytes, type))).toEqual(drop64BitKeys(fromProtobufjs(decoded, type)));
    }),
    RUNS,
  );
});

/** protobufjs keeps 64-bit map keys as eight characters of bits. */
function drop64BitKeys(value: Plain): Plain {
  if (Array.isArray(value)) return value.map(drop64BitKeys);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, name === 'by_number' ? {} : drop64BitKeys(one)]),
  );
}

test('random messages hold every type, packed runs and duplicates', () => {
  const type = registry.messages.get('every2.Every')!;
  const types = new Set<string>();
  let bits = 0;
  for (const bytes of fc.sample(arbitraryWire(type), { numRuns: 300, seed: 1 })) {
    const { table } = annotate(bytes, type);
    for (const field of table.fields) types.add(field.type);
    for (const flags of columnsOf(table).flags) bits |= flags;
  }
  expect(types.size).toBe(18);
  for (const flag of [Flag.PACKED, Flag.OVERLONG, Flag.NEGATIVE, Flag.DUPLICATE, Flag.UNKNOWN])
    expect(bits & flag).toBe(flag);
});
