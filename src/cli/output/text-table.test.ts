import { expect, test } from 'vitest';
import { printDelta, printMarkdownTable, printPercent, printSignedPercent, printTenth } from './text-table.ts';

test.each([
  [0, '0 %'],
  [0.0123, '1.23 %'],
  [0.5, '50.0 %'],
  [1, '100 %'],
  [-0.25, '−25.0 %'],
  [0.000_04, '<0.01 %'],
  [-0.000_04, '>−0.01 %'],
  [0.9996, '>99.9 %'],
  [5263.156_895, '526,316 %'],
])('%d is %s, with a plain space', (share, text) => expect(printPercent(share)).toBe(text));

test.each([
  [0.25, '+25.0 %'],
  [-0.25, '−25.0 %'],
  [0, '0 %'],
  [0.000_04, '<+0.01 %'],
])('%d is a change of %s', (share, text) => expect(printSignedPercent(share)).toBe(text));

test('figures are those of the page', () => {
  expect([printTenth(71_690), printTenth(-1234.56), printDelta(-0.3)]).toEqual(['71,690.0', '−1,234.6', '0']);
});

test('a table in Markdown has code for what a renderer may read, which small percentages are not', () => {
  const columns = ['a', 'b', 'c'].map((title) => ({ title, align: 'left' as const }));
  const table = printMarkdownTable(columns, [['<0.01 %', '>+99.9 %', '<b>']]);
  expect(table.split('\n')[2]).toBe('| <0.01 % | >+99.9 % | `<b>` |');
});
