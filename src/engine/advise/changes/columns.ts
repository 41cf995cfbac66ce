import { isPackable } from '../../schema/wire-types.ts';
import { type ChangedField, type ChangeKind, type ColumnsChange, ImpossibleChange, type Reason } from '../change.ts';
import type { FieldEncodings, FieldForm } from '../forms.ts';
import { UNKNOWN_FIELDS, UPDATING_RULES_URL } from '../rule-links.ts';
import { TreeNode, type TreeValue } from '../value-tree.ts';
import { defaultTreeValue } from '../write-tree.ts';
import { checkApart, checkNew, checkVisible, nodesOfType, targetField } from './target.ts';

/**
 * The records of a list become parallel lists, one for each of their fields, in the message that has the list. The
 * records' tags and lengths are not written, and numbers are packed.
 */
export const columnsChange: ChangeKind<ColumnsChange> = {
  alter(change, forms) {
    const { message, columns } = change;
    const records = recordsOf(change, forms);
    if (columns.length === 0) throw new ImpossibleChange(`${message}.${change.field} needs a column`);
    return columns.reduce((altered, { field, number, of }) => {
      checkNew(altered.get(message)!, field, number);
      const source = targetField(forms, { message: records.typeName!, field: of });
      if (!canBeColumn(source)) throw new ImpossibleChange(`${records.typeName}.${of} cannot be a column`);
      checkVisible(source, message, forms);
      const packed = isPackable(source.type);
      return altered.with(message, (fields) => [
        ...fields,
        { ...source, name: field, number, cardinality: 'repeated', presence: 'none', packed, defaultValue: undefined },
      ]);
    }, forms);
  },
  forward(change, tree, { before }) {
    const { typeName } = recordsOf(change, before);
    const sources = change.columns.map(({ field, of }) => ({ field, source: before.field(typeName!, of)! }));
    const names = new Set(change.columns.map(({ of }) => of));
    for (const node of [...nodesOfType(tree, change.message)]) {
      const records = node.fields.get(change.field) as readonly TreeNode[] | undefined;
      if (records === undefined) continue;
      for (const { fields, unknown } of records) {
        if (unknown.length > 0 || [...fields.keys()].some((name) => !names.has(name))) {
          throw new ImpossibleChange(
            `${change.message}.${change.field} has a record with a value that is in no column`,
          );
        }
      }
      node.fields.delete(change.field);
      for (const { field, source } of sources) {
        const values = records.map((record) => columnValue(record, source));
        node.fields.set(field, values);
      }
    }
    return tree;
  },
  backward(change, tree, { before }) {
    const { typeName } = recordsOf(change, before);
    for (const node of [...nodesOfType(tree, change.message)]) {
      const columns = change.columns.map(({ field, of }) => ({ of, values: node.fields.get(field) ?? [] }));
      for (const { field } of change.columns) node.fields.delete(field);
      const records = columns[0]!.values.map((_, at) => {
        return new TreeNode(typeName!, new Map(columns.map(({ of, values }) => [of, [values[at]!]])));
      });
      if (records.length > 0) node.fields.set(change.field, records);
    }
    return tree;
  },
  touches: (change) => [{ message: change.message, field: change.field }, ...addedBy(change)],
  adds: addedBy,
  empties: ({ message, field }) => [{ message, field }],
  compatibility(change, forms) {
    const { field, columns } = change;
    const { fields } = forms.get(recordsOf(change, forms).typeName!)!;
    const others = fields.map(({ name }) => name).filter((name) => !columns.some(({ of }) => of === name));
    const reasons: Reason[] = [
      { about: 'binary', text: `An old reader skips the new fields and sees no ${field}.`, link: UNKNOWN_FIELDS },
      { about: 'json', text: 'An old JSON parser refuses the new names.', link: UPDATING_RULES_URL },
      { about: 'source', text: 'Code reads lists of values instead of records.', link: UPDATING_RULES_URL },
    ];
    if (others.length > 0) {
      const text = `No record here has ${others.join(', ')}: there is no column for it.`;
      reasons.push({ about: 'source', text, link: UPDATING_RULES_URL });
    }
    return { binary: 'unsafe', json: 'unsafe', source: 'unsafe', reasons };
  },
  effort: () => 'new message version',
};

/** Whether a record's field can be a list of its own: each record has one value, or a default. */
export const canBeColumn = ({ name, type, cardinality, oneof }: FieldForm): boolean =>
  cardinality === 'singular' && type !== 'message' && type !== 'group' && oneof === undefined && !name.startsWith('[');

function addedBy({ message, columns }: ColumnsChange): readonly ChangedField[] {
  return columns.map(({ field }) => ({ message, field }));
}

function recordsOf(change: ColumnsChange, forms: FieldEncodings): FieldForm {
  const records = targetField(forms, change);
  const isList = records.cardinality === 'repeated' && (records.type === 'message' || records.type === 'group');
  if (!isList || records.name.startsWith('[')) {
    throw new ImpossibleChange(`${change.message}.${change.field} is not a list of messages`);
  }
  checkApart(records);
  return records;
}

function columnValue(record: TreeNode, source: FieldForm): TreeValue {
  const value = record.only(source.name);
  if (value === undefined && source.presence !== 'implicit') {
    throw new ImpossibleChange(`${record.type}.${source.name} is absent in a record, which a column cannot say`);
  }
  return value ?? defaultTreeValue(source);
}
