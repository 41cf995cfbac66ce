/**
 * Bits that fields cost in compressed streams, as a ledger of a profile. Pictures, tables and files show it like plain
 * bytes. Its bytes may be fractions. The container belongs to the messages themselves.
 */

import { type FieldBits, MESSAGE_PATH } from './bit-parts.ts';
import { withLedgers } from './encoding-ledger.ts';
import { type LedgerCells, type Profile, ROOT } from './profile.ts';

/** Id of the ledger. */
export const COMPRESSED_BITS_LEDGER = 'paid';

/** Bits as paid, or with the cost of each literal divided among its copies. */
export type PaidBits = 'paid' | 'shared';

interface Paid {
  readonly fields: readonly FieldBits[];
  /** Bits by item. */
  readonly container: Readonly<Record<string, number>>;
}

/** The path in a profile of bits that fields pay. */
export const profilePath = ({ path }: FieldBits): string => (path === MESSAGE_PATH ? ROOT : path);

/** @param label of the ledger: `after zstd level 3` */
export function paidProfile(profile: Profile, { fields, container }: Paid, which: PaidBits, label: string): Profile {
  const { other: _, nativeLedger: __, ...rest } = profile;
  const known = new Set(profile.fields.map(({ path }) => path));
  const cells = new Map<string, LedgerCells>();
  let bits = Object.values(container).reduce((sum, own) => sum + own, 0);
  let all = bits;
  for (const field of fields) {
    const amounts = field[which] ?? field.paid;
    const own = Object.values(amounts).reduce((sum, amount) => sum + amount, 0);
    all += own;
    const path = profilePath(field);
    if (known.has(path)) {
      cells.set(path, Object.fromEntries(Object.entries(amounts).map(([category, amount]) => [category, amount / 8])));
    } else bits += own;
  }
  const own = Object.fromEntries(cells.set('', { header: bits / 8 }));
  const ledger = { label, bytes: all / 8, refused: null, losses: [], fields: own };
  const bare = profile.fields.map((field) => ({ ...field, ledgers: {} }));
  return withLedgers(
    { ...rest, pair: [COMPRESSED_BITS_LEDGER, null], unattributed: 0, ledgers: {}, fields: bare },
    { [COMPRESSED_BITS_LEDGER]: ledger },
  );
}
