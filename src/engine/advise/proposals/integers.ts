/** Proposals for integers: the type that takes the fewest bytes. */
import type { ScalarType } from '../../schema/descriptor.ts';
import { RANGES } from '../conversions/plain.ts';
import type { FieldUse } from '../uses.ts';
import type { TreeScalar } from '../value-tree.ts';
import { scalarWidth } from '../write-tree.ts';
import { grouped, namesOf, type Proposal, type Propose, typeChange } from './proposal.ts';

type Targets = Readonly<Partial<Record<string, readonly ScalarType[]>>>;

const SIGNED: Targets = { int32: ['sint32'], int64: ['sint64'] };
const UNSIGNED: Targets = { sint32: ['uint32'], sint64: ['uint64'] };
const FIXED: Targets = {
  int32: ['sfixed32'],
  uint32: ['fixed32'],
  sint32: ['sfixed32'],
  int64: ['sfixed64'],
  uint64: ['fixed64'],
  sint64: ['sfixed64'],
};
const VARINT: Targets = {
  fixed32: ['uint32'],
  sfixed32: ['int32', 'sint32'],
  fixed64: ['uint64'],
  sfixed64: ['int64', 'sint64'],
};
const NARROW: Targets = { fixed64: ['fixed32'], sfixed64: ['sfixed32'] };

/** Negative numbers take ten bytes as int32 and int64. */
export const signed: Propose = (uses) =>
  paying(uses.fields, SIGNED, (names) => `Declare ${names} sint: negative numbers take ten bytes now`);

export const unsigned: Propose = (uses) =>
  paying(uses.fields, UNSIGNED, (names) => `Declare ${names} uint: it is never negative`);

export const fixed: Propose = (uses) =>
  paying(uses.fields, FIXED, (names) => `Declare ${names} fixed: as varints they take more`);

export const varint: Propose = (uses) => [
  ...paying(uses.fields, VARINT, (names) => `Declare ${names} as varints: the numbers are small`),
  ...losing(uses.fields, VARINT, (names) => `Declare ${names} as varints: what fixed saves`),
];

export const narrowIntegers: Propose = (uses) =>
  paying(uses.fields, NARROW, (names) => `Declare ${names} with 32 bits: no value needs more`);

interface Choice {
  readonly use: FieldUse;
  readonly type: ScalarType;
  readonly saved: number;
}

function choose(fields: Iterable<FieldUse>, targets: Targets): readonly Choice[] {
  const choices: Choice[] = [];
  for (const use of fields) {
    let best: Choice | undefined;
    for (const type of targets[use.field.type] ?? []) {
      const saved = savedBy(use, type);
      if (saved !== undefined && (best === undefined || saved > best.saved)) best = { use, type, saved };
    }
    if (best !== undefined) choices.push(best);
  }
  return choices;
}

function paying(fields: Iterable<FieldUse>, targets: Targets, title: (names: string) => string): readonly Proposal[] {
  return proposalsOf(
    choose(fields, targets).filter(({ saved }) => saved > 0),
    title,
  );
}

function losing(fields: Iterable<FieldUse>, targets: Targets, title: (names: string) => string): readonly Proposal[] {
  const some = choose(fields, targets).filter(({ saved }) => saved < 0);
  return proposalsOf(some, title).map((proposal) => ({ ...proposal, isCounterfactual: true }));
}

function proposalsOf(choices: readonly Choice[], title: (names: string) => string): readonly Proposal[] {
  const types = new Map(choices.map(({ use, type }) => [use, type]));
  return grouped(
    choices.map(({ use }) => use),
    (some) => ({
      title: title(namesOf(some)),
      changes: some.map((use) => typeChange(use, types.get(use)!)),
    }),
  );
}

/** Bytes saved by another type; undefined: it cannot hold one of the values. */
function savedBy({ field, lists }: FieldUse, type: ScalarType): number | undefined {
  const [least, most] = RANGES[type]!;
  let saved = 0;
  for (const values of lists) {
    for (const value of values) {
      if ((value as number) < least || (value as number) > most) return undefined;
      saved += scalarWidth(value as TreeScalar, field.type) - scalarWidth(value as TreeScalar, type);
    }
  }
  return saved;
}
