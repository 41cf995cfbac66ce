/** Bits that fields pay of compressed streams → columns and bars of the field table. */
import { partsOf, totalOf } from '#engine/cost/bit-parts.ts';
import { buildFieldTree, type FieldNode } from '#engine/cost/field-tree.ts';
import { type LedgerSegment, segmentsOf } from '#engine/cost/ledger-segments.ts';
import { COMPRESSED_BITS_LEDGER, paidProfile, profilePath } from '#engine/cost/paid-profile.ts';
import type { Profile } from '#engine/cost/profile.ts';
import { ranksBy } from '#engine/cost/ranks.ts';
import type { Drawn } from '#state/view-state.ts';
import type { BitsFacts } from '#wording/bits-words.ts';
import { afterWords } from '#wording/paid-words.ts';

export type PaidFrameOf = ReturnType<typeof paidFrame>;

/** @param drawn the bytes that bars show */
export function paidFrame(bits: BitsFacts, profile: Profile, drawn: Drawn) {
  const fields = bits.fields.map((field) => ({ ...field, path: profilePath(field) }));
  const which = drawn === 'shared' ? 'shared' : 'paid';
  const paid = new Map(fields.map((field) => [field.path, totalOf(partsOf(field[which] ?? field.paid))]));
  const of = (path: string): number => paid.get(path) ?? 0;
  const known = new Set(profile.fields.map(({ path }) => path));
  const own = fields.filter(({ path }) => known.has(path));
  const plainRanks = ranksBy(own, ({ bytes }) => totalOf(partsOf(bytes)));
  const paidRanks = ranksBy(own, ({ path }) => of(path));
  const ranks = new Map(
    own.map((field) => [field.path, { plain: plainRanks.get(field)!, paid: paidRanks.get(field)! }] as const),
  );
  const label = afterWords(bits);
  const bars = drawn === 'plain' ? null : barsOf(paidProfile(profile, bits, drawn, label));
  return { label, compressedBytes: bits.compressedBytes, ranks, of, bars };
}

/** Segments of a field with all fields below it, by path; `''`: all fields and the container. */
function barsOf(paid: Profile): ReadonlyMap<string, readonly LedgerSegment[]> {
  const bars = new Map<string, readonly LedgerSegment[]>();
  const enter = ({ field, total, children }: FieldNode): void => {
    bars.set(field.path, segmentsOf(total.sides[0]));
    for (const child of children) enter(child);
  };
  const tree = buildFieldTree(paid);
  for (const node of tree) enter(node);
  const { own } = paid.ledgers[COMPRESSED_BITS_LEDGER]!;
  bars.set('', [...tree.flatMap(({ total }) => segmentsOf(total.sides[0])), ...segmentsOf(own[''] ?? {})]);
  return bars;
}
