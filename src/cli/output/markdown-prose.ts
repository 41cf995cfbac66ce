/** A Markdown document → the same text without the marks in its code, and the lists and quotations around a mark. */
import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt('commonmark');

/** Comments, escaped characters and spans of code, of which the first one wins. */
const SPANS = /<!--[\s\S]*?-->|\\[^\n]|(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g;

/** Each `<` of code is a space, so that offsets stay: of blocks, also in lists and quotations, and of spans in a line. */
export function proseOf(text: string): string {
  const lines = linesOf(text);
  const replace = ([start, end]: readonly [number, number], change: (part: string) => string): void => {
    const changed = change(lines.slice(start, end).join(''));
    lines.splice(start, end - start, ...linesOf(changed));
  };
  for (const { type, map } of parse(text)) {
    if (map === null) continue;
    if (type === 'fence' || type === 'code_block') replace(map, hidden);
    else if (type === 'inline') replace(map, (part) => part.replace(SPANS, hiddenCode));
  }
  return lines.join('');
}

/** The beginning that lines after that of `offset` need to be in the same list or quotation: `> `, spaces in place of `1. `. */
export function continuationOf(text: string, offset: number): string {
  const before = linesOf(text.slice(0, offset));
  const line = before.length - 1;
  const isWithin = parse(text).some(
    ({ type, map }) => map !== null && CONTAINERS.has(type) && map[0] <= line && line < map[1],
  );
  if (!isWithin) return '';
  return CONTAINER_MARKS.exec(before[line]!)![0].replace(/[^\s>]/g, ' ');
}

const CONTAINERS: ReadonlySet<string> = new Set(['blockquote_open', 'list_item_open']);
const CONTAINER_MARKS = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*/;

const parse = (text: string) => markdown.parse(text.replace(/^\ufeff/, ' '), {});
const linesOf = (text: string): string[] => text.split(/(?<=\n|\r(?!\n))/);

const hidden = (code: string): string => code.replaceAll('<', ' ');
const hiddenCode = (span: string): string => (span.startsWith('<!--') ? span : hidden(span));
