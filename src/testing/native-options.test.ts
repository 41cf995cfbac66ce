/** Random layouts have every option that options.proto declares, with every value of its enum. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileSchema } from '#engine/schema/compile.ts';
import { arbitraryLayouts } from './arbitrary-schema.ts';

const path = 'native/options.proto';
const content = readFileSync(new URL('../../schemas/native/options.proto', import.meta.url), 'utf8');
const extensions = [...compileSchema([{ path, content }]).registry.extensions.values()];
/** Options of methods say which message an action sends, and not how it is laid out. */
const ofLayouts = extensions.filter(({ parent }) => parent.name !== 'MethodOptions');

const schemas = fc.sample(arbitraryLayouts({ lossless: false }), { numRuns: 4000, seed: 1 }).join('\n');

test.each(ofLayouts.map(({ name, enum: values }) => ({ name, values })))('$name is drawn', ({ name, values }) => {
  const drawn = new Set(
    [...schemas.matchAll(new RegExp(`\\(wirecost\\.native\\.${name}\\) = ([^,;\\]]+)`, 'g'))].map(
      ([, value]) => value!,
    ),
  );
  expect(drawn.size).toBeGreaterThan(0);
  // Lengths and counts are integers; map keys are neither floats nor messages.
  if (values === undefined || /^write_/.test(name)) return;
  expect(values.values.map((value) => value.name).filter((value) => !drawn.has(value))).toEqual([]);
});

test('the options are those of fields, messages and oneofs', () => {
  expect([...new Set(extensions.map(({ parent }) => parent.name))].sort()).toEqual([
    'FieldOptions',
    'MessageOptions',
    'MethodOptions',
    'OneofOptions',
  ]);
  expect(ofLayouts.length).toBeGreaterThan(20);
});
