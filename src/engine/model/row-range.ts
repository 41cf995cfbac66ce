/** A part of a message's rows: what a person looks at of a long one. */
import { type AnnotationTable, startAt } from './annotation.ts';

/** Rows from a messageOffset on. */
export interface RowRange {
  readonly from: number;
  /** Rows, at most. */
  readonly most: number;
}

export const ALL_ROWS: RowRange = { from: 0, most: Number.POSITIVE_INFINITY };

/** The rows [first, end) that begin at `from` or behind it. */
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
