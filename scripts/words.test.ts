import { expect, test } from 'vitest';
import { findWords } from './words.ts';

test.each<[name: string, path: string, text: string, found: readonly string[]]>([
  ['a comment', 'a.ts', 'const a = 1;\n/** It is told twice. */\n', ['2 told']],
  ['a phrase over two lines of a comment', 'a.ts', '/**\n * Kept for\n * ever.\n */', ['2 for ever']],
  ['a line comment behind code', 'a.ts', 'const a = 1; // of none', ['1 of none']],
  ['a test title', 'a.test.ts', "test('a fault is told', () => {});", ['1 told']],
  ['a message with a value in it', 'a.ts', `const a = \`\${b} has arrived at last\`;`, ['1 arrived']],
  ['a text on the page', 'a.tsx', 'const a = <p>Nobody answers</p>;', ['1 Nobody']],
  ['docs', 'a.md', 'One.\n\nWhatever the bytes are.\n', ['3 Whatever']],
  ['a style sheet', 'a.css', 'p { color: red } /* whoever reads it */', ['1 whoever']],
  ['a comment without its subject', 'a.ts', '/** Of sets: every name. */', ['1 /** Of']],
  ['a line comment without its subject', 'a.ts', '  // What is left is lost.', ['1 // What']],
  ['a later sentence without its subject', 'a.ts', '/** All names. Those of sets wait. */', ['1 Those']],
  ['a test title without its subject', 'a.test.ts', "test('what is cut', () => {});", ["1 test('what"]],
  ['a question', 'a.ts', '/** What should change? */', []],
  ['a comment that continues', 'a.ts', '/**\n * The names\n * Of Sets.\n */', []],
  ['a name in code', 'a.ts', "const told = met + 1; type A = 'dress';", []],
  ['code in a comment', 'a.ts', '/** The key `dress` holds it. */', []],
  ['code in docs', 'a.md', 'As `told` says.\n```\nmet\n```\n', []],
  ['slashes in a text', 'a.ts', "const a = 'https://a.example/told';", []],
  ['a regular expression', 'a.ts', 'const a = /told met/;', []],
  ['a word inside of another', 'a.ts', '// metal, intolerant, followed, address', []],
  ['an exception', 'a.ts', '/** OpenSearch’s thread context; the main thread; a condition is not met. */', []],
  ['a word beside an exception’s', 'a.ts', '/** The thread. */', ['1 thread']],
])('%s', (_name, path, text, found) => {
  expect(findWords(path, text).map(({ line, word }) => `${line} ${word}`)).toEqual(found);
});
