/** What reading any declaration takes: its head, its options, its comment, and the way a fault in it is told. */
import { commentsIn, joinComments } from './comments.ts';
import type { RawOption, Syntax, Visibility } from './declaration.ts';
import { readOption, readOptionList, SyntaxFault, TokenCursor } from './option-text.ts';
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

export interface Head {
  readonly name: string;
  readonly span: Span;
  readonly visibility: Visibility | undefined;
}

/** `message Name`, `local enum Name`: the name behind the keyword, and a block. */
export function readHead(reading: Reading, statement: Statement, keyword: string): Head {
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

export const fault = (span: Span, code: string, message: string) => new SyntaxFault(problem(span, code, message));

export function commentOf({ text, tokens }: Reading, { from, to }: Statement): string | undefined {
  const gap = (before: number) => {
    const start = before < 0 ? 0 : tokens[before]!.end;
    const next = tokens[before + 1];
    const closes = next === undefined || (next.kind === 'symbol' && '}])'.includes(next.text));
    return commentsIn(text.slice(start, next?.start ?? text.length), closes, before < 0);
  };
  return joinComments(gap(from - 1).leading, gap(Math.min(to, tokens.length - 1)).trailing);
}

export function readOptionStatement({ tokens }: Reading, statement: Statement): RawOption {
  const cursor = new TokenCursor(tokens, statement.from + 1, statement.to);
  const option = readOption(cursor);
  if (!cursor.done || statement.block !== undefined) throw cursor.fault('";"');
  return option;
}

/** A statement's tokens without its options, and those. */
export function splitOptions(
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

export const isInteger = (literal: string): boolean => /^(0|[1-9][0-9]*|0[0-7]+|0[xX][0-9a-fA-F]+)$/.test(literal);
