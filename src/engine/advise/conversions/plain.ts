/** Without `value`: values are unchanged, in another type that can hold each of them. */
import { floatBytes, floatOf } from '../../bytes/float-bytes.ts';
import { invalidUtf8At } from '../../bytes/utf8.ts';
import type { FieldType } from '../../schema/descriptor.ts';
import { isFloat } from '../../wire/encoding-facts.ts';
import { integer, type TreeValue } from '../value-tree.ts';
import type { Conversion, ValueMapping } from './conversion.ts';
import { eachValue } from './each-value.ts';

export const plain: Conversion = {
  read(change, from, to) {
    if (change.value !== undefined) return undefined;
    const mapping = plainMapping(from.type, to.type);
    return mapping && eachValue(change, mapping);
  },
};

const same = (value: TreeValue): TreeValue => value;

/** Equal values in another scalar type; undefined: the types have none. */
export function plainMapping(from: FieldType, to: FieldType): ValueMapping | undefined {
  const range = RANGES[to];
  if (range !== undefined && RANGES[from] !== undefined) {
    return { to: (value) => within(value as number, range), back: same };
  }
  if (range !== undefined && isFloat(from)) {
    return { to: (value) => within(wholeNumber(value), range), back: (value) => Number(value) };
  }
  if (RANGES[from] !== undefined && isFloat(to)) {
    return { to: (value) => floatEqualTo(value as number, to), back: (value) => integer(BigInt(value as number)) };
  }
  if (from === 'string' && to === 'bytes') return { to: same, back: same };
  if (from === 'bytes' && to === 'string') return { to: (value) => (isUtf8(value) ? value : undefined), back: same };
  if (from === 'double' && to === 'float') return { to: narrow, back: (value) => widen(value) };
  if (from === 'float' && to === 'double') {
    return {
      to: (value) => (typeof value === 'number' || sameBytes(narrow(widen(value)), value) ? widen(value) : undefined),
      back: (value) => narrow(value)!,
    };
  }
  return undefined;
}

type Range = readonly [least: number | bigint, most: number | bigint];
const SIGNED_32: Range = [-0x8000_0000, 0x7fff_ffff];
const UNSIGNED_32: Range = [0, 0xffff_ffff];
const SIGNED_64: Range = [-(1n << 63n), (1n << 63n) - 1n];
const UNSIGNED_64: Range = [0, (1n << 64n) - 1n];

/** Ranges of integers. */
export const RANGES: Readonly<Partial<Record<FieldType, Range>>> = {
  int32: SIGNED_32,
  sint32: SIGNED_32,
  sfixed32: SIGNED_32,
  enum: SIGNED_32,
  uint32: UNSIGNED_32,
  fixed32: UNSIGNED_32,
  int64: SIGNED_64,
  sint64: SIGNED_64,
  sfixed64: SIGNED_64,
  uint64: UNSIGNED_64,
  fixed64: UNSIGNED_64,
  bool: [0, 1],
};

const within = (value: number | bigint | undefined, [least, most]: Range): number | bigint | undefined =>
  value !== undefined && value >= least && value <= most ? value : undefined;

/** undefined: it has a fraction, or a sign that integers do not have. */
const wholeNumber = (value: TreeValue): number | bigint | undefined =>
  Number.isInteger(value) && !Object.is(value, -0) ? integer(BigInt(value as number)) : undefined;

function floatEqualTo(whole: number | bigint, type: FieldType): number | undefined {
  const value = type === 'float' ? Math.fround(Number(whole)) : Number(whole);
  return BigInt(value) === BigInt(whole) ? value : undefined;
}

const isUtf8 = (value: TreeValue): boolean => value instanceof Uint8Array && invalidUtf8At(value, 0, value.length) < 0;

/** undefined: no float equals the number, or it is a NaN whose bits would be lost. */
function narrow(value: TreeValue): TreeValue | undefined {
  if (typeof value === 'number') return Object.is(Math.fround(value), value) ? value : undefined;
  const bytes = floatBytes(floatOf(value as Uint8Array, 'double'), 'float');
  return sameBytes(widen(bytes), value) ? bytes : undefined;
}

const widen = (value: TreeValue): TreeValue =>
  typeof value === 'number' ? value : floatBytes(floatOf(value as Uint8Array, 'float'), 'double');

function sameBytes(a: TreeValue | undefined, b: TreeValue): boolean {
  return (
    a instanceof Uint8Array && b instanceof Uint8Array && a.length === b.length && a.every((byte, i) => byte === b[i])
  );
}
