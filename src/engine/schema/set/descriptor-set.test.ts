import { readdirSync, readFileSync } from 'node:fs';
import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import {
  DescriptorProtoSchema,
  Edition,
  FeatureSet_MessageEncoding,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import { factsOfRegistry, factsOfSet, filesOfSet } from '#testing/schema-facts.ts';
import { compareSchemas } from '../compare/compare-schemas.ts';
import { compileSchema, openSchema } from '../compile.ts';
import { runToEnd } from '../steps.ts';

const FIXTURES = new URL('../../../../fixtures/schema/', import.meta.url);
const SETS = [...readdirSync(new URL('sets/', FIXTURES)).map((name) => `sets/${name}`), 'rules/rules.binpb'];

test.each(SETS)('%s means the same to a second runtime', (path) => {
  const content = new Uint8Array(readFileSync(new URL(path, FIXTURES)));
  const { registry, diagnostics } = compileSchema([{ path, content }]);
  expect(diagnostics).toEqual([]);
  const files = new Set(filesOfSet(content));
  const facts = factsOfSet(content);
  const ours = factsOfRegistry(registry, (file) => files.has(file));
  expect(facts.size).toBeGreaterThan(0);
  expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(facts));
  const opened = openSchema([{ path, content }]);
  const whenAsked = factsOfRegistry(opened.registry, (file) => files.has(file));
  expect(Object.fromEntries(whenAsked)).toEqual(Object.fromEntries(facts));
});

test('an older descriptor.proto in a set does not refuse options that it does not know', () => {
  const optional = FieldDescriptorProto_Label.OPTIONAL;
  const older = ['FileOptions', 'FieldOptions'].map((name) => ({
    name,
    field: [{ name: 'deprecated', number: 3, label: optional, type: FieldDescriptorProto_Type.BOOL }],
  }));
  const inner = { name: 'inner', number: 1, label: optional, type: FieldDescriptorProto_Type.MESSAGE, typeName: '.M' };
  const file = [
    { name: 'google/protobuf/descriptor.proto', package: 'google.protobuf', syntax: 'proto2', messageType: older },
    {
      name: 'a.proto',
      syntax: 'editions',
      edition: Edition.EDITION_2023,
      messageType: [{ name: 'M', field: [inner] }],
      options: { features: { messageEncoding: FeatureSet_MessageEncoding.DELIMITED } },
    },
  ];
  const content = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file }));
  const { registry, diagnostics } = compileSchema([{ path: 'set.binpb', content }]);
  expect(diagnostics).toEqual([]);
  expect(registry.messages.get('M')?.fields[0]?.type).toBe('group');
});

test('an option that is false in a set equals that of the text, and not its absence', () => {
  const file = [{ name: 'a.proto', syntax: 'proto3', options: { ccEnableArenas: false } }];
  const content = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file }));
  const changesTo = (text: string) =>
    compareSchemas(
      compileSchema([{ path: 'a.binpb', content }]).registry,
      compileSchema([{ path: 'a.proto', content: `syntax = "proto3"; ${text}` }]).registry,
    ).files.length;
  expect([changesTo('option cc_enable_arenas = false;'), changesTo('')]).toEqual([0, 1]);
});

test('an option whose type is its own message has all its fields', () => {
  // option-of-itself.proto, as protoc 35.1 writes it: `v = 1 [(self) = { v: 3 inner { v: 4 } }]`, and `inner` behind it.
  const content = new Uint8Array(readFileSync(new URL('option-of-itself.binpb', FIXTURES)));
  const text = readFileSync(new URL('option-of-itself.proto', FIXTURES), 'utf8');
  for (const source of [
    { path: 'option-of-itself.binpb', content },
    { path: 'option-of-itself.proto', content: text },
  ]) {
    const { registry, diagnostics } = compileSchema([source]);
    expect(diagnostics).toEqual([]);
    expect(registry.messages.get('o.Self')!.fields.map(({ options }) => options)).toEqual([
      { 'o.self': { v: 3, inner: { v: 4 } } },
      { 'o.self': { v: 5, inner: { v: 6 } } },
    ]);
  }
});

/** One file whose messages are named by the keys; a field is `name number`. */
const setOf = (messages: Readonly<Record<string, readonly string[]>>): Uint8Array => {
  const messageType = Object.entries(messages).map(([name, fields]) =>
    create(DescriptorProtoSchema, {
      name,
      field: fields.map((field) => {
        const [fieldName = '', number] = field.split(' ');
        return create(FieldDescriptorProtoSchema, {
          name: fieldName,
          number: Number(number),
          label: FieldDescriptorProto_Label.OPTIONAL,
          type: FieldDescriptorProto_Type.INT32,
        });
      }),
    }),
  );
  const file = create(FileDescriptorProtoSchema, { name: 'a.proto', syntax: 'proto3', messageType });
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [file] }));
};

const bytesOfFile = (file: MessageInitShape<typeof FileDescriptorProtoSchema>): Uint8Array =>
  toBinary(FileDescriptorProtoSchema, create(FileDescriptorProtoSchema, { name: 'a.proto', ...file }));

test.each<[what: string, edition: number, codes: readonly string[]]>([
  ['2023', 1000, []],
  ['2024', 1001, []],
  ['the one to come', 1002, ['schema/edition']],
  ['the one for experiments', 9999, ['schema/unknown-syntax']],
])('edition %s', (_, edition, codes) => {
  const content = bytesOfFile({ syntax: 'editions', edition, messageType: [{ name: 'M' }] });
  const { registry, diagnostics } = compileSchema([{ path: 'a.binpb', content }]);
  expect(diagnostics.map(({ code }) => code)).toEqual(codes);
  expect(registry.messages.has('M')).toBe(true);
});

const DECLARED = { number: 4, fullName: '.ext', type: '.M' };
test.each<[what: string, declaration: object, messages: readonly string[]]>([
  ['as it is', DECLARED, []],
  ['by another name', { ...DECLARED, fullName: '.other' }, ['"M" declares number 4 as ".other", not ".ext".']],
  ['of another type', { ...DECLARED, type: 'int32' }, ['"M" declares number 4 as int32, not .M.']],
  ['repeated', { ...DECLARED, repeated: true }, ['"M" declares number 4 repeated.']],
  ['reserved', { number: 4, reserved: true }, ['"M" declares number 4 to be reserved.']],
  [
    'but another number',
    { ...DECLARED, number: 5 },
    ['"M" declares the extensions of this range, but none of number 4.'],
  ],
])('an extension that the set declares %s', (_, declaration, messages) => {
  const content = bytesOfFile({
    syntax: 'proto2',
    messageType: [{ name: 'M', extensionRange: [{ start: 4, end: 11, options: { declaration: [declaration] } }] }],
    extension: [{ name: 'ext', number: 4, extendee: '.M', typeName: '.M', type: 11, label: 1 }],
  });
  const { diagnostics } = compileSchema([{ path: 'a.binpb', content }]);
  expect(diagnostics.map(({ message }) => message)).toEqual(messages);
});

test('a range without a declaration that says there must be one', () => {
  const content = bytesOfFile({
    syntax: 'proto2',
    messageType: [{ name: 'M', extensionRange: [{ start: 4, end: 11, options: { verification: 0 } }] }],
    extension: [{ name: 'ext', number: 4, extendee: '.M', type: 5, label: 1 }],
  });
  expect(compileSchema([{ path: 'a.binpb', content }]).diagnostics).toMatchObject([
    { code: 'schema/extension-declaration', file: 'a.proto' },
  ]);
});

describe('types of a set that are linked on demand', () => {
  test('is available at once, and its faults are reported by `check`', () => {
    const content = setOf({ Good: ['a 1'], Bad: ['a 1', 'b 1', 'a 2', '2x 3'], Bad2: ['a 19000'] });
    const opened = openSchema([{ path: 'x.binpb', content }]);
    expect(opened.diagnostics).toEqual([]);
    const names = (type: string) => opened.registry.messages.get(type)?.fields.map(({ name }) => name);
    expect([names('Good'), names('Bad'), names('Bad2')]).toEqual([['a'], ['a', '2x'], []]);
    const codes = ['schema/duplicate-name', 'schema/name', 'schema/duplicate-number', 'schema/field-number'];
    expect(runToEnd(opened.check()).map(({ code }) => code)).toEqual(codes);
    const { diagnostics, registry } = compileSchema([{ path: 'x.binpb', content }]);
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
    expect(registry.messages.get('Bad')?.fields.map(({ name }) => name)).toEqual(['a']);
  });

  test('is the same object for every caller, before and after `check`', () => {
    const content = setOf({ A: ['a 1'] });
    const { registry, check } = openSchema([{ path: 'x.binpb', content }]);
    const [field] = registry.messages.get('A')!.fields;
    runToEnd(check());
    expect(registry.messages.get('A')!.fields[0]).toBe(field);
    expect([...registry.messages.values()][0]!.byNumber.get(1)).toBe(field);
  });

  test('a damaged part costs only itself, from the damage on', () => {
    const content = setOf({ A: ['a 1', 'b 2'], B: ['c 3'] });
    // The length of the second field's name.
    const at = content.indexOf('b'.charCodeAt(0), content.indexOf('A'.charCodeAt(0))) - 1;
    content[at] = 0x7f;
    const { registry, diagnostics } = compileSchema([{ path: 'x.binpb', content }]);
    expect(diagnostics).toMatchObject([{ code: 'schema/not-a-set', file: 'a.proto' }]);
    const names = (type: string) => registry.messages.get(type)?.fields.map(({ name }) => name);
    expect([names('A'), names('B')]).toEqual([['a'], ['c']]);
  });

  test('with damaged options is reported', () => {
    const content = bytesOfFile({ syntax: 'proto3', messageType: [{ name: 'M', options: { deprecated: true } }] });
    // The tag of `deprecated`, as a wire type that there is not.
    content[content.indexOf(0x18)] = 0x1f;
    const { registry, diagnostics } = compileSchema([{ path: 'x.binpb', content }]);
    expect(diagnostics).toMatchObject([
      { code: 'schema/not-a-set', file: 'a.proto', message: expect.stringContaining('"M" is damaged') },
    ]);
    expect(registry.messages.get('M')?.deprecated).toBe(false);
  });

  test('is found by each of its names, at any depth', () => {
    let message: MessageInitShape<typeof DescriptorProtoSchema> = { name: 'M' };
    for (let depth = 0; depth < 300; depth++) message = { name: 'M', nestedType: [message] };
    const { registry, diagnostics } = compileSchema([
      { path: 'x.binpb', content: bytesOfFile({ syntax: 'proto3', messageType: [message] }) },
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['schema/not-a-set']);
    expect(registry.messages.size).toBe(101);
    for (const [name, { fullName }] of registry.messages) expect(fullName).toBe(name);
  });

  test('never throws, with any of its bytes damaged', () => {
    const options = { deprecated: true, features: { fieldPresence: 1 } };
    const nested = (name: string) => ({ name, enumType: [{ name: 'In', value: [{ name: 'I', number: 0 }], options }] });
    const content = bytesOfFile({
      syntax: 'editions',
      edition: 1000,
      options,
      messageType: [
        {
          name: 'M',
          field: [{ name: 'f', number: 1, label: 1, type: 5, options }],
          oneofDecl: [{ name: 'o', options }],
          nestedType: [nested('N'), nested('N'), { name: 'E', options: { mapEntry: true } }],
          enumType: [{ name: 'N', value: [{ name: 'X', number: 0, options }], reservedRange: [{ start: 3, end: 4 }] }],
          extensionRange: [{ start: 4, end: 11, options: { declaration: [DECLARED] } }],
          reservedRange: [{ start: 20, end: 30 }],
          extension: [{ name: 'ext', number: 4, extendee: '.M', type: 5, label: 1, options }],
          options,
        },
      ],
      enumType: [{ name: 'E', value: [{ name: 'V', number: 0, options }], options }],
      service: [{ name: 'S', method: [{ name: 'Do', inputType: '.M', outputType: '.M', options }], options }],
      sourceCodeInfo: { location: [{ path: [4, 0], span: [0, 0, 12], leadingComments: ' Of M.' }] },
    });
    const unlike = [];
    for (let at = 0; at < content.length; at++) {
      for (const value of [0, 4, 7, 0x7f, 0xff]) {
        const damaged = content.with(at, value);
        try {
          const { registry, check } = openSchema([{ path: 'a.binpb', content: damaged }]);
          const { messages, enums, services } = registry;
          for (const message of messages.values()) void [message.fields, message.options, message.comment];
          for (const { values } of enums.values()) void values;
          for (const { methods } of services.values()) void methods;
          for (const [name, { fullName }] of [...messages, ...enums, ...services]) expect(fullName).toBe(name);
          runToEnd(check());
          compileSchema([{ path: 'a.binpb', content: damaged }]);
        } catch (fault) {
          unlike.push(`byte ${at} as ${value}: ${fault}`);
        }
      }
    }
    expect(unlike).toEqual([]);
  });

  test('cannot redeclare a name of a .proto text', () => {
    const text = { path: 'b.proto', content: 'syntax = "proto3"; message A { A again = 1; }' };
    const set = { path: 'x.binpb', content: setOf({ A: ['a 1'] }) };
    for (const sources of [
      [text, set],
      [set, text],
    ]) {
      const { diagnostics } = compileSchema(sources);
      expect(diagnostics.map(({ code }) => code)).toEqual(['schema/duplicate-name']);
    }
  });
});

test.each([
  ['nothing', new Uint8Array(), 'schema/empty-set'],
  ['text in bytes', new TextEncoder().encode('syntax = "proto3";'), 'schema/not-a-set'],
  [
    'a message that has a text first, and other fields',
    Uint8Array.of(10, 5, 10, 3, 50, 46, 48, 18, 1, 1),
    'schema/not-a-set',
  ],
  ['a field without an end', Uint8Array.of(0x0a, 0x7f, 0x0a), 'schema/not-a-set'],
])('%s is not a descriptor set', (_, content, code) => {
  const { registry, diagnostics } = compileSchema([{ path: 'x.binpb', content }]);
  expect(diagnostics).toMatchObject([{ code, severity: 'error', file: 'x.binpb', start: 0 }]);
  expect(registry.messages.size).toBe(0);
});

test('a file in two sets is one file, with or without comments', () => {
  const setWith = (file: MessageInitShape<typeof FileDescriptorProtoSchema>, path: string) => ({
    path,
    content: toBinary(
      FileDescriptorSetSchema,
      create(FileDescriptorSetSchema, { file: [{ name: 'a.proto', syntax: 'proto3', ...file }] }),
    ),
  });
  const plain = setWith({ messageType: [{ name: 'A' }] }, 'plain.binpb');
  const sourceCodeInfo = { location: [{ path: [4, 0], span: [0, 0, 12], leadingComments: ' Of A.' }] };
  const commented = setWith({ messageType: [{ name: 'A' }], sourceCodeInfo }, 'commented.binpb');
  const other = setWith({ messageType: [{ name: 'B' }] }, 'other.binpb');
  const codes = (...sets: Parameters<typeof compileSchema>[0]) =>
    compileSchema(sets).diagnostics.map(({ code }) => code);
  expect(codes(plain, commented)).toEqual([]);
  expect(codes(plain, other)).toEqual(['schema/duplicate-file']);
});
