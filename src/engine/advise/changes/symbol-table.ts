import { latin1 } from '../../bytes/latin1.ts';
import { parentOf, shortNameOf } from '../../schema/names.ts';
import { type Change, type ChangeKind, ImpossibleChange, type SymbolTableChange } from '../change.ts';
import type { FieldEncodings } from '../forms.ts';
import { UPDATING_RULES_URL } from '../rule-links.ts';
import { nodesOf, TreeNode, type TreeValue } from '../value-tree.ts';
import { checkNew } from './target.ts';

/**
 * Writes each text once, in a table of the outermost message, and a reference for each use. Entry 0 is "", so that an
 * empty text costs nothing. References are assigned at first use: depth first, fields by number, lists in order.
 */
export const symbolTableChange: ChangeKind<SymbolTableChange> = {
  alter(change, forms, root) {
    const { table } = change;
    if (table.message !== root) throw new ImpossibleChange(`The table is in ${root}, not in ${table.message}`);
    checkNew(forms.get(root)!, table.field, table.number);
    if (change.type !== 'uint32') throw new ImpossibleChange(`References are uint32, not ${change.type}`);
    const withTable = forms.with(root, (fields) => [
      ...fields,
      {
        name: table.field,
        number: table.number,
        type: 'string',
        cardinality: 'repeated',
        presence: 'none',
        packed: false,
        typeName: undefined,
        oneof: undefined,
        defaultValue: undefined,
      },
    ]);
    return textFieldsOf(change).reduce((changed: FieldEncodings, { message, field }) => {
      const text = changed.field(message, field);
      if (text?.type !== 'string') throw new ImpossibleChange(`${message}.${field} is not a text field`);
      const isPacked = text.cardinality === 'repeated';
      return changed.withField(message, field, { type: 'uint32', packed: isPacked, defaultValue: undefined });
    }, withTable);
  },
  forward(change, tree) {
    const texts = textFields(change);
    const references = new Map<string, number>([['', 0]]);
    const table: TreeValue[] = [new Uint8Array(0)];
    const refer = (value: TreeValue): number => {
      const text = value as Uint8Array;
      const key = latin1(text, 0, text.length);
      const known = references.get(key);
      if (known !== undefined) return known;
      references.set(key, table.length);
      return table.push(text) - 1;
    };
    const visit = (node: TreeNode): void => {
      const names = texts.get(node.type);
      for (const [name, values] of node.fields) {
        if (values[0] instanceof TreeNode) for (const value of values) visit(value as TreeNode);
        else if (names?.has(name)) node.fields.set(name, values.map(refer));
      }
    };
    visit(tree);
    tree.fields.set(change.table.field, table);
    return tree;
  },
  backward(change, tree) {
    const texts = textFields(change);
    const table = tree.fields.get(change.table.field) ?? [];
    tree.fields.delete(change.table.field);
    for (const node of nodesOf(tree)) {
      for (const name of texts.get(node.type) ?? []) {
        const values = node.fields.get(name);
        if (values !== undefined)
          node.fields.set(
            name,
            values.map((value) => table[Number(value)] as TreeValue),
          );
      }
    }
    return tree;
  },
  touches: (change) => [...textFieldsOf(change), { message: change.table.message, field: change.table.field }],
  adds: ({ table: { message, field } }) => [{ message, field }],
  compatibility: () => ({
    binary: 'unsafe',
    json: 'unsafe',
    source: 'unsafe',
    reasons: [
      { about: 'binary', text: 'Text becomes a number: the wire type changes.', link: UPDATING_RULES_URL },
      { about: 'json', text: 'A reference replaces the text.', link: UPDATING_RULES_URL },
      { about: 'source', text: 'No field can be read without the table.', link: UPDATING_RULES_URL },
    ],
  }),
  effort: () => 'new message version',
};

/** Tables that differ in their fields alone are one table. */
export function joinTables(changes: readonly Change[]): readonly Change[] {
  const tables = new Map<string, SymbolTableChange>();
  const others: Change[] = [];
  for (const change of changes) {
    if (change.change !== 'symbol table') {
      others.push(change);
      continue;
    }
    const key = JSON.stringify({ ...change, fields: [] });
    const known = tables.get(key);
    const fields = known && [...new Set([...known.fields, ...change.fields])].sort();
    tables.set(key, fields === undefined ? change : { ...change, fields });
  }
  return [...others, ...tables.values()];
}

export const textFieldsOf = ({ fields }: SymbolTableChange) =>
  fields.map((fullName) => ({ message: parentOf(fullName), field: shortNameOf(fullName) }));

function textFields(change: SymbolTableChange): ReadonlyMap<string, ReadonlySet<string>> {
  const byMessage = new Map<string, Set<string>>();
  for (const { message, field } of textFieldsOf(change)) {
    byMessage.set(message, (byMessage.get(message) ?? new Set<string>()).add(field));
  }
  return byMessage;
}
