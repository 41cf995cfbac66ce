import { tokenize } from './tokens.ts';

/** The text of a .proto file without its comments, and without the lines that they leave empty. All tokens stay. */
export function withoutComments(text: string): string {
  const { tokens } = tokenize(text);
  let plain = '';
  let at = 0;
  for (const { start, end } of tokens) {
    plain += gapWithout(text.slice(at, start), plain === '') + text.slice(start, end);
    at = end;
  }
  return plain + gapWithout(text.slice(at), plain === '');
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** @param begins whether no token precedes it */
function gapWithout(gap: string, begins: boolean): string {
  if (!gap.includes('/')) return gap;
  const plain = gap.replace(COMMENT, '');
  const lastLine = plain.lastIndexOf('\n');
  if (lastLine >= 0) return begins ? plain.slice(lastLine + 1) : plain.slice(lastLine);
  return plain === '' && !begins ? ' ' : plain;
}
