/**
 * Sampled JSON texts and candidate types → the one type that they are of, or none. As with protobuf, a type is asserted
 * on evidence alone: names that few types have, enum values, and kinds of values are evidence for it; names that it does not
 * have and values of other kinds against it.
 */
import { isWellKnown } from '../encodings/json-well-known.ts';
import { fieldNamed } from '../encodings/read-json/known-names.ts';
import { jsonIntegerOf } from '../encodings/read-json/read-scalar.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import {
  candidatesOf,
  FEW_TYPES,
  HELD_BITS,
  LEAST_LEAD,
  LEAST_MARGIN,
  LEAST_SHARE,
  rolesOf,
  type TypeSource,
} from './classify-type.ts';
import { type JsonNode, jsonTree } from './json-tree.ts';
import type { PlanCandidate, ReadingPlan } from './plan-reading.ts';
import type { SpreadSample } from './spread-sample.ts';

/** A name that all types have says nothing; the rarest says no more than this. */
const [LEAST_NAME_BITS, MOST_NAME_BITS] = [0.3, 7];
const ENUM_BITS = 5;
/** A name that the type does not have, and a value of another kind. */
const UNKNOWN_BITS = 8;
const MISFIT_BITS = 12;
/** Types that are read in full: those that know most of the names at the top. */
const READ_TYPES = 200;
const SHOWN_CANDIDATES = 20;

export function classifyJson(sources: readonly TypeSource[], sample: SpreadSample): ReadingPlan {
  const trees = sample.kept.flatMap(({ bytes }) => jsonTree(bytes) ?? []);
  const bundled = new Set<MessageDescriptor>();
  const candidates = candidatesOf(sources, bundled);
  const names = new Map<string, number>();
  const top = new Set<string>();
  for (const tree of trees) {
    if (tree.kind === 'object') for (const [name] of tree.members) top.add(name);
    countNames(tree, names);
  }
  const known = candidates.map((type) => ({ type, own: namesOf(type, names) }));
  for (const { own } of known) for (const name of own) names.set(name, names.get(name)! + 1);
  const bitsOf = (name: string): number => {
    const types = names.get(name) ?? 0;
    const bits = Math.log2(candidates.length / Math.max(1, types));
    return Math.min(MOST_NAME_BITS, Math.max(LEAST_NAME_BITS, bits));
  };
  const near = known
    .map(({ type, own }) => ({ type, hits: [...top].filter((name) => own.has(name)).length }))
    .filter(({ hits }) => hits * 2 >= top.size && hits > 0)
    .sort((a, b) => b.hits - a.hits)
    .slice(0, READ_TYPES);
  const roles = rolesOf(sources);
  const standings = near
    .map(({ type }) => standingOf(type, trees, bitsOf, (bundled.has(type) ? 0 : 4) + roles(type)))
    .sort((a, b) => b.bits - a.bits || b.role - a.role || (a.type.fullName < b.type.fullName ? -1 : 1));
  const loaded = candidates.length - bundled.size;
  const judged = judge(standings, candidates.length, loaded, bundled);
  return {
    type: judged.why === 'asserted' ? standings[0]!.type.fullName : null,
    ...judged,
    isText: true,
    candidates: standings
      .filter(({ bits }) => bits > 0)
      .slice(0, SHOWN_CANDIDATES)
      .map(printed),
    compared: { types: candidates.length, messages: trees.length },
  };
}

interface Standing {
  readonly type: MessageDescriptor;
  /** For the type less those against it. */
  readonly bits: number;
  readonly support: number;
  readonly against: number;
  /** Members with a name of the type whose values fit, and all of them. */
  readonly fits: number;
  readonly members: number;
  readonly unknown: readonly string[];
  readonly misfits: readonly string[];
  /** The fields that occur: equal where two types make the same protobuf of the text. */
  readonly signature: string;
  readonly role: number;
}

function judge(
  standings: readonly Standing[],
  candidates: number,
  loaded: number,
  bundled: ReadonlySet<MessageDescriptor>,
): Pick<ReadingPlan, 'why' | 'twins'> {
  const few = loaded > 0 && loaded <= FEW_TYPES ? standings.filter(({ type }) => !bundled.has(type)) : [];
  const [flawless] = few;
  if (flawless !== undefined && flawless.against === 0 && flawless.bits > 0) {
    const lead = leadOf(few);
    if (lead.why === 'asserted' && standings[0] === flawless) return lead;
  }
  const [best] = standings;
  if (best === undefined || best.bits <= 0 || best.misfits.length > 0) return { why: 'none', twins: [] };
  if (best.fits < LEAST_SHARE * best.members || best.against > 0.4 * best.support) return { why: 'none', twins: [] };
  const needed = Math.log2(candidates) + LEAST_MARGIN + (best.role % 4 === 0 ? HELD_BITS : 0);
  return best.bits < needed ? { why: 'unproven', twins: [] } : leadOf(standings);
}

/** Types near to the first have to make the same protobuf, and have a lesser role. */
function leadOf([best, ...others]: readonly Standing[]): Pick<ReadingPlan, 'why' | 'twins'> {
  const near = others.filter(({ bits }) => bits > best!.bits - LEAST_LEAD);
  const isFirst = near.every(({ role, signature }) => role < best!.role && signature === best!.signature);
  const twins = near.map(({ type }) => type.fullName);
  return isFirst ? { why: 'asserted', twins } : { why: 'alike', twins: [best!.type.fullName, ...twins] };
}

function printed({ type, fits, members, unknown, misfits }: Standing): PlanCandidate {
  const against = [
    ...(misfits.length === 0 ? [] : [`${misfits[0]} is of another kind`]),
    ...(unknown.length === 0 ? [] : [`it has no ${unknown.slice(0, 3).join(', ')}${unknown.length > 3 ? ' …' : ''}`]),
  ];
  const reason = against.length === 0 ? 'a field for every name' : against.join('; ');
  return { type: type.fullName, score: members === 0 ? 0 : fits / members, reason };
}

function standingOf(
  type: MessageDescriptor,
  trees: readonly JsonNode[],
  bitsOf: (name: string) => number,
  role: number,
): Standing {
  const reading = new JsonReading();
  for (const tree of trees) {
    if (tree.kind === 'object') reading.members(tree, type, '');
    else reading.misfits.add('the text');
  }
  let support = 0;
  for (const name of reading.known.values()) support += bitsOf(name);
  support += reading.enums.size * ENUM_BITS;
  const against = reading.unknown.size * UNKNOWN_BITS + reading.misfits.size * MISFIT_BITS;
  const { fits, count: members, unknown, misfits, seen } = reading;
  const signature = [...seen].sort().join();
  return {
    ...{ type, bits: support - against, support, against, fits, members, role, signature },
    unknown: [...unknown],
    misfits: [...misfits],
  };
}

class JsonReading {
  /** Distinct fields, by message type and name → the name in the text. */
  readonly known = new Map<string, string>();
  readonly seen = new Set<string>();
  readonly enums = new Set<string>();
  readonly unknown = new Set<string>();
  readonly misfits = new Set<string>();
  fits = 0;
  count = 0;

  members(node: JsonNode & { readonly kind: 'object' }, type: MessageDescriptor, path: string): void {
    for (const [name, value] of node.members) {
      this.count++;
      const field = fieldNamed(type, name);
      if (field === undefined) {
        this.unknown.add(name);
        continue;
      }
      if (value.kind === 'null') continue;
      const at = `${path}.${field.number}`;
      if (!this.#isFit(field, value, at)) {
        this.misfits.add(name);
        continue;
      }
      this.fits++;
      this.known.set(`${type.fullName}.${field.name}`, name);
      this.seen.add(`${at}:${field.type}:${field.cardinality}`);
    }
  }

  #isFit(field: FieldDescriptor, value: JsonNode, path: string): boolean {
    if (field.cardinality === 'map') {
      const inner = field.message!.byNumber.get(2)!;
      return value.kind === 'object' && value.members.every(([, one]) => this.#isValue(inner, one, path));
    }
    if (field.cardinality === 'singular') return this.#isValue(field, value, path);
    return value.kind === 'list' && value.items.every((one) => this.#isValue(field, one, path));
  }

  #isValue(field: FieldDescriptor, value: JsonNode, path: string): boolean {
    switch (field.type) {
      case 'message':
      case 'group': {
        const type = field.message!;
        if (isWellKnown(type)) return isWellKnownForm(type, value);
        if (value.kind !== 'object') return false;
        this.members(value, type, path);
        return true;
      }
      case 'string':
        return value.kind === 'text';
      case 'bytes':
        return value.kind === 'text' && /^[\w+/=-]*$/.test(value.text);
      case 'bool':
        return value.kind === 'bool';
      case 'double':
      case 'float':
        return (
          value.kind === 'number' || (value.kind === 'text' && /^(?:-?[\d.eE+-]+|NaN|-?Infinity)$/.test(value.text))
        );
      case 'enum': {
        if (value.kind === 'number') return jsonIntegerOf(value.text) !== undefined;
        const isKnown = value.kind === 'text' && field.enum!.values.some(({ name }) => name === value.text);
        if (isKnown) this.enums.add(`${field.enum!.fullName}.${value.text}`);
        return isKnown;
      }
      default:
        return (value.kind === 'number' || value.kind === 'text') && jsonIntegerOf(value.text) !== undefined;
    }
  }
}

function isWellKnownForm({ fullName }: MessageDescriptor, value: JsonNode): boolean {
  switch (fullName) {
    case 'google.protobuf.Timestamp':
      return value.kind === 'text' && /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(value.text);
    case 'google.protobuf.Duration':
      return value.kind === 'text' && /^-?\d+(?:\.\d+)?s$/.test(value.text);
    case 'google.protobuf.FieldMask':
      return value.kind === 'text' && /^[\w.,]*$/.test(value.text);
    case 'google.protobuf.Struct':
      return value.kind === 'object';
    case 'google.protobuf.Any':
      return value.kind === 'object' && value.members.some(([name]) => name === '@type');
    case 'google.protobuf.ListValue':
      return value.kind === 'list';
    case 'google.protobuf.Value':
      return true;
    default:
      return value.kind !== 'object' && value.kind !== 'list';
  }
}

function countNames(node: JsonNode, into: Map<string, number>): void {
  if (node.kind === 'list') for (const item of node.items) countNames(item, into);
  if (node.kind !== 'object') return;
  for (const [name, value] of node.members) {
    into.set(name, 0);
    countNames(value, into);
  }
}

const camel = (name: string): string => name.replace(/_+([a-zA-Z\d])/g, (_, letter: string) => letter.toUpperCase());

/** The names that occur and that the type has. */
function namesOf(type: MessageDescriptor, occurring: ReadonlyMap<string, number>): ReadonlySet<string> {
  const own = new Set<string>();
  const enter = (name: string): void => {
    if (occurring.has(name)) own.add(name);
  };
  const named = type.namedFields?.();
  for (const { name } of named ?? type.fields) {
    enter(name);
    enter(camel(name));
  }
  if (named === undefined) for (const { jsonName } of type.fields) enter(jsonName);
  return own;
}
