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
import { type Features, inheritFeatures } from './features.ts';
import { checkLinkedField, isPackable } from './field-rules.ts';
import { type Linking, silent } from './linking.ts';
import { NO_OPTIONS } from './options.ts';
import { explainUnresolved, refuseLocal } from './rules.ts';
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

/** The place that a field is declared in. */
export interface FieldPlace {
  /** The message that it belongs to; for an extension, the extended message. */
  readonly parent: MessageDescriptor;
  readonly oneof?: OneofDescriptor | undefined;
  readonly file: FileDeclaration;
  /** The features of the message, file or oneof around it. */
  readonly features: Features;
  /** Full name; only for an extension. */
  readonly extensionName?: string;
}

/** @returns undefined: its type cannot be resolved, which is reported */
export function linkField(
  declaration: FieldDeclaration,
  { parent, oneof, file, features: around, extensionName }: FieldPlace,
  linking: Linking,
): LinkedField | undefined {
  const { name, options, typeSpan } = declaration;
  const fullName = extensionName ?? knownName(linking.scope, file, qualify(parent.fullName, name));
  const isExtension = extensionName !== undefined;
  const features = inheritFeatures(around, options);

  const entry = isExtension ? undefined : ownEntry(declaration.typeName, parent);
  const named = namedType(declaration, fullName, entry, file, linking);
  if (named === undefined) return undefined;
  const message = entry ?? named?.message;
  const isRepeated = declaration.label === 'repeated';
  const isMap = isRepeated && message?.isMapEntry === true;
  if (message?.isMapEntry && !(isMap && message.fullName === qualify(parent.fullName, message.name))) {
    const text = `"${message.fullName}" belongs to a map field and cannot be used as a type.`;
    linking.report?.(file, typeSpan, 'schema/map', text);
    return undefined;
  }
  const isOfEntry = parent.isMapEntry && !isExtension;
  const isDelimited =
    declaration.type === 'group' || (features.message_encoding === 'DELIMITED' && !isMap && !isOfEntry);
  const ofMessage = isDelimited ? 'group' : 'message';
  const type = message ? ofMessage : named ? 'enum' : (declaration.type as FieldType);

  const field = new LinkedField(name, fullName, declaration.number, type, parent, file.path);
  field.jsonName = isExtension ? `[${fullName}]` : (declaration.jsonName ?? jsonNameOf(name));
  field.cardinality = isMap ? 'map' : isRepeated ? 'repeated' : 'singular';
  field.message = message;
  field.enum = named?.enum;
  field.oneof = oneof;
  field.isExtension = isExtension;
  field.presence = presenceOf(field, declaration, features);
  field.packed = isPackable(field) && (flagOf(options, 'packed') ?? features.repeated_field_encoding === 'PACKED');
  if (linking.report !== undefined) checkLinkedField(field, declaration, file, linking.report);
  field.defaultValue = defaultOf(field, declaration, file, linking.report ?? silent);
  field.deprecated = flagOf(options, 'deprecated') === true;
  field.declaredComment = declaration.comment;
  field.isWrittenAsGroup = declaration.type === 'group';
  field.rawOptions = options;
  field.features = features;
  return field;
}

/** The type that the declaration names; null: a scalar type, or only its own map entry; undefined: refused. */
function namedType(
  { name, type, typeName, typeKind, typeSpan, span, isMap }: FieldDeclaration,
  fullName: string,
  entry: MessageDescriptor | undefined,
  file: FileDeclaration,
  { scope, graph, symbols, report = silent }: Linking,
): SchemaSymbol | null | undefined {
  if (typeName === undefined) {
    if (type !== undefined && type !== 'group') return null;
    report(file, span, 'schema/unresolved-type', `"${name}" has no type.`);
    return undefined;
  }
  const found = scope.resolve(typeName, fullName, graph.visibleFrom(file), isType);
  if (found.kind !== 'symbol' || !isType(found.symbol)) {
    if (entry !== undefined) return null;
    const [code, message] = explainUnresolved(typeName, found, file, graph);
    report(file, typeSpan, code, message);
    return undefined;
  }
  const { symbol } = found;
  if (!isMap) symbols.refer(file, symbol, typeSpan);
  if (typeKind !== undefined && symbol.kind !== typeKind) {
    const text = `"${symbol.fullName}" is declared as ${typeKind}, but is not one.`;
    report(file, typeSpan, 'schema/type-mismatch', text);
    return undefined;
  }
  refuseLocal(symbol, file, typeSpan, report);
  return symbol;
}

function presenceOf(
  { cardinality, message, oneof, isExtension }: FieldDescriptor,
  { label, oneof: declaredOneof }: FieldDeclaration,
  { field_presence: feature }: Features,
): Presence {
  if (cardinality !== 'singular') return 'none';
  if (label === 'required' || (feature === 'LEGACY_REQUIRED' && !oneof && !isExtension)) return 'required';
  if (message || oneof || declaredOneof !== undefined || isExtension || label === 'optional') return 'explicit';
  return feature === 'IMPLICIT' ? 'implicit' : 'explicit';
}

/** The name as the scope of a text has it, so that it is kept once. */
const knownName = (scope: NameScope, { lines }: FileDeclaration, fullName: string): string =>
  lines === undefined ? fullName : (scope.get(fullName)?.fullName ?? fullName);

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

function defaultOf(
  { type, enum: values, presence }: FieldDescriptor,
  { defaultValue, label }: FieldDeclaration,
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
    values?.values.map(({ name }) => name),
  );
  return printed.ok ? printed.text : refuse(`The default must be ${printed.expected}.`);
}
