/**
 * A number → another that looks the same to every encoding: as many bytes as a varint, as its zigzag form, as a bincode
 * integer, in 32 bits where the type has no more; as negative, as odd where zigzag needs it, and 0 only for 0. Of all that do, the
 * ones nearest to a power of two, of which `salt` chooses: nothing else of the value is left.
 */
import type { FieldFacts } from '../schema/descriptor.ts';

const MASK = (1n << 64n) - 1n;
const LOW = (1n << 32n) - 1n;

type Type = FieldFacts['type'] | 'unknown';

const NARROW: ReadonlySet<Type> = new Set(['int32', 'uint32', 'sint32', 'enum', 'bool', 'fixed32', 'sfixed32']);

const width = (value: bigint): number => (value === 0n ? 1 : Math.ceil(value.toString(2).length / 7));
const zigzag = (value: bigint, bits: bigint): bigint => {
  const mask = (1n << bits) - 1n;
  return ((value << 1n) ^ (value >> (bits - 1n) === 0n ? 0n : mask)) & mask;
};
/** bincode's variable integers. */
const bincode = (value: bigint): number => (value < 251n ? 1 : value < 65536n ? 3 : value <= LOW ? 5 : 9);

/** What encodings see of a value of 64 bits. */
function looksOf(value: bigint, type: Type): string {
  const seen = (number: bigint, bits: bigint) => {
    const folded = zigzag(number, bits);
    return [width(number), width(number >> 1n), width(folded), bincode(number), bincode(number >> 1n), bincode(folded)];
  };
  const looks = [...seen(value, 64n), value === 0n, value >> 63n];
  if (type === 'sint32' || type === 'sint64') looks.push(value & 1n);
  if (type === 'bool') looks.push(value === 1n);
  if (NARROW.has(type)) {
    const low = value & LOW;
    looks.push(...seen(low, 32n), low >> 31n, value === low, value === BigInt.asUintN(64, BigInt.asIntN(32, low)));
  }
  return looks.join(' ');
}

const CANDIDATES: readonly bigint[] = [
  ...new Set(
    Array.from({ length: 65 }, (_, power) => 1n << BigInt(power)).flatMap((power) =>
      [power, power + 1n, power - 1n, -power, -power - 1n, 1n - power].map((value) => value & MASK),
    ),
  ),
];

const known = new Map<Type, Map<string, bigint[]>>();

function lookalikes(type: Type): Map<string, bigint[]> {
  let byLooks = known.get(type);
  if (byLooks === undefined) {
    byLooks = new Map();
    for (const candidate of CANDIDATES) {
      const looks = looksOf(candidate, type);
      const same = byLooks.get(looks);
      if (same === undefined) byLooks.set(looks, [candidate]);
      else same.push(candidate);
    }
    known.set(type, byLooks);
  }
  return byLooks;
}

/** `value` and the result are 64 bits, as on the wire. */
export function fillNumber(value: bigint, type: Type, salt: number): bigint {
  const looks = looksOf(value, type);
  const same = lookalikes(type).get(looks);
  if (same !== undefined) return same[salt % same.length]!;
  // Beyond what its type can hold: each half by itself, or else its width alone.
  const low = lookalikes('uint64').get(looksOf(value & LOW, 'uint64'))?.[0] ?? 0n;
  const whole = CANDIDATES.map((high) => ((high << 32n) & MASK) | low).find((made) => looksOf(made, type) === looks);
  return whole ?? 1n << BigInt(7 * (width(value) - 1));
}
