/** Converts a message between versions of a schema. Fields are matched by name, and the remaining ones by number. */
import { typeNameOf } from '../wire/any.ts';
import { RANGES } from './conversions/plain.ts';
import type { FieldEncodings, FieldForm } from './forms.ts';
import { readTree, TreeNode, type TreeScalar, type TreeValue } from './value-tree.ts';
import { writeTree } from './write-tree.ts';

const ANY = 'google.protobuf.Any';
/** Levels of contents in contents. */
const MOST_CONTENTS = 100;
const decoder = new TextDecoder();

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

/** @param withContents whether the messages that it holds in an Any are converted, and written by the one writer */
export function carryOver(
  tree: TreeNode,
  before: FieldEncodings,
  after: FieldEncodings,
  type: string,
  withContents = false,
): ConvertedMessage {
  const lost = new Set<string>();
  const pairs = new Map<string, SchemaPair>();
  const pair = (was: string, is: string, by: SchemaPair['by']): void => {
    pairs.set(was, { after: is, by });
  };
  let depth = 0;
  /** Contents of a type that one of the versions does not have are bytes, as are those in too many others. */
  const carryContents = (node: TreeNode): TreeNode => {
    const [url, value] = ['type_url', 'value'].map((name) => node.fields.get(name)?.[0] as Uint8Array | undefined);
    const type = typeNameOf(decoder.decode(url));
    const isKnown = value !== undefined && before.get(type) !== undefined && after.get(type) !== undefined;
    const contents = isKnown && depth < MOST_CONTENTS ? readTree(value, before, type) : undefined;
    for (const name of [...node.fields.keys(), `[${type}]`]) pair(`${ANY}.${name}`, `${ANY}.${name}`, 'name');
    if (contents === undefined) return node;
    depth++;
    const carried = writeTree(carry(contents, type), after).bytes;
    depth--;
    return new TreeNode(ANY, new Map([...node.fields, ['value', [carried]]]), node.unknown);
  };
  const carry = (node: TreeNode, to: string): TreeNode => {
    if (withContents && node.type === ANY && to === ANY) return carryContents(node);
    const [was, is] = [before.get(node.type)!, after.get(to)!];
    const fields = new Map<string, TreeValue[]>();
    for (const [name, values] of node.fields) {
      const old = was.byName.get(name)!;
      const field = is.byName.get(name) ?? sameNumber(is.byNumber.get(old.number), was.byName);
      const carried = field === undefined ? undefined : values.map((value) => carryValue(value, old, field));
      if (field === undefined || carried === undefined || carried.includes(undefined)) lost.add(`${node.type}.${name}`);
      else {
        fields.set(field.name, carried as TreeValue[]);
        pair(`${node.type}.${name}`, `${to}.${field.name}`, field.name === name ? 'name' : 'number');
      }
    }
    return new TreeNode(to, fields, node.unknown);
  };
  const carryValue = (value: TreeValue, old: FieldForm, field: FieldForm): TreeValue | undefined => {
    if ((old.cardinality === 'map') !== (field.cardinality === 'map')) return undefined;
    const isMessage = field.typeName !== undefined && field.type !== 'enum';
    if (value instanceof TreeNode) return isMessage ? carry(value, field.typeName!) : undefined;
    return !isMessage && fits(value, old, field) ? value : undefined;
  };
  return { tree: carry(tree, type), lost, pairs };
}

/** Fields with the same number are only matched if the new name does not exist in the old version. */
const sameNumber = (field: FieldForm | undefined, known: ReadonlyMap<string, FieldForm>): FieldForm | undefined =>
  field !== undefined && known.has(field.name) ? undefined : field;

function fits(value: TreeScalar, old: FieldForm, field: FieldForm): boolean {
  const range = RANGES[field.type];
  if (!(value instanceof Uint8Array)) {
    return range !== undefined && (value as number) >= range[0] && (value as number) <= range[1];
  }
  const isText = (type: string): boolean => type === 'string' || type === 'bytes';
  return old.type === field.type || (isText(old.type) && isText(field.type));
}
