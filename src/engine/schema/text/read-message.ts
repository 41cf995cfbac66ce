/** The statements of a message, of oneofs and of extensions → their declarations. */
import type {
  EnumDeclaration,
  ExtensionRangeDeclaration,
  FieldDeclaration,
  MessageBody,
  MessageDeclaration,
  OneofDeclaration,
  RangeDeclaration,
  RawOption,
} from '../declaration.ts';
import { MAX_FIELD_NUMBER } from '../link/rules.ts';
import { flagOf, optionNamed } from '../options/raw-options.ts';
import { readTypeName, TokenCursor } from '../options/text.ts';
import { type MessageBlock, NONE, TextMessage } from './declared.ts';
import { readEnum } from './read-enum.ts';
import { readFieldStatement } from './read-field.ts';
import {
  commentOf,
  type FileReading,
  fault,
  headCursor,
  type ReadStatement,
  readHead,
  readOptionStatement,
  readReserved,
  refuseBlock,
  splitOptions,
} from './reading.ts';
import { parseRanges } from './statement-parser.ts';
import type { Statement } from './statements.ts';
import { problem, type Span, spanOf } from './tokens.ts';

/** In protoc. The message of a map's entries counts, too. */
const MAX_NESTING = 31;
const TOO_DEEP = `Messages nest ${MAX_NESTING} deep at most.`;

/** Inclusive at both ends. */
interface WrittenRange {
  readonly range: readonly [number, number];
  readonly span: Span;
  readonly options: readonly RawOption[];
}

/** The parts of a message while its block is read. */
class MessageParts implements MessageBody {
  readonly fields: FieldDeclaration[] = [];
  readonly oneofs: OneofDeclaration[] = [];
  readonly messages: MessageDeclaration[] = [];
  readonly enums: EnumDeclaration[] = [];
  readonly extensions: FieldDeclaration[] = [];
  readonly extensionRanges: ExtensionRangeDeclaration[] = [];
  readonly reservedRanges: RangeDeclaration[] = [];
  readonly reservedNames: string[] = [];
  readonly isDamaged = false;
  readonly options: RawOption[] = [];
}

/** Lists of their own length; most lists are empty. */
const trimmed = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? NONE : list.slice());

const blockOf = (parts: MessageParts): MessageBlock => ({
  messages: trimmed(parts.messages),
  enums: trimmed(parts.enums),
  extensions: trimmed(parts.extensions),
  options: trimmed(parts.options),
  body: {
    fields: trimmed(parts.fields),
    oneofs: trimmed(parts.oneofs),
    extensionRanges: trimmed(parts.extensionRanges),
    reservedRanges: trimmed(parts.reservedRanges),
    reservedNames: trimmed(parts.reservedNames),
    isDamaged: false,
  },
});

export function readMessage(
  reading: FileReading,
  statement: Statement,
  attempt: ReadStatement,
  depth = 1,
): MessageDeclaration {
  const { name, span, visibility } = readHead(reading, statement, 'message');
  const block = readMessageBlock(reading, statement, attempt, depth);
  return new TextMessage({ name, span, visibility }, block, statement, commentOf(reading, statement));
}

function readMessageBlock(
  reading: FileReading,
  statement: Statement,
  attempt: ReadStatement,
  depth: number,
): MessageBlock {
  const parts = new MessageParts();
  if (depth > MAX_NESTING) {
    reading.problems.push(problem(statement, 'schema/too-deep', TOO_DEEP));
    return blockOf(parts);
  }
  const ranges: WrittenRange[] = [];
  for (const inner of statement.block ?? []) {
    attempt(inner, () => readMember(reading, inner, attempt, depth, parts, ranges));
  }
  // A message set allows extension numbers beyond the largest field number.
  const isMessageSet = flagOf(parts.options, 'message_set_wire_format') === true;
  for (const { range, span, options } of ranges) {
    const end = range[1] === MAX_FIELD_NUMBER && isMessageSet ? 2 ** 31 - 1 : range[1] + 1;
    parts.extensionRanges.push({ start: range[0], end, span, options });
  }
  return blockOf(parts);
}

function readMember(
  reading: FileReading,
  statement: Statement,
  attempt: ReadStatement,
  depth: number,
  parts: MessageParts,
  ranges: WrittenRange[],
): void {
  const { tokens, syntax } = reading;
  const first = tokens.at(statement.from);
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
    case 'option': {
      const option = readOptionStatement(reading, statement);
      if (optionNamed([option], 'map_entry') !== undefined) {
        throw fault(statement, 'schema/option', 'Messages of maps are made by writing map<Key, Value>.');
      }
      parts.options.push(option);
      return;
    }
    case 'extensions': {
      const { head, options } = splitOptions(reading, statement);
      refuseBlock(reading, statement);
      if (syntax === 'proto3') throw fault(first!, 'schema/proto3', 'proto3 has no extension ranges.');
      const { ranges: read } = parseRanges(headCursor(reading, statement, head), syntax, 'message');
      for (const range of read) ranges.push({ range, span: spanOf(statement), options });
      return;
    }
    case 'reserved': {
      const read = readReserved(reading, statement, 'message');
      for (const [start, end] of read.ranges)
        parts.reservedRanges.push({ start, end: end + 1, span: spanOf(statement) });
      parts.reservedNames.push(...read.names);
      return;
    }
    case 'export':
    case 'local': {
      const next = tokens.at(statement.from + 1)?.text;
      if (next === 'message') parts.messages.push(readMessage(reading, statement, attempt, depth + 1));
      else if (next === 'enum') parts.enums.push(readEnum(reading, statement, attempt));
      else break;
      return;
    }
  }
  const { field, nested } = readFieldStatement(reading, statement, {
    block: 'message',
    readGroup: () => readMessageBlock(reading, statement, attempt, depth + 1),
  });
  if (field.isMap && depth === MAX_NESTING) throw fault(statement, 'schema/too-deep', TOO_DEEP);
  parts.fields.push(field);
  parts.messages.push(...nested);
}

function readOneof(
  reading: FileReading,
  statement: Statement,
  attempt: ReadStatement,
  depth: number,
  parts: MessageParts,
): void {
  const head = readHead(reading, statement, 'oneof');
  const options: RawOption[] = [];
  const oneof = parts.oneofs.length;
  const before = parts.fields.length;
  const { name, span } = head;
  parts.oneofs.push({ name, span, extent: spanOf(statement), options, comment: commentOf(reading, statement) });
  for (const inner of statement.block!) {
    attempt(inner, () => {
      const first = reading.tokens.at(inner.from);
      if (first?.kind === 'word' && first.text === 'option') {
        options.push(readOptionStatement(reading, inner));
        return;
      }
      const { field, nested } = readFieldStatement(reading, inner, {
        block: 'oneof',
        oneof,
        readGroup: () => readMessageBlock(reading, inner, attempt, depth + 1),
      });
      parts.fields.push(field);
      parts.messages.push(...nested);
    });
  }
  const isOption = ({ from }: Statement) => reading.tokens.is(from, 'option');
  if (parts.fields.length === before && statement.block!.every(isOption)) {
    throw fault(head.span, 'schema/empty-oneof', `The oneof "${head.name}" needs a field.`);
  }
}

/** Reads `extend Target { … }`: extension fields, and the messages that its groups declare. */
export function readExtend(
  reading: FileReading,
  statement: Statement,
  attempt: ReadStatement,
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
      const { field, nested } = readFieldStatement(reading, inner, {
        block: 'extend',
        extendee,
        extendeeSpan,
        readGroup: () => readMessageBlock(reading, inner, attempt, depth + 1),
      });
      fields.push(field);
      messages.push(...nested);
    });
  }
  if (statement.block.length === 0) throw fault(statement, 'schema/syntax', 'This block extends by nothing.');
  return { fields, messages };
}
