import { SCALAR_TYPES } from '../../schema/declaration.ts';
import type { FieldType, ScalarType } from '../../schema/descriptor.ts';
import { isPackable } from '../../schema/wire-types.ts';
import { type ChangeKind, ImpossibleChange, type TypeChange } from '../change.ts';
import { BYTE_PLANES, hasPlanes } from '../conversions/byte-planes.ts';
import { mappingOf } from '../conversions/conversions.ts';
import { ONLY_FIELD, onlyFieldOf, writtenType } from '../conversions/only-field.ts';
import { RANGES } from '../conversions/plain.ts';
import type { FieldEncodings, FieldForm } from '../forms.ts';
import { checkVisible, targetField } from './target.ts';
import { typeCompatibility } from './type-compatibility.ts';

/** https://protobuf.dev/programming-guides/proto3/#maps: any integral or string type. */
const MAP_KEYS: ReadonlySet<string> = new Set(
  SCALAR_TYPES.filter((type) => type !== 'bytes' && type !== 'float' && type !== 'double'),
);

/** Another type with the same number: a scalar, or the contents of the field's message. `optional` adds presence. */
export const typeChange: ChangeKind<TypeChange> = {
  alter(change, forms) {
    const before = targetField(forms, change);
    const after = alteredField(change, before, forms);
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
    const before = targetField(forms, change);
    const after = alteredField(change, before, forms);
    return typeCompatibility(before, after, mappingOf(change, before, after));
  },
  effort: () => 'new field needed',
};

function mappingIn(change: TypeChange, forms: FieldEncodings) {
  const before = targetField(forms, change);
  return mappingOf(change, before, alteredField(change, before, forms));
}

const withoutLabel = (type: string): string => type.replace(/^(optional|repeated|required) /, '');

function alteredField(change: TypeChange, before: FieldForm, forms: FieldEncodings): FieldForm {
  const where = `${change.message}.${change.field}`;
  const from = withoutLabel(change.from);
  if (from !== before.type && from !== before.typeName) {
    throw new ImpossibleChange(`${where} is ${before.typeName ?? before.type}, not ${change.from}`);
  }
  const isOptional =
    change.to.startsWith('optional ') && (before.cardinality === 'singular' || change.value === BYTE_PLANES);
  const inner = change.value === ONLY_FIELD ? onlyFieldOf(before, change.message, forms) : undefined;
  if (inner !== undefined) {
    checkVisible(inner, change.message, forms);
    const isList = inner.cardinality === 'repeated';
    if (withoutLabel(change.to) !== writtenType(inner) || isList !== change.to.startsWith('repeated ')) {
      throw new ImpossibleChange(`${where} holds ${isList ? 'repeated ' : ''}${writtenType(inner)}, not ${change.to}`);
    }
    return withPresence({ ...before, type: inner.type, typeName: inner.typeName }, isList, isOptional, change, forms);
  }
  const type = SCALAR_TYPES.find((scalar) => scalar === withoutLabel(change.to));
  if (type === undefined || before.type === 'group' || before.cardinality === 'map') {
    throw new ImpossibleChange(`${where} cannot become ${change.to}`);
  }
  if (before.type === 'message') {
    if (before.name.startsWith('[')) throw new ImpossibleChange(`${where} is an extension`);
    return withPresence({ ...before, type, typeName: undefined }, false, isOptional, change, forms);
  }
  if (change.value === BYTE_PLANES && hasPlanes(before)) {
    const alone = { ...before, type, cardinality: 'singular', presence: 'explicit', packed: false } as const;
    return withPresence(alone, false, isOptional, change, forms);
  }
  const wasPackable = isPackable(before.type);
  return {
    ...before,
    type,
    typeName: undefined,
    presence: isOptional && before.presence === 'implicit' ? 'explicit' : before.presence,
    packed: before.cardinality === 'repeated' && isPackable(type) && (wasPackable ? before.packed : true),
    defaultValue: change.value === undefined && isDefaultOf(type, before) ? before.defaultValue : undefined,
  };
}

/** Whether the default of a number means the same in another type; defaults of `enum` and `bool` are names. */
function isDefaultOf(type: ScalarType, { type: before, defaultValue }: FieldForm): boolean {
  if (defaultValue === undefined || NAMED.has(before) || NAMED.has(type)) return false;
  const range = RANGES[type];
  const isInteger = range !== undefined && RANGES[before] !== undefined;
  if (isInteger) return BigInt(defaultValue) >= range[0] && BigInt(defaultValue) <= range[1];
  return FLOATS.has(type) && FLOATS.has(before);
}

const NAMED: ReadonlySet<FieldType> = new Set(['enum', 'bool']);
const FLOATS: ReadonlySet<FieldType> = new Set(['float', 'double']);

/** If a message becomes a scalar value, only `optional` keeps its presence in proto3. */
function withPresence(
  field: FieldForm,
  isList: boolean,
  isOptional: boolean,
  { message }: TypeChange,
  forms: FieldEncodings,
): FieldForm {
  const cardinality = isList ? 'repeated' : field.cardinality;
  const file = forms.registry.messages.get(message)?.file;
  const isProto3 = forms.registry.files.find(({ path }) => path === file)?.syntax === 'proto3';
  const isKept = isOptional || !isProto3 || field.type === 'message' || field.oneof !== undefined;
  const entry = forms.get(message);
  // The fields of a map entry have the presence that the file's defaults give them.
  const isImplicit =
    entry?.isMapEntry === true && field.type !== 'message'
      ? entry.byName.get('key')!.presence === 'implicit'
      : cardinality === 'singular' && !isKept;
  return {
    ...field,
    cardinality,
    presence: isList ? 'none' : isImplicit ? 'implicit' : field.presence,
    packed: cardinality === 'repeated' && isPackable(field.type),
  };
}
