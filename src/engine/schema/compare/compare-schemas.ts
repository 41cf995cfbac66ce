/**
 * Two versions of a schema → the changes of each type, and whether each version can read the other's messages.
 * https://protobuf.dev/programming-guides/proto3/#updating
 *
 * Fields are matched by name, and the remaining ones by number: a field with a new number is renumbered, a field with a
 * new name is renamed. Types are matched by full name, and the remaining ones by their name in the package if that is
 * unambiguous and they have the same members: of those of the smaller type, at least half.
 */

import type { EnumDescriptor, FieldDescriptor, Registry } from '../descriptor.ts';
import { compareEnums, type UsersOf } from './compare-enums.ts';
import { compareField, type FieldChange } from './compare-fields.ts';
import { compareFiles, type FileChange } from './compare-files.ts';
import { compareMessages } from './compare-messages.ts';
import { compareServices } from './compare-services.ts';
import type { SameType } from './compare-types.ts';
import { type Named, type SymbolChange, whole } from './symbol-change.ts';
import type { CompatibilityLevel } from './type-verdicts.ts';
import { type SideVerdicts, worstFirst, worstOf, worstSides } from './verdicts.ts';

export interface SchemaComparison {
  /** Whether messages can be read. */
  readonly verdict: CompatibilityLevel;
  readonly sides: SideVerdicts;
  readonly files: readonly FileChange[];
  /** The worst first; otherwise changed types in the order of the second version, then removed ones. */
  readonly types: readonly SymbolChange[];
  /** Number of unchanged types that both versions have. */
  readonly unchanged: number;
}

/** @param includes which types are compared, by file; default: all */
export function compareSchemas(
  before: Registry,
  after: Registry,
  includes: (file: string) => boolean = () => true,
): SchemaComparison {
  const types: SymbolChange[] = [];
  const gone: SymbolChange[] = [];
  let unchanged = 0;
  const kept = (type: Named) => includes(type.file) && !(type.kind === 'message' && type.isMapEntry);
  const pair = <T extends Named>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>) =>
    pairTypes(a, b, before, after, kept);
  const messages = pair(before.messages, after.messages);
  const enums = pair(before.enums, after.enums);
  const isSame: SameType = (a, b) =>
    a.fullName === b.fullName || (b.kind === 'message' ? messages.get(b) : enums.get(b)) === a;
  const compare = <T extends Named>(
    ours: ReadonlyMap<string, T>,
    theirs: ReadonlyMap<string, T>,
    pairs: ReadonlyMap<T, T>,
    change: (a: T, b: T) => SymbolChange | undefined,
  ) => {
    for (const type of theirs.values()) {
      if (!kept(type)) continue;
      const a = pairs.get(type);
      const found = a === undefined ? whole(type, 'added') : change(a, type);
      if (found === undefined) unchanged++;
      else types.push(found);
    }
    const paired = new Set(pairs.values());
    for (const type of ours.values()) if (kept(type) && !paired.has(type)) gone.push(whole(type, 'removed'));
  };
  compare(before.messages, after.messages, messages, (a, b) => compareMessages(a, b, isSame));
  let users: ReadonlyMap<EnumDescriptor, readonly FieldDescriptor[]> | undefined;
  const usersOf: UsersOf = (type) => {
    users ??= usersOfEnums(before, after);
    return users.get(type) ?? [];
  };
  compare(before.enums, after.enums, enums, (a, b) => compareEnums(a, b, usersOf));
  const services = pair(before.services, after.services);
  compare(before.services, after.services, services, (a, b) => compareServices(a, b, isSame));
  const extended = compareExtensions(before, after, includes, isSame);
  const all = [...types, ...gone].map((type) => withExtensions(type, extended));
  for (const [name, fields] of extended) all.push(extendedOnly(name, fields));
  all.sort(worstFirst);
  const files = compareFiles(before, after, includes, new Map<Named, Named>([...messages, ...enums, ...services]));
  return {
    verdict: worstOf([...all, ...files].map(({ verdict }) => verdict)),
    sides: worstSides([...all, ...files].map(({ sides }) => sides)),
    files,
    types: all,
    unchanged,
  };
}

function usersOfEnums(...versions: readonly Registry[]): ReadonlyMap<EnumDescriptor, readonly FieldDescriptor[]> {
  const users = new Map<EnumDescriptor, FieldDescriptor[]>();
  for (const { messages, extensions } of versions) {
    for (const field of [...[...messages.values()].flatMap(({ fields }) => fields), ...extensions.values()]) {
      if (field.enum === undefined) continue;
      const known = users.get(field.enum);
      if (known === undefined) users.set(field.enum, [field]);
      else known.push(field);
    }
  }
  return users;
}

/** Extensions that changed, by the full name of the message that they extend. */
function compareExtensions(
  before: Registry,
  after: Registry,
  includes: (file: string) => boolean,
  isSame: SameType,
): Map<string, readonly FieldChange[]> {
  const changes = new Map<string, readonly FieldChange[]>();
  for (const name of new Set([...after.extensions.keys(), ...before.extensions.keys()])) {
    const [a, b] = [before.extensions.get(name), after.extensions.get(name)];
    if (!includes((b ?? a)!.file)) continue;
    const pairs = a && b && !isSame(a.parent, b.parent) ? [[a], [undefined, b]] : [[a, b]];
    for (const [was, is] of pairs) {
      const { fullName } = (is ?? was)!.parent;
      const [old, now] = [was?.parent ?? before.messages.get(fullName), is?.parent ?? after.messages.get(fullName)];
      const change = compareField(was, is, old, now, isSame);
      if (change !== undefined) changes.set(fullName, [...(changes.get(fullName) ?? []), change]);
    }
  }
  return changes;
}

/** Moves the type's extensions from `extended` to the type. */
function withExtensions(type: SymbolChange, extended: Map<string, readonly FieldChange[]>): SymbolChange {
  const fields = type.type === 'message' && type.after !== undefined ? extended.get(type.after) : undefined;
  if (fields === undefined) return type;
  extended.delete(type.after!);
  const all = [type, ...fields];
  return {
    ...type,
    fields: [...type.fields, ...fields],
    verdict: worstOf(all.map(({ verdict }) => verdict)),
    sides: worstSides(all.map(({ sides }) => sides)),
  };
}

const extendedOnly = (name: string, fields: readonly FieldChange[]): SymbolChange => ({
  type: 'message',
  kind: 'changed',
  before: name,
  after: name,
  verdict: worstOf(fields.map(({ verdict }) => verdict)),
  sides: worstSides(fields.map(({ sides }) => sides)),
  reasons: [],
  fields,
  values: [],
  methods: [],
});

/** Types of the second version, each with its match in the first. */
function pairTypes<T extends Named>(
  ours: ReadonlyMap<string, T>,
  theirs: ReadonlyMap<string, T>,
  before: Registry,
  after: Registry,
  kept: (type: T) => boolean,
): ReadonlyMap<T, T> {
  const pairs = new Map<T, T>();
  for (const [name, b] of theirs) {
    const a = ours.get(name);
    if (a !== undefined && kept(a) && kept(b)) pairs.set(b, a);
  }
  const left = (types: ReadonlyMap<string, T>, others: ReadonlyMap<string, T>, registry: Registry) => {
    const packages = new Map(registry.files.map((file) => [file.path, file.package]));
    const byName = new Map<string, T | undefined>();
    for (const [fullName, type] of types) {
      if (others.has(fullName) || !kept(type)) continue;
      const prefix = packages.get(type.file);
      const name = prefix ? fullName.slice(prefix.length + 1) : fullName;
      byName.set(name, byName.has(name) ? undefined : type);
    }
    return byName;
  };
  const candidates = left(ours, theirs, before);
  for (const [name, b] of left(theirs, ours, after)) {
    const a = candidates.get(name);
    if (a !== undefined && b !== undefined && isAlike(a, b)) pairs.set(b, a);
  }
  return pairs;
}

/** Whether a type of another package is the moved one, and not another one with its name. */
function isAlike(a: Named, b: Named): boolean {
  const [ours, theirs] = [memberNames(a), memberNames(b)];
  const shared = [...ours].filter((name) => theirs.has(name)).length;
  return shared === 0 ? ours.size + theirs.size === 0 : 2 * shared >= Math.min(ours.size, theirs.size);
}

function memberNames(type: Named): ReadonlySet<string> {
  const members = type.kind === 'message' ? type.fields : type.kind === 'enum' ? type.values : type.methods;
  return new Set(members.map(({ name }) => name));
}
