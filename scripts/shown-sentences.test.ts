/** Sentences that the page shows are written in src/wording; components hold labels of at most four words. */
import { readdirSync, readFileSync } from 'node:fs';
import { type ESTree, parseSync, Visitor } from 'vite';
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
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const found: string[] = [];
  const add = (said: string, at: number): void => {
    if (!isSentence(said.trim())) return;
    found.push(`${path}:${text.slice(0, at).split('\n').length} ${said.replace(/\s+/g, ' ').trim()}`);
  };
  const ofElement = ({ children, start }: ESTree.JSXElement | ESTree.JSXFragment): void =>
    add(children.map((child) => (child.type === 'JSXText' ? child.value : ' … ')).join(''), start);
  new Visitor({
    Literal({ value, start }) {
      if (typeof value === 'string') add(value, start);
    },
    TemplateLiteral({ quasis, start }) {
      add(quasis.map(({ value }) => value.raw).join(' … '), start);
    },
    JSXElement: ofElement,
    JSXFragment: ofElement,
  }).visit(program);
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
