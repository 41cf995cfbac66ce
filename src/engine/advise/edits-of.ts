/** Altered forms → the schema edits that produce them. */
import { SCALAR_TYPES } from '../schema/declaration.ts';
import type { FieldAddition, FieldEdit, SchemaEdits } from '../schema/edit/schema-edits.ts';
import { parentOf } from '../schema/names.ts';
import { isPackable } from '../schema/wire-types.ts';
import { type Change, type ChangedField, ImpossibleChange, type NumberChange } from './change.ts';
import { textFieldsOf } from './changes/symbol-table.ts';
import { type FieldEncodings, type FieldForm, freeNumber, type MessageForm } from './forms.ts';

export function editsOf(before: FieldEncodings, after: FieldEncodings): SchemaEdits {
  const fields: FieldEdit[] = [];
  const added: FieldAddition[] = [];
  for (const form of after.altered.values()) {
    const was = before.get(form.fullName)!;
    const file = after.registry.messages.get(form.fullName)!.file;
    const isProto3 = after.registry.files.find(({ path }) => path === file)?.syntax === 'proto3';
    for (const field of form.fields) {
      const old = was.byName.get(field.name);
      if (old === undefined) added.push(additionOf(form.fullName, field));
      else if (old !== field) {
        const edit = {
          message: form.fullName,
          field: field.name,
          ...(was.isMapEntry ? typeOf(old, field) : difference(old, field, after, isProto3)),
        };
        if (Object.keys(edit).length > 2) fields.push(edit);
      }
    }
  }
  const used = new Set([...after.altered.values()].flatMap((form) => form.fields.map(({ typeName }) => typeName)));
  const enums = after.enums.filter(({ message, name }) => used.has(`${message}.${name}`));
  return { fields, added, enums, reserved: [] };
}

/** A message whose encoding changes keeps its type. */
function typeOf(before: FieldForm, after: FieldForm): Partial<FieldEdit> {
  const isSame = before.typeName === after.typeName && (after.typeName !== undefined || before.type === after.type);
  return isSame ? {} : writtenType(after);
}

function writtenType({ type, typeName }: FieldForm): Pick<FieldAddition, 'type' | 'typeName'> {
  const scalar = SCALAR_TYPES.find((one) => one === type);
  return scalar === undefined ? { type: type === 'enum' ? 'enum' : 'message', typeName } : { type: scalar };
}

function difference(before: FieldForm, after: FieldForm, forms: FieldEncodings, isProto3: boolean): Partial<FieldEdit> {
  const isRecoded = (before.type === 'group') !== (after.type === 'group');
  const isSplit = before.cardinality === 'map' && after.cardinality === 'repeated';
  const isScalar = after.type !== 'message' && after.type !== 'group';
  // A message field has presence; the scalar that replaces it would have the file's default presence. Its presence is
  // therefore set explicitly.
  const isUnwrapped = before.type === 'message' && isScalar;
  const isSaid = isUnwrapped && after.cardinality === 'singular' && after.oneof === undefined;
  const isFreed = before.oneof !== undefined && after.oneof === undefined && isScalar;
  // Without an option, a field that could not be packed before is packed in proto3 alone.
  const wasPacked = isPackable(before.type) ? before.packed : isProto3;
  const isPacked = after.cardinality === 'repeated' && isPackable(after.type) && after.packed !== wasPacked;
  const presenceOf = (part: string) =>
    forms.field(after.typeName!, part)!.presence === 'implicit' ? 'implicit' : 'explicit';
  return {
    ...typeOf(before, after),
    ...(before.cardinality === 'singular' && after.cardinality === 'repeated' ? { isRepeated: true } : {}),
    ...(before.cardinality === 'repeated' && after.cardinality === 'singular' ? { isRepeated: false } : {}),
    ...(isSplit ? { entries: { key: presenceOf('key'), value: presenceOf('value') } } : {}),
    ...(before.number === after.number ? {} : { number: after.number }),
    ...(before.oneof === after.oneof ? {} : { oneof: after.oneof ?? null }),
    ...((before.presence !== after.presence || isSaid || isFreed) &&
    after.oneof === undefined &&
    (after.presence === 'explicit' || after.presence === 'implicit')
      ? { presence: after.presence }
      : {}),
    ...(before.defaultValue === after.defaultValue ? {} : { hasDefault: false }),
    ...(isPacked ? { packed: after.packed } : {}),
    ...(isRecoded ? { encoding: after.type === 'group' ? 'delimited' : 'length-prefixed' } : {}),
  };
}

function additionOf(message: string, field: FieldForm): FieldAddition {
  const { name, number, cardinality, presence, packed } = field;
  const label = cardinality === 'repeated' ? 'repeated' : presence === 'implicit' ? 'implicit' : 'explicit';
  return { message, name, number, ...writtenType(field), cardinality: label, packed };
}

/**
 * Finds changes after which old records would be misread or could not be read. Each such field gets a new number, and
 * the old number is reserved.
 * @throws ImpossibleChange where a message has no number left
 */
export function newNumbers(
  changes: readonly Change[],
  before: FieldEncodings,
  after: FieldEncodings,
): { readonly moves: readonly NumberChange[]; readonly reserved: SchemaEdits['reserved'] } {
  const moves: NumberChange[] = [];
  const used = new Map<string, Set<number>>();
  const altered = changes.flatMap(recoded).filter(({ message }) => after.altered.has(message));
  for (const { message, field: name } of altered.map((one) => numberedField(one, before))) {
    const was = before.field(message, name);
    const field = after.field(message, name);
    if (was === undefined || field === undefined) continue;
    // A number that a field had before, this or another one, is not used again.
    if (!before.get(message)!.byNumber.has(field.number)) continue;
    if (moves.some((move) => move.message === message && move.field === name)) continue;
    const others = used.get(message) ?? new Set(before.get(message)!.fields.map(({ number }) => number));
    used.set(message, others);
    const form = after.get(message)!;
    const number = isExtension(name) ? freeExtensionNumber(form, others, before) : freeNumber(form, others);
    if (number === undefined) throw new ImpossibleChange(`${message} has no number left for another field`);
    others.add(number);
    moves.push({ change: 'number', message, field: name, from: field.number, to: number });
  }
  // No number of an extension range can be reserved.
  const reserved = moves
    .filter(({ field }) => !isExtension(field))
    .map(({ message, from }) => ({ message, number: from }));
  // Numbers that renumbering freed are not used again either.
  for (const form of after.altered.values()) {
    if (before.get(form.fullName)!.isMapEntry) continue;
    for (const { name, number } of before.get(form.fullName)!.fields) {
      if (!form.byNumber.has(number) && !isExtension(name)) reserved.push({ message: form.fullName, number });
    }
  }
  return { moves, reserved };
}

const isExtension = (name: string): boolean => name.startsWith('[');

/** The lowest free number that the message leaves to extensions. */
function freeExtensionNumber(
  form: MessageForm,
  others: ReadonlySet<number>,
  { registry }: FieldEncodings,
): number | undefined {
  for (const { start, end } of registry.messages.get(form.fullName)!.extensionRanges) {
    for (let number = start; number < end; number++) {
      if (!form.byNumber.has(number) && !others.has(number)) return number;
    }
  }
  return undefined;
}

/** The field by whose number readers distinguish old records from new ones: the map, if the key or value of its entries is recoded. */
function numberedField(changed: ChangedField, forms: FieldEncodings): ChangedField {
  const { message } = changed;
  if (forms.get(message)?.isMapEntry !== true) return changed;
  const owner = parentOf(message);
  const map = forms.get(owner)!.fields.find(({ typeName }) => typeName === message)!;
  return { message: owner, field: map.name };
}

/** Fields whose records have another meaning, another wire type, or another number. */
function recoded(change: Change): readonly ChangedField[] {
  switch (change.change) {
    case 'type':
    case 'enum':
    case 'message encoding':
    case 'number':
      return [change];
    case 'symbol table':
      return textFieldsOf(change);
    default:
      return [];
  }
}
