import { SCALAR_TYPES } from '../../schema/declaration.ts';
import { isPackable } from '../../wire/encoding-facts.ts';
import { type ChangeKind, ImpossibleChange, type TypeChange } from '../change.ts';
import { mappingOf } from '../conversions/conversions.ts';
import type { FieldForm, Forms } from '../forms.ts';
import { fieldOf } from './target.ts';
import { typeCompatibility } from './type-compatibility.ts';

/** https://protobuf.dev/programming-guides/proto3/#maps: any integral or string type. */
const MAP_KEYS: ReadonlySet<string> = new Set(
  SCALAR_TYPES.filter((type) => type !== 'bytes' && type !== 'float' && type !== 'double'),
);

/** Another scalar type on the same number; `optional` before it gives it presence. */
export const typeChange: ChangeKind<TypeChange> = {
  alter(change, forms) {
    const before = fieldOf(forms, change);
    const after = alteredField(change, before);
    const isMapKey = forms.get(change.message)?.isMapEntry === true && before.number === 1;
    if (isMapKey && !MAP_KEYS.has(after.type)) {
      throw new ImpossibleChange(`The key of a map cannot be ${after.type}`);
    }
    mappingOf(change, before, after);
    return forms.withField(change.message, change.field, after);
  },
  forward(change, tree, step) {
    mappingIn(change, step.before).forward(tree, step);
    return tree;
  },
  backward(change, tree, step) {
    mappingIn(change, step.before).backward(tree, step);
    return tree;
  },
  touches: ({ message, field }) => [{ message, field }],
  compatibility(change, forms) {
    const before = fieldOf(forms, change);
    const after = alteredField(change, before);
    return typeCompatibility(before, after, mappingOf(change, before, after).compatibility);
  },
  effort: () => 'new field needed',
};

function mappingIn(change: TypeChange, forms: Forms) {
  const before = fieldOf(forms, change);
  return mappingOf(change, before, alteredField(change, before));
}

const withoutLabel = (type: string): string => type.replace(/^(optional|repeated|required) /, '');

function alteredField(change: TypeChange, before: FieldForm): FieldForm {
  const where = `${change.message}.${change.field}`;
  if (withoutLabel(change.from) !== before.type) {
    throw new ImpossibleChange(`${where} is ${before.type}, not ${change.from}`);
  }
  const type = SCALAR_TYPES.find((scalar) => scalar === withoutLabel(change.to));
  if (type === undefined) throw new ImpossibleChange(`${where} cannot become ${change.to}`);
  const isOptional = change.to.startsWith('optional ') && before.cardinality === 'singular';
  const wasPackable = isPackable(before.type);
  return {
    ...before,
    type,
    typeName: undefined,
    presence: isOptional && before.presence === 'implicit' ? 'explicit' : before.presence,
    packed: before.cardinality === 'repeated' && isPackable(type) && (wasPackable ? before.packed : true),
  };
}
