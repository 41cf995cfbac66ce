/** Two profiles of one type and pair of encodings to the profile of all their messages, exactly. */
import { addCounted } from '../model/counted-words.ts';
import {
  addCells,
  type ContentTotals,
  type FieldProfile,
  type LedgerCells,
  type LedgerTotals,
  ledgerIds,
  type Profile,
  type WidthCounts,
} from './profile.ts';
import type { WasteBytes, WasteRule } from './waste-rules.ts';

export function mergeProfiles(a: Profile, b: Profile): Profile {
  if (a.type !== b.type || a.pair.some((id, at) => id !== b.pair[at])) {
    throw new Error('Only profiles of the same type and of the same two encodings merge.');
  }
  const ids = ledgerIds(a).filter((id) => b.ledgers[id] !== undefined);
  const merged = mergeSiblings(sideOf(a), sideOf(b), '');
  const byPath = new Map(merged.map((field) => [field.path, field]));
  // A field of one part may be among the own bytes of the other.
  const moved = new Map<FieldProfile, Map<string, LedgerCells>>();
  const ledgers: Record<string, LedgerTotals> = {};
  for (const id of ids) {
    const own = new Map<string, LedgerCells>();
    for (const [path, cells] of [...Object.entries(a.ledgers[id]!.own), ...Object.entries(b.ledgers[id]!.own)]) {
      const field = byPath.get(path);
      const into = field === undefined ? own : (moved.get(field) ?? new Map<string, LedgerCells>());
      const key = field === undefined ? path : id;
      into.set(key, addCells(into.get(key) ?? {}, cells));
      if (field !== undefined) moved.set(field, into);
    }
    ledgers[id] = mergeTotals(a.ledgers[id]!, b.ledgers[id]!, Object.fromEntries(own));
  }
  const cellsOf = (field: FieldProfile, id: string): LedgerCells =>
    addCells(field.ledgers[id] ?? {}, moved.get(field)?.get(id) ?? {});
  return {
    type: a.type,
    pair: a.pair,
    ...(a.other === undefined ? {} : { other: a.other }),
    ...(a.nativeLedger === undefined || b.nativeLedger === undefined ? {} : { nativeLedger: a.nativeLedger }),
    messages: a.messages + b.messages,
    ledgers,
    header: a.header === null || b.header === null ? (a.header ?? b.header) : add(a.header, b.header),
    unattributed: a.unattributed + b.unattributed,
    ...contentsOf(mergeContents(a.contents ?? [], b.contents ?? [])),
    fields: merged.map((field) => ({
      ...field,
      ledgers: Object.fromEntries(ids.map((id) => [id, cellsOf(field, id)])),
    })),
  };
}

/** A profile without contents has no such property. */
export const contentsOf = (contents: readonly ContentTotals[]): Pick<Profile, 'contents'> =>
  contents.length === 0 ? {} : { contents };

export function mergeContents(a: readonly ContentTotals[], b: readonly ContentTotals[]): readonly ContentTotals[] {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  const merged = [...a];
  for (const more of b) {
    const at = merged.findIndex(({ field, type }) => field === more.field && type === more.type);
    const known = merged[at];
    if (known === undefined) merged.push(more);
    else
      merged[at] = {
        ...known,
        count: known.count + more.count,
        packed: known.packed + more.packed,
        native: known.native + more.native,
        protobuf: known.protobuf + more.protobuf,
      };
  }
  return merged;
}

const mergeTotals = (a: LedgerTotals, b: LedgerTotals, own: LedgerTotals['own']): LedgerTotals => ({
  label: a.label,
  bytes: a.bytes === null || b.bytes === null ? null : a.bytes + b.bytes,
  refused: a.refused ?? b.refused,
  losses: addCounted(a.losses, b.losses),
  own,
});

interface Side {
  readonly children: ReadonlyMap<string, readonly FieldProfile[]>;
  /** Number of messages at a path. */
  readonly instances: (path: string) => number;
}

function sideOf({ fields, messages }: Profile): Side {
  const children = new Map<string, FieldProfile[]>();
  for (const field of fields) {
    const siblings = children.get(field.parent);
    if (siblings === undefined) children.set(field.parent, [field]);
    else siblings.push(field);
  }
  const elements = new Map(fields.map((field) => [field.path, field.elements]));
  const instances = (path: string) =>
    children.get(path)?.[0]?.parents ?? (path === '' ? messages : (elements.get(path) ?? 0));
  return { children, instances };
}

/**
 * The fields below `parent`, each followed by its own subtree. Declared fields keep their order; undeclared ones follow
 * by number.
 */
function mergeSiblings(a: Side, b: Side, parent: string): FieldProfile[] {
  const theirs = new Map((b.children.get(parent) ?? []).map((field) => [field.path, field]));
  // A field that one side never had was absent from all of that side's messages.
  const missing = (field: FieldProfile, side: Side) => ({ ...field, parents: field.parents + side.instances(parent) });
  const merged = (a.children.get(parent) ?? []).map((field) => {
    const other = theirs.get(field.path);
    theirs.delete(field.path);
    return other === undefined ? missing(field, b) : mergeField(field, other);
  });
  const isOpen = (field: FieldProfile) => field.declared === null || field.name.startsWith('[');
  const all = [...merged, ...[...theirs.values()].map((field) => missing(field, a))];
  const open = all
    .filter(isOpen)
    .sort((x, y) => Number(x.declared === null) - Number(y.declared === null) || x.number - y.number);
  return [...all.filter((field) => !isOpen(field)), ...open].flatMap((field) => [
    field,
    ...mergeSiblings(a, b, field.path),
  ]);
}

/** A field of earlier versions may have a writer on one side alone, or another one on each. */
const firstWriter = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b < a) ? b : a;

/** The sums of two rows, under the names of the first. */
export function mergeField(a: FieldProfile, b: FieldProfile): FieldProfile {
  return {
    ...a,
    writer: firstWriter(a.writer, b.writer),
    occurrences: a.occurrences + b.occurrences,
    elements: a.elements + b.elements,
    packedRuns: a.packedRuns + b.packedRuns,
    ledgers: addLedgers(a.ledgers, b.ledgers),
    parents: a.parents + b.parents,
    presence: a.presence + b.presence,
    absent: a.absent + b.absent,
    names: add(a.names, b.names),
    utf16: a.utf16 + b.utf16,
    widths: {
      tag: addWidths(a.widths.tag, b.widths.tag)!,
      length: addWidths(a.widths.length, b.widths.length),
      value: addWidths(a.widths.value, b.widths.value),
    },
    size: {
      min: a.elements === 0 ? b.size.min : b.elements === 0 ? a.size.min : Math.min(a.size.min, b.size.min),
      max: Math.max(a.size.max, b.size.max),
    },
    waste: addWaste(a.waste, b.waste),
    writers: inBoth(a.writers, b.writers, ({ writer }) => writer),
    types: inBoth(a.types, b.types, ({ type }) => type),
  };
}

const addLedgers = (a: FieldProfile['ledgers'], b: FieldProfile['ledgers']): FieldProfile['ledgers'] =>
  Object.fromEntries(Object.keys({ ...a, ...b }).map((id) => [id, addCells(a[id] ?? {}, b[id] ?? {})]));

function add<T extends { readonly [K in keyof T]: number }>(a: T, b: T): T {
  return Object.fromEntries(Object.entries(a).map(([key, value]) => [key, (value as number) + b[key as keyof T]])) as T;
}

const addWaste = (a: WasteBytes, b: WasteBytes): WasteBytes =>
  Object.fromEntries(
    (Object.keys({ ...a, ...b }) as WasteRule[]).map((rule) => [rule, (a[rule] ?? 0) + (b[rule] ?? 0)]),
  );

/** The alternatives that both parts have, with their bytes added. */
function inBoth<T extends { readonly bytes: number }>(
  a: readonly T[],
  b: readonly T[],
  keyOf: (cost: T) => string,
): readonly T[] {
  return a.flatMap((cost) => {
    const other = b.find((candidate) => keyOf(candidate) === keyOf(cost));
    return other === undefined ? [] : [{ ...cost, bytes: cost.bytes + other.bytes }];
  });
}

function addWidths(a: WidthCounts | null, b: WidthCounts | null): WidthCounts | null {
  if (a === null || b === null) return a ?? b;
  return a.map((count, at) => count + b[at]!);
}
