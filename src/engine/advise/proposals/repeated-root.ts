/** The list that contains most of a message's bytes: its records. */
import type { FieldForm } from '../forms.ts';
import type { FieldValues } from '../uses.ts';
import { TreeNode } from '../value-tree.ts';
import { writeTree } from '../write-tree.ts';

export interface RepeatedRoot {
  readonly message: string;
  readonly field: FieldForm;
  /** The fields from the outermost message to the list; the last one is the list. */
  readonly path: readonly FieldForm[];
  readonly records: number;
}

/** The outermost list of several messages that contains half of all bytes. */
export function repeatedRoot({ trees, forms, root }: FieldValues): RepeatedRoot | undefined {
  let total = 0;
  const found = new Map<string, { root: RepeatedRoot; bytes: number; records: number; lists: number }>();
  for (const tree of trees) {
    const { sizes } = writeTree(tree, forms);
    total += sizes.get(tree)!;
    const visit = (node: TreeNode, path: readonly FieldForm[]): void => {
      for (const field of forms.get(node.type)!.fields) {
        const values = node.fields.get(field.name);
        // The message in an Any has no path of its own.
        if (!(values?.[0] instanceof TreeNode) || field.type === 'bytes') continue;
        const here = [...path, field];
        if (field.cardinality === 'repeated') {
          const key = here.map(({ name }) => name).join('.');
          const known = found.get(key) ?? {
            root: { message: node.type, field, path: here, records: 0 },
            bytes: 0,
            records: 0,
            lists: 0,
          };
          for (const value of values) known.bytes += sizes.get(value as TreeNode)!;
          known.records += values.length;
          known.lists++;
          found.set(key, known);
        }
        if (here.length < 6) for (const value of values) visit(value as TreeNode, here);
      }
    };
    visit(tree, []);
  }
  const most = [...found.values()]
    .filter(({ bytes, records, lists }) => bytes >= total / 2 && records >= 2 * lists)
    .sort((a, b) => a.root.path.length - b.root.path.length);
  const [first] = most;
  return first === undefined || root === '' ? undefined : { ...first.root, records: first.records };
}
