/**
 * A number → another number with the same size in every encoding: as a varint, in zigzag form, as a bincode integer, in
 * 32 bits if the type has no more, and as a fixed number. It has the same sign, is odd where zigzag requires it, and is
 * 0 only for 0. The result is the smallest such power of two, whose lower bytes are filled with one repeated byte,
 * which `salt` chooses. No other part of the value remains, and no new run of zeros appears.
 */
import type { FieldFacts } from '../schema/descriptor.ts';

const MASK = (1n << 64n) - 1n;
const LOW = (1n << 32n) - 1n;

type Type = FieldFacts['type'] | 'unknown';

const NARROW: ReadonlySet<Type> = new Set(['int32', 'uint32', 'sint32', 'enum', 'bool', 'fixed32', 'sfixed32']);
const FIXED: ReadonlySet<Type> = new Set(['fixed32', 'sfixed32', 'fixed64', 'sfixed64']);

const width = (value: bigint): number => (value === 0n ? 1 : Math.ceil(value.toString(2).length / 7));
const zigzag = (value: bigint, bits: bigint): bigint => {
  const mask = (1n << bits) - 1n;
  return ((value << 1n) ^ (value >> (bits - 1n) === 0n ? 0n : mask)) & mask;
};
/** bincode's variable integers. */
const bincode = (value: bigint): number => (value < 251n ? 1 : value < 65536n ? 3 : value <= LOW ? 5 : 9);

/** The properties of a 64-bit value that affect its size in encodings. */
function looksOf(value: bigint, type: Type): string {
  const seen = (number: bigint, bits: bigint) => {
    const folded = zigzag(number, bits);
    return [width(number), width(number >> 1n), width(folded), bincode(number), bincode(number >> 1n), bincode(folded)];
  };
  const looks = [...seen(value, 64n), value === 0n, value >> 63n];
  if (type === 'sint32' || type === 'sint64') looks.push(value & 1n);
  if (type === 'bool') looks.push(value === 1n);
  // Bytes without the leading bytes of zeros or of the sign.
  if (FIXED.has(type)) looks.push(...[value, value ^ MASK].map((number) => (number.toString(16).length + 1) >> 1));
  if (NARROW.has(type)) {
    const low = value & LOW;
    looks.push(...seen(low, 32n), low >> 31n, value === low, value === BigInt.asUintN(64, BigInt.asIntN(32, low)));
  }
  return looks.join(' ');
}

const POWERS = Array.from({ length: 65 }, (_, power) => 1n << BigInt(power));

/** Neighbours of powers of two, for properties that only such numbers have. */
const EDGES: readonly bigint[] = POWERS.flatMap((power) =>
  [power, power + 1n, power - 1n, -power, -power - 1n, 1n - power].map((value) => value & MASK),
);

/** Filler bytes; `salt` chooses one. */
const BODIES = [0x55, 0x4d, 0x65, 0x71, 0x35, 0x59, 0x2b, 0x1d, 0x47, 0x63] as const;

function candidates(salt: number): readonly bigint[] {
  const body = BigInt(BODIES[salt % BODIES.length]!) * 0x0101010101010101n;
  const filled = POWERS.flatMap((power) => {
    const value = power | (body & (power - 1n));
    return [value, value ^ 1n, value ^ MASK, value ^ MASK ^ 1n].map((number) => number & MASK);
  });
  return [...filled, ...EDGES];
}

const known = new Map<string, ReadonlyMap<string, bigint>>();

/** The first candidate for each combination of properties. */
function lookalikes(type: Type, salt: number): ReadonlyMap<string, bigint> {
  const key = `${type} ${salt % BODIES.length}`;
  let byLooks = known.get(key);
  if (byLooks === undefined) {
    byLooks = new Map(
      candidates(salt)
        .toReversed()
        .map((candidate) => [looksOf(candidate, type), candidate]),
    );
    known.set(key, byLooks);
  }
  return byLooks;
}

/** `value` and the result are 64-bit values, as on the wire. */
export function fillNumber(value: bigint, type: Type, salt: number): bigint {
  const looks = looksOf(value, type);
  const same = lookalikes(type, salt).get(looks);
  if (same !== undefined) return same;
  // The value exceeds its type: each half is filled separately, or else only the width is kept.
  const low = lookalikes('uint64', salt).get(looksOf(value & LOW, 'uint64')) ?? 0n;
  const whole = EDGES.map((high) => ((high << 32n) & MASK) | low).find((made) => looksOf(made, type) === looks);
  return whole ?? 1n << BigInt(7 * (width(value) - 1));
}
