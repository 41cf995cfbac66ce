/** Converts a message between versions of a schema. Fields are matched by name, and the remaining ones by number. */
import { invalidUtf8At } from '../bytes/utf8.ts';
import { ANY } from '../schema/names.ts';
import { RANGES } from './conversions/plain.ts';
import type { FieldEncodings, FieldForm } from './forms.ts';
import { openAny, TreeNode, type TreeScalar, type TreeValue } from './value-tree.ts';
import { writeTree } from './write-tree.ts';

export interface ConvertedMessage {
  readonly tree: TreeNode;
  /** Fields without a place in the other version: `a.B.field`. */
  readonly lost: ReadonlySet<string>;
  /** Fields with a value, `a.B.field`, and the field that each became. */
  readonly pairs: ReadonlyMap<string, SchemaPair>;
}

export interface SchemaPair {
  readonly after: string;
  readonly by: 'name' | 'number';
}

export function carryOver(
  tree: TreeNode,
  before: FieldEncodings,
  after: FieldEncodings,
  type: string,
): ConvertedMessage {
  const lost = new Set<string>();
  const pairs = new Map<string, SchemaPair>();
  const carry = (node: TreeNode, to: string): TreeNode => {
    const [was, is] = [before.get(node.type)!, after.get(to)!];
    const fields = new Map<string, TreeValue[]>();
    for (const [name, values] of node.fields) {
      const old = was.byName.get(name)!;
      const field = is.byName.get(name) ?? sameNumber(is.byNumber.get(old.number), was.byName);
      const carried = field === undefined ? undefined : values.map((value) => carryValue(value, old, field, to));
      if (field === undefined || carried === undefined || carried.includes(undefined)) lost.add(`${node.type}.${name}`);
      else {
        fields.set(field.name, carried as TreeValue[]);
        pairs.set(`${node.type}.${name}`, {
          after: `${to}.${field.name}`,
          by: field.name === name ? 'name' : 'number',
        });
      }
    }
    const carried = new TreeNode(to, fields, node.unknown);
    if (to === ANY && after.readsAny) openAny(carried, after);
    return carried;
  };
  /** The message in an Any is bytes where the other version does not have its type. */
  const carryHeld = (held: TreeNode, to: string): TreeValue =>
    to === ANY && after.get(held.type) !== undefined ? carry(held, held.type) : writeTree(held, before).bytes;
  const carryValue = (value: TreeValue, old: FieldForm, field: FieldForm, to: string): TreeValue | undefined => {
    if ((old.cardinality === 'map') !== (field.cardinality === 'map')) return undefined;
    const isMessage = field.typeName !== undefined && field.type !== 'enum';
    if (value instanceof TreeNode) {
      if (old.type === 'bytes') return field.type === 'bytes' ? carryHeld(value, to) : undefined;
      return isMessage ? carry(value, field.typeName!) : undefined;
    }
    return !isMessage && fits(value, old, field) ? value : undefined;
  };
  return { tree: carry(tree, type), lost, pairs };
}

/** Fields with the same number are only matched if the new name does not exist in the old version. */
const sameNumber = (field: FieldForm | undefined, known: ReadonlyMap<string, FieldForm>): FieldForm | undefined =>
  field !== undefined && known.has(field.name) ? undefined : field;

function fits(value: TreeScalar, old: FieldForm, field: FieldForm): boolean {
  if (old.type === field.type) return true;
  if (value instanceof Uint8Array) {
    if (field.type === 'string') return old.type === 'bytes' && invalidUtf8At(value, 0, value.length) < 0;
    return old.type === 'string' && field.type === 'bytes';
  }
  const range = RANGES[old.type] && RANGES[field.type];
  return range !== undefined && (value as number) >= range[0] && (value as number) <= range[1];
}
