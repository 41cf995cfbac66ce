/**
 * Tokens → statements. A statement ends in `;`, or has a block of statements. This file handles brackets, and only the
 * keywords that decide whether a brace opens a block or a value.
 *
 *   option (x) = { a: 1; };        one statement: the braces hold a value
 *   message M { int32 a = 1; }     header `message M`, one statement in its block
 */
import { type Problem, problem, type Span, type Token } from './tokens.ts';

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

export function readStatements(tokens: readonly Token[]): {
  readonly statements: readonly Statement[];
  readonly problems: readonly Problem[];
} {
  const problems: Problem[] = [];
  const top: Statement[] = [];
  const open: { readonly from: number; readonly to: number; readonly block: Statement[] }[] = [];
  let at = 0;
  let tooDeep = false;
  const partners = bracketPartners(tokens);
  const current = () => open.at(-1)?.block ?? top;
  const push = (from: number, to: number, last: number, block: readonly Statement[] | undefined) =>
    current().push({ from, to, block, start: tokens[from]!.start, end: tokens[last]!.end });
  const close = (last: number) => {
    const { from, to, block } = open.pop()!;
    push(from, to, last, block);
  };

  /** One past the bracket that closes the one at `from`. If none does: the next `;`, closing brace, or the end. */
  const closing = (from: number): number => {
    const partner = partners[from]!;
    if (partner >= 0) return partner + 1;
    let end = from + 1;
    while (end < tokens.length && tokens[end]!.text !== ';' && tokens[end]!.text !== CLOSE) end++;
    return end;
  };

  while (at < tokens.length) {
    if (tokens[at]!.text === CLOSE) {
      if (open.length > 0) close(at);
      else problems.push(problem(tokens[at]!, 'schema/syntax', 'This brace closes nothing.'));
      at++;
      continue;
    }
    const from = at;
    let end = at;
    while (end < tokens.length && !isEnd(tokens, end)) {
      const text = tokens[end]!.text;
      const isValue = text === OPEN && end > from && opensValue(tokens, end);
      end = text === '[' || isValue ? closing(end) : end + 1;
    }
    const last = tokens[end];
    if (last?.text === OPEN) {
      if (open.length >= MAX_DEPTH) {
        if (!tooDeep)
          problems.push(problem(last, 'schema/too-deep', 'Blocks are nested deeper than anything protoc reads.'));
        tooDeep = true;
        at = Math.max(closing(end), end + 1);
        continue;
      }
      open.push({ from, to: end, block: [] });
      at = end + 1;
    } else if (last?.text === ';') {
      push(from, end, end, undefined);
      at = end + 1;
    } else {
      if (end > from) {
        problems.push(
          problem(tokens[end - 1]!, 'schema/syntax', `A semicolon is missing after "${shown(tokens[end - 1]!)}".`),
        );
      }
      at = Math.max(end, from);
    }
  }
  while (open.length > 0) {
    const { to } = open.at(-1)!;
    problems.push(problem(tokens[to]!, 'schema/syntax', 'This block is never closed: a closing brace is missing.'));
    close(tokens.length - 1);
  }
  return { statements: top, problems };
}

/** Whether the header ends here: at `;`, at a closing brace, or at an opening brace that does not begin a value. */
function isEnd(tokens: readonly Token[], at: number): boolean {
  const text = tokens[at]!.text;
  return text === ';' || text === CLOSE || (text === OPEN && !opensValue(tokens, at));
}

/** After `=`, or after a sign that follows `=`. */
function opensValue(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.text;
  return before === '=' || (before === '-' && tokens[at - 2]?.text === '=');
}

/** Index of the bracket or brace that closes the one at each index; −1: it is not closed. */
function bracketPartners(tokens: readonly Token[]): Int32Array {
  const partners = new Int32Array(tokens.length).fill(-1);
  const open: number[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'symbol') continue;
    if (text === '[' || text === OPEN) open.push(at);
    else if (text === ']' && tokens[open.at(-1) ?? -1]?.text === '[') partners[open.pop()!] = at;
    else if (text === CLOSE) {
      while (open.length > 0 && tokens[open.at(-1)!]!.text === '[') open.pop();
      if (open.length > 0) partners[open.pop()!] = at;
    }
  }
  return partners;
}

/** A token as findings show it. */
export const shown = (token: Token): string => (token.text.length > 40 ? `${token.text.slice(0, 39)}…` : token.text);
