import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileSchema, type SchemaSource } from '#engine/schema/compile.ts';
import { importedFiles } from '#testing/imported-files.ts';

const FILES = importedFiles();
const PROMETHEUS = new Uint8Array(
  readFileSync(new URL('../../fixtures/schema/sets/prometheus-rw1.binpb', import.meta.url)),
);
const source = (path: string, content: string): SchemaSource => ({ path, content });
const compile = (text: string) => compileSchema([source('m.proto', text), ...FILES]);

test('all bundled imports compile', () => {
  expect(compileSchema(FILES).diagnostics).toEqual([]);
});

test.each(FILES.map(({ path }) => path))('%s declares something, and all its imports exist', (path) => {
  const { registry, diagnostics, missing } = compile(`syntax = "proto3"; import "${path}";`);
  expect({ diagnostics, missing }).toEqual({ diagnostics: [], missing: [] });
  const declared = [...registry.messages.values(), ...registry.enums.values(), ...registry.extensions.values()];
  expect(declared.filter(({ file }) => file === path).length).toBeGreaterThan(0);
});

test('rules of protovalidate and protoc-gen-validate are read', () => {
  const text = `syntax = "proto3"; import "validate/validate.proto"; import "buf/validate/validate.proto";
    message M {
      string a = 1 [(validate.rules).string.min_len = 3, (buf.validate.field).string = { min_len: 3 }];
      string b = 2 [(validate.rules).string = { prefix: "%" ignore_empty: true }];
    }`;
  const { registry, diagnostics } = compile(text);
  expect(diagnostics).toEqual([]);
  expect(registry.messages.get('M')?.fields[0]?.options).toEqual({
    'validate.rules': { string: { min_len: 3n } },
    'buf.validate.field': { string: { min_len: 3n } },
  });
  expect(registry.messages.get('M')?.fields[1]?.options).toEqual({
    'validate.rules': { string: { prefix: '%', ignore_empty: true } },
  });
});

test('gogoproto is found by its repository path', () => {
  const text = 'syntax = "proto3"; import "github.com/gogo/protobuf/gogoproto/gogo.proto"; message M {}';
  expect(compile(text).diagnostics).toEqual([]);
});

test('the options of HTTP rules are read', () => {
  const text = `syntax = "proto3"; import "google/api/annotations.proto"; message M {}
    service S { rpc Get (M) returns (M) { option (google.api.http) = { get: "/v1/{name}" additional_bindings { post: "/v2" body: "*" } }; } }`;
  const { registry, diagnostics } = compile(text);
  expect(diagnostics).toEqual([]);
  expect(registry.extensions.get('google.api.http')?.number).toBe(72_295_728);
  expect(registry.services.get('S')?.methods[0]?.options).toEqual({
    'google.api.http': { get: '/v1/{name}', additional_bindings: [{ post: '/v2', body: '*' }] },
  });
});

test('the options of gogoproto are those of its own file, in a real descriptor set', () => {
  const text =
    'syntax = "proto3"; import "gogoproto/gogo.proto"; message M { bytes b = 1 [(gogoproto.nullable) = false]; }';
  const own = compile(text);
  expect(own.diagnostics).toEqual([]);
  expect(own.registry.messages.get('M')?.fields[0]?.options).toEqual({ 'gogoproto.nullable': false });
  const real = compileSchema([{ path: 'set', content: PROMETHEUS }]);
  const printed = ({ registry }: typeof own) =>
    [...registry.extensions.values()].flatMap((field) =>
      !field.fullName.startsWith('gogoproto.')
        ? []
        : `${field.parent.name} ${field.number} ${field.type} ${field.fullName}`,
    );
  expect(printed(own).sort()).toEqual(printed(real).sort());
});
