/** The advice and the comparison of the schemas before and after say the same of a change that keeps the values. */
import { expect, test } from 'vitest';
import { compareSchemas } from '#engine/schema/compare/compare-schemas.ts';
import { compileSchema } from '#engine/schema/compile.ts';
import type { FieldDescriptor } from '#engine/schema/descriptor.ts';
import { applyChanges } from './apply.ts';
import { type Change, ImpossibleChange } from './change.ts';
import { kindOf } from './changes/changes.ts';
import { editsOf } from './edits-of.ts';
import { FieldEncodings } from './forms.ts';
import { schemaAfter } from './schema-after.ts';

const protoOf = (syntax: string, label: string): string => `syntax = "${syntax}"; package r;
message A {
  ${label}int32 a = 1; ${label}string s = 2; ${label}bytes b = 3; ${label}uint64 u = 4; ${label}sint32 z = 5;
  ${label}fixed32 f = 6; ${label}double d = 7; ${label}bool o = 8; ${label}float g = 9; ${label}W w = 10; ${label}E e = 11;
  optional int32 p = 12; repeated int32 l = 13; repeated string t = 14; repeated W m = 15; map<string, int32> k = 16;
  oneof two { int32 x = 17; string y = 18; }
  oneof one { int32 c = 19; }
}
message W { ${label}int32 held = 1; }
enum E { ZERO = 0; ONE = 1; }`;

const TYPES = [
  'int32',
  'int64',
  'uint32',
  'sint32',
  'sint64',
  'fixed32',
  'sfixed64',
  'bytes',
  'string',
  'float',
  'bool',
];

function changesOf(field: FieldDescriptor): readonly Change[] {
  const at = { message: field.parent.fullName, field: field.name };
  const oneof = field.oneof?.name ?? '';
  return [
    { ...at, change: 'number', from: field.number, to: 35 },
    { ...at, change: 'packed', to: !field.packed },
    { ...at, change: 'presence', from: field.presence, to: 'explicit' },
    { ...at, change: 'presence', from: field.presence, to: 'implicit' },
    { ...at, change: 'map', to: 'repeated' },
    ...['', 'one', 'two', 'fresh'].map((to) => ({ ...at, change: 'oneof', from: oneof, to }) as const),
    ...TYPES.flatMap((type) => [type, `optional ${type}`]).map(
      (to) => ({ ...at, change: 'type', from: (field.message ?? field.enum)?.fullName ?? field.type, to }) as const,
    ),
  ];
}

test.each([
  ['proto2', 'optional '],
  ['proto3', ''],
])('in %s', (syntax, label) => {
  const sources = [{ path: 'r.proto', content: protoOf(syntax, label) }];
  const { registry } = compileSchema(sources);
  const forms = new FieldEncodings(registry);
  const made = registry.messages
    .get('r.A')!
    .fields.flatMap(changesOf)
    .flatMap((change) => {
      try {
        const applied = applyChanges([change], forms, 'r.A');
        return applied.changes.map((one) => ({ one, after: applied.after }));
      } catch (error) {
        if (error instanceof ImpossibleChange) return [];
        throw error;
      }
    });
  const levels = made.map(({ one, after }) => {
    const { binary, json, source } = kindOf(one).compatibility(one, forms);
    const set = compileSchema([{ path: 'set', content: schemaAfter(sources, registry, editsOf(forms, after)) }]);
    const { sides } = compareSchemas(registry, set.registry, () => true);
    return { change: JSON.stringify(one), advised: { binary, json, source }, compared: sides };
  });
  expect(levels.map(({ change, advised }) => ({ change, ...advised }))).toEqual(
    levels.map(({ change, compared }) => ({ change, ...compared })),
  );
  expect(levels.length).toBeGreaterThan(150);
});

const N = 'r.N';
const UNSET = { change: 'left out', message: N, field: 'n', when: '-1' } as const;
const WHOLE = {
  change: 'new field',
  message: N,
  field: 'int_d',
  number: 4,
  type: 'sint64',
  when: 'd is a whole number',
} as const;

test.each<[string, string, Change, readonly string[]]>([
  ['a sentinel, with a default of its own', 'proto2', UNSET, ['An old reader sees the default, and not -1.']],
  [
    'a sentinel, where 0 is absent in old records',
    'proto3',
    UNSET,
    ['An old reader sees the default, and not -1.', 'Old records do not have a 0: a new reader takes it for -1.'],
  ],
  [
    'whole numbers in another field',
    'proto2',
    WHOLE,
    ['An old reader skips the new number and sees the default of d.'],
  ],
])('readers of another version: %s', (_, syntax, change, texts) => {
  const [label, own] = syntax === 'proto2' ? ['optional ', ' [default = 7]'] : ['', ''];
  const content = `syntax = "${syntax}"; package r; message N { ${label}int32 n = 1${own}; ${label}double d = 2${own}; }`;
  const forms = new FieldEncodings(compileSchema([{ path: 'r.proto', content }]).registry);
  const { reasons } = kindOf(change).compatibility(change, forms);
  expect(reasons.flatMap(({ about, text }) => (about === 'binary' ? [text] : []))).toEqual(texts);
});

test.each<[string, readonly string[], readonly string[]]>([
  ['every field', ['x', 's'], []],
  ['a part of the fields', ['x'], ['No record here has s: there is no column for it.']],
])('columns for %s of the records', (_, names, texts) => {
  const content =
    'syntax = "proto3"; package r; message M { repeated P p = 1; } message P { int32 x = 1; string s = 2; }';
  const forms = new FieldEncodings(compileSchema([{ path: 'r.proto', content }]).registry);
  const columns = names.map((of, at) => ({ field: `p_${of}`, number: 2 + at, of }));
  const change = { change: 'columns', message: 'r.M', field: 'p', columns } as const;
  const { reasons } = kindOf(change).compatibility(change, forms);
  expect(reasons.map(({ text }) => text).filter((text) => text.startsWith('No record'))).toEqual(texts);
});
