/** The rows of a table as text, one a line, and the diagnostics after them. */
import { type AnnotationTable, parentAt, startAt } from './annotation.ts';
import type { Diagnostic } from './diagnostic.ts';
import { type RowRange, rowsIn } from './row-range.ts';

/** Levels that are indented; deeper rows stay at this one. */
const DEEPEST_INDENT = 40;

export interface RowColumns {
  /** Above the cells. */
  readonly title: string;
  /** The row's cells after its offset, padded to the title's columns. */
  readonly cells: (row: number) => string;
  readonly meaning: (row: number) => string;
}

/** Each line has the row's offset, its cells, and its meaning, indented by its depth. */
export function printRows(
  table: AnnotationTable,
  { title, cells, meaning }: RowColumns,
  diagnostics: readonly Diagnostic[],
  range: RowRange,
): string {
  const depth = new Uint32Array(table.length);
  const lines = [` offset${title}`];
  const { first, end: last } = rowsIn(table, range);
  for (let row = 0; row < last; row++) {
    if (row > 0) depth[row] = depth[parentAt(table, row)]! + 1;
    if (row < first) continue;
    const indent = '  '.repeat(Math.min(depth[row]!, DEEPEST_INDENT));
    lines.push(`${String(startAt(table, row)).padStart(7)}${cells(row)}  ${indent}${meaning(row)}`);
  }
  for (const { code, severity, message, start, end } of diagnostics) {
    lines.push(`${severity} ${code} at ${start}${end > start + 1 ? `–${end - 1}` : ''}: ${message}`);
  }
  return `${lines.join('\n')}\n`;
}
