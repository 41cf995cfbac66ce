/** protoc's rules for a field whose type is resolved. */
import type { FieldDeclaration, FileDeclaration, RawOption } from '../declaration.ts';
import type { FieldDescriptor } from '../descriptor.ts';
import { jsonNameOf } from '../names.ts';
import { flagOf, optionNamed } from '../options/raw-options.ts';
import type { ReportFinding } from '../report.ts';
import { declaredFeatures } from './features.ts';
import { isMessageSet } from './rules.ts';

/** Whether its elements can be written as one packed run. */
export const isPackable = ({ cardinality, type }: FieldDescriptor): boolean =>
  cardinality === 'repeated' && type !== 'string' && type !== 'bytes' && type !== 'message' && type !== 'group';

export function checkLinkedField(
  field: FieldDescriptor,
  declaration: FieldDeclaration,
  file: FileDeclaration,
  report: ReportFinding,
): void {
  const { parent, type, presence, isExtension, enum: values } = field;
  const { options, typeSpan } = declaration;
  const refuse = (code: string, message: string, span = declaration.span) => report(file, span, code, message);
  if (isExtension && isMessageSet(parent) && (type !== 'message' || field.cardinality !== 'singular')) {
    refuse('schema/message-set', 'A message set is extended by single messages only.');
  }
  if (presence === 'required' && isExtension) {
    refuse('schema/extension', 'An extension cannot be required: old writers do not know it.');
  }
  const packed = flagOf(options, 'packed');
  if (packed !== undefined && !file.syntax.startsWith('proto')) {
    const text = 'Editions have no option "packed"; use features.repeated_field_encoding.';
    refuse('schema/option', text, optionNamed(options, 'packed')?.span);
  } else if (packed === true && !isPackable(field)) {
    refuse('schema/option', 'Only repeated fields of numbers, bools and enums can be packed.');
  }
  const isOfEntry = parent.isMapEntry && !isExtension;
  // The fields of a map entry use the options of the map field.
  if (options.length > 0 && !isOfEntry) {
    checkFeatures(field, options, (text) => refuse('schema/feature', text));
    checkPlainOptions(field, options, file, (text, span) => refuse('schema/option', text, span));
  }
  if (declaration.jsonName !== undefined && file.lines !== undefined) {
    checkJsonName(declaration.jsonName, field, (text) => refuse('schema/json-name', text));
  }
  const first = isOfEntry ? values?.values[0] : undefined;
  if (first !== undefined && first.number !== 0) {
    const text = `An enum that a map holds begins with 0; "${values!.fullName}" does not.`;
    refuse('schema/map', text, typeSpan);
  }
  if (values?.closed && presence === 'implicit') {
    const text = `"${values.fullName}" is a closed enum, whose default is not zero; a field without presence needs an open one.`;
    refuse('schema/closed-enum', text, typeSpan);
  }
}

function checkJsonName(jsonName: string, { name, isExtension }: FieldDescriptor, refuse: (text: string) => void): void {
  if (isExtension && jsonName !== jsonNameOf(name)) {
    refuse('The JSON name of an extension is its full name in brackets.');
  } else if (jsonName.includes('\0')) refuse('A JSON name holds no zero byte.');
  else if (/^\[.*\]$/s.test(jsonName)) refuse('Names in brackets are those of extensions in JSON.');
}

/** Whether it is text, or a map whose key or value is. */
const holdsText = ({ type, cardinality, message }: FieldDescriptor): boolean =>
  type === 'string' || (cardinality === 'map' && message!.fields.some((member) => member.type === 'string'));

const LARGE_INTEGERS = /^(s?fixed|[su]?int)64$/;

/** Checks options that change no bytes but that protoc rejects. */
function checkPlainOptions(
  { type, isExtension }: FieldDescriptor,
  options: readonly RawOption[],
  file: FileDeclaration,
  refuse: (message: string, span: FieldDeclaration['span']) => void,
): void {
  for (const option of options) {
    if (option.kind !== 'text' || option.name.length > 1 || option.value.kind !== 'identifier') continue;
    const { text, isExtension: isCustom } = option.name[0]!;
    if (isCustom) continue;
    if (text === 'jstype' && option.value.text !== 'JS_NORMAL' && !LARGE_INTEGERS.test(type)) {
      refuse('Only whole numbers of 64 bits have a jstype.', option.span);
    }
    if ((text === 'lazy' || text === 'unverified_lazy') && option.value.text === 'true' && type !== 'message') {
      refuse(`Only messages can be ${text}.`, option.span);
    } else if (text === 'unverified_lazy' && option.value.text === 'true' && isExtension) {
      refuse('An extension cannot be unverified_lazy.', option.span);
    }
    if (text === 'ctype' && !file.syntax.startsWith('proto') && file.syntax !== '2023') {
      refuse('From edition 2024 on, use features.(pb.cpp).string_type instead of ctype.', option.span);
    }
  }
}

function checkFeatures(field: FieldDescriptor, options: readonly RawOption[], refuse: (message: string) => void): void {
  const own = declaredFeatures(options);
  const isRepeated = field.cardinality !== 'singular';
  if (own.field_presence !== undefined) {
    if (isRepeated) refuse('A repeated field has no presence to set.');
    else if (field.oneof) refuse('A field of a oneof always has explicit presence.');
    else if (field.isExtension) refuse('An extension always has explicit presence.');
    else if (field.message && own.field_presence === 'IMPLICIT') refuse('A message always has explicit presence.');
  }
  if (own.repeated_field_encoding !== undefined && !isRepeated) {
    refuse('Only repeated fields have features.repeated_field_encoding.');
  } else if (own.repeated_field_encoding === 'PACKED' && !isPackable(field)) {
    refuse('Only repeated fields of numbers, bools and enums can be packed.');
  }
  if (own.utf8_validation !== undefined && !holdsText(field)) refuse('Only text has features.utf8_validation.');
  if (own.message_encoding !== undefined && (!field.message || field.cardinality === 'map')) {
    refuse('Only messages have features.message_encoding.');
  }
}
