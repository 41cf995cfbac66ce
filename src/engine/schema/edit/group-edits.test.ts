import { expect, test } from 'vitest';
import { compileSchema } from '../compile.ts';
import type { MessageDescriptor } from '../descriptor.ts';
import { editText } from './edit-text.ts';
import { applyTextEdits, UnwritableEdit } from './text-edit.ts';

/** The file with the field `big` delimited: it becomes an edition. */
function delimited(body: string): { readonly text: string; readonly before: MessageDescriptor } {
  const content = `syntax = "proto2";\nmessage M {\n  optional M big = 1;\n${body}\n}\n`;
  const { registry, symbols } = compileSchema([{ path: 'm.proto', content }]);
  const [file] = registry.files.filter(({ path }) => path === 'm.proto');
  const fields = [{ message: 'M', field: 'big', encoding: 'delimited' as const }];
  const edits = editText(content, file!, registry, symbols, { fields, added: [], enums: [], reserved: [] });
  return { text: applyTextEdits(content, edits), before: registry.messages.get('M')! };
}

const factsOf = ({ fields }: MessageDescriptor) =>
  fields
    .filter(({ name }) => name !== 'big')
    .map(({ name, number, type, cardinality, presence, message }) => [
      name,
      number,
      type,
      cardinality,
      presence,
      message?.fullName,
    ]);

test.each([
  ['optional', '  optional group One = 5 { optional int32 a = 1; }', 'message One { int32 a = 1; }\n  One one = 5 ['],
  ['required', '  required group One = 5 { optional int32 a = 1; }', 'field_presence = LEGACY_REQUIRED'],
  [
    'repeated, with an option',
    '  repeated group One = 5 [deprecated = true] {\n    required bool a = 1;\n  }',
    '}\n  repeated One one = 5 [deprecated = true, features.message_encoding = DELIMITED];',
  ],
  ['in a group', '  optional group One = 5 { optional group Two = 6 {} }', 'Two two = 6 [features.message_encoding'],
])('a group, %s, is a message and a delimited field in an edition', (_, body, written) => {
  const { text, before } = delimited(body);
  expect(text).toContain(written);
  const { registry, diagnostics } = compileSchema([{ path: 'm.proto', content: text }]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const after = registry.messages.get('M')!;
  expect(factsOf(after)).toEqual(factsOf(before));
  expect(factsOf(after)[0]![2]).toBe('group');
});

test.each([
  ['a oneof', '  oneof choice { group One = 5 {} }'],
  ['an extension', '  extensions 9;\n  extend M { optional group One = 9 {} }'],
])('a group of %s cannot be written in an edition', (_, body) => {
  expect(() => delimited(body)).toThrow(UnwritableEdit);
});
