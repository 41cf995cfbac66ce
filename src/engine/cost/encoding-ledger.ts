/**
 * The ledgers of a profile, by id of their encoding: `protobuf`, a native profile, and the ones that were requested in
 * addition (`json`, `msgpack-named` …; `encodings.ts`). Here, each ledger is one list by field path. For each
 *
 *   Σ fields (Σ categories) = bytes
 */
import { addCells, type FieldProfile, type LedgerCells, type LedgerTotals, type Profile } from './profile.ts';

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

/** Ids of all ledgers of a profile. */
export const ledgerIds = ({ ledgers }: Pick<Profile, 'ledgers'>): readonly string[] => Object.keys(ledgers);

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
  const fields = profile.fields.map((field): FieldProfile => {
    const cells = ids.map((id) => [id, added[id]!.fields[field.path] ?? {}] as const);
    return { ...field, ledgers: { ...field.ledgers, ...Object.fromEntries(cells) } };
  });
  return { ...profile, ledgers: { ...profile.ledgers, ...Object.fromEntries(totals) }, fields };
}

/** Merged ledgers of two profiles: the ones that both profiles have. */
export function mergeLedgers(a: Profile, b: Profile): Readonly<Record<string, EncodingLedger>> {
  const merged: Record<string, EncodingLedger> = {};
  for (const id of ledgerIds(a)) {
    const [one, other] = [ledgerOf(a, id), ledgerOf(b, id)];
    if (one === undefined || other === undefined) continue;
    const fields: Record<string, LedgerCells> = { ...one.fields };
    for (const [path, cells] of Object.entries(other.fields)) fields[path] = addCells(fields[path] ?? {}, cells);
    const bytes = one.bytes === null || other.bytes === null ? null : one.bytes + other.bytes;
    const losses = mergedLosses(one.losses, other.losses);
    merged[id] = { label: one.label, bytes, refused: one.refused ?? other.refused, losses, fields };
  }
  return merged;
}

/** Sentences that end in a count: those of the same words become one. */
function mergedLosses(one: readonly string[], other: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const sentence of [...one, ...other]) {
    const [, words = sentence, count = '0'] = /^(.*): (\d+)$/.exec(sentence) ?? [];
    counts.set(words, (counts.get(words) ?? 0) + Number(count));
  }
  return [...counts].map(([words, count]) => (count === 0 ? words : `${words}: ${count}`));
}
