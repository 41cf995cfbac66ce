/** A Markdown document → the same text without the marks in its code. */
import MarkdownIt from 'markdown-it';

const markdown = new MarkdownIt('commonmark');

/** Comments, escaped characters and spans of code, of which the first one wins. */
const SPANS = /<!--[\s\S]*?-->|\\[^\n]|(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g;

/** Each `<` of code is a space, so that offsets stay: of blocks, also in lists and quotations, and of spans in a line. */
export function proseOf(text: string): string {
  const lines = text.split(/(?<=\n|\r(?!\n))/);
  const replace = ([start, end]: readonly [number, number], change: (part: string) => string): void => {
    const changed = change(lines.slice(start, end).join(''));
    lines.splice(start, end - start, ...changed.split(/(?<=\n|\r(?!\n))/));
  };
  for (const { type, map } of markdown.parse(text.replace(/^\ufeff/, ' '), {})) {
    if (map === null) continue;
    if (type === 'fence' || type === 'code_block') replace(map, hidden);
    else if (type === 'inline') replace(map, (part) => part.replace(SPANS, hiddenCode));
  }
  return lines.join('');
}

const hidden = (code: string): string => code.replaceAll('<', ' ');
const hiddenCode = (span: string): string => (span.startsWith('<!--') ? span : hidden(span));
