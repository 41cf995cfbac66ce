/**
 * A .proto file's text → its declarations. Statements give the structure and the places. `statement-parser.ts` and
 * `options/text.ts` read the contents of a statement. A fault affects only its statement.
 * https://protobuf.dev/reference/protobuf/edition-2023-spec/, proto2-spec, proto3-spec
 */

import type {
  EnumDeclaration,
  FieldDeclaration,
  MessageDeclaration,
  ServiceDeclaration,
  Syntax,
} from '../declaration.ts';
import { type FileDeclaration, type ImportDeclaration, NOWHERE, type RawOption, SYNTAXES } from '../declaration.ts';
import { readOption, readTypeName, SyntaxFault, TokenCursor } from '../options/text.ts';
import { TextOutline } from './outline.ts';
import { readEnum } from './read-enum.ts';
import { readExtend, readMessage } from './read-message.ts';
import { readService } from './read-service.ts';
import { type FileReading, refuseBlock } from './reading.ts';
import { readStatements, type Statement } from './statements.ts';
import { lineStarts, type Problem, problem, type Span, stringBytes, tokenize } from './tokens.ts';

const MAX_PROBLEMS = 100;

/**
 * @param mayRead whether a text with this number of tokens may be read @param isSound the text has no faults, so its
 * types are read on demand @returns undefined: it may not be read
 */
export function readTextFile(
  path: string,
  text: string,
  mayRead: (tokens: number) => boolean,
  isSound: boolean,
): { readonly file: FileDeclaration; readonly problems: readonly Problem[] } | undefined {
  const { tokens, problems: lexical } = tokenize(text);
  if (!mayRead(tokens.length)) return undefined;
  const structural: Problem[] = [];
  const problems: Problem[] = [];
  const found = [lexical, structural, problems];
  let firstWord: string | undefined;
  const header = { package: '', packageSpan: NOWHERE as Span, syntaxSpan: NOWHERE as Span };
  const imports: ImportDeclaration[] = [];
  const options: RawOption[] = [];
  const messages: MessageDeclaration[] = [];
  const enums: EnumDeclaration[] = [];
  const services: ServiceDeclaration[] = [];
  const extensions: FieldDeclaration[] = [];
  const reading: FileReading = { text, tokens, syntax: 'proto2', isSyntaxFaulty: false, problems };
  const outline = isSound ? new TextOutline(reading) : undefined;

  /** Reads one statement. A fault is recorded and ends the statement. */
  const attempt = (statement: Statement, read: () => void) => {
    try {
      read();
    } catch (fault) {
      if (!(fault instanceof SyntaxFault)) throw fault;
      // If the text itself is broken, the first faults are enough.
      if (found.reduce((sum, { length }) => sum + length, 0) >= MAX_PROBLEMS) return;
      const isInside = (known: Problem): boolean => known.start >= statement.start && known.end <= statement.end;
      if (!found.some((known) => known.some(isInside))) {
        problems.push(fault.problem);
      }
    }
  };
  const end = (cursor: TokenCursor, statement: Statement) => {
    if (!cursor.done) throw cursor.fault('";"');
    refuseBlock(reading, statement);
  };

  for (const statement of readStatements(tokens, structural)) {
    const isFirst = firstWord === undefined;
    firstWord ??= tokens.at(statement.from)?.text ?? '';
    if (statement.from === statement.to && statement.block === undefined) continue;
    const cursor = new TokenCursor(tokens, statement.from, statement.to);
    attempt(statement, () => {
      const word = cursor.peek();
      switch (word?.kind === 'word' ? word.text : undefined) {
        case 'syntax':
        case 'edition': {
          if (!isFirst) {
            throw new SyntaxFault(
              problem(word!, 'schema/syntax', 'The syntax is declared by the first statement of a file.'),
            );
          }
          reading.isSyntaxFaulty = true;
          if (word!.text === 'edition') reading.syntax = '2023';
          reading.syntax = readSyntax(cursor);
          reading.isSyntaxFaulty = false;
          header.syntaxSpan = { start: word!.start, end: tokens.endOf(cursor.at - 1) };
          return end(cursor, statement);
        }
        case 'package': {
          cursor.at++;
          if (cursor.peek()?.text === '.') throw cursor.fault('a name without a dot before it');
          const name = readTypeName(cursor);
          end(cursor, statement);
          if (header.packageSpan !== NOWHERE) {
            throw new SyntaxFault(problem(statement, 'schema/syntax', 'A file has one package; this is a second one.'));
          }
          header.packageSpan = { start: word!.start, end: tokens.endOf(statement.to - 1) };
          header.package = name;
          return;
        }
        case 'import': {
          const declared = readImport(cursor, reading.syntax);
          if (declared.kind !== 'option' && imports.at(-1)?.kind === 'option') {
            throw new SyntaxFault(
              problem(declared.span, 'schema/syntax', 'Imports for options come after all others.'),
            );
          }
          imports.push(declared);
          return end(cursor, statement);
        }
        case 'option': {
          cursor.at++;
          options.push(readOption(cursor));
          return end(cursor, statement);
        }
        case 'service':
          if (outline !== undefined) outline.add('service', statement);
          else services.push(readService(reading, statement, attempt));
          return;
        case 'extend': {
          const extended = readExtend(reading, statement, attempt);
          extensions.push(...extended.fields);
          messages.push(...extended.messages);
          return;
        }
        case 'message':
        case 'enum':
        case 'export':
        case 'local': {
          const hasVisibility = word!.text === 'export' || word!.text === 'local';
          const isEnum = tokens.is(statement.from + (hasVisibility ? 1 : 0), 'enum');
          if (outline !== undefined) outline.add(isEnum ? 'enum' : 'message', statement);
          else if (isEnum) enums.push(readEnum(reading, statement, attempt));
          else messages.push(readMessage(reading, statement, attempt));
          return;
        }
        default:
          throw cursor.fault('a declaration such as "message", "enum", "import" or "option"');
      }
    });
  }
  if (firstWord !== 'syntax' && firstWord !== 'edition') reading.syntax = 'proto2';
  const file: FileDeclaration = {
    path,
    ...header,
    syntax: reading.syntax,
    imports,
    options,
    messages,
    enums,
    services,
    extensions,
    lines: lineStarts(text),
    isPartial: found.some(({ length }) => length > 0),
    outline,
    release() {
      for (const list of [messages, enums, services, extensions]) list.length = 0;
    },
  };
  return { file, problems: found.flat() };
}

function readSyntax(cursor: TokenCursor): Syntax {
  const keyword = cursor.next('"syntax"').text;
  cursor.expect('=');
  const from = cursor.peek();
  const value = readText(cursor);
  const syntax = SYNTAXES.find((known) => known === value);
  if (syntax === undefined || syntax.startsWith('proto') !== (keyword === 'syntax')) {
    const known = keyword === 'syntax' ? '"proto2" and "proto3"' : '"2023", "2024" and "2026"';
    const what = keyword === 'syntax' ? 'syntax' : 'edition';
    throw new SyntaxFault(
      problem(from!, 'schema/unknown-syntax', `"${value}" is not a known ${what}. Known are ${known}.`),
    );
  }
  return syntax;
}

function readImport(cursor: TokenCursor, syntax: Syntax): ImportDeclaration {
  const first = cursor.next('"import"');
  let kind: ImportDeclaration['kind'] = 'plain';
  if (cursor.take('public')) kind = 'public';
  else if (cursor.is('option') || cursor.is('weak')) {
    const word = cursor.next('"option"');
    const isOld = syntax.startsWith('proto') || syntax === '2023';
    if (isOld !== (word.text === 'weak')) {
      const text = isOld ? '"import option" exists since edition 2024.' : '"import weak" was removed in edition 2024.';
      throw new SyntaxFault(problem(word, 'schema/syntax', text));
    }
    if (word.text === 'option') kind = 'option';
  }
  const path = readText(cursor);
  return { path, kind, span: { start: first.start, end: cursor.lastEnd } };
}

/** Adjacent string literals are concatenated. */
function readText(cursor: TokenCursor): string {
  const decoder = new TextDecoder();
  if (cursor.peek()?.kind !== 'string') throw cursor.fault('text in quotes');
  let text = '';
  while (cursor.peek()?.kind === 'string') text += decoder.decode(stringBytes(cursor.next('text')));
  return text;
}
