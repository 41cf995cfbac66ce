/**
 * The saving of changes by formula. It sums tag and value, before minus after, over the records of the changed fields,
 * and adds E, the change of all enclosing length prefixes, v(before) − v(after). It is compared with the bytes that are
 * really written.
 */
import { varintWidth } from '../bytes/varint.ts';
import { tagWidth } from '../wire/encoding-facts.ts';
import type { AppliedChanges } from './apply.ts';
import { kindOf } from './changes/changes.ts';
import type { FieldEncodings, FieldForm } from './forms.ts';
import { copyTree, nodesOf, TreeNode, type TreeScalar } from './value-tree.ts';
import { isPackedRun, type Sizes, scalarWidth, valuesOf, writeTree } from './write-tree.ts';

export interface Formula {
  /** Bytes saved in the changed records. */
  readonly records: number;
  /** Bytes saved in the enclosing length prefixes. */
  readonly enclosing: number;
}

/**
 * The formula for changes within one schema. After a change to another schema, no record corresponds to an original
 * one.
 */
export function formulaOf(tree: TreeNode, { changes, steps }: AppliedChanges): Formula {
  let records = 0;
  let enclosing = 0;
  let from = tree;
  changes.forEach((change, at) => {
    const kind = kindOf(change);
    const { before, after } = steps[at]!;
    const to = copyTree(from);
    kind.forward?.(change, to, steps[at]!);
    const [was, is] = [writeTree(from, before).sizes, writeTree(to, after).sizes];
    const touched = new Map<string, Set<string>>();
    for (const { message, field } of kind.touches(change, before)) {
      touched.set(message, (touched.get(message) ?? new Set<string>()).add(field));
    }
    const prefixed = new Map<TreeNode, FieldForm>();
    collectPrefixed(to, after, prefixed);
    const gone = new Set(nodesOf(from));
    for (const node of nodesOf(to)) {
      const origin = node.origin!;
      gone.delete(origin);
      for (const name of touched.get(node.type) ?? []) {
        records += costOf(origin, name, before, was) - costOf(node, name, after, was);
      }
      const field = prefixed.get(node);
      if (field !== undefined) enclosing += prefixWidth(field, was.get(origin)!) - prefixWidth(field, is.get(node)!);
    }
    // Messages that became values or moved elsewhere: all their records are removed.
    for (const node of gone) {
      for (const { name } of before.get(node.type)!.fields) records += costOf(node, name, before, was);
      records += node.unknown.reduce((sum, { length }) => sum + length, 0);
    }
    from = to;
  });
  return { records, enclosing };
}

/** The value of an Any is not written if its message is empty. */
const prefixWidth = ({ type, number }: FieldForm, size: number): number => {
  if (type !== 'bytes') return varintWidth(size, 0);
  return size === 0 ? 0 : tagWidth(number) + varintWidth(size, 0);
};

/** Collects the nodes with a length prefix, and the field of each. */
function collectPrefixed(node: TreeNode, forms: FieldEncodings, found: Map<TreeNode, FieldForm>): void {
  for (const field of forms.get(node.type)!.fields) {
    for (const value of node.fields.get(field.name) ?? []) {
      if (!(value instanceof TreeNode)) continue;
      if (field.type !== 'group') found.set(value, field);
      collectPrefixed(value, forms, found);
    }
  }
}

/**
 * Bytes of a field's records in one message. For message fields, only tags and lengths, with the lengths before the
 * change.
 */
function costOf(node: TreeNode, name: string, forms: FieldEncodings, lengths: Sizes): number {
  const field: FieldForm | undefined = forms.field(node.type, name);
  if (field === undefined) return 0;
  const values = valuesOf(node, field, forms);
  if (values === undefined) return 0;
  const tag = tagWidth(field.number);
  if (isPackedRun(field)) {
    const run = values.reduce((sum: number, value) => sum + scalarWidth(value as TreeScalar, field.type), 0);
    return tag + varintWidth(run, 0) + run;
  }
  let cost = 0;
  for (const value of values) {
    if (!(value instanceof TreeNode)) cost += tag + scalarWidth(value, field.type);
    else if (field.type === 'group') cost += 2 * tag;
    else {
      const size = lengths.get(value) ?? lengths.get(value.origin!)!;
      cost += prefixWidth(field, size) + (field.type === 'bytes' ? 0 : tag);
    }
  }
  return cost;
}
