/**
 * The ledgers of a profile, by id of their encoding: `protobuf`, the native profile, and those that were asked for
 * beside them (`json`, `msgpack-named` …; `encodings.ts`). For each of them
 *
 *   Σ fields (Σ categories) + unattributed = bytes
 */
import type { Category } from '../model/annotation.ts';
import type { EncodingLedger, FieldProfile, LedgerCells, Profile } from './profile.ts';

/** Is given every message of a type, in protobuf. */
export interface LedgerCollector {
  /** @param message borrowed */
  add(message: Uint8Array): void;
  /** By id. */
  ledgers(): Readonly<Record<string, EncodingLedger>>;
}

export const PROTOBUF_LEDGER = 'protobuf';
/** Stands for the native profile, whichever it is. */
const NATIVE_LEDGER = 'native';

/** Ids of all ledgers of a profile. */
export const ledgerIds = ({ nativeProfile, ledgers }: Profile): readonly string[] => [
  PROTOBUF_LEDGER,
  ...(nativeProfile === null ? [] : [nativeProfile]),
  ...Object.keys(ledgers),
];

/** undefined: the profile has no such ledger. */
export function ledgerOf(profile: Profile, id: string): EncodingLedger | undefined {
  const { bytes, nativeProfile, other, ledgers, fields, unattributed } = profile;
  const by = (label: string, total: number, cellsOf: (field: FieldProfile) => LedgerCells): EncodingLedger => ({
    ...{ label, bytes: total, refused: null, losses: [] },
    fields: Object.fromEntries(fields.map((field) => [field.path, cellsOf(field)])),
  });
  if (id === PROTOBUF_LEDGER) {
    const ledger = by('protobuf', bytes.protobuf, ({ protobuf }) => ({ ...protobuf }));
    return unattributed === 0 ? ledger : { ...ledger, fields: { ...ledger.fields, '': { unattributed } } };
  }
  if (nativeProfile !== null && (id === nativeProfile || id === NATIVE_LEDGER)) {
    return by(other?.label ?? nativeProfile, bytes.native, ({ native }) => ({ ...native }));
  }
  return ledgers[id];
}

/** Ledgers of two profiles' messages together: those that both have. */
export function mergeLedgers(a: Profile['ledgers'], b: Profile['ledgers']): Profile['ledgers'] {
  const merged: Record<string, EncodingLedger> = {};
  for (const [id, one] of Object.entries(a)) {
    const other = b[id];
    if (other === undefined) continue;
    const fields: Record<string, LedgerCells> = { ...one.fields };
    for (const [path, cells] of Object.entries(other.fields)) fields[path] = addCells(fields[path] ?? {}, cells);
    const bytes = one.bytes === null || other.bytes === null ? null : one.bytes + other.bytes;
    const losses = [...new Set([...one.losses, ...other.losses])];
    merged[id] = { label: one.label, bytes, refused: one.refused ?? other.refused, losses, fields };
  }
  return merged;
}

function addCells(a: LedgerCells, b: LedgerCells): LedgerCells {
  const sum: Partial<Record<Category, number>> = { ...a };
  for (const [category, bytes] of Object.entries(b) as [Category, number][])
    sum[category] = (sum[category] ?? 0) + bytes;
  return sum;
}
