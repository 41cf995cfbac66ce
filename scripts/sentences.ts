/**
 * A file of the repository → its sentences at their offsets, and blanks in place of everything else. Sentences of code
 * are comments, strings and test titles; sentences of Markdown are everything except code.
 */
import ts from 'typescript';

const blank = (text: string): string => text.replace(/\S/g, ' ');

export function sentencesOf(path: string, text: string): string {
  if (path.endsWith('.md')) return withoutCode(text.replace(/^```[\s\S]*?^```/gm, blank));
  if (path.endsWith('.css')) return withoutCode(keep(text, commentsOf(text)));
  const { texts, literals } = literalsOf(path, text);
  let bare = text;
  for (const { start, end } of literals) bare = bare.slice(0, start) + ' '.repeat(end - start) + bare.slice(end);
  return withoutCode(keep(text, [...texts, ...commentsOf(bare)]));
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const commentsOf = (text: string): readonly Span[] =>
  [...text.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*/g)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));

/** A literal without a blank in it is a name or data. */
function literalsOf(
  path: string,
  text: string,
): { readonly texts: readonly Span[]; readonly literals: readonly Span[] } {
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : path.endsWith('.mjs') ? ts.ScriptKind.JS : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind);
  const literals: Span[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isStringLiteralLike(node) ||
      ts.isJsxText(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isRegularExpressionLiteral(node)
    )
      literals.push({ start: node.getStart(source), end: node.end });
    ts.forEachChild(node, visit);
  };
  visit(source);
  const texts = literals
    .filter(({ start, end }) => text[start] !== '/' && /\S\s+\S/.test(text.slice(start, end)))
    .map(({ start, end }) => (text[start] === '`' ? { start: start + 1, end: end - 1 } : { start, end }));
  return { texts, literals };
}

/** The `*` that begins a line of a comment becomes a blank, so that a phrase continues in the next line. */
function keep(text: string, spans: readonly Span[]): string {
  let kept = '';
  let at = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    kept += blank(text.slice(at, start)) + text.slice(start, end).replace(/^([ \t]*)\*/gm, '$1 ');
    at = end;
  }
  return kept + blank(text.slice(at));
}

const withoutCode = (text: string): string => text.replace(/`[^`\n$]*`/g, blank);
