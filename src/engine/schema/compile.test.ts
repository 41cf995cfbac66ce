import { readdirSync, readFileSync } from 'node:fs';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema, FileOptionsSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import { importedFiles } from '#testing/imported-files.ts';
import { parseJudgedSchemas, parseOptionValues } from '#testing/refused-schemas.ts';
import { compileSchema, openingSteps, type SchemaSource } from './compile.ts';
import { printRegistry } from './print-registry.ts';
import { runInSteps } from './steps.ts';

const FIXTURES = new URL('../../../fixtures/schema/', import.meta.url);
const bytesOf = (path: string) => new Uint8Array(readFileSync(new URL(path, FIXTURES)));
const textOf = (path: string) => readFileSync(new URL(path, FIXTURES), 'utf8');
const IMPORTED = importedFiles();
const source = (path: string, content: string): SchemaSource => ({ path, content });

const RULES = readdirSync(new URL('rules/', FIXTURES), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.proto'))
  .sort()
  .map((path) => source(path, textOf(`rules/${path}`)));

/** Without the order of files, which text and sets may give differently. */
const printOwn = (sources: readonly SchemaSource[]): string => {
  const { registry, diagnostics } = compileSchema(sources);
  expect(diagnostics).toEqual([]);
  const text = printRegistry(registry, (file) => !file.startsWith('google/'));
  return text.replace(/^(file .*\n)+/, (files) => `${files.trim().split('\n').sort().join('\n')}\n`);
};

describe('text compiles to protoc’s descriptors', () => {
  test('for files that use every rule', async () => {
    const text = printOwn(RULES);
    expect(text).toEqual(printOwn([{ path: 'rules.binpb', content: bytesOf('rules/rules.binpb') }]));
    await expect(text).toMatchFileSnapshot('../../../fixtures/schema/rules/registry.txt');
  });

  test('in any order of the files', () => {
    expect(printOwn([...RULES].reverse())).toEqual(printOwn(RULES));
  });

  // Each refusal was compared with protoc.
  test.each(parseJudgedSchemas(textOf('refused.txt')))('$name: $code', ({ code, isRefused, files }) => {
    const text = files.map(({ content }) => content).join('\n');
    const { diagnostics } = compileSchema([...files, ...IMPORTED.filter(({ path }) => text.includes(path))]);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual(
      code === undefined ? [] : expect.arrayContaining([code]),
    );
    expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(isRefused);
    for (const { space, file, start, end, line, column } of diagnostics) {
      const content = files.find(({ path }) => path === file)?.content;
      expect(space).toBe('schema');
      expect(start).toBeLessThanOrEqual(end);
      expect(end).toBeLessThanOrEqual(content?.length ?? 0);
      expect({ line, column }).toEqual({ line: 1, column: start + 1 });
    }
  });

  test.each(parseOptionValues(textOf('option-values.txt')))('refused: $isRefused, $name', ({ isRefused, files }) => {
    const { diagnostics } = compileSchema(files);
    expect(diagnostics.length > 0).toBe(isRefused);
    for (const { file, line, code } of diagnostics) {
      expect({ file, line }).toEqual({ file: 'test.proto', line: 1 });
      expect(code).toMatch(/^schema\/(syntax|option|unknown-option|feature)$/);
    }
  });

  const accepted = parseOptionValues(textOf('option-values.txt')).filter(({ isRefused }) => !isRefused);
  test.each(accepted)('the same values from text and from protoc’s bytes: $name', ({ files, options }) => {
    const [written, imported] = files;
    const file = create(FileDescriptorProtoSchema, {
      name: written!.path,
      dependency: [imported!.path],
      options: fromBinary(FileOptionsSchema, options),
    });
    const set = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [file] }));
    const optionsOf = (sources: readonly SchemaSource[]) => {
      const { registry, diagnostics } = compileSchema(sources);
      expect(diagnostics).toEqual([]);
      return registry.files.find(({ path }) => path === written!.path)!.options;
    };
    expect(optionsOf(files)).toEqual(optionsOf([{ path: 'set.binpb', content: set }, imported!]));
  });

  test('an edition that protoc does not know yet is reported at its place', () => {
    const content = '// New.\nedition = "2026"; message M {}';
    expect(compileSchema([source('a.proto', content)]).diagnostics).toMatchObject([
      { code: 'schema/edition', severity: 'warning', line: 2, column: 1 },
    ]);
  });

  const weird = readdirSync(new URL('weird/', FIXTURES)).filter((name) => name !== 'trans_mid.proto');
  test.each(weird)('unusual schema %s', (name) => {
    const beside = ['scope1.proto', 'trans_mid.proto'].filter((other) => other !== name);
    const files = [name, ...beside].map((path) => source(`weird/${path}`, textOf(`weird/${path}`)));
    const errors = compileSchema(files).diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ file }) => file)).toEqual(name.startsWith('x_') ? [`weird/${name}`] : []);
  });
});

test('a type is looked for outward, never in the messages beside: as google.cloud.dataplex.v1 needs it', () => {
  // Lake.MetastoreStatus has a State of its own, which `state` of Lake does not mean; nor does any of its sisters.
  const text = `syntax = "proto3"; package google.cloud.dataplex.v1;
    enum State { STATE_UNSPECIFIED = 0; ACTIVE = 1; }
    message Lake {
      message Metastore { string service = 1; }
      message MetastoreStatus {
        enum State { STATE_UNSPECIFIED = 0; NONE = 1; }
        State state = 1;
      }
      State state = 8;
      MetastoreStatus metastore_status = 103;
    }`;
  const { registry, diagnostics } = compileSchema([source('resources.proto', text)]);
  expect(diagnostics).toEqual([]);
  const typeOf = (message: string) =>
    registry.messages.get(`google.cloud.dataplex.v1.${message}`)?.fields.find(({ name }) => name === 'state')?.enum
      ?.fullName;
  expect(typeOf('Lake')).toBe('google.cloud.dataplex.v1.State');
  expect(typeOf('Lake.MetastoreStatus')).toBe('google.cloud.dataplex.v1.Lake.MetastoreStatus.State');
});

test.each([
  ['double', '-0', '-0'],
  ['float', '-0x0', '-0'],
  ['double', '-0.0', '-0'],
  ['float', '0', '0'],
  ['int32', '-0', '0'],
])('protoc keeps the sign of a default of zero: %s %s', (type, written, expected) => {
  const { registry } = compileSchema([
    source('a.proto', `syntax = "proto2"; message M { optional ${type} a = 1 [default = ${written}]; }`),
  ]);
  expect(registry.messages.get('M')?.fields[0]?.defaultValue).toBe(expected);
});

test('an escape beyond the last code point is kept literally', () => {
  const text = String.raw`syntax = "proto2"; message M { optional string a = 1 [default = "\U0010ffff\U001AbCdE"]; }`;
  const { registry, diagnostics } = compileSchema([source('m.proto', text)]);
  expect(diagnostics).toEqual([]);
  expect(registry.messages.get('M')?.fields[0]?.defaultValue).toBe(String.raw`${'\u{10ffff}'}\U001abcde`);
});

describe('a fault', () => {
  test('in one option affects neither the field nor the other options', () => {
    const text = 'syntax = "proto3"; message M { int32 a = 1 [nope = 1, deprecated = true]; }';
    const { registry } = compileSchema([source('m.proto', text)]);
    expect(registry.messages.get('M')?.fields[0]?.deprecated).toBe(true);
  });

  test('is reported at its position', () => {
    const text =
      'syntax = "proto3";\n\nmessage M {\n  int32 a = 1;\n  Nope b = 2;\n  int32 a-b = 3;\n  int32 c = 0;\n}\n';
    const { diagnostics } = compileSchema([source('m.proto', text)]);
    const found = diagnostics.map(({ code, line, column, start, end }) => {
      return `${line}:${column} ${text.slice(start, end)} ${code}`;
    });
    expect(found.sort()).toEqual([
      '5:3 Nope schema/unresolved-type',
      '6:10 - schema/syntax',
      '7:13 0 schema/field-number',
    ]);
  });

  // Accepted and refused, and where, as by protoc 35.1 (grpcio-tools).
  test.each([
    ['a NUL between declarations', 'message A {}\0 message B {}', ['1:32']],
    ['a NUL in a word', 'mess\0age A {}', ['1:24']],
    ['a NUL in a text', 'message A { string a = 1 [json_name = "x\0y"]; }', ['1:58', '1:58', '1:30']],
    ['a NUL in a comment of a line', '// a\0\nmessage A {}', ['1:24']],
    ['a NUL in a comment of blocks', '/* a\0b */ message A {}', ['1:24']],
    ['a NUL at the end', 'message A {}\0', ['1:32']],
    ['a bell between declarations', '\x07 message A {}', ['1:20']],
    ['an escape twice', '\x1b\x1b message A {}', ['1:20']],
    ['a bell in a comment', '// \x07\nmessage A {}', []],
    ['a bell in a text', 'message A { string a = 1 [json_name = "x\x07y"]; }', []],
  ])('control characters: %s', (_name, text, places) => {
    const { diagnostics } = compileSchema([source('m.proto', `syntax = "proto3"; ${text}`)]);
    expect(diagnostics.map(({ line, column }) => `${line}:${column}`)).toEqual(places);
  });

  test.each([
    ['an equals sign of a field', 'message A { string name 1; }', ['name: Expected "=" after "name".']],
    ['a number of a field', 'message A { string name; }', ['name: Expected "=" and a field number after "name".']],
    ['a semicolon between values', 'enum E { A = 0 B = 1; }', ['B: Expected ";" after the number of "A".']],
    ['an equals sign of a value', 'enum E { A 0; B = 1; }', ['A: Expected the name of a value, "=" and a number.']],
    ['a value', 'enum E {}', ['E: The enum "E" needs a value.']],
    ['a semicolon behind a package', 'package a message A {}', ['message: Expected ";", found "message".']],
    ['a semicolon behind an option', 'option java_package = "a" enum E {}', ['enum: Expected ";", found "enum".']],
    ['nothing, before a block', 'package a {}', ['{: A block is not allowed here.']],
  ])('what is missing is named: %s', (_name, text, expected) => {
    const whole = `syntax = "proto3"; ${text}`;
    const { diagnostics } = compileSchema([source('m.proto', whole)]);
    expect(diagnostics.map(({ start, end, message }) => `${whole.slice(start, end)}: ${message}`)).toEqual(expected);
  });

  test.each([
    ['a known number with a blank', 'syntax = "proto 3"'],
    ['a later number', 'syntax = "proto4"'],
    ['other quotes', 'syntax = “proto3”'],
    ['an unknown edition', 'edition = "2099"'],
    ['the keyword of editions', 'edition = "proto3"'],
  ])('in the syntax is the only one, and the rest is read: %s', (_name, syntax) => {
    const { registry, diagnostics } = compileSchema([
      source(
        'm.proto',
        `${syntax}; message M { int32 a = 1; map<string, M> b = 2; repeated E e = 3; } enum E { Z = 0; }`,
      ),
    ]);
    expect(diagnostics.map(({ line, column }) => [line, (column ?? 0) < syntax.length])).toEqual([[1, true]]);
    expect(registry.messages.get('M')?.fields.map(({ name }) => name)).toEqual(['a', 'b', 'e']);
  });

  test('affects its own statement, and no other file', () => {
    const { registry } = compileSchema([
      source('a.proto', 'syntax = "proto3"; message A { int32 x = 1; int32 = 2; B b = 3; } message B { bool y = 1; }'),
      source('b.proto', 'syntax = "proto3"; package b; import "a.proto"; message C { A a = 1; }'),
      source('c.proto', '}}}'),
    ]);
    expect(registry.messages.get('A')?.fields.map(({ name }) => name)).toEqual(['x', 'b']);
    expect(registry.messages.get('b.C')?.fields.map(({ message }) => message?.fullName)).toEqual(['A']);
  });

  test('with too many fields has no suggestion: ten thousand are checked at once', () => {
    const fields = Array.from({ length: 10_000 }, (_, index) => `  int32 f${index} = ${index + 20_000};`);
    const { registry, diagnostics } = compileSchema([
      source('big.proto', `syntax = "proto3"; message Big {\n${fields.join('\n')}\n}`),
    ]);
    expect(diagnostics).toEqual([]);
    expect(registry.messages.get('Big')?.fields.length).toBe(10_000);
  });
});

describe('imports', () => {
  const LEAF = 'syntax = "proto3"; package leaf; message Leaf { int32 a = 1; }';
  const user = (path: string) => `syntax = "proto3"; import "${path}"; message User { leaf.Leaf leaf = 1; }`;
  const codes = (...files: readonly SchemaSource[]) => compileSchema(files).diagnostics.map(({ code }) => code);

  test.each([
    { name: 'exact path', loaded: ['a/leaf.proto'], path: 'a/leaf.proto', expected: [] },
    { name: 'end of a longer path', loaded: ['root/src/a/leaf.proto'], path: 'a/leaf.proto', expected: [] },
    { name: 'dropped without its folder', loaded: ['leaf.proto'], path: 'a/b/leaf.proto', expected: [] },
    { name: 'name that only ends alike', loaded: ['a/newleaf.proto'], path: 'leaf.proto', expected: 'missing-import' },
    { name: 'nothing', loaded: [], path: 'leaf.proto', expected: 'missing-import' },
    { name: 'two paths', loaded: ['x/leaf.proto', 'y/leaf.proto'], path: 'leaf.proto', expected: 'ambiguous-import' },
    {
      name: 'in a folder of another name',
      from: 'api@v3/rpc/user.proto',
      loaded: ['api@v3/kv/leaf.proto'],
      path: 'etcd/api/kv/leaf.proto',
      expected: [],
    },
    {
      name: 'in another folder than the file that imports it',
      from: 'api@v3/rpc/user.proto',
      loaded: ['other/kv/leaf.proto'],
      path: 'etcd/api/kv/leaf.proto',
      expected: 'missing-import',
    },
  ])('$name', ({ from = 'user.proto', loaded, path, expected }) => {
    const found = codes(source(from, user(path)), ...loaded.map((file) => source(file, LEAF)));
    if (typeof expected === 'string') expect(found).toContain(`schema/${expected}`);
    else expect(found).toEqual(expected);
  });

  test.each([
    ['field', 'message User { leaf.Leaf a = 1; }'],
    ['method', 'message User {} service Users { rpc Get (leaf.Leaf) returns (User); }'],
    ['extension', 'extend leaf.Leaf { string a = 1; }'],
  ])(
    'a full name whose file is missing is said to be defined nowhere, not to have another meaning: of a %s',
    (_, declaration) => {
      const text = `edition = "2023"; package leaf.user; import "leaf.proto"; ${declaration}`;
      const { diagnostics } = compileSchema([source('user.proto', text)]);
      expect(diagnostics[1]?.message).toBe('"leaf.Leaf" is defined nowhere. It may be in the import that is missing.');
    },
  );

  test('a loaded file whose path ends in the name of a built-in file is used', () => {
    const { registry, diagnostics } = compileSchema([
      source(
        'user.proto',
        'syntax = "proto3"; import "my/google/protobuf/any.proto"; message User { my.Any any = 1; }',
      ),
      source('my/google/protobuf/any.proto', 'syntax = "proto3"; package my; message Any { int32 mine = 1; }'),
    ]);
    expect(diagnostics).toEqual([]);
    expect(registry.messages.get('User')?.fields[0]?.message?.fields[0]?.name).toBe('mine');
  });

  test('a cycle is reported once, with its path', () => {
    const { diagnostics, registry } = compileSchema([
      source('a.proto', 'syntax = "proto3"; import "b.proto"; message A { B b = 1; }'),
      source('b.proto', 'syntax = "proto3"; import "a.proto"; message B { A a = 1; }'),
    ]);
    expect(diagnostics).toMatchObject([
      { code: 'schema/import-cycle', message: 'Files import each other: a.proto → b.proto → a.proto.' },
    ]);
    expect(registry.messages.size).toBe(2);
  });

  test('the imports of an import are visible only if they are public', () => {
    const through = (kind: string) => [
      source('user.proto', user('mid.proto')),
      source('mid.proto', `syntax = "proto3"; import ${kind} "leaf.proto"; message Mid { leaf.Leaf leaf = 1; }`),
      source('leaf.proto', LEAF),
    ];
    expect(codes(...through('public'))).toEqual([]);
    expect(codes(...through(''))).toEqual(['schema/not-imported']);
  });

  test('the same file twice counts once; another file of its name is reported', () => {
    expect(codes(source('a.proto', LEAF), source('a.proto', LEAF))).toEqual([]);
    expect(codes(source('a.proto', LEAF), source('a.proto', `${LEAF} `))).toEqual(['schema/duplicate-file']);
  });

  test('every well-known type is there', () => {
    const names = ['any', 'api', 'descriptor', 'duration', 'empty', 'field_mask', 'source_context', 'struct'];
    const imports = [...names, 'timestamp', 'type', 'wrappers'].map(
      (name) => `import "google/protobuf/${name}.proto";`,
    );
    const { registry, diagnostics } = compileSchema([source('all.proto', `syntax = "proto3"; ${imports.join(' ')}`)]);
    expect(diagnostics).toEqual([]);
    const some = [
      'Any',
      'Api',
      'FieldOptions',
      'Duration',
      'Empty',
      'FieldMask',
      'SourceContext',
      'Struct',
      'Timestamp',
    ];
    for (const name of [...some, 'Type', 'BytesValue'])
      expect(registry.messages.has(`google.protobuf.${name}`)).toBe(true);
  });
});

test('work runs in steps that report progress', async () => {
  const seen: string[] = [];
  const sources = [source('a.proto', 'message A {}'), source('b.proto', '')];
  const { registry } = await runInSteps(openingSteps(sources), ({ phase, done, total }) => {
    seen.push(`${phase} ${done}/${total}`);
    return undefined;
  });
  expect([...new Set(seen)].filter((step) => step.startsWith('reading'))).toEqual(
    [0, 1, 2].map((n) => `reading ${n}/2`),
  );
  expect(seen.filter((step) => step.startsWith('linking')).length).toBeGreaterThan(2);
  expect(registry.messages.has('A')).toBe(true);
});

test('a step that throws ends the work', async () => {
  let steps = 0;
  const stop = async () => {
    if (++steps === 3) throw new Error('enough');
  };
  await expect(runInSteps(openingSteps([source('a.proto', 'message A {}')]), stop)).rejects.toThrow('enough');
  expect(steps).toBe(3);
});
