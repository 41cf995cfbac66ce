import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CAUSES, type Cause } from '#engine/cost/compare.ts';
import { CATEGORIES } from '#engine/model/annotation.ts';
import { FIELD_COLUMNS } from '#views/field-table/field-columns.tsx';
import { COLUMNS } from '#views/messages/message-columns.ts';
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
