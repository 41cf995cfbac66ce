/**
 * Every name of a registry, to be searched by any part of it: types, fields, methods, enum values, packages and files;
 * and fields by the type they use. One pass over lower-case text, a few milliseconds for a hundred thousand names.
 */
import type { FieldDescriptor, MethodDescriptor, Registry } from '../schema/descriptor.ts';
import { runToEnd } from '../schema/steps.ts';

export type NameKind = 'message' | 'enum' | 'service' | 'extension' | 'field' | 'method' | 'value' | 'package' | 'file';

/** What is searched: names of types, packages and files; names of fields and the like; fields by the type used. */
export type NameScope = 'all' | 'members' | 'uses';

export interface FoundName {
  readonly kind: NameKind;
  /** Full name, or the path of a file. */
  readonly name: string;
  /** The last part of it, by which it is known. */
  readonly label: string;
  /** Of a field: its type, as written. */
  readonly type: string | null;
}

export interface FoundNames {
  /** Best first, no more than asked for. */
  readonly names: readonly FoundName[];
  readonly total: number;
}

export interface NameIndex {
  /** Lists the names in small steps, so that the first search finds them listed; gives their number. */
  list(): Generator<undefined, number>;
  /** Words apart by blanks must all occur. An empty query finds nothing. */
  find(query: string, scope: NameScope, limit: number): FoundNames;
}

interface Entry extends FoundName {
  readonly rank: number;
  /** Lower case, of `name` and `label`. */
  readonly text: string;
  readonly bare: string;
  /** Lower case, of the full name of the type used. */
  readonly uses: string;
}

/** What a person means first, among names that match alike. */
const RANKS: Readonly<Record<NameKind, number>> = {
  message: 0,
  service: 1,
  enum: 1,
  extension: 2,
  package: 2,
  file: 3,
  method: 3,
  field: 4,
  value: 5,
};

const MEMBERS: ReadonlySet<NameKind> = new Set(['field', 'method', 'value', 'extension']);

/** Matches are ranked one by one, more than this are counted only. */
const RANKED = 20_000;

export function indexNames(registry: Registry): NameIndex {
  const entries: Entry[] = [];
  // One for all: a search ends what another call has begun.
  const listing = listEntries(registry, entries);
  return {
    *list() {
      while (!listing.next().done) yield;
      return entries.length;
    },

    find(query, scope, limit) {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      if (words.length === 0) return { names: [], total: 0 };
      runToEnd(listing);
      const found: { readonly entry: Entry; readonly match: number }[] = [];
      let total = 0;
      for (const entry of entries) {
        if (scope === 'members' && !MEMBERS.has(entry.kind)) continue;
        const match =
          scope === 'uses' ? matchOf(entry.uses, lastPart(entry.uses), words) : matchOf(entry.text, entry.bare, words);
        if (match === null) continue;
        total++;
        if (found.length < RANKED || match === 0) found.push({ entry, match });
      }
      found.sort(
        (a, b) =>
          a.match - b.match ||
          a.entry.rank - b.entry.rank ||
          a.entry.label.length - b.entry.label.length ||
          compareText(a.entry.name, b.entry.name),
      );
      const names = found
        .slice(0, limit)
        .map(({ entry: { kind, name, label, type } }) => ({ kind, name, label, type }));
      return { names, total };
    },
  };
}

/** 0 is the bare name, 1 begins it, 2 is within it, 3 elsewhere in the full name; null: some word is nowhere. */
function matchOf(text: string, bare: string, words: readonly string[]): number | null {
  let best = 3;
  for (const word of words) {
    if (!text.includes(word)) return null;
    const at = bare.indexOf(word);
    if (at < 0) continue;
    best = Math.min(best, at > 0 ? 2 : word.length === bare.length ? 0 : 1);
  }
  return best;
}

function* listEntries(registry: Registry, entries: Entry[]): Generator<undefined, void> {
  const add = (kind: NameKind, name: string, label: string, type: string | null = null, uses = ''): void => {
    const text = name.toLowerCase();
    entries.push({
      kind,
      name,
      label,
      type,
      rank: RANKS[kind],
      text,
      bare: label.toLowerCase(),
      uses: uses.toLowerCase(),
    });
  };
  const addField = (kind: 'field' | 'extension', field: FieldDescriptor): void =>
    add(kind, field.fullName, field.name, typeText(field), usedType(field));
  for (const message of registry.messages.values()) {
    if (message.isMapEntry) continue;
    add('message', message.fullName, message.name);
    for (const field of message.fields) addField('field', field);
    yield;
  }
  for (const { fullName, name, values } of registry.enums.values()) {
    add('enum', fullName, name);
    const scope = fullName.slice(0, fullName.length - name.length);
    for (const value of values) add('value', scope + value.name, value.name);
    yield;
  }
  for (const { fullName, name, methods } of registry.services.values()) {
    add('service', fullName, name);
    for (const method of methods) {
      const uses = `${method.input.fullName} ${method.output.fullName}`;
      add('method', `${fullName}.${method.name}`, method.name, methodText(method), uses);
    }
  }
  for (const field of registry.extensions.values()) addField('extension', field);
  for (const name of new Set(registry.files.map((file) => file.package))) {
    if (name !== '') add('package', name, lastPart(name));
  }
  for (const { path } of registry.files) add('file', path, path.slice(path.lastIndexOf('/') + 1));
}

/** The type of a field as it is written, with the last part of a type's name: `repeated Hit`, `map<string, Hit>`. */
export function typeText(field: FieldDescriptor): string {
  if (field.cardinality === 'map') {
    const [key, value] = field.message?.fields ?? [];
    return `map<${key ? bareType(key) : '?'}, ${value ? bareType(value) : '?'}>`;
  }
  return field.cardinality === 'repeated' ? `repeated ${bareType(field)}` : bareType(field);
}

const bareType = ({ message, enum: enumeration, type }: FieldDescriptor): string =>
  message?.name ?? enumeration?.name ?? type;

/** What a method takes and returns: `Query → stream Row`. */
export const methodText = ({ input, output, clientStreaming, serverStreaming }: MethodDescriptor): string =>
  `${clientStreaming ? 'stream ' : ''}${input.name} → ${serverStreaming ? 'stream ' : ''}${output.name}`;

/** Full names of the types a field uses, scalars by their keyword. */
function usedType(field: FieldDescriptor): string {
  if (field.cardinality === 'map') return (field.message?.fields ?? []).map(usedType).join(' ');
  return field.message?.fullName ?? field.enum?.fullName ?? field.type;
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
