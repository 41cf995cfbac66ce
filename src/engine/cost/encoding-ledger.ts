/**
 * The ledgers of a profile, by id of their encoding: `protobuf`, a native profile, and the ones that were requested in
 * addition (`json`, `msgpack-named` …; `encodings.ts`). Here, each ledger is one list by field path. For each
 *
 *   Σ fields (Σ categories) = bytes
 */
import type { FieldProfile, LedgerCells, LedgerTotals, Profile } from './profile.ts';

/** Bytes of messages in an encoding, by field path. */
export interface EncodingLedger extends Omit<LedgerTotals, 'own'> {
  /** `''`: the messages themselves. */
  readonly fields: Readonly<Record<string, LedgerCells>>;
}

/** Receives every message of a type, in protobuf. */
export interface LedgerCollector {
  /** @param message borrowed */
  add(message: Uint8Array): void;
  /** By id. */
  ledgers(): Readonly<Record<string, EncodingLedger>>;
}

/** The id in requests that means the native profile, with any name. */
const NATIVE_LEDGER = 'native';

/** undefined: the profile does not have the ledger. */
export function ledgerOf({ pair, ledgers, fields }: Profile, id: string): EncodingLedger | undefined {
  const named = id === NATIVE_LEDGER && ledgers[id] === undefined && pair[1] !== null ? pair[1] : id;
  const totals = ledgers[named];
  if (totals === undefined) return undefined;
  const { own, ...ledger } = totals;
  const byField = fields.flatMap((field) => {
    const cells = field.ledgers[named];
    return cells === undefined ? [] : [[field.path, cells] as const];
  });
  return { ...ledger, fields: { ...Object.fromEntries(byField), ...own } };
}

/** Adds ledgers to a profile. An added ledger replaces one with the same id. */
export function withLedgers(profile: Profile, added: Readonly<Record<string, EncodingLedger>>): Profile {
  const ids = Object.keys(added);
  if (ids.length === 0) return profile;
  const paths = new Set(profile.fields.map(({ path }) => path));
  const totals = Object.entries(added).map(([id, { fields, ...ledger }]): [string, LedgerTotals] => {
    const own = Object.entries(fields).filter(([path]) => !paths.has(path));
    return [id, { ...ledger, own: Object.fromEntries(own) }];
  });
  const cellsOf = new Map(ids.map((id) => [id, new Map(Object.entries(added[id]!.fields))]));
  const fields = profile.fields.map((field): FieldProfile => {
    const cells = ids.map((id) => [id, cellsOf.get(id)!.get(field.path) ?? {}] as const);
    return { ...field, ledgers: { ...field.ledgers, ...Object.fromEntries(cells) } };
  });
  return { ...profile, ledgers: { ...profile.ledgers, ...Object.fromEntries(totals) }, fields };
}
