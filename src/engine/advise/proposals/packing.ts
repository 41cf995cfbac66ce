/** Proposals for repeated numbers: one packed record, or one record for each element. */
import { varintWidth } from '../../bytes/varint.ts';
import { isPackable } from '../../schema/wire-types.ts';
import { tagWidth } from '../../wire/encoding-facts.ts';
import type { FieldUse } from '../uses.ts';
import type { TreeScalar } from '../value-tree.ts';
import { scalarWidth } from '../write-tree.ts';
import { grouped, namesOf, type Propose } from './proposal.ts';

export const packing: Propose = ({ fields }) => {
  const runs = [...fields].filter(({ field }) => field.cardinality === 'repeated' && isPackable(field.type));
  const make = (to: boolean, isCounterfactual: boolean, why: string) => (some: readonly FieldUse[]) => ({
    title: `${to ? 'Pack' : 'Expand'} ${namesOf(some)}: ${why}`,
    changes: some.map(({ message, field }) => ({ change: 'packed' as const, message, field: field.name, to })),
    isCounterfactual,
  });
  const expanded = runs.filter(({ field }) => !field.packed);
  const packed = runs.filter(({ field }) => field.packed);
  return [
    ...grouped(
      expanded.filter((use) => savedByPacking(use) > 0),
      make(true, false, 'one tag for a whole run'),
    ),
    ...grouped(
      packed.filter((use) => savedByPacking(use) < 0),
      make(false, false, 'most runs have one element'),
    ),
    ...grouped(
      packed.filter((use) => savedByPacking(use) > 0),
      make(false, true, 'what packing saves'),
    ),
  ];
};

function savedByPacking({ field, lists }: FieldUse): number {
  const tag = tagWidth(field.number);
  return lists.reduce((sum, values) => {
    const run = values.reduce((bytes: number, value) => bytes + scalarWidth(value as TreeScalar, field.type), 0);
    return sum + (values.length - 1) * tag - varintWidth(run, 0);
  }, 0);
}
