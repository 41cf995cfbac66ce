/** Bytes by id of the encoding → ledgers without fields. */
import type { LedgerTotals } from '#engine/cost/profile.ts';

export const ledgersOf = (bytes: Readonly<Record<string, number>>): Readonly<Record<string, LedgerTotals>> =>
  Object.fromEntries(
    Object.entries(bytes).map(([id, total]) => [id, { label: id, bytes: total, refused: null, losses: [], own: {} }]),
  );
