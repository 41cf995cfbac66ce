/** Two profiles of one type and native profile to the profile of all their messages, exactly. */
import type { FieldProfile, Profile, WidthHistogram } from './profile.ts';

export function mergeProfiles(a: Profile, b: Profile): Profile {
  if (a.type !== b.type || a.nativeProfile !== b.nativeProfile) {
    throw new Error('Only profiles of the same type and native profile merge.');
  }
  return {
    type: a.type,
    nativeProfile: a.nativeProfile,
    messages: a.messages + b.messages,
    bytes: { protobuf: a.bytes.protobuf + b.bytes.protobuf, native: a.bytes.native + b.bytes.native },
    unattributed: a.unattributed + b.unattributed,
    fields: mergeSiblings(childrenOf(a), childrenOf(b), ''),
  };
}

type Children = ReadonlyMap<string, readonly FieldProfile[]>;

function childrenOf(profile: Profile): Children {
  const children = new Map<string, FieldProfile[]>();
  for (const field of profile.fields) {
    const siblings = children.get(field.parent);
    if (siblings === undefined) children.set(field.parent, [field]);
    else siblings.push(field);
  }
  return children;
}

/** The fields below `parent`, each followed by its own. Declared fields keep their order; what is not, follows by number. */
function mergeSiblings(a: Children, b: Children, parent: string): FieldProfile[] {
  const ours = a.get(parent) ?? [];
  const theirs = new Map((b.get(parent) ?? []).map((field) => [field.path, field]));
  const merged = ours.map((field) => {
    const other = theirs.get(field.path);
    theirs.delete(field.path);
    return other === undefined ? field : mergeField(field, other);
  });
  const isOpen = (field: FieldProfile) => field.declared === null || field.name.startsWith('[');
  const all = [...merged, ...theirs.values()];
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
    protobuf: add(a.protobuf, b.protobuf),
    native: add(a.native, b.native),
    absent: a.absent + b.absent,
    widths: {
      tag: addWidths(a.widths.tag, b.widths.tag)!,
      length: addWidths(a.widths.length, b.widths.length),
      value: addWidths(a.widths.value, b.widths.value),
    },
    size: {
      min: a.occurrences === 0 ? b.size.min : b.occurrences === 0 ? a.size.min : Math.min(a.size.min, b.size.min),
      max: Math.max(a.size.max, b.size.max),
    },
    waste: add(a.waste, b.waste),
  };
}

function add<T extends { readonly [K in keyof T]: number }>(a: T, b: T): T {
  return Object.fromEntries(Object.entries(a).map(([key, value]) => [key, (value as number) + b[key as keyof T]])) as T;
}

function addWidths(a: WidthHistogram | null, b: WidthHistogram | null): WidthHistogram | null {
  if (a === null || b === null) return a ?? b;
  return a.map((count, at) => count + b[at]!);
}
