import { type ChangeKind, type ConstantChange, ImpossibleChange } from '../change.ts';
import type { FieldEncodings, FieldForm } from '../forms.ts';
import { UNKNOWN_FIELDS, UPDATING_RULES_URL } from '../rule-links.ts';
import { copyTree, TreeNode, type TreeValue } from '../value-tree.ts';
import { writeTree } from '../write-tree.ts';
import { checkApart, checkNew, checkVisible, nodesOfType, targetField } from './target.ts';

/** Moves a value that all records of a list share into the message that holds the list, so that it is written once. */
export const constantChange: ChangeKind<ConstantChange> = {
  alter(change, forms) {
    const { message, field, number } = change;
    const source = sourceOf(change, forms);
    checkNew(forms.get(message)!, field, number);
    checkVisible(source, message, forms);
    return forms.with(message, (fields) => [
      ...fields,
      {
        ...source,
        name: field,
        number,
        cardinality: 'singular',
        presence: 'explicit',
        packed: false,
        defaultValue: undefined,
      },
    ]);
  },
  forward(change, tree, { before }) {
    for (const node of nodesOfType(tree, change.message)) {
      const records = recordsOf(node, change);
      const shared = sharedValue(records, change.of, before);
      if (shared === undefined) continue;
      for (const record of records) record.fields.delete(change.of);
      node.fields.set(change.field, [shared]);
    }
    return tree;
  },
  backward(change, tree) {
    // The innermost nodes come first, so that they are complete before they are copied into records.
    for (const node of [...nodesOfType(tree, change.message)].reverse()) {
      const shared = node.only(change.field);
      if (shared === undefined) continue;
      node.fields.delete(change.field);
      for (const record of recordsOf(node, change)) {
        record.fields.set(change.of, [shared instanceof TreeNode ? copyTree(shared) : shared]);
      }
    }
    return tree;
  },
  touches: (change, forms) => [
    { message: change.message, field: change.field },
    { message: forms.field(change.message, change.list)?.typeName ?? '', field: change.of },
  ],
  adds: ({ message, field }) => [{ message, field }],
  compatibility: ({ list, of }) => ({
    binary: 'unsafe',
    json: 'unsafe',
    source: 'conditional',
    reasons: [
      {
        about: 'binary',
        text: `An old reader skips the new field and sees no ${of} in the records of ${list}.`,
        link: UNKNOWN_FIELDS,
      },
      { about: 'json', text: 'An old JSON parser refuses the new name.', link: UPDATING_RULES_URL },
      {
        about: 'source',
        text: `Readers have to look for ${of} in the message around the records.`,
        link: UPDATING_RULES_URL,
      },
    ],
  }),
  effort: () => 'new field needed',
};

function sourceOf({ message, list, of }: ConstantChange, forms: FieldEncodings): FieldForm {
  const records = targetField(forms, { message, field: list });
  if (records.cardinality !== 'repeated' || (records.type !== 'message' && records.type !== 'group')) {
    throw new ImpossibleChange(`${message}.${list} is not a list of messages`);
  }
  checkApart(records);
  const source = targetField(forms, { message: records.typeName!, field: of });
  const isOdd = source.presence === 'required' || source.oneof !== undefined || source.name.startsWith('[');
  if (source.cardinality !== 'singular' || source.type === 'group' || isOdd) {
    throw new ImpossibleChange(`${records.typeName}.${of} cannot be written once for all records`);
  }
  return source;
}

const recordsOf = (node: TreeNode, { list }: ConstantChange): readonly TreeNode[] =>
  (node.fields.get(list) ?? []) as readonly TreeNode[];

/** undefined: a record has another value, or no value. */
export function sharedValue(records: readonly TreeNode[], name: string, forms: FieldEncodings): TreeValue | undefined {
  const first = records[0]?.only(name);
  if (first === undefined) return undefined;
  const bytes = first instanceof TreeNode ? writeTree(first, forms).bytes : first;
  const isShared = records.every((record) => {
    const value = record.only(name);
    if (value === undefined || !(bytes instanceof Uint8Array)) return Object.is(value, bytes);
    const own = value instanceof TreeNode ? writeTree(value, forms).bytes : value;
    return own instanceof Uint8Array && own.length === bytes.length && own.every((byte, at) => byte === bytes[at]);
  });
  return isShared ? first : undefined;
}
