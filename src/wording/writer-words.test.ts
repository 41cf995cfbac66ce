import { expect, test } from 'vitest';
import { Ledgers } from '#engine/cost/type-profiler.ts';
import { checkNativeOptions } from '#engine/native/check-options.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import { OPTIONS } from '#testing/arbitrary-message.ts';
import { writerOption } from './writer-words.ts';

const schemaWith = (own = '', ofMap = '') =>
  compileSchema([
    OPTIONS,
    {
      path: 'm.proto',
      content: `syntax = "proto3"; import "${OPTIONS.path}";
        message M { int64 size = 1 ${own}; map<int64, int64> sizes = 2 ${ofMap}; }`,
    },
  ]);
const ledgers = new Ledgers(schemaWith().registry.messages.get('M'), NATIVE_PROFILES[0]!);
ledgers.add(Uint8Array.of(8, 1, 18, 4, 8, 1, 16, 2));
const profile = ledgers.profile();

test.each([
  ['size', '[(wirecost.native.write) = ZLONG]', 'In the .proto file'],
  ['sizes.key', '[(wirecost.native.write_key) = ZLONG]', 'In the .proto file, at the map sizes'],
  ['sizes.value', '[(wirecost.native.write_value) = ZLONG]', 'In the .proto file, at the map sizes'],
])('the option of %s is accepted at its place', (path, text, place) => {
  const option = writerOption(profile.fields.find((field) => field.path === path)!, profile, 'ZLONG');
  expect(option).toEqual({ text, place });
  const schema = path === 'size' ? schemaWith(text) : schemaWith('', text);
  expect([...schema.diagnostics, ...checkNativeOptions(schema)]).toEqual([]);
});
