/** The context of reading any declaration: its name and block, its options, its comment, and reporting of faults. */

import type { RawOption, Syntax, Visibility } from '../declaration.ts';
import { readOption, readOptionList, SyntaxFault, TokenCursor } from '../options/text.ts';
import { commentsIn, joinComments } from './comments.ts';
import { NONE } from './declared.ts';
import { type ParsedRanges, parseRanges } from './statement-parser.ts';
import type { Statement } from './statements.ts';
import { type Problem, problem, type Span, spanOf, type Token, type Tokens } from './tokens.ts';

/** One file that is being read. */
export interface FileReading {
  readonly text: string;
  readonly tokens: Tokens;
  syntax: Syntax;
  /** The syntax is declared and cannot be read: fields need no labels. */
  isSyntaxFaulty: boolean;
  readonly problems: Problem[];
}

export type ReadStatement = (statement: Statement, read: () => void) => void;

export interface Head {
  readonly name: string;
  readonly span: Span;
  readonly visibility: Visibility | undefined;
}

/** Reads `message Name`, `local enum Name`: the name after the keyword. The statement must have a block. */
export function readHead(reading: FileReading, statement: Statement, keyword: string): Head {
  const cursor = new TokenCursor(reading.tokens, statement.from, statement.to);
  const first = cursor.next(keyword);
  let visibility: Visibility | undefined;
  if (first.text === 'export' || first.text === 'local') {
    if (reading.syntax.startsWith('proto') || reading.syntax === '2023') {
      throw fault(first, 'schema/syntax', `"${first.text}" exists since edition 2024.`);
    }
    visibility = first.text;
    cursor.expect(keyword);
  }
  const name = cursor.word(`the name of the ${keyword}`);
  if (!cursor.done || statement.block === undefined) throw cursor.fault('"{"');
  return { name: name.text, span: spanOf(name), visibility };
}

export const fault = (span: Span, code: string, message: string) => new SyntaxFault(problem(span, code, message));

export function commentOf({ text, tokens }: FileReading, { from, to }: Statement): string | undefined {
  const gap = (before: number) => {
    const start = before < 0 ? 0 : tokens.endOf(before);
    const next = before + 1 < tokens.length ? before + 1 : undefined;
    const closes = next === undefined || ['}', ']', ')'].some((symbol) => tokens.isSymbol(next, symbol));
    return commentsIn(text.slice(start, next === undefined ? text.length : tokens.startOf(next)), closes, before < 0);
  };
  return joinComments(gap(from - 1).leading, gap(Math.min(to, tokens.length - 1)).trailing);
}

export function readOptionStatement({ tokens }: FileReading, statement: Statement): RawOption {
  const cursor = new TokenCursor(tokens, statement.from + 1, statement.to);
  const option = readOption(cursor);
  if (!cursor.done || statement.block !== undefined) throw cursor.fault('";"');
  return option;
}

/** Separates the options from the other tokens of a statement. */
export function splitOptions(
  { tokens }: FileReading,
  statement: Statement,
): { readonly head: readonly Token[]; readonly options: readonly RawOption[] } {
  let open = statement.from;
  while (open < statement.to && !tokens.isSymbol(open, '[')) open++;
  const head = tokens.slice(statement.from, open);
  if (head.length === 0) throw fault(tokens.at(open) ?? statement, 'schema/syntax', 'Options of nothing.');
  if (open === statement.to) return { head, options: NONE };
  const cursor = new TokenCursor(tokens, open, statement.to);
  const options = readOptionList(cursor);
  if (!cursor.done) throw cursor.fault('";"');
  return { head, options };
}

/** A cursor over the tokens before the options. */
export const headCursor = ({ tokens }: FileReading, { from }: Statement, head: readonly Token[]): TokenCursor =>
  new TokenCursor(tokens, from, from + head.length);

export function refuseBlock({ tokens }: FileReading, statement: Statement): void {
  if (statement.block !== undefined)
    throw fault(tokens.at(statement.to)!, 'schema/syntax', 'A block is not allowed here.');
}

/** `reserved 1, 3 to 5`, `reserved "a", "b"`, and in editions `reserved a, b`. */
export function readReserved(reading: FileReading, statement: Statement, block: 'message' | 'enum'): ParsedRanges {
  refuseBlock(reading, statement);
  const { head, options } = splitOptions(reading, statement);
  if (options.length > 0)
    throw fault(head.at(-1)!, 'schema/syntax', 'Options are not allowed on reserved numbers and names.');
  const [, first] = head;
  if (reading.syntax.startsWith('proto') && first?.kind === 'word') {
    throw fault(first, 'schema/syntax', 'Reserved names must be quoted here; only editions write them without quotes.');
  }
  const areNumbers = first?.kind === 'number' || first?.kind === 'symbol';
  const stranger = head.find(({ kind, text }, at) => {
    if (at === 0 || kind === 'symbol') return false;
    if (!areNumbers) return kind !== first?.kind;
    // "max" ends a range and is not a number of its own.
    return kind !== 'number' && text !== 'to' && !(text === 'max' && head[at - 1]?.text === 'to');
  });
  if (stranger !== undefined) {
    throw fault(stranger, 'schema/syntax', 'Names and numbers are reserved by statements of their own.');
  }
  const dot = head.find(({ kind, text }) => kind === 'symbol' && text === '.');
  if (dot !== undefined) throw fault(dot, 'schema/syntax', 'A reserved name is one word.');
  if (first?.kind === 'word') return { ranges: [], names: readNames(head.slice(1)) };
  return parseRanges(headCursor(reading, statement, head), reading.syntax, block);
}

/** Reads `a, b`. Any word is a name here, including `max` and `to`. */
function readNames(tokens: readonly Token[]): readonly string[] {
  const isNext = ({ kind, text }: Token, at: number): boolean => (at % 2 === 0 ? kind === 'word' : text === ',');
  const misplaced = tokens.find((token, at) => !isNext(token, at)) ?? (tokens.length % 2 === 0 && tokens.at(-1));
  if (misplaced) throw fault(misplaced, 'schema/syntax', 'Names are separated by one comma each.');
  return tokens.flatMap(({ kind, text }) => (kind === 'word' ? [text] : []));
}
