/**
 * The name and number of a capture's records, for people: `10 search hits`, `2,048 time series`, `3 messages`.
 */

import { ANY, shortNameOf } from '../schema/names.ts';
import { bytesIn, depthsOf, type FieldProfile, PROTOBUF, type Profile } from './profile.ts';

export interface CountedUnit {
  readonly count: number;
  /** `search hit`, `search hits`. */
  readonly singular: string;
  readonly plural: string;
  /** The last word alone, as in `7 bytes a hit`. */
  readonly short: string;
  /** The field whose elements are counted; null: the messages themselves. */
  readonly path: string | null;
}

/** The elements of a repeated field are counted if they take at least this share of the bytes. */
const DOMINANT = 0.6;

/** @param share the least part of the bytes that the elements of a counted field take, 0 to 1 */
export const countedUnit = (profile: Profile, share = DOMINANT): CountedUnit =>
  unitAt(profile, dominantList(profile, share));

/**
 * The units of two sides that are compared. Sides of one type count the elements of the same field. Without a type, one
 * path is perhaps not one field: if the paths differ, the messages are counted.
 */
export function countedUnits(a: Profile, b: Profile): readonly [CountedUnit, CountedUnit] {
  const [inA, inB] = [dominantList(a), dominantList(b)];
  if (a.type !== b.type || !inA || !inB || inA.path === inB.path) return [unitAt(a, inA), unitAt(b, inB)];
  if (a.type === '') return [unitAt(a), unitAt(b)];
  const depthOf = depthsOf({ fields: [...a.fields, ...b.fields] });
  const { path } = [inA, inB].sort((x, y) => depthOf(x.path) - depthOf(y.path) || (x.path < y.path ? -1 : 1))[0]!;
  const [one, other] = [a, b].map(({ fields }) =>
    fields.find((field) => field.path === path && field.declared?.kind === 'message'),
  );
  return [unitAt(a, one), unitAt(b, other)];
}

const unitAt = (profile: Profile, field?: FieldProfile): CountedUnit =>
  field
    ? { count: field.elements, path: field.path, ...nounOfElements(field) }
    : { count: profile.messages, path: null, ...nounOfMessage(profile.type) };

/** An Any is called by the name of its field: `resource`. */
const nounOfElements = ({ name, declared }: FieldProfile): ReturnType<typeof nounOf> =>
  declared?.type === ANY ? nounOf(name.replace(/(?<=[a-z]{2})s$/, '')) : nounOf(declared!.type);

/** A type whose name is a plural, as `SearchHits`, names what its message contains. */
function nounOfMessage(type: string): ReturnType<typeof nounOf> {
  const noun = nounOf(type, 'message');
  const isPlural = noun.plural === noun.singular && !noun.plural.endsWith('series');
  return isPlural ? nounOf('', 'message') : noun;
}

/** The outermost repeated message that holds most of the bytes and occurs more often than the messages do. */
function dominantList({ fields, messages, ledgers }: Profile, share = DOMINANT): FieldProfile | undefined {
  const candidates = fields.filter(
    ({ declared, elements, path }) =>
      declared?.cardinality === 'repeated' &&
      declared.kind === 'message' &&
      elements >= 2 * Math.max(1, messages) &&
      bytesUnder(fields, path) >= share * (ledgers[PROTOBUF]?.bytes ?? 0),
  );
  const depthOf = depthsOf({ fields });
  return candidates.sort((a, b) => depthOf(a.path) - depthOf(b.path))[0];
}

/** Protobuf bytes of a field and all fields inside it. */
export const bytesUnder = (fields: readonly FieldProfile[], path: string): number =>
  fields
    .filter((field) => field.path === path || field.path.startsWith(`${path}.`))
    .reduce((sum, field) => sum + bytesIn(field, PROTOBUF), 0);

/** `org.x.SearchHitProto` → search hit. Generic names (`Message`, `Empty`) give the fallback. */
function nounOf(fullName: string, fallback = 'element'): Pick<CountedUnit, 'singular' | 'plural' | 'short'> {
  const last = shortNameOf(fullName);
  // A guessed type is named after the number of its field.
  if (last.startsWith('?')) {
    const of = `of field ${last.slice(1)}`;
    return { singular: `record ${of}`, plural: `records ${of}`, short: 'record' };
  }
  const bare = last.replace(/(?<=[a-z\d])(?:Proto|PB)$|^(?:Empty|Message|Msg)$/, '').replace(/Msg$/, 'Message');
  const words = bare
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[ _]/)
    .filter(Boolean)
    .map((word) => (/^[A-Z\d]+$/.test(word) && word.length > 1 ? word : word.toLowerCase()));
  const singular = words.join(' ') || fallback;
  const plural = pluralOf(singular);
  return { singular, plural, short: shortOf(singular, plural) };
}

function shortOf(singular: string, plural: string): string {
  // The message that contains it is another one: “a chat message” stays whole.
  if (singular.endsWith(' message')) return singular;
  // A word for several has none for one: “a data”, “a stats”.
  if (plural === singular && !singular.endsWith('series')) return 'record';
  return singular.slice(singular.lastIndexOf(' ') + 1);
}

function pluralOf(noun: string): string {
  if (noun.endsWith('data')) return noun;
  if (/(?:[su]s|x|z|ch|sh)$/.test(noun)) return `${noun}es`;
  if (noun.endsWith('s')) return noun;
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return `${noun}s`;
}
