import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LAYERS } from '#engine/capture/containers/packets-layers.ts';
import { CAUSES, type Cause } from '#engine/cost/compare.ts';
import { CATEGORIES } from '#engine/model/annotation.ts';
import { PANELS } from '#state/view-state.ts';
import { FIELD_COLUMNS } from '#views/field-table/field-columns.tsx';
import { COLUMNS } from '#views/messages/message-columns.ts';
import { DIFF_CAUSES } from './pair-words.ts';
import { causeTerm, printGlossary, TERMS } from './terms.ts';

test('the glossary of the docs is this table', async () => {
  await expect(printGlossary()).toMatchFileSnapshot(new URL('../../docs/glossary.md', import.meta.url).pathname);
});

test.each(Object.entries(CAUSES))('%s has the same name as in the charts, and has an example', (cause, label) => {
  const { word, says } = causeTerm(cause as Cause);
  expect(word).toBe(label);
  expect(says).toMatch(/\. .+\.$/);
});

test.each(Object.entries(TERMS))('%s is explained in sentences', (_, { says }) => {
  expect(says).toMatch(/^[A-Z“].*\.$/);
});

test.each(CATEGORIES)('the category %s is explained, with an example', (category) => {
  expect(TERMS[category].says).toMatch(/\. .+\.$/);
});

test('every column that is shown is explained', () => {
  for (const { label, term } of FIELD_COLUMNS) expect(TERMS[term]?.says, label).toBeDefined();
  for (const { title, term } of COLUMNS) expect(TERMS[term]?.says, title).toBeDefined();
});

/** Column heads that are plain words. */
const PLAIN = ['Field', 'Type', 'Messages', 'Name', 'Number', 'Method', 'Change', 'Before', 'After'];
/** Heads that only a screen reader reads, and those that one of the plain words stands in. */
const UNSEEN = /^<span className="sr-only">/;
const NAMED_ELSEWHERE = ['{of}'];

/** Each column head of the views, with its attributes, its contents and its file. */
const HEADS = readdirSync('src/views', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.tsx'))
  .flatMap((path) =>
    readFileSync(join('src/views', path), 'utf8')
      .split(/(?=<(?:th|ColumnTitle|div)\b)/)
      .filter((part) => /^<ColumnTitle\b|^<\w+\b[^<]*?(?:scope="col"|role="columnheader")/.test(part))
      .map((part) => {
        const whole = part.slice(0, part.search(/<\/(?:th|ColumnTitle|div)>/));
        return { path, whole, head: whole.slice(whole.search(/(?<!=)>/) + 1).trim() };
      }),
  );

test('the column heads of all tables are found', () => {
  expect(HEADS.length).toBeGreaterThan(90);
  expect(new Set(HEADS.map(({ path }) => path)).size).toBeGreaterThan(15);
});

test.each(HEADS)('$path: the column head $head has a term or is a plain word', ({ whole, head }) => {
  if (UNSEEN.test(head) || PLAIN.includes(head) || NAMED_ELSEWHERE.includes(head)) return;
  const named = / (?:data-)?term=(?:"([^"]+)"|\{)/.exec(whole);
  expect(named, 'names no term').not.toBeNull();
  if (named?.[1] !== undefined) expect(Object.keys(TERMS)).toContain(named[1]);
});

test.each([
  ...Object.keys(PANELS).map((panel) => `panel-${panel}`),
  ...LAYERS.map((layer) => `layer-${layer}`),
  ...Object.keys(DIFF_CAUSES).map((cause) => `cause-${cause}`),
])('what the page names %s is explained', (name) => {
  expect(Object.keys(TERMS)).toContain(name);
});

/** Labels in plain words. */
const PLAIN_LABELS = [
  'Keys',
  'Bytes before and after',
  'In all',
  'Changed',
  'As before',
  'What changed',
  'Measured by',
  'Examples',
  'Schemas',
  'Fields',
  'Declared inside',
  'Uses',
  'Values',
  'Methods',
  'The field',
  'Declares',
  'Imports',
  'Imported by',
  'Contents',
  'What is wrong',
  'Packages',
  'Used by',
  'Which varints',
  'Measure',
  'Bytes counted',
  'Bytes',
  'Native writer',
  'Real captures',
  'Open another',
  'Kept on this machine',
  'Where',
  'Native profile',
  'Figure',
  'Theme',
  'For a document',
  'Share this analysis',
  'As what',
  'Called',
  'Link',
  'Unwrapped by',
  'Question',
  'After compression',
];
/** Labels that are names of the input’s own, or that have their explanation in them or in the element inside: how their code begins. */
const OWN_LABELS = [
  '{PANELS[panel]}',
  '{says}',
  '{where}',
  '{chord.map((key) => ( {key} ))}',
  '{row.title}',
  "{plural(count, 'change')}",
  "File{' '} {files.map((file)",
  "Bytes{' '}",
  '{what}',
  '{before === undefined',
  '{KINDS[kind]}',
  '{field.name}',
  '{SCOPES[key][0]}',
  '{heading ===',
  '{label}',
  '{option.label}',
  '{writerLabel(writer)} {writerNote(writer)}',
  '{encoding}',
  '{name}',
  '{isEncrypted ?',
  '{LAYERS_CAPTION}',
  '{againstWords(captured, other)}',
  '{excerptTitle(excerpt)}',
  "{parent !== ''",
  'Bytes, {unitWords(unit, a, b)}',
  '{letter}',
  '{label} {description}',
  "{key === 'auto'",
  "{subject.pair ? 'The fields of B' : 'The fields'}",
  '{SHARE_TITLES[key]}',
  '{SHARE_NOTES.withBytes}',
];
/** Whole sentences. */
const NOTE = /^\{[A-Z]+_NOTES\.\w+\}$/;

const LABELLED = ['dt', 'legend', 'label', 'summary', 'h2', 'h3', 'caption'];
/** Components that draw a label, which is one of their attributes. */
const LABELLING = ['PageSection', 'Segments', 'Choice', 'Chip', 'ReadingSelect'];

/** The end of an opening tag: the first `>` outside of braces. */
function tagEnd(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}') depth--;
    else if (text[at] === '>' && depth === 0) return at;
  }
  return text.length;
}

/** JSX without its tags. */
const wordsOf = (jsx: string): string => {
  const at = jsx.indexOf('<');
  if (at < 0) return jsx;
  const rest = jsx.slice(at);
  return `${jsx.slice(0, at)} ${wordsOf(rest.slice(tagEnd(rest) + 1))}`;
};

/** Each label of the views: its opening tag, its words and its file. A fieldset's term explains its legend. */
const LABELS = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /^(?:views|app)\/.*\.tsx$/.test(path) && !path.endsWith('gallery.tsx'))
  .flatMap((path) => {
    const source = readFileSync(join('src', path), 'utf8');
    return [...source.matchAll(new RegExp(`<(${[...LABELLED, ...LABELLING].join('|')})\\b`, 'g'))].map(
      ({ 1: tag, index }) => {
        const rest = source.slice(index);
        const end = tagEnd(rest);
        const opening = rest.slice(0, end);
        const words = LABELLING.includes(tag!)
          ? (/ (?:title|label)=(?:"([^"]*)"|(\{[^}]*\}))/.exec(opening)?.slice(1).find(Boolean) ?? '')
          : wordsOf(rest.slice(end + 1, rest.indexOf(`</${tag}>`)))
              .replace(/\s+/g, ' ')
              .trim();
        const fieldset = tag === 'legend' ? source.slice(source.lastIndexOf('<fieldset', index), index) : '';
        return { path, words, opening: fieldset.slice(0, tagEnd(fieldset)) + opening };
      },
    );
  });

test('labels are found', () => {
  expect(LABELS.length).toBeGreaterThan(90);
});

test.each(LABELS)('$path: the label $words has a term or is in plain words', ({ words, opening }) => {
  const named = / (?:data-)?term=(?:"([^"]+)"|\{)/.exec(opening);
  const isOwn = words === '' || NOTE.test(words) || OWN_LABELS.some((begin) => words.startsWith(begin));
  if (named === null && !isOwn) expect(PLAIN_LABELS).toContain(words);
  if (named?.[1] !== undefined) expect(Object.keys(TERMS)).toContain(named[1]);
});
