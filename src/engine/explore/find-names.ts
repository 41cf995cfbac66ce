/**
 * Searches the names of a registry by substrings. Types, packages and files can be found at once. Fields, methods and
 * enum values, and fields by the type that they use, can be found as soon as they are listed. A search is one pass over
 * lower-case text: a few milliseconds for a hundred thousand names.
 */

import type { FieldDescriptor, MessageDescriptor, MethodDescriptor, Registry } from '../schema/descriptor.ts';
import { shortNameOf } from '../schema/names.ts';
import { compareText } from './catalog.ts';

export type NameKind = 'message' | 'enum' | 'service' | 'extension' | 'field' | 'method' | 'value' | 'package' | 'file';

/** The searched names: types, packages and files; fields and other members; fields by the type that they use. */
export type SearchScope = 'all' | 'members' | 'uses';

export interface FoundName {
  readonly kind: NameKind;
  /** Full name, or the path of a file. */
  readonly name: string;
  /** The last part of the name, which is shown. */
  readonly label: string;
  /** Type of a field, as written. */
  readonly type: string | null;
}

export interface FoundNames {
  /** Best first, at most the requested number. */
  readonly names: readonly FoundName[];
  readonly total: number;
  /** Share of the types whose members are listed and can be found, 0 to 1. */
  readonly listed: number;
}

export interface NameIndex {
  /** Whether all members are listed. */
  readonly isListed: boolean;
  /** Lists the members in small steps, one type each, in the order of the registry. Returns the number of all names. */
  list(): Generator<undefined, number>;
  /** All words of the query must occur. An empty query finds nothing. */
  find(query: string, scope: SearchScope, limit: number): FoundNames;
}

interface Entry extends FoundName {
  readonly rank: number;
  /** In lower case: `name`, behind the other form of it: `/a.Service/Method`, `a.Enum.VALUE`. */
  readonly text: string;
  /** `label` in lower case. */
  readonly bare: string;
  /** The full name of the used type in lower case. */
  readonly uses: string;
}

/** Order of kinds among names that match equally well. */
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

/** Matches are ranked one by one. Further matches are only counted. */
const RANKED = 20_000;

export function indexNames(registry: Registry): NameIndex {
  const entries: Entry[] = [];
  const { messages, enums, services } = registry;
  const types = messages.size + enums.size + services.size;
  let gone = 0;
  const add: AddName = (kind, name, label, type = null, uses = '', other = '') => {
    entries.push({
      kind,
      name,
      label,
      type,
      rank: RANKS[kind],
      text: (other === '' ? name : `${other} ${name}`).toLowerCase(),
      bare: label.toLowerCase(),
      uses: uses.toLowerCase(),
    });
  };
  let areTypesListed = false;
  const listTypes = (): void => {
    if (!areTypesListed) addTypes(registry, add);
    areTypesListed = true;
  };
  // All callers share one generator, and each call continues it.
  const listing = addMembers(registry, add);
  return {
    get isListed() {
      return types === gone;
    },

    *list() {
      listTypes();
      for (; !listing.next().done; gone++) yield;
      return entries.length;
    },

    find(query, scope, limit) {
      const words = query.toLowerCase().split(/\s+/).map(withoutMarks).filter(Boolean);
      const listed = types === 0 ? 1 : Math.min(1, gone / types);
      if (words.length === 0) return { names: [], total: 0, listed };
      listTypes();
      const found: { readonly entry: Entry; readonly match: number }[] = [];
      let total = 0;
      for (const entry of entries) {
        if (scope === 'members' && !MEMBERS.has(entry.kind)) continue;
        const match =
          scope === 'uses'
            ? matchOf(entry.uses, shortNameOf(entry.uses), words)
            : matchOf(entry.text, entry.bare, words);
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
      return { names, total, listed };
    },
  };
}

/**
 * 0: the word is the bare name, or the end of the full name; 1: it begins the bare name; 2: it is in the bare name; 3:
 * it is elsewhere in the full name; null: a word is missing.
 */
function matchOf(text: string, bare: string, words: readonly string[]): number | null {
  let best = 3;
  for (const word of words) {
    if (!text.includes(word)) return null;
    const at = bare.indexOf(word);
    if (at >= 0) best = Math.min(best, at > 0 ? 2 : word.length === bare.length ? 0 : 1);
    else if (word.length > bare.length && text.endsWith(word)) best = 0;
  }
  return best;
}

/** A name as descriptors, JSON and an Any write it: `.a.B`, `[a.b]`, `type.googleapis.com/a.B`. */
const withoutMarks = (word: string): string => word.replace(/^(?:\.|\[|type\.googleapis\.com\/)+|\]$/g, '');

type AddName = (
  kind: NameKind,
  name: string,
  label: string,
  type?: string | null,
  uses?: string,
  other?: string,
) => void;

/** Adds names only, so that types of a descriptor set are not linked. */
function addTypes({ messages, enums, services, extensions, files }: Registry, add: AddName): void {
  for (const name of messages.keys()) if (!mayBeMapEntry(name)) add('message', name, shortNameOf(name));
  for (const name of enums.keys()) add('enum', name, shortNameOf(name));
  for (const name of services.keys()) add('service', name, shortNameOf(name));
  for (const field of extensions.values()) addField(add, 'extension', field);
  for (const name of new Set(files.map((file) => file.package)))
    if (name !== '') add('package', name, shortNameOf(name));
  for (const { path } of files) add('file', path, path.slice(path.lastIndexOf('/') + 1));
}

function* addMembers({ messages, enums, services }: Registry, add: AddName): Generator<undefined, void> {
  for (const message of messages.values()) {
    if (!message.isMapEntry) {
      if (mayBeMapEntry(message.fullName)) add('message', message.fullName, message.name);
      addFields(add, message);
    }
    yield;
  }
  for (const { fullName, name, values } of enums.values()) {
    const scope = fullName.slice(0, fullName.length - name.length);
    for (const value of values) add('value', scope + value.name, value.name, null, '', `${fullName}.${value.name}`);
    yield;
  }
  for (const { fullName, methods } of services.values()) {
    for (const method of methods) {
      const uses = `${method.input.fullName} ${method.output.fullName}`;
      const path = `/${fullName}/${method.name}`;
      add('method', `${fullName}.${method.name}`, method.name, methodText(method), uses, path);
    }
    yield;
  }
}

/** Avoids linking the message if possible. */
function addFields(add: AddName, message: MessageDescriptor): void {
  const named = message.namedFields?.();
  if (named === undefined) for (const field of message.fields) addField(add, 'field', field);
  else {
    for (const { name, type, isRepeated } of named) {
      const bare = shortNameOf(type);
      add('field', `${message.fullName}.${name}`, name, isRepeated ? `repeated ${bare}` : bare, type);
    }
  }
}

const addField = (add: AddName, kind: 'field' | 'extension', field: FieldDescriptor): void =>
  add(kind, field.fullName, field.name, typeText(field), usedType(field));

/** Only descriptors show whether a message is a map entry, but all map entries have such a name. */
const mayBeMapEntry = (fullName: string): boolean => fullName.endsWith('Entry');

/** The type of a field, with the last part of a type's name: `repeated Hit`, `map<string, Hit>`. */
export function typeText(field: FieldDescriptor): string {
  if (field.cardinality === 'map') {
    const [key, value] = field.message?.fields ?? [];
    return `map<${key ? bareType(key) : '?'}, ${value ? bareType(value) : '?'}>`;
  }
  return field.cardinality === 'repeated' ? `repeated ${bareType(field)}` : bareType(field);
}

const bareType = ({ message, enum: enumeration, type }: FieldDescriptor): string =>
  message?.name ?? enumeration?.name ?? type;

/** Request and response of a method: `Query → stream Row`. */
export const methodText = ({ input, output, clientStreaming, serverStreaming }: MethodDescriptor): string =>
  `${clientStreaming ? 'stream ' : ''}${input.name} → ${serverStreaming ? 'stream ' : ''}${output.name}`;

/** Full name of the type that a field uses; for a scalar, its keyword. */
function usedType(field: FieldDescriptor): string {
  if (field.cardinality === 'map') return (field.message?.fields ?? []).map(usedType).join(' ');
  return field.message?.fullName ?? field.enum?.fullName ?? field.type;
}
