import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileSchema } from '../schema/compile.ts';
import { defaultProfile } from './default-profile.ts';

const path = 'native/options.proto';
const options = { path, content: readFileSync(new URL(`../../../schemas/${path}`, import.meta.url), 'utf8') };
const content = `syntax = "proto3"; package d; import "native/options.proto";
  message Plain { int32 a = 1; Plain again = 2; oneof o { string s = 3; } }
  message Field { int32 a = 1 [(wirecost.native.write) = VINT]; }
  message Holder { repeated Inner inner = 1; } message Inner { map<string, Field> fields = 1; }`;
const { registry } = compileSchema([options, { path: 'd.proto', content }]);

test.each([
  ['has no options', 'd.Plain', false, 'opensearch'],
  ['has no options, and was captured in a layout', 'd.Plain', true, 'laid-out'],
  ['has an option', 'd.Field', false, 'laid-out'],
  ['holds a type that has an option', 'd.Holder', false, 'laid-out'],
  ['is not known', '', false, 'opensearch'],
])('a type that %s', (_, name, isNative, id) => {
  expect(defaultProfile(isNative, registry.messages.get(name)).id).toBe(id);
});
