/**
 * Sampled texts and candidate types → the one type of the texts, or none. As with protobuf, a type is asserted on
 * evidence only. Names that few types have, enum values, and values of the expected kinds are evidence for a type.
 * Names that it does not have and values of other kinds are evidence against it.
 */

import type { PayloadFormat } from '../../model/payload-format.ts';
import type { MessageDescriptor } from '../../schema/descriptor.ts';
import type { SpreadSample } from '../measure/spread-sample.ts';
import { type PlanCandidate, type ReadingPlan, SHOWN_CANDIDATES } from '../plan/plan-reading.ts';
import { versionOf } from '../version-of.ts';
import {
  candidatesOf,
  FEW_TYPES,
  HELD_BITS,
  MIN_LEAD,
  MIN_MARGIN,
  MIN_SHARE,
  rolesOf,
  type TypeSource,
  weakVerdict,
} from './classify-type.ts';
import { JSON_FORM } from './json-form.ts';
import { TextFit, type TextForm, type TextNode } from './text-fit.ts';
import { TXTPB_FORM } from './txtpb-form.ts';

export const FORMS: Readonly<Record<PayloadFormat, TextForm>> = { json: JSON_FORM, txtpb: TXTPB_FORM };

/** Bits of evidence of a name: the least for a name that all types have, the most for the rarest name. */
const [MIN_NAME_BITS, MAX_NAME_BITS] = [0.3, 7];
const ENUM_BITS = 5;
/** Bits against a type: a name that it does not have, and a value of another kind. */
const UNKNOWN_BITS = 8;
const MISFIT_BITS = 12;
/** A comment in the text names the type. */
const STATED_BITS = 20;
/** Number of types that are compared in full: the ones that have most names of the outermost objects. */
const READ_TYPES = 200;

export function classifyText(
  sources: readonly TypeSource[],
  { kept }: Pick<SpreadSample, 'kept'>,
  format: PayloadFormat,
): ReadingPlan {
  const form = FORMS[format];
  const trees = kept.flatMap(({ bytes }) => form.tree(bytes) ?? []);
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
    return Math.min(MAX_NAME_BITS, Math.max(MIN_NAME_BITS, bits));
  };
  const near = known
    .map(({ type, own }) => ({ type, hits: [...top].filter((name) => own.has(name)).length }))
    .filter(({ hits }) => hits * 2 >= top.size && hits > 0)
    .sort((a, b) => b.hits - a.hits)
    .slice(0, READ_TYPES);
  const roles = rolesOf(sources);
  const standings = near
    .map(({ type }) => standingOf(type, form, trees, bitsOf, (bundled.has(type) ? 0 : 4) + roles(type)))
    .sort(inOrder);
  const loaded = candidates.length - bundled.size;
  const judged = judge(standings, candidates.length, loaded, bundled, weakVerdict(kept));
  const isBundled = loaded > 0 && standings.some(({ type }) => bundled.has(type) && type.fullName === judged.type);
  return {
    ...judged,
    isText: true,
    ...(isBundled ? { isBundled } : {}),
    candidates: standings
      .filter(({ bits }) => bits > 0)
      .slice(0, SHOWN_CANDIDATES)
      .map(printed),
    compared: { types: candidates.length, messages: trees.length },
  };
}

interface Standing {
  readonly type: MessageDescriptor;
  /** Bits for the type minus bits against it. */
  readonly bits: number;
  readonly support: number;
  readonly against: number;
  /** Number of members whose name the type has and whose value fits, and number of all members. */
  readonly fits: number;
  readonly members: number;
  readonly unknown: readonly string[];
  readonly misfits: readonly string[];
  /** The fields that occur. Two types that make the same protobuf message of the text have the same signature. */
  readonly signature: string;
  readonly role: number;
}

function judge(
  standings: readonly Standing[],
  candidates: number,
  loaded: number,
  bundled: ReadonlySet<MessageDescriptor>,
  weak: ReturnType<typeof weakVerdict>,
): Judgement {
  const few = loaded > 0 && loaded <= FEW_TYPES ? standings.filter(({ type }) => !bundled.has(type)) : [];
  const [flawless] = few;
  if (flawless !== undefined && flawless.against === 0 && flawless.bits > 0) {
    const lead = leadOf(few);
    if (lead.why === 'asserted' && standings[0] === flawless) return lead;
  }
  const [best] = standings;
  if (best === undefined || best.bits <= 0 || best.misfits.length > 0) return { why: 'none', ...NO_TYPE };
  if (best.fits < MIN_SHARE * best.members || best.against > 0.4 * best.support) return { why: 'none', ...NO_TYPE };
  const needed = Math.log2(candidates) + MIN_MARGIN + (best.role % 4 === 0 ? HELD_BITS : 0);
  return best.bits < needed ? { why: weak, ...NO_TYPE } : leadOf(standings);
}

type Judgement = Pick<ReadingPlan, 'why' | 'type' | 'twins'>;
const NO_TYPE = { type: null, twins: [] } as const;

/** Equal evidence is ordered by role, then by version, then by name. */
const inOrder = (a: Standing, b: Standing): number =>
  b.bits - a.bits ||
  b.role - a.role ||
  versionOf(b.type.fullName) - versionOf(a.type.fullName) ||
  (a.type.fullName < b.type.fullName ? -1 : 1);

/**
 * The best type is asserted only if each type with nearly as many bits makes the same protobuf message and has a lesser
 * role. Types of one name may make the same one, as those of two versions.
 */
function leadOf([best, ...others]: readonly Standing[]): Judgement {
  const { fullName, name } = best!.type;
  const near = others.filter(({ bits }) => bits > best!.bits - MIN_LEAD);
  const isSame = near.every(({ signature }) => signature === best!.signature);
  const twins = near.map(({ type }) => type.fullName);
  if (isSame && near.every(({ role }) => role < best!.role)) return { why: 'asserted', type: fullName, twins };
  if (isSame && near.every(({ type }) => type.name === name)) return { why: 'alike', type: fullName, twins };
  return { why: 'alike', type: null, twins: [fullName, ...twins] };
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
  form: TextForm,
  trees: readonly TextNode[],
  bitsOf: (name: string) => number,
  role: number,
): Standing {
  const reading = new TextFit(form);
  let support = 0;
  for (const tree of trees) {
    if (tree.kind === 'object') reading.members(tree, type, '');
    else reading.misfits.add('the text');
    if (tree.kind === 'object' && tree.type !== undefined && isNamed(type, tree.type)) support += STATED_BITS;
  }
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

const isNamed = ({ fullName }: MessageDescriptor, stated: string): boolean =>
  fullName === stated || fullName.endsWith(`.${stated}`);

function countNames(node: TextNode, into: Map<string, number>): void {
  if (node.kind === 'list') for (const item of node.items) countNames(item, into);
  if (node.kind !== 'object') return;
  for (const [name, value] of node.members) {
    into.set(name, 0);
    countNames(value, into);
  }
}

const camel = (name: string): string => name.replace(/_+([a-zA-Z\d])/g, (_, letter: string) => letter.toUpperCase());

/** The names that occur in the texts and that the type has. */
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
