/**
 * A number → another that looks the same to every encoding: as many bytes as a varint, as its zigzag form, as a bincode
 * integer, in 32 bits where the type has no more, or as a fixed number; as negative, as odd where zigzag needs it, and
 * 0 only for 0. Among those, the result is the least power of two, filled below with one repeated byte, which `salt`
 * chooses. No other part of the value remains, and no new run of zeros appears.
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

/** The properties of a 64-bit value that encodings see. */
function looksOf(value: bigint, type: Type): string {
  const seen = (number: bigint, bits: bigint) => {
    const folded = zigzag(number, bits);
    return [width(number), width(number >> 1n), width(folded), bincode(number), bincode(number >> 1n), bincode(folded)];
  };
  const looks = [...seen(value, 64n), value === 0n, value >> 63n];
  if (type === 'sint32' || type === 'sint64') looks.push(value & 1n);
  if (type === 'bool') looks.push(value === 1n);
  // Bytes before the zeros or the sign's ones that fill it up.
  if (FIXED.has(type)) looks.push(...[value, value ^ MASK].map((number) => (number.toString(16).length + 1) >> 1));
  if (NARROW.has(type)) {
    const low = value & LOW;
    looks.push(...seen(low, 32n), low >> 31n, value === low, value === BigInt.asUintN(64, BigInt.asIntN(32, low)));
  }
  return looks.join(' ');
}

const POWERS = Array.from({ length: 65 }, (_, power) => 1n << BigInt(power));

/** Next to a power of two, for what only such numbers look like. */
const EDGES: readonly bigint[] = POWERS.flatMap((power) =>
  [power, power + 1n, power - 1n, -power, -power - 1n, 1n - power].map((value) => value & MASK),
);

/** Bytes that make up a number, by salt. */
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

/** The first of the candidates for each look. */
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

/** `value` and the result are 64 bits, as on the wire. */
export function fillNumber(value: bigint, type: Type, salt: number): bigint {
  const looks = looksOf(value, type);
  const same = lookalikes(type, salt).get(looks);
  if (same !== undefined) return same;
  // Beyond what its type can hold: each half by itself, or else its width alone.
  const low = lookalikes('uint64', salt).get(looksOf(value & LOW, 'uint64')) ?? 0n;
  const whole = EDGES.map((high) => ((high << 32n) & MASK) | low).find((made) => looksOf(made, type) === looks);
  return whole ?? 1n << BigInt(7 * (width(value) - 1));
}
