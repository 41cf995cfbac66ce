/** Tables that are built one after another keep their rows. */

import { expect, test } from 'vitest';
import { columnsOf } from '#testing/table-columns.ts';
import { startAt } from '../model/annotation.ts';
import { NativeRows } from './rows.ts';

/** A table of a number of rows; all their cells except the parent hold the row's number. */
function tableOf(rows: number, number: number) {
  const builder = new NativeRows();
  for (let row = 0; row < rows; row++) builder.add(number, number, -1, number, number, number);
  return builder.finish('native');
}

test('a table of any size has exactly its rows, and later builds do not change them', () => {
  const sizes = [1, 63, 64, 65, 1000, 2, 0, 300_000, 5];
  const tables = sizes.map((size, number) => tableOf(size, number));
  tables.forEach((table, number) => {
    expect(table.cells.buffer.byteLength).toBe(12 * sizes[number]!);
    for (const [name, column] of Object.entries(columnsOf(table))) {
      expect(column.length).toBe(sizes[number]);
      const cell = name === 'parent' ? -1 : number;
      expect(column.every((value) => value === cell)).toBe(true);
    }
  });
});

test('two tables that are built at once do not mix', () => {
  const one = new NativeRows();
  const other = new NativeRows();
  for (let row = 0; row < 100; row++) {
    one.add(row, row, 0, -1, 0, 0);
    other.open(2 * row, 0, -1, 0);
  }
  expect(startAt(one.finish('native'), 99)).toBe(99);
  expect(startAt(other.finish('native'), 99)).toBe(198);
});
