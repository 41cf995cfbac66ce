/**
 * A field's statement → its declaration, with the messages that it declares implicitly.
 *
 *   optional group Name = 1 [options] { … }     map<Key, Value> name = 2 [options];
 */
import {
  type FieldDeclaration,
  type MessageDeclaration,
  NOWHERE,
  type RawOption,
  type RawValue,
  SCALAR_TYPES,
  type Syntax,
} from '../declaration.ts';
import type { ScalarType } from '../descriptor.ts';
import { mapEntryName } from '../names.ts';
import { MapEntry, type MessageBlock, NONE, TextField, TextMessage } from './declared.ts';
import { commentOf, type FileReading, fault, splitOptions } from './reading.ts';
import { isInteger, parseField, type Surroundings } from './statement-parser.ts';
import type { Statement } from './statements.ts';
import { type Span, spanOf, type Token } from './tokens.ts';

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
    const hasNumber = head.at(-1)!.kind === 'number';
    const before = head.at(hasNumber ? -2 : -1) ?? head[0]!;
    throw fault(
      before,
      'schema/syntax',
      `Expected "="${hasNumber ? '' : ' and a field number'} after "${before.text}".`,
    );
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
    throw fault(
      reading.tokens.at(statement.to)!,
      'schema/syntax',
      'Expected ";" after the field; a block begins here.',
    );
  }
  if (isGroup && !syntax.startsWith('proto')) {
    throw fault(keyword, 'schema/syntax', 'Editions have no groups; use features.message_encoding = DELIMITED.');
  }
  if (keyword.text === 'group' && !isGroup)
    throw fault(keyword, 'schema/syntax', 'A group needs a block with its fields.');
  refuseMap(head, isLabelled ? 1 : 0, context.block);
  const needsLabel = syntax === 'proto2' && !reading.isSyntaxFaulty && context.block !== 'oneof';
  if (needsLabel && !isLabelled && head[1]!.text !== '<') {
    const labels = '"optional", "required" or "repeated"';
    throw fault(head[0]!, 'schema/missing-label', `A proto2 field needs a label: ${labels}.`);
  }
  const parsed = parseField(reading.tokens, statement.from, statement.from + head.length);
  const typeFrom = isLabelled ? 1 : 0;
  const typeSpan = { start: head[typeFrom]!.start, end: head[equals - 2]!.end };
  const { type } = parsed;
  const { options, jsonName, defaultValue } = splitPseudoOptions(written);
  const comment = commentOf(reading, statement);
  const declare = (kind: FieldKind): FieldDeclaration =>
    new TextField({
      name: kind.name,
      label: kind.label,
      type: kind.type,
      typeName: kind.typeName,
      typeKind: kind.typeKind,
      isMap: kind.isMap,
      number: parsed.number,
      span: spanOf(nameToken),
      extent: spanOf(statement),
      numberSpan: spanOf(numberToken),
      typeSpan,
      options,
      comment,
      oneof: context.oneof,
      jsonName,
      defaultValue,
      extendee: context.extendee,
      extendeeSpan: context.extendeeSpan ?? NOWHERE,
    });
  const name = nameToken.text;
  const { label } = parsed;
  if (parsed.keyType !== undefined) {
    // map < key , value >
    const key = { type: parsed.keyType, span: spanOf(head[typeFrom + 2]!) };
    const value = { type, span: { start: head[typeFrom + 4]!.start, end: head[equals - 3]!.end } };
    const entry = new MapEntry(mapEntryName(name), spanOf(nameToken), key, value, options);
    const field = declare({
      name,
      label: 'repeated',
      type: undefined,
      typeName: entry.name,
      typeKind: 'message',
      isMap: true,
    });
    return { field, nested: [entry] };
  }
  if (isGroup) {
    if (syntax === 'proto3') throw fault(keyword, 'schema/proto3', 'proto3 has no groups.');
    if (!/^[A-Z]/.test(name)) {
      throw fault(nameToken, 'schema/syntax', `The name of a group begins with a capital letter; "${name}" does not.`);
    }
    const head = { name, span: spanOf(nameToken), visibility: undefined };
    const group = new TextMessage(head, context.readGroup(), statement, comment);
    const field = declare({
      name: name.toLowerCase(),
      label,
      type: 'group',
      typeName: name,
      typeKind: 'message',
      isMap: false,
    });
    return { field, nested: [group] };
  }
  const scalar = SCALAR_TYPES.find((known) => known === type);
  const typeName = scalar === undefined ? type : undefined;
  const field = declare({ name, label, type: scalar, typeName, typeKind: undefined, isMap: false });
  return { field, nested: NONE };
}

type FieldKind = Pick<FieldDeclaration, 'name' | 'label' | 'type' | 'typeName' | 'typeKind' | 'isMap'>;

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
  if (written.length === 0) return { options: NONE, jsonName: undefined, defaultValue: undefined };
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
