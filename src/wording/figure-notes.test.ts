import { expect, test } from 'vitest';
import { type FigureNotes, noteWords } from './figure-notes.ts';

const NOTES: readonly (readonly [string, FigureNotes, string])[] = [
  ['nothing to name', {}, ''],
  [
    'bytes beside the messages, of a type with errors',
    { isTouched: true, beside: { framing: 'bulk', framingBytes: 14, unattributedBytes: 0 } },
    'Errors of the sender’s schema touch this type: its messages may be read wrongly. The input also has 14 bytes of action lines.',
  ],
  [
    'a contradicted type',
    { contradicted: 'a.Row' },
    'These messages contradict a.Row, the type that their address, header or method names.',
  ],
  ['files of two types', { mixed: ['a.Row', 'b.Cell'] }, 'The figures mix files of different types: a.Row, b.Cell.'],
  [
    'files of many types, one with a hidden character',
    { mixed: ['a\u202e', 'b', 'c', 'd', 'e', 'f', 'g'] },
    'The figures mix files of different types: a\\u202e, b, c, d, e, 2 more.',
  ],
];

test.each(NOTES)('the notes of figures: %s', (_, notes, expected) => {
  expect(noteWords(notes).replaceAll('\u00a0', ' ')).toBe(expected);
});
