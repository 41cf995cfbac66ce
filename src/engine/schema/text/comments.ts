/**
 * Assigns comments to declarations, by protoc's rules for SourceCodeInfo. A comment trails the previous token if it is
 * on the same line, or if an empty line separates it from the next token. A comment that is adjacent to the next token
 * leads it.
 */

export interface GapComments {
  /** Describes the token before the gap. */
  readonly trailing: string | undefined;
  /** Describes the token after the gap. */
  readonly leading: string | undefined;
}

const PIECE = /\/\/[^\n]*\n?|\/\*[\s\S]*?\*\/|\n|[^\S\n]+/g;

/**
 * `gap` is the text between two tokens. `closes`: the token after it ends a block. `opens`: there is no token before
 * it.
 */
export function commentsIn(gap: string, closes: boolean, opens: boolean): GapComments {
  if (!gap.includes('/')) return { trailing: undefined, leading: undefined };
  let trailing: string | undefined;
  let block: string[] = [];
  let isLine = false;
  let canTrail = !opens;
  let emptyLine = false;
  let firstLine = !opens;
  const flush = () => {
    if (block.length > 0 && canTrail) {
      trailing = block.join('\n');
      canTrail = false;
    }
    block = [];
  };
  for (const [piece] of gap.matchAll(PIECE)) {
    if (piece.startsWith('//')) {
      if (!isLine) flush();
      isLine = true;
      block.push(piece.slice(2).trim());
      if (firstLine) flush();
      firstLine = false;
      emptyLine = true;
    } else if (piece.startsWith('/*')) {
      flush();
      isLine = false;
      block.push(...piece.slice(2, -2).split('\n').map(withoutStar));
      emptyLine = false;
    } else if (piece === '\n') {
      if (firstLine) flush();
      else if (emptyLine) {
        flush();
        canTrail = false;
      }
      firstLine = false;
      emptyLine = true;
    }
  }
  if (closes) flush();
  const leading = firstLine ? undefined : clean(block.join('\n'));
  return { trailing: clean(trailing), leading };
}

const withoutStar = (line: string): string => line.replace(/^\s*\*?/, '').trim();

const clean = (text: string | undefined): string | undefined => text?.trim() || undefined;

/** One text for a declaration: its leading comment, then its trailing comment. */
export function joinComments(leading: string | undefined, trailing: string | undefined): string | undefined {
  return leading && trailing ? `${leading}\n${trailing}` : (leading ?? trailing);
}

/** A comment without its comment marks, as in SourceCodeInfo. */
export const cleanComment = (text: string | undefined): string | undefined =>
  clean(
    text
      ?.split('\n')
      .map((line) => line.trim())
      .join('\n'),
  );
