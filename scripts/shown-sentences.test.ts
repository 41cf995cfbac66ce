/** Sentences that the page shows are written in src/wording; components hold labels of at most four words. */
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

const ROOT = new URL('../', import.meta.url);
const FOLDERS = ['app', 'charts', 'embed', 'figures', 'views'];
/** A page for development, and code as text: of a worker, and for pages that embed a figure. */
const EXEMPT = new Set(['src/app/gallery.tsx', 'src/app/start-worker.ts', 'src/figures/snippets.ts']);

const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(new URL(`src/${folder}/`, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
    .map((path) => `src/${folder}/${path.replaceAll('\\', '/')}`),
).filter((path) => !EXEMPT.has(path));

/** Names of classes, paths and typefaces have few words without hyphens and digits; bytes are pairs of hex digits. */
function isSentence(text: string): boolean {
  const words = text
    .split(/\s+/)
    .filter(
      (word) =>
        /^[“(]?[A-Za-z’]{1,}[,.;:?)”]*$/.test(word) && !/^[a-f]{2}$/.test(word) && /[A-Za-z]{2}|[aA]/.test(word),
    );
  return words.length > 4 || (words.length > 1 && /[a-z][.]($|\s)/.test(text));
}

function sentencesIn(path: string, text: string): readonly string[] {
  const source = ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    let said = '';
    if (ts.isStringLiteralLike(node)) said = node.text;
    else if (ts.isTemplateExpression(node))
      said = node.head.text + node.templateSpans.map(({ literal }) => ` … ${literal.text}`).join('');
    else if (ts.isJsxElement(node) || ts.isJsxFragment(node))
      said = node.children.map((child) => (ts.isJsxText(child) ? child.text : ' … ')).join('');
    if (isSentence(said.trim())) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push(`${path}:${line + 1} ${said.replace(/\s+/g, ' ').trim()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test.each([
  ['const a = <p>There is {count} of them here.</p>;', 1],
  ['const a = <p title="This shows the five words" />;', 1],
  ["const a = 'Nothing is open.';", 1],
  ['const a = <p className="flex min-h-0 flex-1 border-b px-3 select-none">Bytes by field path</p>;', 0],
])('%s', (text, count) => {
  expect(sentencesIn('a.tsx', text)).toHaveLength(count);
});

test('components hold no sentence', () => {
  expect(FILES.flatMap((path) => sentencesIn(path, readFileSync(new URL(path, ROOT), 'utf8')))).toEqual([]);
});
