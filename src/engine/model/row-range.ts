/** A part of a message's rows, for views of long messages. */
import { type AnnotationTable, startAt } from './annotation.ts';

/** Rows that begin at a messageOffset or later. */
export interface RowRange {
  readonly from: number;
  /** Maximum number of rows. */
  readonly most: number;
}

export const ALL_ROWS: RowRange = { from: 0, most: Number.POSITIVE_INFINITY };

/** The rows [first, end) that begin at `from` or later. */
export function rowsIn(
  table: AnnotationTable,
  { from, most }: RowRange,
): { readonly first: number; readonly end: number } {
  let [low, high] = [0, table.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (startAt(table, middle) < from) low = middle + 1;
    else high = middle;
  }
  return { first: low, end: Math.min(table.length, low + most) };
}
