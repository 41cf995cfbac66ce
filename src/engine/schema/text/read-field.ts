/**
 * A field's statement → its declaration, with the messages that it declares implicitly.
 *
 *   optional group Name = 1 [options] { … }     map<Key, Value> name = 2 [options];
 */
import {
  type FieldDeclaration,
  type MessageBody,
  type MessageDeclaration,
  NOWHERE,
  type RawOption,
  type RawValue,
  SCALAR_TYPES,
  type Syntax,
} from '../declaration.ts';
import type { ScalarType } from '../descriptor.ts';
import { mapEntryName } from '../names.ts';
import { commentOf, type FileReading, fault, splitOptions } from './reading.ts';
import { isInteger, parseField, type Surroundings } from './statement-parser.ts';
import type { Statement } from './statements.ts';
import type { Span, Token } from './tokens.ts';

/** Declarations in the block of a message. */
export type MessageBlock = Omit<
  MessageDeclaration,
  'name' | 'span' | 'extent' | 'comment' | 'isMapEntry' | 'visibility'
>;

export interface FieldContext {
  readonly block: Surroundings;
  readonly oneof?: number;
  readonly extendee?: string;
  readonly extendeeSpan?: Span;
  /** Reads the block of a group. */
  readonly readGroup: () => MessageBlock;
}

const LABELS = new Set(['optional', 'required', 'repeated']);

/** Reads one field, with the messages that it declares implicitly: a group's message, or a map's entry. */
export function readFieldStatement(
  reading: FileReading,
  statement: Statement,
  context: FieldContext,
): { readonly field: FieldDeclaration; readonly nested: readonly MessageDeclaration[] } {
  const { syntax } = reading;
  if (statement.from === statement.to) throw fault(statement, 'schema/syntax', 'Expected a field.');
  const { head, options: written } = splitOptions(reading, statement);
  const equals = head.findIndex((token) => token.text === '=' && token.kind === 'symbol');
  const nameToken = head[(equals < 0 ? head.length : equals) - 1];
  const numberToken = head[equals + 1];
  const isLabelled = LABELS.has(head[0]!.text);
  if (equals < 0) {
    throw fault(head.at(-1)!, 'schema/syntax', `Expected "=" and a field number after "${head.at(-1)!.text}".`);
  }
  if (nameToken?.kind !== 'word' || equals < (isLabelled ? 3 : 2)) {
    throw fault(nameToken ?? head[0]!, 'schema/syntax', 'Expected a type and a name before "=".');
  }
  if (numberToken?.kind !== 'number' || !isInteger(numberToken.text)) {
    throw fault(numberToken ?? head[equals]!, 'schema/syntax', 'Expected a field number after "=".');
  }
  refuseLabel(head[0]!, syntax, context.block);
  const keyword = head[isLabelled ? 1 : 0]!;
  const isGroup = keyword.text === 'group' && equals === (isLabelled ? 3 : 2) && statement.block !== undefined;
  if (statement.block !== undefined && !isGroup) {
    throw fault(reading.tokens[statement.to]!, 'schema/syntax', 'Expected ";" after the field; a block begins here.');
  }
  if (isGroup && !syntax.startsWith('proto')) {
    throw fault(keyword, 'schema/syntax', 'Editions have no groups; use features.message_encoding = DELIMITED.');
  }
  if (keyword.text === 'group' && !isGroup)
    throw fault(keyword, 'schema/syntax', 'A group needs a block with its fields.');
  refuseMap(head, isLabelled ? 1 : 0, context.block);
  if (syntax === 'proto2' && !isLabelled && context.block !== 'oneof' && head[1]!.text !== '<') {
    const labels = '"optional", "required" or "repeated"';
    throw fault(head[0]!, 'schema/missing-label', `A proto2 field needs a label: ${labels}.`);
  }
  const parsed = parseField(head);
  const typeFrom = isLabelled ? 1 : 0;
  const typeSpan = { start: head[typeFrom]!.start, end: head[equals - 2]!.end };
  const { type } = parsed;
  const { options, jsonName, defaultValue } = splitPseudoOptions(written);
  const common = {
    number: parsed.number,
    span: nameToken,
    extent: statement,
    numberSpan: numberToken,
    typeSpan,
    options,
    comment: commentOf(reading, statement),
    oneof: context.oneof,
    jsonName,
    defaultValue,
    extendee: context.extendee,
    extendeeSpan: context.extendeeSpan ?? NOWHERE,
  };
  if (parsed.keyType !== undefined) {
    // map < key , value >
    const spans = { key: head[typeFrom + 2]!, value: { start: head[typeFrom + 4]!.start, end: head[equals - 3]!.end } };
    const entry = mapEntry(nameToken, mapEntryName(nameToken.text), parsed.keyType, type, spans, options);
    const label = 'repeated' as const;
    const field: FieldDeclaration = {
      ...common,
      name: nameToken.text,
      label,
      type: undefined,
      typeName: entry.name,
      typeKind: 'message',
      isMap: true,
    };
    return { field, nested: [entry] };
  }
  if (isGroup) {
    if (syntax === 'proto3') throw fault(keyword, 'schema/proto3', 'proto3 has no groups.');
    const name = nameToken.text;
    if (!/^[A-Z]/.test(name)) {
      throw fault(nameToken, 'schema/syntax', `The name of a group begins with a capital letter; "${name}" does not.`);
    }
    const group: MessageDeclaration = {
      ...context.readGroup(),
      name,
      span: nameToken,
      extent: statement,
      comment: common.comment,
      isMapEntry: false,
      visibility: undefined,
    };
    const field: FieldDeclaration = {
      ...common,
      name: name.toLowerCase(),
      label: parsed.label,
      type: 'group',
      typeName: name,
      typeKind: 'message',
      isMap: false,
    };
    return { field, nested: [group] };
  }
  const scalar = SCALAR_TYPES.find((known) => known === type);
  const field: FieldDeclaration = {
    ...common,
    name: nameToken.text,
    label: parsed.label,
    type: scalar,
    typeName: scalar === undefined ? type : undefined,
    typeKind: undefined,
    isMap: false,
  };
  return { field, nested: [] };
}

const KEY_TYPES = new Set([...SCALAR_TYPES].filter((type) => !/^(double|float|bytes)$/.test(type)));

/**
 * Reports faults of `map<K, V>`: it is only allowed in messages, without a label, and only some types can be its key.
 */
function refuseMap(head: readonly Token[], at: number, block: Surroundings): void {
  const [keyword, bracket, key] = head.slice(at);
  if (keyword?.text !== 'map' || bracket?.text !== '<') return;
  if (block !== 'message') {
    const where = block === 'oneof' ? 'a oneof' : 'an extension';
    throw fault(keyword, 'schema/map', `A map field is not allowed in ${where}.`);
  }
  if (at > 0) throw fault(head[0]!, 'schema/label', `A map field has no label; remove "${head[0]!.text}".`);
  if (key !== undefined && !KEY_TYPES.has(key.text as ScalarType)) {
    throw fault(key, 'schema/map', `The key of a map is a whole number, a bool or a string; "${key.text}" is not.`);
  }
}

function refuseLabel(first: Token, syntax: Syntax, block: Surroundings): void {
  if (!LABELS.has(first.text)) return;
  if (block === 'oneof') throw fault(first, 'schema/label', `A field of a oneof has no label; remove "${first.text}".`);
  if (syntax === 'proto3' && first.text === 'required') {
    throw fault(first, 'schema/proto3', 'proto3 has no required fields.');
  }
  if (!syntax.startsWith('proto') && first.text !== 'repeated') {
    const instead = first.text === 'required' ? 'features.field_presence = LEGACY_REQUIRED' : 'no label';
    throw fault(first, 'schema/label', `Editions have no label "${first.text}"; write ${instead}.`);
  }
}

/** `default` and `json_name` look like options, but belong to the field. */
function splitPseudoOptions(written: readonly RawOption[]) {
  const options: RawOption[] = [];
  let jsonName: string | undefined;
  let defaultValue: { readonly value: RawValue; readonly span: Span } | undefined;
  for (const option of written) {
    const only = option.kind === 'text' && option.name.length === 1 ? option.name[0]! : undefined;
    if (option.kind !== 'text' || only === undefined || only.isExtension) options.push(option);
    else if (only.text === 'default') {
      if (defaultValue !== undefined) throw fault(option.span, 'schema/option', 'The default value is set twice.');
      defaultValue = { value: option.value, span: option.span };
    } else if (only.text === 'json_name') {
      if (option.value.kind !== 'string')
        throw fault(option.span, 'schema/option', 'The JSON name must be a string in quotes.');
      if (jsonName !== undefined) throw fault(option.span, 'schema/option', 'The JSON name is set twice.');
      jsonName = new TextDecoder().decode(option.value.bytes);
    } else options.push(option);
  }
  return { options, jsonName, defaultValue };
}

/** The entry message of a map field: `key = 1`, `value = 2`. It inherits the features of the field. */
function mapEntry(
  field: Token,
  name: string,
  keyType: string,
  valueType: string,
  spans: { readonly key: Span; readonly value: Span },
  fieldOptions: readonly RawOption[],
): MessageDeclaration {
  const options = fieldOptions.filter((option) => option.kind === 'text' && option.name[0]?.text === 'features');
  const member = (memberName: 'key' | 'value', number: number, type: string): FieldDeclaration => {
    const scalar = SCALAR_TYPES.find((known) => known === type);
    return {
      name: memberName,
      number,
      span: field,
      extent: field,
      numberSpan: field,
      typeSpan: spans[memberName],
      label: undefined,
      type: scalar,
      typeName: scalar === undefined ? type : undefined,
      typeKind: undefined,
      isMap: false,
      options,
      comment: undefined,
      oneof: undefined,
      jsonName: undefined,
      defaultValue: undefined,
      extendee: undefined,
      extendeeSpan: NOWHERE,
    };
  };
  const body: MessageBody = {
    fields: [member('key', 1, keyType), member('value', 2, valueType)],
    oneofs: [],
    extensionRanges: [],
    reservedRanges: [],
    reservedNames: [],
    isDamaged: false,
  };
  return {
    messages: [],
    enums: [],
    extensions: [],
    options: [],
    name,
    span: field,
    extent: field,
    comment: undefined,
    body: () => body,
    isMapEntry: true,
    visibility: undefined,
  };
}
