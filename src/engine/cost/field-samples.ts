/**
 * The smallest and the widest records that a field can be written as, as protobuf bytes. Sizes that follow from a
 * schema alone are measured with them, so that they equal what the encoders really write.
 */

import { WireType } from '../model/annotation.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { wireTypeOf } from '../schema/wire-types.ts';

export interface FieldSamples {
  /** With the smallest value that encoders write. */
  readonly least: Uint8Array;
  /** With values of every extreme width; empty: the width is unlimited. */
  readonly widest: readonly Uint8Array[];
}

/** Varint bytes of an unsigned number below 2⁶⁴. */
function varint(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return bytes;
}

const ONES = 2n ** 64n - 1n;

const tag = (number: number, wireType: number): number[] => varint(BigInt(number) * 8n + BigInt(wireType));

/** Extremes of a scalar type, without a tag; the first one is the default, the second the smallest other value. */
function scalarValues(field: FieldDescriptor): readonly (readonly number[])[] | undefined {
  switch (field.type) {
    case 'bool':
      return [[0], [1]];
    case 'int32':
      return [[0], [1], varint(2n ** 31n - 1n), varint(ONES)];
    case 'int64':
      return [[0], [1], varint(2n ** 63n - 1n), varint(ONES)];
    case 'uint32':
    case 'sint32':
      return [[0], [1], varint(2n ** 32n - 1n)];
    case 'uint64':
    case 'sint64':
      return [[0], [1], varint(ONES)];
    case 'enum': {
      const numbers = (field.enum?.values ?? []).map(({ number }) => varint(BigInt.asUintN(64, BigInt(number))));
      return [[0], numbers.find((bytes) => bytes.length === 1 && bytes[0] !== 0) ?? [1], ...numbers];
    }
    case 'fixed32':
    case 'sfixed32':
    case 'float':
      return [new Array<number>(4).fill(0), [1, 0, 0, 0], new Array<number>(4).fill(255)];
    case 'fixed64':
    case 'sfixed64':
    case 'double':
      return [new Array<number>(8).fill(0), [1, 0, 0, 0, 0, 0, 0, 0], new Array<number>(8).fill(255)];
    default:
      return undefined;
  }
}

const prefixed = (payload: readonly number[]): number[] => [...varint(BigInt(payload.length)), ...payload];

/**
 * Limits of required messages in each other. One that contains itself cannot be written, and one whose types each have
 * the next several times doubles with each of them.
 */
const MAX_DEPTH = 64;
const MAX_MESSAGES = 1000;

class Nesting {
  depth = 0;
  messages = 0;
}

/** The smallest bytes of a message: its required fields. */
export function leastMessage(message: MessageDescriptor, nesting = new Nesting()): readonly number[] {
  if (nesting.depth > MAX_DEPTH || nesting.messages++ > MAX_MESSAGES) return [];
  nesting.depth++;
  const bytes = message.fields.flatMap((field) =>
    // Writers write both fields of a map entry.
    field.presence === 'required' || message.isMapEntry ? leastRecord(field, message.isMapEntry, nesting) : [],
  );
  nesting.depth--;
  return bytes;
}

function leastRecord(field: FieldDescriptor, isDefault: boolean, nesting?: Nesting): number[] {
  const wireType = wireTypeOf(field.type);
  const head = tag(field.number, wireType);
  if (field.message !== undefined) {
    const payload = leastMessage(field.message, nesting);
    if (field.type === 'group') return [...head, ...payload, ...tag(field.number, WireType.EGROUP)];
    return [...head, ...prefixed(payload)];
  }
  const values = scalarValues(field);
  if (values === undefined) return [...head, ...prefixed(isDefault || field.presence !== 'implicit' ? [] : [97])];
  const value = values[field.presence === 'implicit' && !isDefault ? 1 : 0]!;
  return field.packed ? [...tag(field.number, WireType.LEN), ...prefixed(value)] : [...head, ...value];
}

/** Samples of a field's values; repeated and map fields have one element. */
export function samplesOf(field: FieldDescriptor): FieldSamples {
  const least = Uint8Array.from(leastRecord(field, false));
  const values = field.cardinality === 'singular' ? scalarValues(field) : undefined;
  if (values === undefined) return { least, widest: [] };
  const head = tag(field.number, wireTypeOf(field.type));
  const written = field.presence === 'implicit' ? values.slice(1) : values;
  return { least, widest: written.map((value) => Uint8Array.from([...head, ...value])) };
}
