/**
 * Tokens → statements. A statement ends in `;`, or has a block of statements. This file handles brackets, and only the
 * keywords that decide whether a brace opens a block or a value.
 *
 *   option (x) = { a: 1; };        one statement: the braces hold a value
 *   message M { int32 a = 1; }     header `message M`, one statement in its block
 */
import { type Problem, problem, type Span, type Token, type Tokens } from './tokens.ts';

export interface Statement extends Span {
  /** Index of the header's first token, and one past its last token. `;` and braces are not part of the header. */
  readonly from: number;
  readonly to: number;
  readonly block: readonly Statement[] | undefined;
}

/** protoc rejects messages that are nested deeper than 32. This limit only protects against hostile text. */
const MAX_DEPTH = 64;

const OPEN = '{';
const CLOSE = '}';

/**
 * Yields the outermost statements one by one, because all of them take ten times the memory of the text.
 * @param problems takes the faults, those of a statement before it is yielded
 */
export function* readStatements(tokens: Tokens, problems: Problem[]): Generator<Statement, void> {
  const top: Statement[] = [];
  const open: { readonly from: number; readonly to: number; readonly block: Statement[] }[] = [];
  let at = 0;
  let tooDeep = false;
  const partners = bracketPartners(tokens);
  const current = () => open.at(-1)?.block ?? top;
  const push = (from: number, to: number, last: number, block: readonly Statement[] | undefined) =>
    current().push({ from, to, block, start: tokens.startOf(from), end: tokens.endOf(last) });
  const close = (last: number) => {
    const { from, to, block } = open.pop()!;
    push(from, to, last, block);
  };

  /** One past the bracket that closes the one at `from`. If none does: the next `;`, closing brace, or the end. */
  const closing = (from: number): number => {
    const partner = partners[from]!;
    if (partner >= 0) return partner + 1;
    let end = from + 1;
    while (end < tokens.length && !tokens.isSymbol(end, ';') && !tokens.isSymbol(end, CLOSE)) end++;
    return end;
  };

  while (at < tokens.length) {
    yield* top.splice(0);
    if (tokens.isSymbol(at, CLOSE)) {
      if (open.length > 0) close(at);
      else problems.push(problem(tokens.at(at)!, 'schema/syntax', 'This brace closes nothing.'));
      at++;
      continue;
    }
    const from = at;
    let end = at;
    while (end < tokens.length && !isEnd(tokens, end)) {
      const isValue = end > from && tokens.isSymbol(end, OPEN) && opensValue(tokens, end);
      end = isValue || tokens.isSymbol(end, '[') ? closing(end) : end + 1;
    }
    if (tokens.isSymbol(end, OPEN)) {
      if (open.length >= MAX_DEPTH) {
        if (!tooDeep)
          problems.push(
            problem(tokens.at(end)!, 'schema/too-deep', 'Blocks are nested deeper than anything protoc reads.'),
          );
        tooDeep = true;
        at = Math.max(closing(end), end + 1);
        continue;
      }
      open.push({ from, to: end, block: [] });
      at = end + 1;
    } else if (tokens.isSymbol(end, ';')) {
      push(from, end, end, undefined);
      at = end + 1;
    } else {
      if (end > from) {
        const last = tokens.at(end - 1)!;
        problems.push(problem(last, 'schema/syntax', `A semicolon is missing after "${shown(last)}".`));
      }
      at = Math.max(end, from);
    }
  }
  while (open.length > 0) {
    const { to } = open.at(-1)!;
    problems.push(problem(tokens.at(to)!, 'schema/syntax', 'This block is never closed: a closing brace is missing.'));
    close(tokens.length - 1);
  }
  yield* top;
}

/** Whether the header ends here: at `;`, at a closing brace, or at an opening brace that does not begin a value. */
function isEnd(tokens: Tokens, at: number): boolean {
  if (tokens.isSymbol(at, ';') || tokens.isSymbol(at, CLOSE)) return true;
  return tokens.isSymbol(at, OPEN) && !opensValue(tokens, at);
}

/** After `=`, or after a sign that follows `=`. */
function opensValue(tokens: Tokens, at: number): boolean {
  return tokens.isSymbol(at - 1, '=') || (tokens.isSymbol(at - 1, '-') && tokens.isSymbol(at - 2, '='));
}

/** Index of the bracket or brace that closes the one at each index; −1: it is not closed. */
function bracketPartners(tokens: Tokens): Int32Array {
  const partners = new Int32Array(tokens.length).fill(-1);
  const open: number[] = [];
  const isBracket = (at: number | undefined): boolean => at !== undefined && tokens.isSymbol(at, '[');
  for (let at = 0; at < tokens.length; at++) {
    if (isBracket(at) || tokens.isSymbol(at, OPEN)) open.push(at);
    else if (tokens.isSymbol(at, ']') && isBracket(open.at(-1))) partners[open.pop()!] = at;
    else if (tokens.isSymbol(at, CLOSE)) {
      while (isBracket(open.at(-1))) open.pop();
      if (open.length > 0) partners[open.pop()!] = at;
    }
  }
  return partners;
}

/** A token as findings show it. */
export const shown = (token: Token): string => (token.text.length > 40 ? `${token.text.slice(0, 39)}…` : token.text);
