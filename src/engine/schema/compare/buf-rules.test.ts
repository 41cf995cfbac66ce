/**
 * Buf's breaking rules, https://buf.build/docs/breaking/rules/: a pair of versions for each that breaks it, and what
 * the comparison says. docs/breaking-rules.md is this table in words; a rule that stands in one stands in the other.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compileSchema } from '../compile.ts';
import { compareSchemas, type SchemaComparison } from './compare-schemas.ts';

type Sides = readonly [binary: string, json: string, source: string];

interface Pair {
  readonly rule: string;
  readonly before: string;
  readonly after: string;
  /** Part of a reason; null: out of scope. */
  readonly says: string | null;
  readonly sides: Sides;
}

const P3 = 'syntax = "proto3"; package p;';
const P2 = 'syntax = "proto2"; package p;';
const E23 = 'edition = "2023"; package p;';
const M = (body: string) => `${P3} message M { ${body} }`;
const M2 = (body: string) => `${P2} message M { ${body} }`;
const CODE: Sides = ['safe', 'safe', 'unsafe'];
const NONE: Sides = ['safe', 'safe', 'safe'];

const pair = (rule: string, before: string, after: string, says: string | null, ...sides: Sides): Pair => ({
  rule,
  before,
  after,
  says,
  sides,
});
const option = (rule: string, one: string, other = ''): Pair =>
  pair(rule, `${P3} ${one} message M {}`, `${P3} ${other} message M {}`, 'generated code is placed', ...CODE);
const REST = 'message R {} message S {}';
const rpc = (line: string) => `${P3} ${REST} service V { ${line} }`;

const RULES: readonly Pair[] = [
  pair('ENUM_NO_DELETE', `${P3} enum E { Z = 0; }`, P3, 'Fields of this type', 'conditional', 'conditional', 'unsafe'),
  pair(
    'ENUM_SAME_JSON_FORMAT',
    `${E23} enum E { Z = 0; }`,
    `${E23} enum E { option features.json_format = LEGACY_BEST_EFFORT; Z = 0; }`,
    'features.json_format was ALLOW',
    'safe',
    'conditional',
    'safe',
  ),
  pair(
    'ENUM_SAME_TYPE',
    `${E23} enum E { Z = 0; }`,
    `${E23} enum E { option features.enum_type = CLOSED; Z = 0; }`,
    'It was open and is closed',
    'conditional',
    'conditional',
    'conditional',
  ),
  pair(
    'ENUM_VALUE_NO_DELETE',
    `${P3} enum E { Z = 0; O = 1; }`,
    `${P3} enum E { Z = 0; reserved 1; reserved "O"; }`,
    'JSON with the name is refused',
    'conditional',
    'conditional',
    'unsafe',
  ),
  pair(
    'ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED',
    `${P3} enum E { Z = 0; O = 1; }`,
    `${P3} enum E { Z = 0; reserved 1; }`,
    'The name is not reserved.',
    'conditional',
    'conditional',
    'unsafe',
  ),
  pair(
    'ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED',
    `${P3} enum E { Z = 0; O = 1; }`,
    `${P3} enum E { Z = 0; reserved "O"; }`,
    'It is not reserved either.',
    'conditional',
    'conditional',
    'unsafe',
  ),
  pair(
    'ENUM_VALUE_SAME_NAME',
    `${P3} enum E { Z = 0; O = 1; }`,
    `${P3} enum E { Z = 0; P = 1; }`,
    'JSON and text hold the name',
    'safe',
    'conditional',
    'unsafe',
  ),
  pair(
    'EXTENSION_MESSAGE_NO_DELETE',
    M2('extensions 100 to 200;'),
    M2('extensions 100 to 150;'),
    'no longer for extensions: 151 to 200',
    'conditional',
    'safe',
    'conditional',
  ),
  pair(
    'EXTENSION_NO_DELETE',
    `${M2('extensions 100 to 200;')} extend M { optional int32 x = 100; }`,
    M2('extensions 100 to 200;'),
    'Number 100 is not reserved',
    'conditional',
    'conditional',
    'unsafe',
  ),
  pair(
    'FIELD_NO_DELETE',
    M('int32 a = 1;'),
    M('reserved 1; reserved "a";'),
    'A new JSON parser refuses the old name',
    'safe',
    'conditional',
    'unsafe',
  ),
  pair(
    'FIELD_NO_DELETE_UNLESS_NAME_RESERVED',
    M('int32 a = 1;'),
    M('reserved 1;'),
    'The name "a" is not reserved',
    'safe',
    'conditional',
    'unsafe',
  ),
  pair(
    'FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED',
    M('int32 a = 1;'),
    M('reserved "a";'),
    'Number 1 is not reserved',
    'conditional',
    'conditional',
    'unsafe',
  ),
  pair(
    'FIELD_SAME_CARDINALITY',
    M('string a = 1;'),
    M('repeated string a = 1;'),
    'One value and several',
    'conditional',
    'unsafe',
    'unsafe',
  ),
  pair(
    'FIELD_SAME_CPP_STRING_TYPE',
    M('string a = 1;'),
    M('string a = 1 [ctype = CORD];'),
    'C++ code gets another string type',
    'safe',
    'safe',
    'conditional',
  ),
  pair(
    'FIELD_SAME_DEFAULT',
    M2('optional int32 a = 1 [default = 1];'),
    M2('optional int32 a = 1 [default = 2];'),
    'The default was "1" and is "2"',
    'conditional',
    'conditional',
    'safe',
  ),
  pair('FIELD_SAME_JAVA_UTF8_VALIDATION', M('string a = 1;'), M('string a = 1;'), null, ...NONE),
  pair(
    'FIELD_SAME_JSON_NAME',
    M('int32 a = 1;'),
    M('int32 a = 1 [json_name = "b"];'),
    'In JSON it was "a"',
    'safe',
    'conditional',
    'safe',
  ),
  pair(
    'FIELD_SAME_JSTYPE',
    M('int64 a = 1;'),
    M('int64 a = 1 [jstype = JS_STRING];'),
    'jstype was JS_NORMAL and is JS_STRING',
    ...CODE,
  ),
  pair(
    'FIELD_SAME_NAME',
    M('int32 a = 1;'),
    M('int32 b = 1;'),
    'The wire holds no names',
    'safe',
    'conditional',
    'unsafe',
  ),
  pair(
    'FIELD_SAME_ONEOF',
    M('oneof o { int32 a = 1; } int32 b = 2;'),
    M('oneof o { int32 a = 1; int32 b = 2; }'),
    'It moved into the oneof "o" that was there',
    'unsafe',
    'unsafe',
    'unsafe',
  ),
  pair(
    'FIELD_SAME_TYPE',
    M('int32 a = 1;'),
    M('string a = 1;'),
    'Generated code has string',
    'unsafe',
    'unsafe',
    'unsafe',
  ),
  pair(
    'FIELD_SAME_UTF8_VALIDATION',
    `${E23} message M { string a = 1; }`,
    `${E23} message M { string a = 1 [features.utf8_validation = NONE]; }`,
    'features.utf8_validation was VERIFY and is NONE',
    'conditional',
    'safe',
    'safe',
  ),
  pair(
    'FIELD_WIRE_COMPATIBLE_CARDINALITY',
    M('int32 a = 1;'),
    M('repeated int32 a = 1;'),
    'A packed run is not a single value',
    'unsafe',
    'unsafe',
    'unsafe',
  ),
  pair('FIELD_WIRE_COMPATIBLE_TYPE', M('int32 a = 1;'), M('sint32 a = 1;'), 'zigzag', 'unsafe', 'safe', 'safe'),
  pair(
    'FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY',
    `${M('repeated P a = 1;')} message P { string key = 1; string value = 2; }`,
    `${M('map<string, string> a = 1;')} message P { string key = 1; string value = 2; }`,
    'In JSON a map is an object',
    'conditional',
    'unsafe',
    'unsafe',
  ),
  pair(
    'FIELD_WIRE_JSON_COMPATIBLE_TYPE',
    M('int32 a = 1;'),
    M('bool a = 1;'),
    'In JSON int32 and bool are written differently',
    'conditional',
    'unsafe',
    'unsafe',
  ),
  pair('FILE_NO_DELETE', 'two files', 'one file', 'Files that import it no longer compile', ...CODE),
  option('FILE_SAME_CC_ENABLE_ARENAS', 'option cc_enable_arenas = false;'),
  option('FILE_SAME_CC_GENERIC_SERVICES', 'option cc_generic_services = true;'),
  option('FILE_SAME_CSHARP_NAMESPACE', 'option csharp_namespace = "A";'),
  option('FILE_SAME_GO_PACKAGE', 'option go_package = "a.example/a";', 'option go_package = "a.example/b";'),
  option('FILE_SAME_JAVA_GENERIC_SERVICES', 'option java_generic_services = true;'),
  option('FILE_SAME_JAVA_MULTIPLE_FILES', 'option java_multiple_files = true;'),
  option('FILE_SAME_JAVA_OUTER_CLASSNAME', 'option java_outer_classname = "A";'),
  option('FILE_SAME_JAVA_PACKAGE', 'option java_package = "a";'),
  option('FILE_SAME_OBJC_CLASS_PREFIX', 'option objc_class_prefix = "A";'),
  option('FILE_SAME_OPTIMIZE_FOR', 'option optimize_for = CODE_SIZE;'),
  pair(
    'FILE_SAME_PACKAGE',
    M('int32 a = 1;'),
    'syntax = "proto3"; package q; message M { int32 a = 1; }',
    'Its package was p and is q',
    'conditional',
    'conditional',
    'unsafe',
  ),
  option('FILE_SAME_PHP_CLASS_PREFIX', 'option php_class_prefix = "A";'),
  option('FILE_SAME_PHP_METADATA_NAMESPACE', 'option php_metadata_namespace = "A";'),
  option('FILE_SAME_PHP_NAMESPACE', 'option php_namespace = "A";'),
  option('FILE_SAME_PY_GENERIC_SERVICES', 'option py_generic_services = true;'),
  option('FILE_SAME_RUBY_PACKAGE', 'option ruby_package = "A";'),
  option('FILE_SAME_SWIFT_PREFIX', 'option swift_prefix = "A";'),
  pair(
    'FILE_SAME_SYNTAX',
    'syntax = "proto2"; package p; message M {}',
    'syntax = "proto3"; package p; message M {}',
    'It was proto2 and is proto3',
    'safe',
    'conditional',
    'conditional',
  ),
  pair('MESSAGE_NO_DELETE', M(''), P3, 'still read or write this message', 'conditional', 'conditional', 'unsafe'),
  pair(
    'MESSAGE_NO_REMOVE_STANDARD_DESCRIPTOR_ACCESSOR',
    M('option no_standard_descriptor_accessor = false;'),
    M('option no_standard_descriptor_accessor = true;'),
    'another accessor',
    ...CODE,
  ),
  pair(
    'MESSAGE_SAME_JSON_FORMAT',
    `${E23} message M {}`,
    `${E23} message M { option features.json_format = LEGACY_BEST_EFFORT; }`,
    'features.json_format was ALLOW',
    'safe',
    'conditional',
    'safe',
  ),
  pair(
    'MESSAGE_SAME_REQUIRED_FIELDS',
    M2('optional int32 a = 1;'),
    M2('required int32 a = 1;'),
    'old messages may lack it',
    'unsafe',
    'unsafe',
    'conditional',
  ),
  pair(
    'ONEOF_NO_DELETE',
    M('oneof o { int32 a = 1; }'),
    M('oneof p { int32 a = 1; }'),
    'The oneof "o" is gone',
    ...CODE,
  ),
  pair(
    'PACKAGE_ENUM_NO_DELETE',
    `${P3} enum K { Y = 0; } enum E { Z = 0; }`,
    `${P3} enum K { Y = 0; }`,
    'Fields of this type',
    'conditional',
    'conditional',
    'unsafe',
  ),
  pair(
    'PACKAGE_EXTENSION_NO_DELETE',
    `${M2('extensions 100 to 200;')} extend M { optional int32 x = 100; optional int32 y = 101; }`,
    `${M2('extensions 100 to 200;')} extend M { optional int32 y = 101; }`,
    'no longer compiles',
    'conditional',
    'conditional',
    'unsafe',
  ),
  pair(
    'PACKAGE_MESSAGE_NO_DELETE',
    `${M('')} message K {}`,
    `${P3} message K {}`,
    'still read or write',
    'conditional',
    'conditional',
    'unsafe',
  ),
  pair('PACKAGE_NO_DELETE', 'two files', 'one file', 'The package q is gone', ...CODE),
  pair(
    'PACKAGE_SERVICE_NO_DELETE',
    `${P3} service V {}`,
    P3,
    'was removed: calls to it fail',
    'unsafe',
    'unsafe',
    'unsafe',
  ),
  pair(
    'RESERVED_ENUM_NO_DELETE',
    `${P3} enum E { Z = 0; reserved 5 to 9; reserved "O"; }`,
    `${P3} enum E { Z = 0; reserved 5 to 7; }`,
    'no longer reserved: 8 to 9',
    'conditional',
    'conditional',
    'safe',
  ),
  pair(
    'RESERVED_MESSAGE_NO_DELETE',
    M('reserved 5 to 9; reserved "a";'),
    M('reserved 5 to 7, 9;'),
    'no longer reserved: 8',
    'conditional',
    'conditional',
    'safe',
  ),
  pair(
    'RPC_NO_DELETE',
    rpc('rpc A(R) returns (S);'),
    rpc(''),
    'was removed: calls to it fail',
    'unsafe',
    'unsafe',
    'unsafe',
  ),
  pair(
    'RPC_SAME_CLIENT_STREAMING',
    rpc('rpc A(R) returns (S);'),
    rpc('rpc A(stream R) returns (S);'),
    'called differently',
    'unsafe',
    'unsafe',
    'unsafe',
  ),
  pair(
    'RPC_SAME_IDEMPOTENCY_LEVEL',
    rpc('rpc A(R) returns (S) { option idempotency_level = NO_SIDE_EFFECTS; }'),
    rpc('rpc A(R) returns (S);'),
    'idempotency_level was NO_SIDE_EFFECTS',
    'conditional',
    'conditional',
    'safe',
  ),
  pair(
    'RPC_SAME_REQUEST_TYPE',
    rpc('rpc A(R) returns (S);'),
    rpc('rpc A(S) returns (S);'),
    'Messages hold no type names',
    'conditional',
    'conditional',
    'unsafe',
  ),
  pair(
    'RPC_SAME_RESPONSE_TYPE',
    rpc('rpc A(R) returns (S);'),
    rpc('rpc A(R) returns (R);'),
    'Messages hold no type names',
    'conditional',
    'conditional',
    'unsafe',
  ),
  pair(
    'RPC_SAME_SERVER_STREAMING',
    rpc('rpc A(R) returns (S);'),
    rpc('rpc A(R) returns (stream S);'),
    'called differently',
    'unsafe',
    'unsafe',
    'unsafe',
  ),
  pair('SERVICE_NO_DELETE', `${P3} service V {}`, P3, 'was removed: calls to it fail', 'unsafe', 'unsafe', 'unsafe'),
];

/** Buf 1.75.0 knows this one, and checks it no more. */
const OLDER: readonly Pair[] = [
  pair(
    'MESSAGE_SAME_MESSAGE_SET_WIRE_FORMAT',
    M2('option message_set_wire_format = true; extensions 4 to max;'),
    M2('extensions 4 to max;'),
    'Extensions of a message set',
    'unsafe',
    'safe',
    'conditional',
  ),
];

function compile(text: string) {
  const sources =
    text === 'two files'
      ? [
          { path: 'p.proto', content: M('int32 a = 1;') },
          { path: 'q.proto', content: 'syntax = "proto3"; package q;' },
        ]
      : [{ path: 'p.proto', content: text === 'one file' ? M('int32 a = 1;') : text }];
  const { registry, diagnostics } = compileSchema(sources);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return registry;
}

const compare = (before: string, after: string): SchemaComparison => compareSchemas(compile(before), compile(after));

const reasonsOf = ({ files, types }: SchemaComparison): readonly string[] =>
  [...files, ...types, ...types.flatMap(({ fields, values, methods }) => [...fields, ...values, ...methods])].flatMap(
    ({ reasons }) => reasons.map(({ message }) => message),
  );

describe('a change that Buf calls breaking', () => {
  test.each([...RULES, ...OLDER].map((one) => [one.rule, one] as const))('%s', (_, { before, after, says, sides }) => {
    const found = compare(before, after);
    if (says !== null) expect(reasonsOf(found).join('\n')).toContain(says);
    const { binary, json, source } = found.sides;
    expect([binary, json, source]).toEqual(sides);
  });
});

test('the table in the docs has each rule once', () => {
  const text = readFileSync(new URL('../../../../docs/breaking-rules.md', import.meta.url), 'utf8');
  const listed = [...text.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, rule]) => rule);
  expect(listed).toEqual(RULES.map(({ rule }) => rule));
  // As `buf config ls-breaking-rules` of Buf 1.75.0 lists them.
  expect(listed).toHaveLength(64);
});

test.each([
  ['reserved numbers cut otherwise', M('reserved 5 to 9;'), M('reserved 5 to 7, 8 to 9;')],
  ['reserved numbers in another order', M('reserved 9, 5;'), M('reserved 5, 9;')],
  ['extension ranges cut otherwise', M2('extensions 5 to 9;'), M2('extensions 5 to 7, 8 to 9;')],
])('%s are not a change', (_, before, after) => {
  expect(compare(before, after)).toMatchObject({ types: [], files: [], verdict: 'safe' });
});

test('a new number or type of an extension is reported', () => {
  const extended = (field: string) => `${M2('extensions 100 to 200;')} extend M { ${field} }`;
  const found = compare(extended('optional int32 x = 100;'), extended('optional int32 x = 101;'));
  expect(found.types[0]?.fields[0]).toMatchObject({ kind: 'renumbered', verdict: 'unsafe' });
  const other = compare(extended('optional int32 x = 100;'), extended('optional sint32 x = 100;'));
  expect(other.types[0]?.fields[0]).toMatchObject({ kind: 'retyped', verdict: 'unsafe' });
});
