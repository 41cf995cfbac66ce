/**
 * Two ledgers, of one profile or of two → the change from the first to the second, by field and by cause. The rows sum
 * to the difference of the totals, and so do the causes.
 */
import { type CountedUnit, countedUnits } from './counted-unit.ts';
import { type EncodingLedger, ledgerOf } from './encoding-ledger.ts';
import { addCells, type FieldProfile, type LedgerCells, type Profile, ROOT, sumCells } from './profile.ts';

export interface DiffSide {
  readonly profile: Profile;
  /** Id of a ledger of the profile that has a figure for every message (`encoding-ledger.ts`). */
  readonly ledger: string;
}

type Alone = 'only A' | 'only B';

/** How two fields were matched. */
export type Alignment = 'path' | 'name' | 'chosen' | Alone;

export interface DiffRow {
  /** Path in A; null: only B has it. If both are null, the row has the bytes of no field (`ofNoField`). */
  readonly a: string | null;
  readonly b: string | null;
  readonly aligned: Alignment;
  /** The field occurs on this side alone; the other may declare it. Missing: on both, or neither. */
  readonly alone?: Alone;
  readonly bytes: { readonly a: number; readonly b: number };
  /** b − a of each category of bytes: `tag`, `length`, `value`, `flag` … */
  readonly change: Readonly<Record<string, number>>;
  /** `unattributed`: no rule explains the bytes; `messages`: they are the messages themselves, as JSON's outer braces. */
  readonly ofNoField?: 'unattributed' | 'messages';
}

export interface DiffTotals {
  readonly messages: number;
  readonly bytes: number;
  readonly bytesPerMessage: number;
  /** The record that a message contains, by evidence; null: only messages are counted. */
  readonly record: { readonly name: string; readonly count: number; readonly bytesPerRecord: number } | null;
}

export interface ProfileDiff {
  readonly a: DiffTotals;
  readonly b: DiffTotals;
  readonly rows: readonly DiffRow[];
  /** Bytes by cause: a category of fields on both sides, fields that occur on one alone, or unexplained bytes. */
  readonly causes: readonly { readonly cause: string; readonly bytes: number }[];
}

/** Divisors of the bytes of rows and causes: 1 for totals, or each side's number of messages or records. */
export interface DiffUnits {
  readonly a: number;
  readonly b: number;
}

export const IN_TOTAL: DiffUnits = { a: 1, b: 1 };

/** @param chosen paths of A → paths of B, they take precedence over equal paths and names */
export function diffProfiles(
  a: DiffSide,
  b: DiffSide,
  chosen: Readonly<Record<string, string>> = {},
  units: DiffUnits = IN_TOTAL,
): ProfileDiff {
  const [ledgerA, ledgerB] = [ledgerOf(a.profile, a.ledger), ledgerOf(b.profile, b.ledger)];
  const rowOf = (left: FieldProfile | undefined, right: FieldProfile | undefined, aligned: Alignment): DiffRow => {
    const before = left === undefined ? {} : (ledgerA?.fields[left.path] ?? {});
    const after = right === undefined ? {} : (ledgerB?.fields[right.path] ?? {});
    const change = changeOf(before, after, units);
    const alone = aloneOn(left, right, change.bytes);
    return { a: left?.path ?? null, b: right?.path ?? null, aligned, ...(alone && { alone }), ...change };
  };
  const rows = align(a.profile, b.profile, chosen).map((pair) => rowOf(...pair));
  const [restA, restB] = [restOf(ledgerA, a.profile), restOf(ledgerB, b.profile)];
  const own = changeOf(restA, restB, units);
  if (own.bytes.a > 0 || own.bytes.b > 0) {
    const isUnattributed = Object.entries(addCells(restA, restB)).every(([id, n]) => id === 'unattributed' || n === 0);
    const ofNoField = isUnattributed ? 'unattributed' : 'messages';
    rows.push({ a: null, b: null, aligned: 'path', ...own, ofNoField });
  }
  const causes = new Map<string, number>();
  const enter = (cause: string, bytes: number) => causes.set(cause, (causes.get(cause) ?? 0) + bytes);
  for (const { alone, bytes, change } of rows) {
    if (alone) enter(alone, bytes.b - bytes.a);
    else for (const [category, difference] of Object.entries(change)) enter(category, difference);
  }
  const [unitA, unitB] = countedUnits(a.profile, b.profile);
  return {
    a: totalsOf(a, unitA),
    b: totalsOf(b, unitB),
    rows,
    causes: [...causes]
      .filter(([, bytes]) => bytes !== 0)
      .map(([cause, bytes]) => ({ cause, bytes }))
      .sort((x, y) => Math.abs(y.bytes) - Math.abs(x.bytes)),
  };
}

/** A field that has bytes where it is absent, as a flag of the native form, counts as on both sides. */
function aloneOn(a: FieldProfile | undefined, b: FieldProfile | undefined, bytes: DiffRow['bytes']): Alone | undefined {
  if (!b || (isAbsent(b) && bytes.b === 0 && a && !isAbsent(a))) return 'only A';
  return !a || (isAbsent(a) && bytes.a === 0 && !isAbsent(b)) ? 'only B' : undefined;
}

/** Fields that no type declares have bytes, and no count of records. */
const isAbsent = ({ declared, occurrences }: FieldProfile): boolean => declared !== null && occurrences === 0;

/** Bytes that belong to no field of the profile. */
function restOf(ledger: EncodingLedger | undefined, profile: Profile): LedgerCells {
  const known = new Set(fieldsOf(profile).map(({ path }) => path));
  const rest: Record<string, number> = {};
  for (const [path, cells] of Object.entries(ledger?.fields ?? {})) {
    if (known.has(path)) continue;
    for (const [category, bytes] of Object.entries(cells)) rest[category] = (rest[category] ?? 0) + bytes;
  }
  return rest;
}

/** Fields without the row of the messages themselves. */
const fieldsOf = ({ fields }: Profile): readonly FieldProfile[] => fields.filter(({ path }) => path !== ROOT);

function changeOf(before: LedgerCells, after: LedgerCells, units: DiffUnits): Pick<DiffRow, 'bytes' | 'change'> {
  const change: Record<string, number> = {};
  for (const category of new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof LedgerCells>) {
    const bytes = (after[category] ?? 0) / units.b - (before[category] ?? 0) / units.a;
    if (bytes !== 0) change[category] = bytes;
  }
  return { bytes: { a: sumCells(before) / units.a, b: sumCells(after) / units.b }, change };
}

function totalsOf({ profile, ledger }: DiffSide, { path, count, singular }: CountedUnit): DiffTotals {
  const { messages } = profile;
  const bytes = ledgerOf(profile, ledger)?.bytes ?? 0;
  return {
    messages,
    bytes,
    bytesPerMessage: messages === 0 ? 0 : bytes / messages,
    record: path === null || count === 0 ? null : { name: singular, count, bytesPerRecord: bytes / count },
  };
}

type Pair = readonly [a: FieldProfile | undefined, b: FieldProfile | undefined, aligned: Alignment];

/**
 * Matches fields by choice, then by path, then by a name that is unique among each side's remaining fields. In the
 * order of A, then of B.
 */
function align(a: Profile, b: Profile, chosen: Readonly<Record<string, string>>): readonly Pair[] {
  const ours = fieldsOf(a);
  const theirs = new Map(fieldsOf(b).map((field) => [field.path, field]));
  const found = new Map<FieldProfile, readonly [FieldProfile, Alignment]>();
  const take = (field: FieldProfile, path: string | undefined, aligned: Alignment): void => {
    const other = path === undefined ? undefined : theirs.get(path);
    if (other === undefined || found.has(field)) return;
    theirs.delete(other.path);
    found.set(field, [other, aligned]);
  };
  for (const field of ours) take(field, chosen[field.path], 'chosen');
  for (const field of ours) take(field, field.path, 'path');
  const left = byName(ours.filter((field) => !found.has(field)));
  const right = byName([...theirs.values()]);
  for (const [name, field] of left) if (field !== null) take(field, right.get(name)?.path, 'name');
  return [
    ...ours.map((field): Pair => {
      const match = found.get(field);
      return match === undefined ? [field, undefined, 'only A'] : [field, ...match];
    }),
    ...[...theirs.values()].map((field): Pair => [undefined, field, 'only B']),
  ];
}

/** Fields by name without case and underscores; null: several fields have the name. Unknown fields have no name. */
function byName(fields: readonly FieldProfile[]): ReadonlyMap<string, FieldProfile | null> {
  const names = new Map<string, FieldProfile | null>();
  for (const field of fields) {
    if (field.declared === null) continue;
    const name = field.name.replaceAll('_', '').toLowerCase();
    names.set(name, names.has(name) ? null : field);
  }
  return names;
}
