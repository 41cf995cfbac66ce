/**
 * `its only field`: a message with one field, such as `google.protobuf.Int64Value`, is replaced by that field's value.
 */
import { SCALAR_TYPES } from '../../schema/declaration.ts';
import { isWrapper } from '../../schema/names.ts';
import { ImpossibleChange, type TypeChange } from '../change.ts';
import { nodesOfType } from '../changes/target.ts';
import type { FieldEncodings, FieldForm } from '../forms.ts';
import { JSON_WIRE_SAFETY_URL, UPDATING_RULES_URL } from '../rule-links.ts';
import { isUnwritten, TreeNode, type TreeValue } from '../value-tree.ts';
import { defaultTreeValue } from '../write-tree.ts';
import type { Conversion } from './conversion.ts';

export const ONLY_FIELD = 'its only field';

const isNested = ({ type }: FieldForm): boolean => type === 'message' || type === 'group';

/**
 * The field that can replace a message field; undefined: the message has several fields, or the field is not suitable.
 */
export function onlyFieldOf(field: FieldForm, message: string, forms: FieldEncodings): FieldForm | undefined {
  if (field.type !== 'message' || field.cardinality === 'map' || field.name.startsWith('[')) return undefined;
  if (field.presence === 'required' || field.typeName === message) return undefined;
  const fields = forms.get(field.typeName!)?.fields ?? [];
  const [inner] = fields;
  if (inner === undefined || fields.length > 1 || inner.name.startsWith('[')) return undefined;
  if (inner.type === 'group' || inner.cardinality === 'map') return undefined;
  const isSingular = field.cardinality === 'singular' && field.oneof === undefined;
  if (inner.cardinality === 'repeated' && (!isSingular || forms.get(message)?.isMapEntry === true)) return undefined;
  return inner;
}

/** A type as changes write it: a scalar, or a full name. */
export const writtenType = ({ type, typeName }: FieldForm): string =>
  SCALAR_TYPES.some((scalar) => scalar === type) ? type : typeName!;

export const onlyField: Conversion = {
  read(change, from, to) {
    if (change.value !== ONLY_FIELD) return undefined;
    return {
      forward: (tree, { before }) => unwrap(change, from, to, tree, before),
      backward(tree, { before }) {
        const inner = innerOf(change, from, before);
        for (const node of nodesOfType(tree, change.message)) {
          const values = node.fields.get(change.field);
          if (values === undefined) continue;
          const wrap = (list: TreeValue[]): TreeNode => {
            const isUnsaid = inner.presence === 'implicit' && isUnwritten(list[0]!, inner);
            return new TreeNode(from.typeName!, new Map(isUnsaid ? [] : [[inner.name, list]]));
          };
          node.fields.set(
            change.field,
            inner.cardinality === 'repeated' ? [wrap(values)] : values.map((value) => wrap([value])),
          );
        }
      },
      json: isWrapper(from.typeName) ? 'safe' : 'unsafe',
      compatibility: {
        // If one message replaces another, the wire type is unchanged, so old records would be misread.
        binary: 'unsafe',
        source: 'unsafe',
        reasons: [
          { about: 'binary', text: 'The contents of the message replace the message.', link: UPDATING_RULES_URL },
          isWrapper(from.typeName)
            ? { about: 'json', text: 'JSON has wrappers without their message.', link: JSON_WIRE_SAFETY_URL }
            : { about: 'json', text: 'The value stands where an object was.', link: UPDATING_RULES_URL },
          { about: 'source', text: 'Code reads the value without its message.', link: UPDATING_RULES_URL },
        ],
      },
    };
  },
};

function innerOf({ message, field }: TypeChange, from: FieldForm, forms: FieldEncodings): FieldForm {
  const inner = onlyFieldOf(from, message, forms);
  if (inner === undefined) throw new ImpossibleChange(`${message}.${field} holds no message of one field`);
  return inner;
}

function unwrap(change: TypeChange, from: FieldForm, to: FieldForm, tree: TreeNode, forms: FieldEncodings): void {
  const inner = innerOf(change, from, forms);
  const isEntry = forms.get(change.message)!.isMapEntry;
  const refuse = (): never => {
    throw new ImpossibleChange(`${change.message}.${change.field} is a message that its only field cannot replace`);
  };
  for (const node of nodesOfType(tree, change.message)) {
    const values = node.fields.get(change.field);
    if (values === undefined) continue;
    const unwrapped = (values as readonly TreeNode[]).flatMap((wrapped): readonly TreeValue[] => {
      const held = wrapped.fields.get(inner.name);
      if (wrapped.unknown.length > 0) return refuse();
      // Absence would be lost, or would become a default value.
      if (held === undefined && (inner.presence !== 'implicit' || isNested(inner))) return refuse();
      return held ?? [defaultTreeValue(inner)];
    });
    const isUnsaid = unwrapped.length > 0 && isUnwritten(unwrapped[0]!, inner);
    if (isUnsaid && (isEntry ? inner.presence !== 'implicit' : to.presence === 'implicit')) refuse();
    node.fields.set(change.field, unwrapped);
  }
}
