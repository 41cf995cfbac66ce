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
