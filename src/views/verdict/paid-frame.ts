/** Bits that fields pay of compressed streams → columns of the field table. */
import { type FieldBits, partsOf, totalOf } from '#engine/cost/field-bits.ts';
import type { Profile } from '#engine/cost/profile.ts';
import type { BitsFacts } from '#wording/bits-words.ts';
import { afterWords } from '#wording/paid-words.ts';

export function paidFrame(bits: BitsFacts, { fields }: Profile) {
  const paid = new Map(bits.fields.map((field) => [field.path, totalOf(partsOf(field.paid))]));
  const of = (path: string): number => paid.get(path) ?? 0;
  const known = new Set(fields.map(({ path }) => path));
  const own = bits.fields.filter(({ path }) => known.has(path));
  const plainRanks = ranksBy(own, ({ bytes }) => totalOf(partsOf(bytes)));
  const paidRanks = ranksBy(own, ({ path }) => of(path));
  const ranks = new Map(
    own.map(({ path }) => [path, { plain: plainRanks.get(path)!, paid: paidRanks.get(path)! }] as const),
  );
  return { label: afterWords(bits), compressedBytes: bits.compressedBytes, ranks, of };
}

function ranksBy(fields: readonly FieldBits[], amount: (field: FieldBits) => number): ReadonlyMap<string, number> {
  const sorted = [...fields].sort((a, b) => amount(b) - amount(a));
  return new Map(sorted.map(({ path }, at) => [path, at + 1]));
}
