import { readdirSync, readFileSync } from 'node:fs';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProtoSchema,
  type FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CompiledSchema, compileSchema, openSchema } from './compile.ts';
import { printRegistry } from './print-registry.ts';

const FIXTURES = new URL('../../../fixtures/schema/', import.meta.url);
const TEXTS = ['rules/options.proto', 'rules/edition2023.proto', 'rules/edition_file.proto', 'rules/scoping.proto'].map(
  (path) => readFileSync(new URL(path, FIXTURES), 'utf8'),
);
const SETS = readdirSync(new URL('sets/', FIXTURES)).map((path) => readFileSync(new URL(`sets/${path}`, FIXTURES)));

/** For any input, spans lie in the text, links are closed, and the result can be printed. */
function checkWhole({ registry, diagnostics }: CompiledSchema, length: number): void {
  for (const { code, start, end } of diagnostics) {
    expect(code).toMatch(/^schema\/[a-z0-9-]+$/);
    expect(start).toBeLessThanOrEqual(end);
    expect(end).toBeLessThanOrEqual(length);
  }
  for (const message of registry.messages.values()) {
    expect(message.byNumber.size).toBe(message.fields.length);
    for (const field of message.fields) {
      if (field.message) expect(registry.messages.get(field.message.fullName)).toBe(field.message);
      if (field.enum) expect(registry.enums.get(field.enum.fullName)).toBe(field.enum);
    }
  }
  expect(printRegistry(registry)).toBeTypeOf('string');
}

const RUNS = { numRuns: 1000 };

const WORDS = fc.constantFrom(
  ...'syntax edition package import public option message enum service rpc returns stream oneof map reserved'.split(
    ' ',
  ),
  ...'extensions extend group optional required repeated int32 string M E x __proto__ constructor to max inf true'.split(
    ' ',
  ),
  ...[
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    ';',
    '=',
    ',',
    '.',
    '-',
    ':',
    '"proto2"',
    '"proto3"',
    '"2023"',
    '1',
    '0x',
  ],
  ...['"', "'", '//', '/*', '*/', '\n', '1.5', '999999999999', 'é', '😀', '\\', '"\\xff"', 'features', 'default', '\0'],
);

describe('compiling never throws', () => {
  test('on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        checkWhole(compileSchema([{ path: 'a.proto', content: text }]), text.length);
      }),
      RUNS,
    );
  });

  test('on the words of the language in any order', () => {
    fc.assert(
      fc.property(fc.array(WORDS, { maxLength: 80 }), fc.constantFrom(' ', ''), (words, between) => {
        const text = words.join(between);
        checkWhole(compileSchema([{ path: 'a.proto', content: text }]), text.length);
      }),
      RUNS,
    );
  });

  test('on a schema with pieces lost, doubled and replaced', () => {
    const edit = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(30),
      put: fc.array(WORDS),
    });
    fc.assert(
      fc.property(fc.constantFrom(...TEXTS), fc.array(edit, { minLength: 1, maxLength: 4 }), (original, edits) => {
        let text = original;
        for (const { at, length, put } of edits) {
          const start = Math.floor(at * text.length);
          text = `${text.slice(0, start)}${put.slice(0, 3).join(' ')}${text.slice(start + length)}`;
        }
        checkWhole(compileSchema([{ path: 'a.proto', content: text }]), text.length);
      }),
      RUNS,
    );
  }, 60_000);

  test('on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        checkWhole(compileSchema([{ path: 'a.binpb', content: bytes }]), 0);
      }),
      RUNS,
    );
  });

  test('on a descriptor set with bytes changed', () => {
    const edit = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255));
    fc.assert(
      fc.property(fc.constantFrom(...SETS), fc.array(edit, { minLength: 1, maxLength: 20 }), (original, edits) => {
        const bytes = Uint8Array.from(original);
        for (const [at, value] of edits) bytes[Math.floor(at * (bytes.length - 1))] = value;
        checkWhole(openSchema([{ path: 'a.binpb', content: bytes }]), 0);
        checkWhole(compileSchema([{ path: 'a.binpb', content: bytes }]), 0);
      }),
      RUNS,
    );
  }, 60_000);
});

describe('large numbers of declarations', () => {
  const compile = (files: Readonly<Record<string, string>>) =>
    compileSchema(Object.entries(files).map(([path, content]) => ({ path, content })));

  test('a million values of an enum exceed the size of a text; thirty thousand do not', () => {
    const values = (count: number) => Array.from({ length: count }, (_, i) => `V${i} = ${i};`).join('\n');
    const text = (count: number) => `syntax = "proto3"; enum E { ${values(count)} }`;
    const some = compile({ 'e.proto': text(30_000) });
    expect(some.diagnostics).toEqual([]);
    expect(some.registry.enums.get('E')?.values.length).toBe(30_000);
    const huge = compile({ 'e.proto': text(1_000_000) });
    expect(huge.diagnostics.map(({ code }) => code)).toEqual(['schema/too-large']);
  });

  test('texts that consist of short tokens are refused when they would take too much memory', () => {
    const message = (name: string, statement: string) =>
      `syntax = "proto3"; message ${name} { ${statement.repeat(600_000)} }`;
    const both = (statement: string) =>
      compile({ 'a.proto': message('A', statement), 'b.proto': message('B', statement) });
    const dense = both(';');
    expect(dense.diagnostics.map(({ code, file }) => [code, file])).toEqual([['schema/too-large', 'b.proto']]);
    expect([...dense.registry.messages.keys()]).toEqual(['A']);
    expect(both(';   ').diagnostics).toEqual([]);
  });

  test('files that import each other in a ring', () => {
    const name = (index: number) => `f${index % 5000}.proto`;
    const files = Array.from({ length: 5000 }, (_, i) => [name(i), `syntax = "proto3"; import "${name(i + 1)}";`]);
    const { diagnostics } = compile(Object.fromEntries(files));
    expect(diagnostics.map(({ code }) => code)).toEqual(['schema/import-cycle']);
    expect(diagnostics[0]?.message.length).toBeLessThan(1000);
  });

  test('files that import publicly in a chain', () => {
    const files = Array.from({ length: 300 }, (_, i) => [
      `f${i}.proto`,
      `syntax = "proto3"; import public "f${i + 1}.proto"; message M${i} { M299 last = 1; }`,
    ]);
    const { diagnostics, registry } = compile({ ...Object.fromEntries(files), 'f300.proto': 'syntax = "proto3";' });
    expect(diagnostics).toEqual([]);
    expect(registry.messages.get('M0')?.fields[0]?.message?.name).toBe('M299');
  });
});

describe('malicious descriptor sets', () => {
  type Proto = MessageInitShape<typeof FileDescriptorProtoSchema>;
  const open = (...file: readonly Proto[]) => {
    const set = create(FileDescriptorSetSchema, { file: [...file] });
    return compileSchema([{ path: 'set.binpb', content: toBinary(FileDescriptorSetSchema, set) }]);
  };
  const fields = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `f${index}`, number: index + 20_000, type: 5, label: 1 }));

  test('files that import each other in a ring', () => {
    const name = (index: number) => `f${index % 5000}.proto`;
    const ring = Array.from({ length: 5000 }, (_, at) => ({ name: name(at), dependency: [name(at + 1)] }));
    const { diagnostics } = open(...ring);
    expect(diagnostics.map(({ code }) => code)).toEqual(['schema/import-cycle']);
    expect(diagnostics[0]?.message.length).toBeLessThan(1000);
  });

  test('messages nested deep', () => {
    const deep = (depth: number): MessageInitShape<typeof DescriptorProtoSchema> =>
      depth === 0 ? { name: 'M' } : { name: 'M', nestedType: [deep(depth - 1)] };
    const { registry, diagnostics } = open({ name: 'a.proto', messageType: [deep(500), { name: 'After' }] });
    expect(registry.messages.get('After')?.fields).toEqual([]);
    for (const { code } of diagnostics) expect(code).toBe('schema/not-a-set');
  });

  test('names of JavaScript’s own properties', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const { registry, diagnostics } = open({
      name: 'a.proto',
      package: '__proto__',
      messageType: names.map((name) => ({ name, field: [{ name, number: 1, type: 5, label: 1 }] })),
      enumType: [{ name: 'valueOf', value: [{ name: 'prototype', number: 0 }] }],
    });
    expect(diagnostics).toEqual([]);
    const found = names.map((name) => registry.messages.get(`__proto__.${name}`)?.fields.map((field) => field.name));
    expect(found).toEqual(names.map((name) => [name]));
    expect(registry.enums.get('__proto__.valueOf')?.values.map(({ name }) => name)).toEqual(['prototype']);
  });

  test('a name of a megabyte', () => {
    const { registry, diagnostics } = open({
      name: 'a.proto',
      messageType: [{ name: 'a'.repeat(1 << 20) }, { name: 'B' }],
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(['schema/name']);
    expect([...registry.messages.keys()]).toEqual(['B']);
  });

  test('ten thousand fields and a hundred thousand enum values are visited once per query', () => {
    const value = Array.from({ length: 100_000 }, (_, index) => ({ name: `V${index}`, number: index }));
    const { registry, diagnostics } = open({
      name: 'a.proto',
      messageType: [{ name: 'Big', field: fields(10_000) }],
      enumType: [{ name: 'E', value }],
    });
    expect(diagnostics).toEqual([]);
    expect(registry.messages.get('Big')?.fields.length).toBe(10_000);
    expect(registry.enums.get('E')?.values.length).toBe(100_000);
  });
});

describe('hostile text ends soon', () => {
  const many = (piece: string, count: number) => piece.repeat(count);
  test.each([
    ['opening braces', many('message M{', 30_000)],
    ['closing braces', many('}', 30_000)],
    ['brackets never closed', `message M { int32 a = 1 ${many('[;', 30_000)}`],
    ['an aggregate nested deep', `option (a) = ${many('{a:', 30_000)}`],
    ['one line of a megabyte', `message M {${many('int32 a = 1;', 30_000)}}`],
    ['a text of a megabyte', `option a = "${many('x', 1_000_000)}";`],
    ['a comment of a megabyte', `/*${many('/*\n', 300_000)}`],
    ['lines of comments', many('// é, in two bytes a letter, as much as a comment of the field has\n', 200_000)],
    ['many comments', many('/* é, in two bytes a letter, as much as a comment of the field has */\n', 200_000)],
    ['a number of a megabyte', `message M { int32 a = ${many('9', 1_000_000)}; }`],
    ['a name of a megabyte', `message ${many('a', 1_000_000)} {}`],
    ['a name of many parts', `message M { ${many('a.', 30_000)}a b = 1; }`],
    ['a package of many parts', `package ${many('a.', 10_000)}a;`],
    ['statements without words', many('? ', 30_000)],
    ['names that objects have', many('message __proto__ { constructor toString = 1; } message constructor {} ', 5000)],
    ['options that objects have', `message M { ${many('option __proto__.constructor = 1; ', 10_000)} }`],
    [
      'types that exist nowhere',
      `message M { ${Array.from({ length: 20_000 }, (_, i) => `a.b.T${i} f${i} = ${i + 1};`).join('')} }`,
    ],
    ['strings glued together', `option java_package = ${many('"a" ', 100_000)};`],
  ])(
    '%s',
    (_, text) => {
      checkWhole(compileSchema([{ path: 'a.proto', content: text }]), text.length);
    },
    10_000,
  );
});
