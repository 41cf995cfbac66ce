/**
 * A file of the repository → its sentences at their offsets, and blanks in place of everything else. Sentences of code
 * are comments, strings and test titles; sentences of Markdown are everything except code.
 */
import { parseSync, Visitor } from 'vite';

const blank = (text: string): string => text.replace(/\S/g, ' ');

export function sentencesOf(path: string, text: string): string {
  if (path.endsWith('.md')) return withoutCode(text.replace(/^```[\s\S]*?^```/gm, blank));
  if (path.endsWith('.css')) return withoutCode(keep(text, commentsOfStyles(text)));
  return withoutCode(keep(text, spansOf(path, text)));
}

interface Span {
  readonly start: number;
  readonly end: number;
}

const commentsOfStyles = (text: string): readonly Span[] =>
  [...text.matchAll(/\/\*[\s\S]*?\*\//g)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }));

/** Comments and literals. A literal without a blank in it is a name or data. */
function spansOf(path: string, text: string): readonly Span[] {
  const { program, comments, errors } = parseSync(path, text, { astType: 'ts' });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const literals: Span[] = [];
  const add = ({ start, end }: Span, delimiter = 0): void => {
    if (/\S\s+\S/.test(text.slice(start, end))) literals.push({ start: start + delimiter, end: end - delimiter });
  };
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') add(node);
    },
    // Its span begins with a backtick or a brace. A backtick would begin a name of code.
    TemplateElement(node) {
      add(node, 1);
    },
    JSXText(node) {
      add(node);
    },
  }).visit(program);
  return [...comments, ...literals];
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
