import { SCALAR_TYPES } from '../../schema/declaration.ts';
import { type ChangeKind, ImpossibleChange, type NewFieldChange } from '../change.ts';
import { wholeOf } from '../conversions/whole-number.ts';
import type { FieldEncodings } from '../forms.ts';
import { UNKNOWN_FIELDS, UPDATING_RULES_URL } from '../rule-links.ts';
import { checkNew, nodesOfType } from './target.ts';

/** Writes integral values of a floating-point field in an additional integer field. */
export const newFieldChange: ChangeKind<NewFieldChange> = {
  alter(change, forms) {
    const form = forms.get(change.message);
    if (form === undefined) throw new ImpossibleChange(`The schema has no message ${change.message}`);
    checkNew(form, change.field, change.number);
    const type = SCALAR_TYPES.find((scalar) => scalar === change.type);
    if (type !== 'sint64') throw new ImpossibleChange(`Whole numbers are written as sint64, not as ${change.type}`);
    const source = sourceOf(change, forms);
    const presence = forms.field(change.message, source)?.presence === 'implicit' ? 'implicit' : 'explicit';
    return forms.with(change.message, (fields) => [
      ...fields,
      {
        name: change.field,
        number: change.number,
        type,
        cardinality: 'singular',
        presence,
        packed: false,
        typeName: undefined,
        oneof: undefined,
        defaultValue: undefined,
      },
    ]);
  },
  forward(change, tree, { before }) {
    const source = sourceOf(change, before);
    for (const node of nodesOfType(tree, change.message)) {
      const value = node.only(source);
      if (typeof value !== 'number') continue;
      const whole = wholeOf(value);
      if (whole === undefined) continue;
      node.fields.delete(source);
      node.fields.set(change.field, [whole]);
    }
    return tree;
  },
  backward(change, tree, { before }) {
    const source = sourceOf(change, before);
    for (const node of nodesOfType(tree, change.message)) {
      const value = node.only(change.field);
      if (typeof value !== 'number') continue;
      node.fields.delete(change.field);
      node.fields.set(source, [value]);
    }
    return tree;
  },
  touches: (change) => [
    { message: change.message, field: change.field },
    { message: change.message, field: sourceName(change) },
  ],
  adds: ({ message, field }) => [{ message, field }],
  compatibility: (change) => ({
    binary: 'unsafe',
    json: 'unsafe',
    source: 'conditional',
    reasons: [
      {
        about: 'binary',
        text: `An old reader skips the new number and sees the default of ${sourceName(change)}.`,
        link: UNKNOWN_FIELDS,
      },
      { about: 'json', text: 'An old JSON parser refuses the new name.', link: UPDATING_RULES_URL },
      { about: 'source', text: 'Readers have to look at both fields.', link: UPDATING_RULES_URL },
    ],
  }),
  effort: () => 'new field needed',
};

/** `value is a whole number, …`: names the field of the original value. */
const sourceName = ({ when }: NewFieldChange): string => /^(\S+) is a whole number/.exec(when)?.[1] ?? '';

function sourceOf(change: NewFieldChange, forms: FieldEncodings): string {
  const name = sourceName(change);
  const field = forms.field(change.message, name);
  if (field === undefined || (field.type !== 'double' && field.type !== 'float') || field.cardinality !== 'singular') {
    throw new ImpossibleChange(`"${change.when}" names no floating-point field of ${change.message}`);
  }
  return name;
}
