/**
 * Every quotation in a message about a statement is written in that statement, or is a word of the language that was
 * expected.
 */
import { expect, test } from 'vitest';
import { compileSchema } from '../compile.ts';

const FIELDS = [
  'map<string string> m = 1;',
  'map<string, string m = 1;',
  'map<int32> s = 2;',
  'map<string,,string> y = 2;',
  'string s 1;',
  'string s := 1;',
  'string a-b = 1;',
  'string s = one;',
  'string "s" = 1;',
  'string s s2 = 1;',
  'repeated string = 1;',
  'string message.q = 1;',
  'optional optional string s = 1;',
  'foo..bar s = 1;',
  'extensions 4 of 5;',
  'reserved "a" b;',
  'string s = 1 [default "q"];',
  'string s = 1 [deprecated = ];',
];
const METHODS = [
  'rpc F(A) returns A;',
  'rpc F A returns (A);',
  'rpc F(A)(A);',
  'rpc F(A) return (A);',
  'rpc F(stream A B) returns (A);',
  'rpc (A) returns (A);',
];
const CASES = ['proto2', 'proto3'].flatMap((syntax) => [
  ...FIELDS.map((field) => [syntax, `message A { ${field} }`] as const),
  ...METHODS.map((method) => [syntax, `message A {} service S { ${method} }`] as const),
]);

test.each(CASES)('%s: %s', (syntax, statement) => {
  const { diagnostics } = compileSchema([{ path: 'a.proto', content: `syntax = "${syntax}";\n${statement}\n` }]);
  expect(diagnostics).not.toEqual([]);
  for (const { message } of diagnostics) {
    const written = message.replace(/^Expected .*?(?=, found | after )|"(?:optional|required|repeated)"/g, '');
    for (const [, word] of written.matchAll(/"([^"]*)"/g)) expect(statement).toContain(word);
  }
});
