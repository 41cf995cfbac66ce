/** Proposals for wrappers: messages with one field, map entries, and values that all records of a list share. */
import { countText } from '../../model/count-text.ts';
import { isWrapper, shortNameOf } from '../../schema/names.ts';
import { tagWidth } from '../../wire/encoding-facts.ts';
import type { Change } from '../change.ts';
import { sharedValue } from '../changes/constant.ts';
import { ONLY_FIELD, onlyFieldOf, writtenType } from '../conversions/only-field.ts';
import { type FieldForm, namesIn } from '../forms.ts';
import type { FieldUse, FieldValues } from '../uses.ts';
import { isUnwritten, TreeNode, type TreeValue } from '../value-tree.ts';
import { scalarWidth, writeTree } from '../write-tree.ts';
import { grouped, listed, namesOf, type Proposal, type Propose } from './proposal.ts';

/** Google's messages with one field have a special form in JSON, except the wrappers. */
const isOwn = (typeName: string): boolean => !typeName.startsWith('google.protobuf.') || isWrapper(typeName);

export const onlyFields: Propose = ({ fields, forms }) => {
  const targets = new Map<FieldUse, string>();
  for (const use of fields) {
    const { field, message } = use;
    const inner = onlyFieldOf(field, message, forms);
    if (inner === undefined || !isOwn(field.typeName!)) continue;
    const isLabelled =
      field.cardinality === 'singular' &&
      field.oneof === undefined &&
      inner.type !== 'message' &&
      !forms.get(message)!.isMapEntry;
    const label = inner.cardinality === 'repeated' ? 'repeated ' : isLabelled ? 'optional ' : '';
    targets.set(use, label + writtenType(inner));
  }
  return grouped([...targets.keys()], (some) => ({
    title: `Replace the message in ${namesOf(some)} by its only field`,
    changes: some.map((use) => ({
      change: 'type',
      message: use.message,
      field: use.field.name,
      from: use.field.typeName!,
      to: targets.get(use)!,
      value: ONLY_FIELD,
    })),
  }));
};

/** Entries of a map also write default keys and values. */
export const maps: Propose = (uses) =>
  grouped(
    [...uses.fields].filter(({ field }) => {
      if (field.cardinality !== 'map' || field.name.startsWith('[')) return false;
      return ['key', 'value'].some((part) => {
        const use = uses.get(field.typeName!, part);
        return use?.lists.some(([value]) => value !== undefined && isUnwritten(value, use.field)) === true;
      });
    }),
    (some) => ({
      title: `Declare ${namesOf(some)} a list of entries: defaults in them need not be written`,
      changes: some.map(({ message, field }) => ({ change: 'map', message, field: field.name, to: 'repeated' })),
    }),
  );

/** Minimum number of lists. Fewer prove nothing for other messages, however long the lists are. */
const MIN_LISTS = 3;
/** Minimum share of lists with a common value, among lists with several records. */
const MIN_SHARE = 0.9;
/** Number of fields of one list that are also proposed separately, largest saving first. */
const MAX_ALONE = 3;

export const constants: Propose = (uses) => {
  const proposals: Proposal[] = [];
  const added = new Set<string>();
  for (const use of uses.fields) {
    const { field, message } = use;
    const isList = field.cardinality === 'repeated' && (field.type === 'message' || field.type === 'group');
    if (!isList || field.name.startsWith('[') || uses.forms.get(message)!.isMapEntry) continue;
    const changes: Change[] = [];
    const several = (use.lists as readonly (readonly TreeNode[])[]).filter(({ length }) => length > 1);
    const records = several.reduce((sum, { length }) => sum + length, 0);
    if (several.length < MIN_LISTS) continue;
    const taken = new Set(namesIn(message, uses.forms));
    for (const shared of sharedFields(field, several, uses)) {
      const isTaken = (name: string): boolean => taken.has(name) || added.has(`${message}.${name}`);
      const name = isTaken(shared.name) ? `${field.name}_${shared.name}` : shared.name;
      if (isTaken(name)) continue;
      const number = uses.newNumber(message, name);
      if (number === undefined) break;
      added.add(`${message}.${name}`);
      changes.push({ change: 'constant', message, field: name, number, list: field.name, of: shared.name });
    }
    if (changes.length === 0) continue;
    const evidence = `${field.name} of one list have the same (${countText(records)} in ${countText(several.length)} lists)`;
    const make = (some: readonly Change[], what: string): Proposal => ({
      title: `Write ${what} once in ${shortNameOf(message)}: ${evidence}`,
      changes: some,
    });
    const nameOf = (change: Change): string => (change.change === 'constant' ? change.of : '');
    if (changes.length > 1) proposals.push(make(changes, `${changes.length} fields (${listed(changes.map(nameOf))})`));
    for (const change of changes.slice(0, MAX_ALONE)) proposals.push(make([change], nameOf(change)));
  }
  return proposals;
};

/** Fields that all records share, largest saving first. */
function sharedFields(
  field: FieldForm,
  several: readonly (readonly TreeNode[])[],
  { forms }: FieldValues,
): readonly FieldForm[] {
  const found = new Map<FieldForm, number>();
  for (const one of forms.get(field.typeName!)!.fields) {
    const isOdd = one.presence === 'required' || one.oneof !== undefined || one.name.startsWith('[');
    if (one.cardinality !== 'singular' || one.type === 'group' || isOdd) continue;
    let saved = 0;
    let shared = 0;
    for (const list of several) {
      const value = sharedValue(list, one.name, forms);
      if (value === undefined) continue;
      shared++;
      saved += (list.length - 1) * (tagWidth(one.number) + widthOf(value, one, forms));
    }
    if (shared >= MIN_SHARE * several.length) found.set(one, saved);
  }
  return [...found.keys()].sort((a, b) => found.get(b)! - found.get(a)!);
}

function widthOf(value: TreeValue, { type }: FieldForm, forms: FieldValues['forms']): number {
  if (!(value instanceof TreeNode)) return scalarWidth(value, type);
  const { length } = writeTree(value, forms).bytes;
  return scalarWidth(length, 'uint64') + length;
}
