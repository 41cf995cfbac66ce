/** A field's declaration, with the features of its scope → its descriptor. */

import {
  type Comment,
  commentText,
  type FieldDeclaration,
  type FileDeclaration,
  type RawOption,
} from '../declaration.ts';
import type {
  EnumDescriptor,
  FieldDescriptor,
  FieldType,
  MessageDescriptor,
  OneofDescriptor,
  OptionUsage,
  Presence,
} from '../descriptor.ts';
import { jsonNameOf, shortNameOf } from '../names.ts';
import { flagOf, plainWords } from '../options/raw-options.ts';
import { usageOf } from '../options/usage.ts';
import type { ReportFinding } from '../report.ts';
import { printDefault } from './default-value.ts';
import { declaredFeatures, type Features, inheritFeatures } from './features.ts';
import { type Linking, silent } from './linking.ts';
import { NO_OPTIONS } from './options.ts';
import { explainUnresolved, isMessageSet, refuseLocal } from './rules.ts';
import { isType, type NameScope, qualify, type SchemaSymbol } from './scope.ts';

/** Map entries of a message by name. Looked up for each of its fields, of which there may be thousands. */
const entries = new WeakMap<MessageDescriptor, ReadonlyMap<string, MessageDescriptor>>();

/**
 * The map entry that the message declares for the field. If another file declared the message first, the entry's name
 * means that one's, or nothing.
 */
function ownEntry(typeName: string | undefined, parent: MessageDescriptor): MessageDescriptor | undefined {
  if (typeName === undefined) return undefined;
  let own = entries.get(parent);
  if (own === undefined) {
    own = new Map(parent.messages.filter(({ isMapEntry }) => isMapEntry).map((entry) => [entry.name, entry]));
    entries.set(parent, own);
  }
  const entry = own.get(shortNameOf(typeName));
  return entry && `.${entry.fullName}`.endsWith(`.${typeName.replace(/^\./, '')}`) ? entry : undefined;
}

/**
 * @param parent the message that it belongs to; for an extension, the extended message
 * @param around the features of the message, file or oneof that it is declared in
 * @param extensionName full name; only for an extension
 * @returns undefined: its type cannot be resolved, which is reported
 */
export function linkField(
  declaration: FieldDeclaration,
  parent: MessageDescriptor,
  oneof: OneofDescriptor | undefined,
  file: FileDeclaration,
  around: Features,
  { scope, graph, symbols, report = silent }: Linking,
  extensionName?: string,
): LinkedField | undefined {
  const fullName = extensionName ?? knownName(scope, file, qualify(parent.fullName, declaration.name));
  const isExtension = extensionName !== undefined;
  const features = inheritFeatures(around, declaration.options);
  const refuse = (code: string, message: string, span = declaration.span) => report(file, span, code, message);

  const entry = isExtension ? undefined : ownEntry(declaration.typeName, parent);
  let named: SchemaSymbol | undefined;
  if (declaration.typeName !== undefined) {
    const found = scope.resolve(declaration.typeName, fullName, graph.visibleFrom(file), isType);
    if (found.kind === 'symbol' && isType(found.symbol)) named = found.symbol;
    else if (entry === undefined) {
      const [code, message] = explainUnresolved(declaration.typeName, found, file, graph.isIncomplete(file));
      refuse(code, message, declaration.typeSpan);
      return undefined;
    }
  }
  if (named !== undefined) {
    if (!declaration.isMap) symbols.refer(file, named, declaration.typeSpan);
    const expected = declaration.typeKind;
    if (expected !== undefined && named.kind !== expected) {
      refuse(
        'schema/type-mismatch',
        `"${named.fullName}" is declared as ${expected}, but is not one.`,
        declaration.typeSpan,
      );
      return undefined;
    }
    refuseLocal(named, file, declaration.typeSpan, report);
  } else if (entry === undefined && (declaration.type === undefined || declaration.type === 'group')) {
    refuse('schema/unresolved-type', `"${declaration.name}" has no type.`);
    return undefined;
  }

  const message = entry ?? named?.message;
  const isRepeated = declaration.label === 'repeated';
  const isMap = isRepeated && message?.isMapEntry === true;
  if (message?.isMapEntry && !(isMap && message.fullName === qualify(parent.fullName, message.name))) {
    refuse(
      'schema/map',
      `"${message.fullName}" belongs to a map field and cannot be used as a type.`,
      declaration.typeSpan,
    );
    return undefined;
  }
  const isDelimited =
    declaration.type === 'group' ||
    (message !== undefined &&
      features.message_encoding === 'DELIMITED' &&
      !isMap &&
      !(parent.isMapEntry && !isExtension));
  const type: FieldType = message
    ? isDelimited
      ? 'group'
      : 'message'
    : named
      ? 'enum'
      : (declaration.type as FieldType);

  let presence: Presence = features.field_presence === 'IMPLICIT' ? 'implicit' : 'explicit';
  if (isRepeated) presence = 'none';
  else if (
    declaration.label === 'required' ||
    (features.field_presence === 'LEGACY_REQUIRED' && !oneof && !isExtension)
  ) {
    presence = 'required';
  } else if (message || oneof || declaration.oneof !== undefined || isExtension || declaration.label === 'optional') {
    presence = 'explicit';
  }
  const packedOption = flagOf(declaration.options, 'packed');
  const isPackable = isRepeated && type !== 'string' && type !== 'bytes' && type !== 'message' && type !== 'group';
  const packed = isPackable && (packedOption ?? features.repeated_field_encoding === 'PACKED');

  if (isExtension && isMessageSet(parent) && (type !== 'message' || isRepeated)) {
    refuse('schema/message-set', 'A message set is extended by single messages only.');
  }
  if (presence === 'required' && isExtension) {
    refuse('schema/extension', 'An extension cannot be required: old writers do not know it.');
  }
  if (packedOption !== undefined && !file.syntax.startsWith('proto')) {
    const span = spanOf(declaration.options, 'packed') ?? declaration.span;
    refuse('schema/option', 'Editions have no option "packed"; use features.repeated_field_encoding.', span);
  } else if (packedOption === true && !isPackable) {
    refuse('schema/option', 'Only repeated fields of numbers, bools and enums can be packed.');
  }
  // The fields of a map entry use the options of the map field.
  if (declaration.options.length > 0 && !(parent.isMapEntry && !isExtension)) {
    const isText = type === 'string' || (isMap && holdsText(message!));
    const kind = { message, isMap, isRepeated, isPackable, isExtension, isText, oneof };
    checkFeatures(declaration, kind, (text) => refuse('schema/feature', text));
    checkPlainOptions(declaration.options, type, isExtension, file, (text, span) =>
      refuse('schema/option', text, span),
    );
  }
  if (declaration.jsonName !== undefined && file.lines !== undefined) {
    const isOwn = declaration.jsonName === jsonNameOf(declaration.name);
    if (isExtension && !isOwn)
      refuse('schema/json-name', 'The JSON name of an extension is its full name in brackets.');
    else if (declaration.jsonName.includes('\0')) refuse('schema/json-name', 'A JSON name holds no zero byte.');
    else if (/^\[.*\]$/s.test(declaration.jsonName)) {
      refuse('schema/json-name', 'Names in brackets are those of extensions in JSON.');
    }
  }
  const first = named?.enum?.values[0];
  if (parent.isMapEntry && !isExtension && first !== undefined && first.number !== 0) {
    const text = `An enum that a map holds begins with 0; "${named?.fullName}" does not.`;
    refuse('schema/map', text, declaration.typeSpan);
  }
  if (named?.enum?.closed && presence === 'implicit') {
    const text = `"${named.fullName}" is a closed enum, whose default is not zero; a field without presence needs an open one.`;
    refuse('schema/closed-enum', text, declaration.typeSpan);
  }
  const field = new LinkedField(declaration.name, fullName, declaration.number, type, parent, file.path);
  field.jsonName = isExtension ? `[${fullName}]` : (declaration.jsonName ?? jsonNameOf(declaration.name));
  field.cardinality = isMap ? 'map' : isRepeated ? 'repeated' : 'singular';
  field.presence = presence;
  field.packed = packed;
  field.message = message;
  field.enum = named?.enum;
  field.oneof = oneof;
  field.isExtension = isExtension;
  field.defaultValue = defaultOf(declaration, type, named, presence, file, report);
  field.deprecated = flagOf(declaration.options, 'deprecated') === true;
  field.declaredComment = declaration.comment;
  field.isWrittenAsGroup = declaration.type === 'group';
  field.rawOptions = declaration.options;
  field.features = features;
  return field;
}

/** The name as the scope of a text has it, so that it is kept once. */
const knownName = (scope: NameScope, { lines }: FileDeclaration, fullName: string): string =>
  lines === undefined ? fullName : (scope.get(fullName)?.fullName ?? fullName);

/** Whether the key or value of a map entry is text. */
const holdsText = ({ fields }: MessageDescriptor): boolean => fields.some(({ type }) => type === 'string');

export class LinkedField implements FieldDescriptor {
  readonly kind = 'field';
  readonly name: string;
  jsonName = '';
  readonly fullName: string;
  readonly number: number;
  readonly type: FieldType;
  cardinality: FieldDescriptor['cardinality'] = 'singular';
  presence: Presence = 'none';
  packed = false;
  readonly file: string;
  readonly parent: MessageDescriptor;
  message: MessageDescriptor | undefined = undefined;
  enum: EnumDescriptor | undefined = undefined;
  oneof: OneofDescriptor | undefined = undefined;
  isExtension = false;
  defaultValue: string | undefined = undefined;
  deprecated = false;
  content: MessageDescriptor | undefined = undefined;
  options: FieldDescriptor['options'] = NO_OPTIONS;
  declaredComment: Comment = undefined;
  isWrittenAsGroup = false;
  /** As written. Most are never read. */
  rawOptions: readonly RawOption[] = [];
  features: Features | undefined = undefined;

  constructor(
    name: string,
    fullName: string,
    number: number,
    type: FieldType,
    parent: MessageDescriptor,
    file: string,
  ) {
    this.name = name;
    this.fullName = fullName;
    this.number = number;
    this.type = type;
    this.parent = parent;
    this.file = file;
  }

  get plain(): Readonly<Record<string, string>> {
    const words = plainWords(this.rawOptions);
    if (this.type === 'string' && this.features) words['features.utf8_validation'] = this.features.utf8_validation;
    return words;
  }

  get usage(): OptionUsage | undefined {
    return usageOf(this.rawOptions);
  }

  get comment(): string | undefined {
    // A comment above a group describes its field, although protoc attaches it to the message.
    return commentText(this.declaredComment) ?? (this.isWrittenAsGroup ? this.message?.comment : undefined);
  }
}

const spanOf = (options: readonly RawOption[], name: string) => {
  const found = options.find((option) => option.kind === 'text' && option.name[0]?.text === name);
  return found?.kind === 'text' ? found.span : undefined;
};

function defaultOf(
  { defaultValue, label }: FieldDeclaration,
  type: FieldType,
  named: SchemaSymbol | undefined,
  presence: Presence,
  file: FileDeclaration,
  report: ReportFinding,
): string | undefined {
  if (defaultValue === undefined) return undefined;
  const { value, span } = defaultValue;
  if (typeof value === 'string') return value;
  const refuse = (message: string) => {
    report(file, span, 'schema/default', message);
    return undefined;
  };
  if (file.syntax === 'proto3') return refuse('proto3 has no defaults of its own.');
  if (label === 'repeated') return refuse('A repeated field has no default.');
  if (presence === 'implicit') return refuse('A field without presence has no default of its own.');
  const printed = printDefault(
    value,
    type,
    named?.enum?.values.map(({ name }) => name),
  );
  return printed.ok ? printed.text : refuse(`The default must be ${printed.expected}.`);
}

const LARGE_INTEGERS = /^(s?fixed|[su]?int)64$/;

/** Checks options that change no bytes but that protoc rejects. */
function checkPlainOptions(
  options: readonly RawOption[],
  type: FieldType,
  isExtension: boolean,
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

function checkFeatures(
  { options }: FieldDeclaration,
  field: {
    readonly message: MessageDescriptor | undefined;
    readonly isMap: boolean;
    readonly isText: boolean;
    readonly isRepeated: boolean;
    readonly isPackable: boolean;
    readonly isExtension: boolean;
    readonly oneof: OneofDescriptor | undefined;
  },
  refuse: (message: string) => void,
): void {
  const own = declaredFeatures(options);
  if (own.field_presence !== undefined) {
    if (field.isRepeated) refuse('A repeated field has no presence to set.');
    else if (field.oneof) refuse('A field of a oneof always has explicit presence.');
    else if (field.isExtension) refuse('An extension always has explicit presence.');
    else if (field.message && own.field_presence === 'IMPLICIT') refuse('A message always has explicit presence.');
  }
  if (own.repeated_field_encoding !== undefined && !field.isRepeated) {
    refuse('Only repeated fields have features.repeated_field_encoding.');
  } else if (own.repeated_field_encoding === 'PACKED' && !field.isPackable) {
    refuse('Only repeated fields of numbers, bools and enums can be packed.');
  }
  if (own.utf8_validation !== undefined && !field.isText) refuse('Only text has features.utf8_validation.');
  if (own.message_encoding !== undefined && (!field.message || field.isMap)) {
    refuse('Only messages have features.message_encoding.');
  }
}
