/**
 * Merges two profiles with the same type and pair of encodings. The result is exactly the profile of all their
 * messages.
 */
import { mergeLedgers, withLedgers } from './encoding-ledger.ts';
import type { FieldProfile, Profile, WidthCounts } from './profile.ts';
import type { WasteBytes, WasteRule } from './waste-rules.ts';

export function mergeProfiles(a: Profile, b: Profile): Profile {
  if (a.type !== b.type || a.pair.some((id, at) => id !== b.pair[at])) {
    throw new Error('Only profiles of the same type and of the same two encodings merge.');
  }
  const merged: Profile = {
    type: a.type,
    pair: a.pair,
    ...(a.other === undefined ? {} : { other: a.other }),
    messages: a.messages + b.messages,
    ledgers: {},
    header: a.header === null || b.header === null ? (a.header ?? b.header) : add(a.header, b.header),
    unattributed: a.unattributed + b.unattributed,
    fields: mergeSiblings(sideOf(a), sideOf(b), '').map((field) => ({ ...field, ledgers: {} })),
  };
  return withLedgers(merged, mergeLedgers(a, b));
}

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
  // A field that one side does not have was absent from all messages of that side.
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

function mergeField(a: FieldProfile, b: FieldProfile): FieldProfile {
  return {
    ...a,
    occurrences: a.occurrences + b.occurrences,
    elements: a.elements + b.elements,
    packedRuns: a.packedRuns + b.packedRuns,
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
