/**
 * Text from outside (a file's name, a type, a path) → text in an output language. One function for each language. Its
 * result has a type of its own, and writers of files and terminals accept only that type, so that a raw insertion
 * does not compile.
 */

import { asEscape, UNSEEN } from '#engine/model/quoted-text.ts';
import { visible } from './visible.ts';

declare const language: unique symbol;
type In<Language extends string> = string & { readonly [language]: Language };

export type Html = In<'html'>;
export type Mdx = In<'mdx'>;
export type Markdown = In<'markdown'>;
export type Csv = In<'csv'>;
export type Svg = In<'svg'>;
export type Terminal = In<'terminal'>;

/** All that a command prints. Line ends and tabs stay; a name that has them goes through `visible` before. */
export const toTerminal = (text: string): Terminal =>
  text.replace(UNSEEN, (character) =>
    character === '\n' || character === '\t' ? character : asEscape(character),
  ) as Terminal;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
};

/** Between tags, or in an attribute that is quoted. */
export const toHtml = (text: string): Html =>
  visible(text).replace(/[&"'<>]/g, (character) => ENTITIES[character]!) as Html;

/** In an attribute that is quoted: JSX reads entities there, and no braces. */
export const toMdx = (text: string): Mdx => toHtml(text) as string as Mdx;

/**
 * Characters that begin markup or an entity within a line of Markdown (CommonMark §6), or a mention on GitHub. Within
 * words an underscore is text.
 */
const MARKS = /[\\`*{}[\]<>|~&!#$^@"]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
/** A word of which GitHub's Markdown makes a link, of a mail address even after an escape. Code has no links. */
const LINKED = /[\p{L}\p{N}._+-]@[\p{L}\p{N}]|www\.|:\//iu;

/** Any text within a line of Markdown, after its first words, or in the text of a link. */
export const toMarkdown = (text: string): Markdown =>
  visible(text)
    .split(/(\s+)/)
    .map((word) => (LINKED.test(word) ? toMarkdownCode(word) : word.replace(MARKS, (character) => `\\${character}`)))
    .join('') as Markdown;

/** An address in parentheses: characters that no address may hold are percent-encoded (RFC 3986 §2). */
export const toMarkdownAddress = (address: string): Markdown =>
  encodeURI(visible(address)).replace(/[()'*]|%25(?=[0-9a-f]{2})/gi, (part) =>
    part.length > 1 ? '%' : `%${part.charCodeAt(0).toString(16).toUpperCase()}`,
  ) as Markdown;

/** As code: between more backticks than it contains (CommonMark §6.1). */
export function toMarkdownCode(text: string): Markdown {
  const line = visible(text);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = line === '' || /^`|`$|^ .* $/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}` as Markdown;
}

/**
 * Digits, letters, and marks that mean nothing within a line: read as they are by any renderer, `<0.01 %` too, because
 * a tag begins with a letter (CommonMark §6.6).
 */
const HARMLESS = /^(?:[<>](?=[+−\d]))?[\p{L}\p{N} .,%+−–·/()?-]*$/u;

/** A cell of GitHub's tables: as code if it holds what a renderer may read. There a bar is escaped in code, too. */
export const toMarkdownCell = (text: string): Markdown =>
  HARMLESS.test(text) ? (text as Markdown) : (toMarkdownCode(text).replaceAll('|', '\\|') as Markdown);

/** A spreadsheet reads a cell that begins with one of these as a formula; an apostrophe keeps it text. */
const FORMULA = /^[=+\-@\t\r]/;

/** One cell (RFC 4180). */
export function toCsv(value: string | number): Csv {
  const text = typeof value === 'string' ? visible(FORMULA.test(value) ? `'${value}` : value) : String(value);
  return (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text) as Csv;
}

/** Accepts SVG markup whose texts are already escaped. Characters that XML forbids are written out. */
export const toSvg = (markup: string): Svg => toTerminal(markup) as string as Svg;

type Tagged<L> = (parts: TemplateStringsArray, ...values: readonly (L | number)[]) => L;

/** Joins parts that are already escaped: `markdown`# ${toMarkdownCode(name)}``. */
const compose =
  <L extends string>(): Tagged<L> =>
  (parts, ...values) =>
    parts.reduce((text, part, at) => `${text}${values[at - 1]}${part}`) as L;

export const html = compose<Html>();
export const mdx = compose<Mdx>();
export const markdown = compose<Markdown>();

export const joinLines = <L extends string>(parts: readonly L[], between = ''): L => parts.join(between) as L;
