import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tokenize } from './tokens.ts';
import { withoutComments } from './without-comments.ts';

test.each([
  ['before the first token', '// a\n/* b */ syntax = "proto3";', ' syntax = "proto3";'],
  ['behind a token', 'int32 a = 1; // a\nint32 b = 2;', 'int32 a = 1;\nint32 b = 2;'],
  ['on lines of their own', '{\n  // a\n\n  // b\n  int32 c = 1;', '{\n  int32 c = 1;'],
  ['between two words', 'int32/* a */b = 1;', 'int32 b = 1;'],
  ['at the end', 'message A {}\n// a', 'message A {}\n'],
  ['without an end', 'message A {} /* a', 'message A {} '],
  ['in a string', 'option a = "// b"; option c = \'/* d */\';', 'option a = "// b"; option c = \'/* d */\';'],
  ['no token', '// a', ''],
  ['empty lines without comments', 'a\n\n\nb', 'a\n\n\nb'],
])('comments %s', (_, text, plain) => {
  expect(withoutComments(text)).toBe(plain);
});

const ROOT = new URL('../../../../schemas/', import.meta.url);
const TEXTS = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.proto'))
  .map((path) => [path, readFileSync(new URL(path, ROOT), 'utf8')] as const);
const tokensOf = (text: string) => [...tokenize(text).tokens].map(({ kind, text }) => `${kind} ${text}`);

test('the bundled schemas keep their tokens and lose their comments', () => {
  expect(TEXTS.length).toBeGreaterThan(50);
  for (const [path, text] of TEXTS) {
    const plain = withoutComments(text);
    expect(tokensOf(plain), path).toEqual(tokensOf(text));
    expect(withoutComments(plain), path).toBe(plain);
    expect(plain.replace(/"[^"\n]*"/g, ''), path).not.toMatch(/\/[/*]/);
  }
});
