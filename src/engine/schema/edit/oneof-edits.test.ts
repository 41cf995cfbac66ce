import { expect, test } from 'vitest';
import { compileSchema } from '../compile.ts';
import { editText } from './edit-text.ts';
import type { FieldEdit } from './schema-edits.ts';
import { applyTextEdits, UnwritableEdit } from './text-edit.ts';

const edited = (body: string, fields: readonly Omit<FieldEdit, 'message'>[]): string => {
  const content = `syntax = "proto3";\nmessage M {\n${body}\n}\n`;
  const { registry, symbols, diagnostics } = compileSchema([{ path: 'm.proto', content }]);
  expect(diagnostics).toEqual([]);
  const edits = { fields: fields.map((one) => ({ ...one, message: 'M' })), added: [], enums: [], reserved: [] };
  const file = registry.files.find(({ path }) => path === 'm.proto')!;
  const text = applyTextEdits(content, editText(content, file, registry, symbols, edits));
  expect(compileSchema([{ path: 'm.proto', content: text }]).diagnostics).toEqual([]);
  return text.split('\n').slice(2, -2).join('\n');
};

const PLAIN = '  // first\n  optional int32 a = 1; // behind a\n  string b = 2;';
const CHOICE = '  oneof one {\n    // first\n    int32 a = 1;\n    string b = 2; // behind b\n  }\n  bool c = 3;';

test.each<[string, string, readonly Omit<FieldEdit, 'message'>[], string]>([
  [
    'one field into a new oneof',
    PLAIN,
    [{ field: 'a', oneof: 'x' }],
    '  // first\n  oneof x {\n    int32 a = 1;\n  } // behind a\n  string b = 2;',
  ],
  [
    'two fields into a new oneof, one with another number',
    PLAIN,
    [
      { field: 'a', oneof: 'x' },
      { field: 'b', oneof: 'x', number: 7 },
    ],
    '  // first\n  oneof x {\n    int32 a = 1;\n    string b = 7;\n  } // behind a',
  ],
  [
    'a field into a oneof that is there',
    CHOICE,
    [{ field: 'c', oneof: 'one' }],
    '  oneof one {\n    // first\n    int32 a = 1;\n    string b = 2; // behind b\n    bool c = 3;\n  }',
  ],
  [
    'a field out of a oneof that stays',
    CHOICE,
    [{ field: 'a', oneof: null, presence: 'explicit' }],
    '  oneof one {\n    // first\n    string b = 2; // behind b\n  }\n  optional int32 a = 1;\n  bool c = 3;',
  ],
  [
    'all fields out of a oneof',
    CHOICE,
    [
      { field: 'a', oneof: null, presence: 'explicit' },
      { field: 'b', oneof: null, presence: 'implicit' },
    ],
    '  // first\n    optional int32 a = 1;\n    string b = 2; // behind b\n  bool c = 3;',
  ],
  [
    'one field into another oneof',
    CHOICE,
    [{ field: 'b', oneof: 'two' }],
    '  oneof one {\n    // first\n    int32 a = 1;\n     // behind b\n  }\n  oneof two {\n    string b = 2;\n  }\n  bool c = 3;',
  ],
])('%s', (_, before, edits, after) => {
  expect(edited(before, edits)).toBe(after);
});

test.each([
  ['on one line', 'message M { int32 a = 1; }'],
  ['on one line, without blanks', 'message M {int32 a=1;}'],
  ['on lines of its own', 'message M {\n  int32 a = 1;\n}'],
])('a new field stays behind a new oneof, in a message %s', (_, message) => {
  const content = `syntax = "proto3";\n${message}\n`;
  const { registry, symbols } = compileSchema([{ path: 'm.proto', content }]);
  const added = { message: 'M', name: 'b', number: 2, type: 'int32', cardinality: 'explicit', packed: false } as const;
  const fields = [{ message: 'M', field: 'a', oneof: 'x' }];
  const edits = { fields, added: [added], enums: [], reserved: [{ message: 'M', number: 9 }] };
  const file = registry.files.find(({ path }) => path === 'm.proto')!;
  const text = applyTextEdits(content, editText(content, file, registry, symbols, edits));
  const after = compileSchema([{ path: 'm.proto', content: text }]);
  expect([after.diagnostics, text.replaceAll(/\s+/g, ' ')]).toEqual([
    [],
    expect.stringMatching(/message M \{ reserved 9; ?oneof x \{ int32 a ?= ?1; \} optional int32 b = 2; \} $/),
  ]);
});

test('a oneof with options is not removed', () => {
  const body = '  oneof one {\n    option features.x = 1;\n    int32 a = 1;\n  }'.replace('features.x = 1', '(o) = 1');
  const content = `syntax = "proto3";\nimport "google/protobuf/descriptor.proto";\nextend google.protobuf.OneofOptions { int32 o = 50000; }\nmessage M {\n${body}\n}\n`;
  const { registry, symbols } = compileSchema([{ path: 'm.proto', content }]);
  const file = registry.files.find(({ path }) => path === 'm.proto')!;
  const edits = { fields: [{ message: 'M', field: 'a', oneof: null }], added: [], enums: [], reserved: [] };
  expect(() => editText(content, file, registry, symbols, edits)).toThrow(UnwritableEdit);
});
