import { create } from '@bufbuild/protobuf';
import {
  FeatureSet_Utf8Validation,
  FieldDescriptorProto_Type,
  FieldOptions_JSType,
  FieldOptionsSchema,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import { compileSchema } from '../compile.ts';
import { editFiles } from './edit-files.ts';
import { editText } from './edit-text.ts';
import type { FieldEdit } from './schema-edits.ts';
import { applyTextEdits } from './text-edit.ts';

test.each<[string, string, string, Partial<FieldEdit>, string]>([
  [
    'text that becomes a number',
    '2023',
    'string a = 1 [features.utf8_validation = NONE]',
    { type: 'uint32' },
    'uint32 a = 1',
  ],
  [
    'text that becomes bytes, with another feature',
    '2023',
    'string a = 1 [features = { utf8_validation: NONE, field_presence: IMPLICIT }]',
    { type: 'bytes' },
    'bytes a = 1 [features = { field_presence: IMPLICIT }]',
  ],
  [
    'a message that becomes its number',
    '2023',
    'M a = 1 [features.message_encoding = DELIMITED, deprecated = true]',
    { type: 'int64' },
    'int64 a = 1 [deprecated = true]',
  ],
  [
    'a message that becomes delimited, with features together',
    '2023',
    'M a = 1 [features = { message_encoding: LENGTH_PREFIXED }]',
    { encoding: 'delimited' },
    'M a = 1 [features.message_encoding = DELIMITED]',
  ],
  [
    'a list that becomes packed, with features together',
    '2023',
    'repeated int32 a = 1 [features = {\n    repeated_field_encoding: EXPANDED;\n  }, json_name = "b"]',
    { packed: true },
    'repeated int32 a = 1 [json_name = "b", features.repeated_field_encoding = PACKED]',
  ],
  ['a lazy message that becomes a text', 'proto3', 'M a = 1 [lazy = true]', { type: 'string' }, 'string a = 1'],
  [
    'a lazy message that becomes delimited',
    '2023',
    'M a = 1 [lazy = true]',
    { encoding: 'delimited' },
    'M a = 1 [features.message_encoding = DELIMITED]',
  ],
  ['64 bits that become 32', 'proto3', 'int64 a = 1 [jstype = JS_STRING]', { type: 'int32' }, 'int32 a = 1'],
  [
    '64 bits that stay so',
    'proto3',
    'int64 a = 1 [jstype = JS_STRING]',
    { type: 'sint64' },
    'sint64 a = 1 [jstype = JS_STRING]',
  ],
])('options of %s: the text has those of the new type', (_, syntax, field, edit, expected) => {
  const head = syntax.startsWith('proto') ? `syntax = "${syntax}";` : `edition = "${syntax}";`;
  const sources = [{ path: 'm.proto', content: `${head}\nmessage M {\n  ${field};\n}\n` }];
  const { registry, symbols, diagnostics } = compileSchema(sources);
  expect(diagnostics).toEqual([]);
  const edits = { fields: [{ message: 'M', field: 'a', ...edit }], added: [], enums: [], reserved: [] };
  const [file] = registry.files.filter(({ path }) => path === 'm.proto');
  const content = applyTextEdits(sources[0]!.content, editText(sources[0]!.content, file!, registry, symbols, edits));
  expect(content).toBe(`${head}\nmessage M {\n  ${expected};\n}\n`);
  const patched = compileSchema([{ path: 'm.proto', content }]);
  expect(patched.diagnostics).toEqual([]);
});

test('a field of a descriptor set loses the options that its new type cannot have', () => {
  const { INT64, STRING } = FieldDescriptorProto_Type;
  const field = [
    { name: 'n', number: 1, type: INT64, options: { jstype: FieldOptions_JSType.JS_STRING, deprecated: true } },
    { name: 's', number: 2, type: STRING, options: { features: { utf8Validation: FeatureSet_Utf8Validation.NONE } } },
  ];
  const file = create(FileDescriptorProtoSchema, { name: 'm.proto', messageType: [{ name: 'M', field }] });
  const fields = [
    { message: 'M', field: 'n', type: 'int32' },
    { message: 'M', field: 's', type: 'bytes' },
  ] as const;
  editFiles([file], { fields, added: [], enums: [], reserved: [] });
  const [n, s] = file.messageType[0]!.field;
  expect(n?.options).toEqual(create(FieldOptionsSchema, { deprecated: true }));
  expect(s?.options).toEqual(create(FieldOptionsSchema, { features: {} }));
});
