/** Statements into the declarations of messages, fields, enums, services and extensions. */
import { commentsIn, joinComments } from './comments.ts';
import {
  type EnumDeclaration,
  type EnumValueDeclaration,
  type FieldDeclaration,
  type MessageDeclaration,
  type MethodDeclaration,
  NOWHERE,
  type OneofDeclaration,
  type RangeDeclaration,
  type RawOption,
  type RawValue,
  SCALAR_TYPES,
  type ServiceDeclaration,
  type Syntax,
  type Visibility,
} from './declaration.ts';
import type { ScalarType } from './descriptor.ts';
import { mapEntryName } from './names.ts';
import { readOption, readOptionList, readTypeName, SyntaxFault, TokenCursor } from './option-text.ts';
import { parseEnumValue, parseField, parseMethod, parseRanges, type Surroundings } from './statement-parser.ts';
import type { Statement } from './statements.ts';
import { type Problem, problem, type Span, type Token } from './tokens.ts';

/** One file while it is read. */
export interface Reading {
  readonly text: string;
  readonly tokens: readonly Token[];
  syntax: Syntax;
  readonly problems: Problem[];
}

export type Attempt = (statement: Statement, read: () => void) => void;

/** 2²⁹ − 1, which also stands for `max`. */
export const MAX_FIELD_NUMBER = 536_870_911;
/** protoc's MaxMessageDeclarationNestingDepth. */
const MAX_NESTING = 32;

interface Head {
  readonly name: string;
  readonly span: Span;
  readonly visibility: Visibility | undefined;
}

/** `message Name`, `local enum Name`: the name behind the keyword, and a block. */
function readHead(reading: Reading, statement: Statement, keyword: string): Head {
  const cursor = new TokenCursor(reading.tokens, statement.from, statement.to);
  const first = cursor.next(keyword);
  let visibility: Visibility | undefined;
  if (first.text === 'export' || first.text === 'local') {
    if (reading.syntax.startsWith('proto') || reading.syntax === '2023') {
      throw fault(first, 'schema/syntax', `"${first.text}" came with edition 2024.`);
    }
    visibility = first.text;
    cursor.expect(keyword);
  }
  const name = cursor.word(`the name of the ${keyword}`);
  if (!cursor.done || statement.block === undefined) throw cursor.fault('"{"');
  return { name: name.text, span: name, visibility };
}

const fault = (span: Span, code: string, message: string) => new SyntaxFault(problem(span, code, message));

function commentOf({ text, tokens }: Reading, { from, to }: Statement): string | undefined {
  const gap = (before: number) => {
    const start = before < 0 ? 0 : tokens[before]!.end;
    const next = tokens[before + 1];
    const closes = next === undefined || (next.kind === 'symbol' && '}])'.includes(next.text));
    return commentsIn(text.slice(start, next?.start ?? text.length), closes, before < 0);
  };
  return joinComments(gap(from - 1).leading, gap(Math.min(to, tokens.length - 1)).trailing);
}

/** A message while its block is read. */
interface MessageParts {
  readonly fields: FieldDeclaration[];
  readonly oneofs: OneofDeclaration[];
  readonly messages: MessageDeclaration[];
  readonly enums: EnumDeclaration[];
  readonly extensions: FieldDeclaration[];
  readonly extensionRanges: RangeDeclaration[];
  readonly reservedRanges: RangeDeclaration[];
  readonly reservedNames: string[];
  readonly options: RawOption[];
}

const noParts = (): MessageParts => ({
  fields: [],
  oneofs: [],
  messages: [],
  enums: [],
  extensions: [],
  extensionRanges: [],
  reservedRanges: [],
  reservedNames: [],
  options: [],
});

export function readMessage(reading: Reading, statement: Statement, attempt: Attempt, depth = 1): MessageDeclaration {
  const head = readHead(reading, statement, 'message');
  const parts = readMessageBlock(reading, statement, attempt, depth);
  return { ...head, ...parts, comment: commentOf(reading, statement), isMapEntry: false };
}

function readMessageBlock(reading: Reading, statement: Statement, attempt: Attempt, depth: number): MessageParts {
  const parts = noParts();
  if (depth > MAX_NESTING) {
    reading.problems.push(problem(statement, 'schema/too-deep', `Messages nest ${MAX_NESTING} deep at most.`));
    return parts;
  }
  const ranges: { readonly range: readonly [number, number]; readonly span: Span }[] = [];
  for (const inner of statement.block ?? []) {
    attempt(inner, () => readMember(reading, inner, attempt, depth, parts, ranges));
  }
  // A message set numbers its extensions beyond what fields can have.
  const isMessageSet = parts.options.some(
    (option) =>
      option.kind === 'text' &&
      option.name[0]?.text === 'message_set_wire_format' &&
      option.value.kind === 'identifier' &&
      option.value.text === 'true',
  );
  for (const { range, span } of ranges) {
    const end = range[1] === MAX_FIELD_NUMBER && isMessageSet ? 2 ** 31 - 1 : range[1] + 1;
    parts.extensionRanges.push({ start: range[0], end, span });
  }
  return parts;
}

function readMember(
  reading: Reading,
  statement: Statement,
  attempt: Attempt,
  depth: number,
  parts: MessageParts,
  ranges: { readonly range: readonly [number, number]; readonly span: Span }[],
): void {
  const { tokens, syntax } = reading;
  const first = tokens[statement.from];
  if (statement.from === statement.to) {
    if (statement.block !== undefined) throw fault(statement, 'schema/syntax', 'This block has no name.');
    return;
  }
  switch (first?.kind === 'word' ? first.text : undefined) {
    case 'message':
      parts.messages.push(readMessage(reading, statement, attempt, depth + 1));
      return;
    case 'enum':
      parts.enums.push(readEnum(reading, statement, attempt));
      return;
    case 'extend': {
      const extended = readExtend(reading, statement, attempt, depth);
      parts.extensions.push(...extended.fields);
      parts.messages.push(...extended.messages);
      return;
    }
    case 'oneof':
      readOneof(reading, statement, attempt, depth, parts);
      return;
    case 'option':
      parts.options.push(readOptionStatement(reading, statement));
      return;
    case 'extensions': {
      const { head } = splitOptions(reading, statement);
      if (syntax === 'proto3') throw fault(first!, 'schema/proto3', 'proto3 has no extension ranges.');
      for (const range of parseRanges(head, syntax, 'message').ranges) ranges.push({ range, span: statement });
      return;
    }
    case 'reserved': {
      const { head } = splitOptions(reading, statement);
      const read = parseRanges(head, syntax, 'message');
      for (const [start, end] of read.ranges) parts.reservedRanges.push({ start, end: end + 1, span: statement });
      parts.reservedNames.push(...read.names);
      return;
    }
    case 'export':
    case 'local': {
      const next = tokens[statement.from + 1]?.text;
      if (next === 'message') parts.messages.push(readMessage(reading, statement, attempt, depth + 1));
      else if (next === 'enum') parts.enums.push(readEnum(reading, statement, attempt));
      else break;
      return;
    }
  }
  const { field, nested } = readField(reading, statement, attempt, depth, { block: 'message' });
  parts.fields.push(field);
  parts.messages.push(...nested);
}

function readOptionStatement({ tokens }: Reading, statement: Statement): RawOption {
  const cursor = new TokenCursor(tokens, statement.from + 1, statement.to);
  const option = readOption(cursor);
  if (!cursor.done || statement.block !== undefined) throw cursor.fault('";"');
  return option;
}

function readOneof(reading: Reading, statement: Statement, attempt: Attempt, depth: number, parts: MessageParts): void {
  const head = readHead(reading, statement, 'oneof');
  const options: RawOption[] = [];
  const oneof = parts.oneofs.length;
  const before = parts.fields.length;
  parts.oneofs.push({ ...head, options, comment: commentOf(reading, statement) });
  for (const inner of statement.block!) {
    attempt(inner, () => {
      const first = reading.tokens[inner.from];
      if (first?.kind === 'word' && first.text === 'option') {
        options.push(readOptionStatement(reading, inner));
        return;
      }
      const { field, nested } = readField(reading, inner, attempt, depth, { block: 'oneof', oneof });
      parts.fields.push(field);
      parts.messages.push(...nested);
    });
  }
  const isOption = ({ from }: Statement) => reading.tokens[from]?.text === 'option';
  if (parts.fields.length === before && statement.block!.every(isOption)) {
    throw fault(head.span, 'schema/empty-oneof', `The oneof "${head.name}" needs a field.`);
  }
}

/** `extend Target { … }`: extension fields, and the messages that groups among them declare. */
export function readExtend(
  reading: Reading,
  statement: Statement,
  attempt: Attempt,
  depth = 0,
): { readonly fields: readonly FieldDeclaration[]; readonly messages: readonly MessageDeclaration[] } {
  const cursor = new TokenCursor(reading.tokens, statement.from + 1, statement.to);
  const start = cursor.peek()?.start ?? statement.start;
  const extendee = readTypeName(cursor);
  const extendeeSpan = { start, end: cursor.lastEnd };
  if (!cursor.done || statement.block === undefined) throw cursor.fault('"{"');
  const fields: FieldDeclaration[] = [];
  const messages: MessageDeclaration[] = [];
  for (const inner of statement.block) {
    attempt(inner, () => {
      const { field, nested } = readField(reading, inner, attempt, depth, { block: 'extend', extendee, extendeeSpan });
      fields.push(field);
      messages.push(...nested);
    });
  }
  if (statement.block.length === 0) throw fault(statement, 'schema/syntax', 'This block extends by nothing.');
  return { fields, messages };
}

/** A statement's tokens without its options, and those. */
function splitOptions(
  { tokens }: Reading,
  statement: Statement,
): { readonly head: readonly Token[]; readonly options: readonly RawOption[] } {
  let open = statement.from;
  while (open < statement.to && !(tokens[open]!.text === '[' && tokens[open]!.kind === 'symbol')) open++;
  const head = tokens.slice(statement.from, open);
  if (head.length === 0) throw fault(tokens[open] ?? statement, 'schema/syntax', 'Options of nothing.');
  if (open === statement.to) return { head, options: [] };
  const cursor = new TokenCursor(tokens, open, statement.to);
  const options = readOptionList(cursor);
  if (!cursor.done) throw cursor.fault('";"');
  return { head, options };
}

interface FieldContext {
  readonly block: Surroundings;
  readonly oneof?: number;
  readonly extendee?: string;
  readonly extendeeSpan?: Span;
}

const LABELS = new Set(['optional', 'required', 'repeated']);

/** One field, with the messages it declares in passing: a group's, or a map's entry. */
function readField(
  reading: Reading,
  statement: Statement,
  attempt: Attempt,
  depth: number,
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
  if (keyword.text === 'group' && !isGroup) throw fault(keyword, 'schema/syntax', 'A group needs a block.');
  refuseMap(head, isLabelled ? 1 : 0, context.block);
  if (syntax === 'proto2' && !isLabelled && context.block !== 'oneof' && head[1]!.text !== '<') {
    const labels = '"optional", "required" or "repeated"';
    throw fault(head[0]!, 'schema/missing-label', `A proto2 field needs a label: ${labels}.`);
  }
  const placeholder: Token = { ...nameToken, text: 'x' };
  // A type called `map` is one where no angle bracket follows; the parser sees another name.
  const isTypeMap = keyword.text === 'map' && head[isLabelled ? 2 : 1]!.text !== '<';
  const parsed = parseField(
    head.map((token) => {
      if (token === nameToken) return placeholder;
      if (token === keyword && isTypeMap) return { ...token, text: 'm' };
      return token === keyword && isGroup ? { ...token, text: 'G' } : token;
    }),
    syntax,
    context.block,
  );
  const typeFrom = isLabelled ? 1 : 0;
  const typeSpan = { start: head[typeFrom]!.start, end: head[equals - 2]!.end };
  const type = isTypeMap ? parsed.type.replace(/^m/, 'map') : parsed.type;
  const { options, jsonName, defaultValue } = splitPseudoOptions(written);
  const common = {
    number: parsed.number,
    span: nameToken,
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
    const entry = mapEntry(nameToken, mapEntryName(nameToken.text), parsed.keyType, type, typeSpan, options);
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
    const parts = readMessageBlock(reading, statement, attempt, depth + 1);
    const group: MessageDeclaration = {
      ...parts,
      name,
      span: nameToken,
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

/** `map<K, V>` stands in messages only, without a label, and not every type can be its key. */
function refuseMap(head: readonly Token[], at: number, block: Surroundings): void {
  const [keyword, bracket, key] = head.slice(at);
  if (keyword?.text !== 'map' || bracket?.text !== '<') return;
  if (block !== 'message') {
    const where = block === 'oneof' ? 'a oneof' : 'an extension';
    throw fault(keyword, 'schema/map', `A map field cannot stand in ${where}.`);
  }
  if (at > 0) throw fault(head[0]!, 'schema/label', `A map field has no label; "${head[0]!.text}" goes.`);
  if (key !== undefined && !KEY_TYPES.has(key.text as ScalarType)) {
    throw fault(key, 'schema/map', `The key of a map is a whole number, a bool or a string; "${key.text}" is none.`);
  }
}

const isInteger = (literal: string): boolean => /^(0|[1-9][0-9]*|0[0-7]+|0[xX][0-9a-fA-F]+)$/.test(literal);

function refuseLabel(first: Token, syntax: Syntax, block: Surroundings): void {
  if (!LABELS.has(first.text)) return;
  if (block === 'oneof') throw fault(first, 'schema/label', `A field of a oneof has no label; "${first.text}" goes.`);
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
      if (defaultValue !== undefined) throw fault(option.span, 'schema/option', 'The default is given twice.');
      defaultValue = { value: option.value, span: option.span };
    } else if (only.text === 'json_name') {
      if (option.value.kind !== 'string') throw fault(option.span, 'schema/option', 'A JSON name is text in quotes.');
      if (jsonName !== undefined) throw fault(option.span, 'schema/option', 'The JSON name is given twice.');
      jsonName = new TextDecoder().decode(option.value.bytes);
    } else options.push(option);
  }
  return { options, jsonName, defaultValue };
}

/** The message that a map field repeats: `key = 1`, `value = 2`. It takes over the features of the field. */
function mapEntry(
  field: Token,
  name: string,
  keyType: string,
  valueType: string,
  typeSpan: Span,
  fieldOptions: readonly RawOption[],
): MessageDeclaration {
  const options = fieldOptions.filter((option) => option.kind === 'text' && option.name[0]?.text === 'features');
  const member = (memberName: string, number: number, type: string): FieldDeclaration => {
    const scalar = SCALAR_TYPES.find((known) => known === type);
    return {
      name: memberName,
      number,
      span: field,
      numberSpan: field,
      typeSpan,
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
  return {
    ...noParts(),
    name,
    span: field,
    comment: undefined,
    fields: [member('key', 1, keyType), member('value', 2, valueType)],
    isMapEntry: true,
    visibility: undefined,
  };
}

export function readEnum(reading: Reading, statement: Statement, attempt: Attempt): EnumDeclaration {
  const { tokens, syntax } = reading;
  const head = readHead(reading, statement, 'enum');
  const values: EnumValueDeclaration[] = [];
  const options: RawOption[] = [];
  const reservedRanges: RangeDeclaration[] = [];
  const reservedNames: string[] = [];
  for (const inner of statement.block!) {
    attempt(inner, () => {
      const first = tokens[inner.from]!;
      if (inner.block !== undefined) throw fault(tokens[inner.to]!, 'schema/syntax', 'No block can stand here.');
      if (inner.from === inner.to) return;
      const isDeclared = tokens[inner.from + 1]?.text === '=';
      if (first.text === 'option' && !isDeclared) {
        options.push(readOptionStatement(reading, inner));
        return;
      }
      const split = splitOptions(reading, inner);
      if (first.text === 'reserved' && !isDeclared) {
        const read = parseRanges(split.head, syntax, 'enum');
        for (const [start, end] of read.ranges) reservedRanges.push({ start, end, span: inner });
        reservedNames.push(...read.names);
        return;
      }
      const last = split.head.at(-1)!;
      if (first.kind !== 'word' || !isDeclared) {
        throw fault(first, 'schema/syntax', 'Expected the name of a value, "=" and a number.');
      }
      if (last.kind !== 'number' || !isInteger(last.text)) {
        throw fault(last, 'schema/syntax', `"${first.text}" needs a whole number.`);
      }
      const number = parseEnumValue([{ ...first, text: 'x' }, ...split.head.slice(1)], syntax);
      values.push({
        name: first.text,
        span: first,
        number,
        numberSpan: { start: split.head[2]!.start, end: last.end },
        options: split.options,
        comment: commentOf(reading, inner),
      });
    });
  }
  return { ...head, values, options, reservedRanges, reservedNames, comment: commentOf(reading, statement) };
}

export function readService(reading: Reading, statement: Statement, attempt: Attempt): ServiceDeclaration {
  const head = readHead(reading, statement, 'service');
  const methods: MethodDeclaration[] = [];
  const options: RawOption[] = [];
  for (const inner of statement.block!) {
    attempt(inner, () => {
      if (inner.from === inner.to && inner.block === undefined) return;
      const first = reading.tokens[inner.from]!;
      if (first.text === 'option') options.push(readOptionStatement(reading, inner));
      else methods.push(readMethod(reading, inner, attempt));
    });
  }
  return { name: head.name, span: head.span, methods, options, comment: commentOf(reading, statement) };
}

function readMethod(reading: Reading, statement: Statement, attempt: Attempt): MethodDeclaration {
  const { tokens, syntax } = reading;
  const head = tokens.slice(statement.from, statement.to);
  const name = head[1];
  if (head[0]?.text !== 'rpc' || name?.kind !== 'word') {
    throw fault(head[0] ?? statement, 'schema/syntax', 'Expected "rpc" and the name of a method.');
  }
  const parsed = parseMethod(
    head.map((token) => (token === name ? { ...name, text: 'x' } : token)),
    syntax,
  );
  const options: RawOption[] = [];
  for (const inner of statement.block ?? []) {
    attempt(inner, () => {
      if (inner.from !== inner.to) options.push(readOptionStatement(reading, inner));
    });
  }
  const opens = head.flatMap((token, index) => (token.text === '(' ? [index] : []));
  const closes = head.flatMap((token, index) => (token.text === ')' ? [index] : []));
  const spanOf = (which: number): Span => {
    const open = opens[which] ?? 0;
    const from = open + (head[open + 1]?.text === 'stream' ? 2 : 1);
    return { start: (head[from] ?? name).start, end: (head[(closes[which] ?? 1) - 1] ?? name).end };
  };
  return {
    name: name.text,
    span: name,
    ...parsed,
    inputSpan: spanOf(0),
    outputSpan: spanOf(1),
    options,
    comment: commentOf(reading, statement),
  };
}
