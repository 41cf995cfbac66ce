/**
 * Proposals for related numbers: as differences from the previous record, from another field of the same message, or
 * from the previous number of a list.
 */
import type { FieldType, ScalarType } from '../../schema/descriptor.ts';
import { tagWidth } from '../../wire/encoding-facts.ts';
import type { TypeChange } from '../change.ts';
import { wrapRound } from '../conversions/delta.ts';
import { RANGES } from '../conversions/plain.ts';
import type { FieldForm } from '../forms.ts';
import type { FieldUse, FieldValues } from '../uses.ts';
import { integer, integerOf, TreeNode, type TreeScalar } from '../value-tree.ts';
import { scalarWidth } from '../write-tree.ts';
import { grouped, namesOf, type Proposal, type Propose, spacedName, typeChange } from './proposal.ts';

export const sequences: Propose = (uses) => {
  const numbers = [...uses.fields].filter(
    ({ field, message, lists }) =>
      field.cardinality === 'singular' &&
      field.oneof === undefined &&
      /64$/.test(field.type) &&
      lists.every(([value]) => (value as number) >= 0) &&
      lists.some(([value]) => value !== lists[0]![0]) &&
      !uses.forms.get(message)!.isMapEntry,
  );
  const deltas = new Map<string, TypeChange>();
  const proposals: Proposal[] = [];
  for (const use of numbers) {
    const change = deltaOf(use, uses);
    if (change === undefined) continue;
    deltas.set(nameOf(use), change);
    proposals.push({ title: `Write ${namesOf([use])} as the difference from the one before it`, changes: [change] });
  }
  for (const start of numbers) {
    for (const end of numbers) {
      if (start === end || start.message !== end.message) continue;
      const change = durationOf(start, end, uses);
      if (change === undefined) continue;
      const title = `Write ${namesOf([end])} as the distance from ${start.field.name}`;
      proposals.push({ title, changes: [change] });
      const before = deltas.get(nameOf(start));
      if (before !== undefined) {
        proposals.push({
          title: `${title}, and ${start.field.name} from the one before it`,
          changes: [change, before],
        });
      }
    }
  }
  return proposals;
};

/** Lists of numbers as the difference from the number before: of sorted numbers it is small. */
export const differences: Propose = ({ fields }) =>
  grouped(
    [...fields].filter((use) => isOfIntegers(use) && savedByDifferences(use) > 0),
    (some) => ({
      title: `Write ${namesOf(some)} as the difference from the number before it`,
      changes: some.map((use) => ({ ...typeChange(use, differenceType(use.field)), value: IN_SAME_LIST })),
    }),
  );

const IN_SAME_LIST = 'minus the value before it in the same list; the first: as it is';

const isOfIntegers = ({ field: { cardinality, type } }: FieldUse): boolean =>
  cardinality === 'repeated' && RANGES[type] !== undefined && type !== 'enum' && type !== 'bool';

const differenceType = ({ type }: FieldForm): ScalarType => (type.endsWith('64') ? 'sint64' : 'sint32');

/** Compared with the smallest type for the numbers themselves: differences do not save what a varint alone saves. */
function savedByDifferences({ field, lists }: FieldUse): number {
  const to = differenceType(field);
  let written = 0;
  for (const values of lists) {
    let last = 0n;
    for (const value of values) {
      const number = BigInt(value as number | bigint);
      written += scalarWidth(integer(wrapRound(number - last, to)), to);
      last = number;
    }
  }
  const numbers = lists.flat() as readonly TreeScalar[];
  return leastWidth(numbers, field.type) - written;
}

/** Bytes of integers in their own type or as varints, whichever are fewer. */
function leastWidth(numbers: readonly TreeScalar[], type: FieldType): number {
  const bits = type.endsWith('64') ? 64 : 32;
  const isSigned = numbers.some((number) => (number as number) < 0);
  const varint: FieldType = `${isSigned ? 's' : 'u'}int${bits}`;
  const widthIn = (one: FieldType): number =>
    numbers.reduce((sum: number, number) => sum + scalarWidth(number, one), 0);
  return Math.min(widthIn(type), widthIn(varint));
}

const nameOf = ({ message, field }: FieldUse): string => `${message}.${field.name}`;

function deltaOf({ message, field }: FieldUse, { trees, messages, held }: FieldValues): TypeChange | undefined {
  const lists = listsOf(trees, message);
  const isInList = lists.some(({ length }) => length > 1);
  if (!isInList && (trees.length > 1 || held.has(message))) return undefined;
  const sequences = isInList ? lists : [messages.get(message)!];
  const type = 'sint64';
  const tag = tagWidth(field.number);
  let written = 0;
  const numbers: TreeScalar[] = [];
  for (const nodes of sequences) {
    let last = 0n;
    for (const node of nodes) {
      const isThere = node.fields.has(field.name);
      // An absent number without presence is 0, and a difference of 0 is absent.
      if (!isThere && field.presence !== 'implicit') continue;
      const value = integerOf(node, field.name);
      const difference = integer(wrapRound(value - last, type));
      if (field.presence !== 'implicit' || difference !== 0) written += tag + scalarWidth(difference, type);
      if (isThere) numbers.push(integer(value));
      last = value;
    }
  }
  if (leastWidth(numbers, field.type) + tag * numbers.length <= written) return undefined;
  const [word] = field.name.split('_');
  const value = isInList
    ? `${word} minus ${word} of the ${spacedName(message)} before it in the list; the first: as it is`
    : `minus the ${field.name} of the ${spacedName(message)} before it in the request; the first: as it is`;
  return { change: 'type', message, field: field.name, from: field.type, to: type, value };
}

/** The lists that contain messages of a type. */
function listsOf(trees: readonly TreeNode[], message: string): readonly (readonly TreeNode[])[] {
  const lists: (readonly TreeNode[])[] = [];
  const visit = (node: TreeNode): void => {
    for (const values of node.fields.values()) {
      if (!(values[0] instanceof TreeNode)) continue;
      if (values[0].type === message) lists.push(values as TreeNode[]);
      for (const value of values) visit(value as TreeNode);
    }
  };
  for (const tree of trees) visit(tree);
  return lists;
}

function durationOf(start: FieldUse, end: FieldUse, { messages, forms }: FieldValues): TypeChange | undefined {
  const { message, field } = end;
  const isUnsigned = RANGES[field.type]![0] === 0;
  const type = isUnsigned ? 'uint64' : 'sint64';
  let saved = 0;
  for (const node of messages.get(message)!) {
    const [from, to] = [integerOf(node, start.field.name), integerOf(node, field.name)];
    // A difference has to be smaller than the value.
    if (to < from || from === 0n) return undefined;
    if (node.fields.has(field.name)) {
      saved += scalarWidth(integer(to), field.type) - scalarWidth(integer(to - from), type);
    }
  }
  if (saved <= 0) return undefined;
  const names = forms.get(message)!.fields.map(({ name }) => name);
  const value = `${shortest(field.name, names)} minus ${shortest(start.field.name, names)} of the same ${spacedName(message)} (mod 2^64)`;
  return { change: 'type', message, field: field.name, from: field.type, to: type, value };
}

/** The first word of a name, if no other field begins with it. */
function shortest(name: string, names: readonly string[]): string {
  const [word] = name.split('_');
  return names.filter((other) => other.split('_')[0] === word).length === 1 ? word! : name;
}
