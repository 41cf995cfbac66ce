/** Proposals for values that need not be written, and for defaults that would have to be written. */

import { countText } from '../../model/count-text.ts';
import { isWrapper, shortNameOf } from '../../schema/names.ts';
import { isFloat } from '../../wire/encoding-facts.ts';
import type { Change } from '../change.ts';
import { RANGES } from '../conversions/plain.ts';
import { DURATION, TIMESTAMP } from '../conversions/times.ts';
import type { FieldUse, FieldValues } from '../uses.ts';
import { isUnwritten, TreeNode, type TreeValue } from '../value-tree.ts';
import { grouped, namesOf, type Propose, triedAlone } from './proposal.ts';

/** A sentinel is one negative number in nearly all messages. */
export const sentinels: Propose = ({ fields, forms }) => {
  const values = new Map<FieldUse, number>();
  for (const use of fields) {
    const { field, lists, messages, present, message } = use;
    if (field.cardinality !== 'singular' || RANGES[field.type] === undefined || field.oneof !== undefined) continue;
    if (forms.get(message)!.isMapEntry || field.presence === 'required') continue;
    const value = majority(lists.map(([one]) => one!));
    const same = lists.filter(([other]) => other === value).length;
    const isNegative = typeof value === 'number' && value < 0;
    if (isNegative && present === messages && same >= 0.9 * present) values.set(use, value);
  }
  return grouped([...values.keys()], (some) => ({
    title: `Leave out ${namesOf(some)} where nothing is meant`,
    changes: some.flatMap((use): Change[] => {
      const { message, field } = use;
      const target = field.type === 'int64' ? 'sint64' : field.type === 'int32' ? 'sint32' : field.type;
      const leftOut: Change = { change: 'left out', message, field: field.name, when: String(values.get(use)) };
      // The other change gives it presence.
      if (target === field.type) return [leftOut];
      return [{ change: 'type', message, field: field.name, from: field.type, to: `optional ${target}` }, leftOut];
    }),
  }));
};

/** The value that more than half of all are, if there is one (Boyer and Moore's vote). */
function majority(values: readonly TreeValue[]): TreeValue {
  let leader = values[0]!;
  let lead = 0;
  for (const value of values) {
    if (lead === 0) leader = value;
    lead += value === leader ? 1 : -1;
  }
  return leader;
}

export const emptyMessages: Propose = ({ fields, forms }) =>
  grouped(
    [...fields].filter(
      ({ field, lists, messages, present, message }) =>
        field.cardinality === 'singular' &&
        present === messages &&
        field.oneof === undefined &&
        !forms.get(message)!.isMapEntry &&
        !isValue(field.typeName) &&
        lists.some(([value]) => isEmpty(value!)),
    ),
    (some) => ({
      title: `Leave out ${namesOf(some)} where the message is empty`,
      changes: some.map(({ message, field }) => ({
        change: 'left out',
        message,
        field: field.name,
        when: 'the message is empty',
      })),
    }),
  );

/** Empty, it is 0, false or no text, and not the same as absent: a timeout of 0 is not the default one. */
const isValue = (typeName: string | undefined): boolean =>
  isWrapper(typeName) || typeName === DURATION || typeName === TIMESTAMP;

const isEmpty = (value: TreeValue): boolean =>
  value instanceof TreeNode && value.fields.size === 0 && value.unknown.length === 0;

/** Minimum number of messages that show a regular layout. */
const MIN_MESSAGES = 32;

/** Always writing a value costs raw bytes, but a regular layout may compress better. */
export const alwaysSet: Propose = ({ fields, forms }) => {
  const partial = [...fields].filter(({ message, field, messages, present }) => {
    const isNumber = RANGES[field.type] !== undefined || isFloat(field.type);
    const isPartial = field.presence === 'implicit' && present < messages && present >= 0.05 * messages;
    return isPartial && isNumber && messages >= MIN_MESSAGES && !forms.get(message)!.isMapEntry;
  });
  return triedAlone(partial, ({ messages, present }) => present - messages).map(({ message, field }) => ({
    title: `Write ${field.name} of ${shortNameOf(message)} always: what implicit presence saves`,
    changes: [{ change: 'presence', message, field: field.name, from: 'implicit', to: 'explicit, always set' }],
    isCounterfactual: true,
  }));
};

/** A oneof with one field that is always set, often to its default value: removes the oneof and its presence. */
export const loneOneofs: Propose = ({ fields, forms }) =>
  grouped(
    [...fields].filter(({ message, field, messages, present, lists }) => {
      const isLone = forms.get(message)!.fields.filter(({ oneof }) => oneof === field.oneof).length === 1;
      const isSet = present === messages && lists.some(([value]) => isUnwritten(value!, field));
      return field.oneof !== undefined && isLone && field.typeName === undefined && isSet && !isProto2(message, forms);
    }),
    (some) => ({
      title: `Take ${namesOf(some)} out of a oneof of its own: it is always set, ${toDefault(some)}`,
      changes: some.flatMap(({ message, field }): Change[] => [
        { change: 'oneof', message, field: field.name, from: field.oneof!, to: '' },
        { change: 'presence', message, field: field.name, from: 'explicit', to: 'implicit' },
      ]),
    }),
  );

/** `to its default in 4 of 240 values`. */
function toDefault(fields: readonly FieldUse[]): string {
  const values = fields.flatMap(({ field, lists }) => lists.map(([value]) => isUnwritten(value!, field)));
  const defaults = values.filter((isDefault) => isDefault);
  return `to its default in ${countText(defaults.length)} of ${countText(values.length)} values`;
}

const isProto2 = (message: string, { registry }: FieldValues['forms']): boolean =>
  registry.files.some(({ path, syntax }) => syntax === 'proto2' && path === registry.messages.get(message)?.file);

/** Default values in a field that is always set: absence can mean the same. */
export const setDefaults: Propose = ({ fields, forms }) =>
  grouped(
    [...fields].filter(
      ({ message, field, messages, present, lists }) =>
        field.presence === 'explicit' &&
        field.cardinality === 'singular' &&
        field.oneof === undefined &&
        field.typeName === undefined &&
        !field.name.startsWith('[') &&
        present === messages &&
        forms.registry.files.some(({ path, syntax }) => {
          return syntax === 'proto3' && path === forms.registry.messages.get(message)?.file;
        }) &&
        lists.some(([value]) => isUnwritten(value!, field)),
    ),
    (some) => ({
      title: `Take the presence of ${namesOf(some)} away: it is always set, ${toDefault(some)}`,
      changes: some.map(({ message, field }) => ({
        change: 'presence',
        message,
        field: field.name,
        from: 'explicit',
        to: 'implicit',
      })),
    }),
  );
