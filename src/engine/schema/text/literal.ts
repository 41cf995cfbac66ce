/** Literals of options and defaults as exact numbers: 64-bit integers are never converted to a double. */
import type { RawValue } from '../declaration.ts';
import type { ScalarType } from '../descriptor.ts';

const RANGES: Readonly<Partial<Record<ScalarType, readonly [bigint, bigint]>>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  sint32: [-(2n ** 31n), 2n ** 31n - 1n],
  sfixed32: [-(2n ** 31n), 2n ** 31n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  fixed32: [0n, 2n ** 32n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  sint64: [-(2n ** 63n), 2n ** 63n - 1n],
  sfixed64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
  fixed64: [0n, 2n ** 64n - 1n],
};

/** undefined: not an integer, or not in the range of the type. */
export function integerOf(value: RawValue, type: ScalarType): bigint | undefined {
  if (value.kind !== 'number') return undefined;
  const magnitude = magnitudeOf(value.text);
  const range = RANGES[type];
  if (magnitude === undefined || range === undefined) return undefined;
  // An unsigned type accepts no sign, not even before 0.
  if (value.negative && range[0] === 0n) return undefined;
  const integer = value.negative ? -magnitude : magnitude;
  return integer >= range[0] && integer <= range[1] ? integer : undefined;
}

function magnitudeOf(text: string): bigint | undefined {
  // Longer than any 64-bit literal.
  if (text.length > 30) return undefined;
  if (/^0[0-7]+$/.test(text)) return BigInt(`0o${text.slice(1)}`);
  return /^(0[xX][0-9a-fA-F]+|[0-9]+)$/.test(text) && !/^0[0-9]/.test(text) ? BigInt(text) : undefined;
}

/**
 * A number as a double. `inf` and `nan` are identifiers unless they have a sign.
 * @param inAggregate true: `Infinity` is accepted too, and integers are decimal
 */
export function numberOf(value: RawValue, inAggregate = false): number | undefined {
  if (value.kind !== 'number' && value.kind !== 'identifier') return undefined;
  const sign = value.kind === 'number' && value.negative ? -1 : 1;
  const word = inAggregate ? value.text.toLowerCase() : value.text;
  if (word === 'inf' || (inAggregate && word === 'infinity')) return sign * Number.POSITIVE_INFINITY;
  if (word === 'nan') return Number.NaN;
  if (value.kind === 'identifier') return undefined;
  if (inAggregate && /^0[0-9xX]/.test(value.text)) return undefined;
  const integer = magnitudeOf(value.text);
  if (/^0[0-9xX]/.test(value.text) && (integer === undefined || integer >= 2n ** 64n)) return undefined;
  // Outside braces, the integer is negated as an integer, so there is no −0.
  if (!inAggregate && integer === 0n) return 0;
  return sign * (integer === undefined ? Number.parseFloat(value.text) : Number(integer));
}
