/**
 * Two sides before and after compression: for each matched field, its plain bytes and its part of each side's
 * compressed streams.
 */

import type { FieldBits } from './bit-parts.ts';
import {
  type DiffRow,
  type DiffSide,
  type DiffUnits,
  diffProfiles,
  IN_TOTAL,
  type ProfileDiff,
} from './diff-profiles.ts';
import { ledgerOf } from './encoding-ledger.ts';
import { COMPRESSED_BITS_LEDGER, paidProfile } from './paid-profile.ts';
import type { Profile } from './profile.ts';

/** Bits that a side's fields cost in its streams. */
export interface SideBits {
  readonly compressedBytes: number;
  readonly fields: readonly FieldBits[];
  /** Bits by item. */
  readonly container: Readonly<Record<string, number>>;
}

/** Compressed bytes of two sides by field; they may be fractions. Rows sum to `compressed`. */
export interface PaidDiff {
  readonly compressed: { readonly a: number; readonly b: number };
  /** By `rowKey` of the plain difference; `REST`: the container, and bytes that belong to no field. */
  readonly rows: ReadonlyMap<string, DiffRow['bytes']>;
}

/** The key of the row of bytes that belong to no field. */
export const REST = '[null,null]';

export const rowKey = ({ a, b }: Pick<DiffRow, 'a' | 'b'>): string => JSON.stringify([a, b]);

/** @param chosen paths of A → paths of B, as in `diffProfiles` */
export function diffPaid(
  a: { readonly profile: Profile; readonly bits: SideBits },
  b: { readonly profile: Profile; readonly bits: SideBits },
  chosen: Readonly<Record<string, string>> = {},
  units: DiffUnits = IN_TOTAL,
): PaidDiff {
  const side = ({ profile, bits }: typeof a) => ({
    profile: paidProfile(profile, bits, 'paid', ''),
    ledger: COMPRESSED_BITS_LEDGER,
  });
  const { rows } = diffProfiles(side(a), side(b), chosen, units);
  return {
    compressed: { a: a.bits.compressedBytes / units.a, b: b.bits.compressedBytes / units.b },
    rows: new Map(rows.map((row) => [rowKey(row), row.bytes])),
  };
}

/**
 * Bytes of a side's streams outside of its messages: size prefixes, line breaks. 0: only a part of the messages is in the
 * streams.
 */
export const bytesAround = (
  { profile, ledger }: DiffSide,
  { messages, outOf, plainBytes }: { readonly messages: number; readonly outOf: number; readonly plainBytes: number },
): number => (messages < outOf ? 0 : plainBytes - (ledgerOf(profile, ledger)?.bytes ?? plainBytes));

/** The plain rows in their order, then the row of the rest, which only compressed streams have. */
export function rowsWithRest({ rows }: ProfileDiff, paid: readonly PaidDiff[]): readonly DiffRow[] {
  const hasRest = rows.some((row) => rowKey(row) === REST) || paid.every((one) => !one.rows.has(REST));
  if (hasRest) return rows;
  return [...rows, { a: null, b: null, aligned: 'path', bytes: { a: 0, b: 0 }, change: {} }];
}
