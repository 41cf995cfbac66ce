import { expect, test } from 'vitest';
import { loadedSchema } from './home-notes.ts';

test.each([
  ['one file', 1, 0, 'One schema file is loaded; now open a message.'],
  ['several', 12, 0, '12 schema files are loaded; now open a message.'],
  ['one with errors', 1, 2, 'One schema file has 2 errors; types that they touch are not used.'],
  ['several with an error', 3, 1, '3 schema files have 1 error; types that they touch are not used.'],
])('%s', (_, files, errors, words) => expect(loadedSchema(files, errors).join('')).toBe(words));
