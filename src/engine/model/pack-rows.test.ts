/** Rows come back from the table as they were. */
import { expect, test } from 'vitest';
import { type BuiltColumns, builtRows } from '#testing/built-rows.ts';
import { columnsOf } from '#testing/table-columns.ts';
import { packRows } from './pack-rows.ts';

const ROWS = 200_000;
const column = (cellOf: (row: number) => number) => Array.from({ length: ROWS }, (_, row) => cellOf(row));
const zeros = column(() => 0);
const none = column(() => -1);

/** A chain of rows, each in the one before, down to `depth`; then one row in each of them, the innermost first. */
const backOut = (depth: number) =>
  column((row) => (row <= depth ? row - 1 : Math.max(0, depth - 1 - ((row - depth - 1) % depth))));

test.each<[string, Partial<BuiltColumns>, (length: { far: number; rare: number }) => boolean]>([
  ['few kinds', { field: column((row) => (row % 7) - 2) }, ({ far, rare }) => far === 0 && rare === 0],
  ['many flags', { flags: column((row) => row % 16000), parent: column((row) => row - 1) }, ({ rare }) => rare === 0],
  ['a parent of all rows', { parent: column((row) => (row === 0 ? -1 : 0)) }, ({ far }) => far === 2],
  ['parents far out, one after another', { parent: backOut(90_000) }, ({ far }) => far > 10_000],
  ['a field of its own in each row', { field: column((row) => -2 - row) }, ({ rare }) => rare > 2 * 100_000],
  ['ends of four bytes', { start: column((row) => 2 ** 32 - 1 - row), end: none.map(() => 2 ** 32 - 1) }, () => true],
])('%s', (_name, changed, expected) => {
  const columns = { start: zeros, end: zeros, parent: none, field: none, head: zeros, flags: zeros, ...changed };
  const table = packRows('protobuf', ROWS, builtRows(columns), []);
  expect(table.cells.byteLength).toBe(12 * ROWS);
  expect(expected({ far: table.farParents.length, rare: table.rareFields.length })).toBe(true);
  const packed = columnsOf(table);
  for (const name of Object.keys(packed) as (keyof typeof packed)[]) {
    const wanted = columns[name];
    expect(
      packed[name].findIndex((cell, row) => cell !== wanted[row]),
      name,
    ).toBe(-1);
  }
});
