/** A table's rows in columns: the results of the functions of annotation.ts, one entry per row. */
import {
  type AnnotationTable,
  endAt,
  fieldAt,
  flagsAt,
  headerSizesAt,
  parentAt,
  startAt,
} from '#engine/model/annotation.ts';

export function columnsOf(table: AnnotationTable) {
  const column = (cellAt: (table: AnnotationTable, row: number) => number) =>
    Array.from({ length: table.length }, (_, row) => cellAt(table, row));
  return {
    start: column(startAt),
    end: column(endAt),
    parent: column(parentAt),
    field: column(fieldAt),
    head: column(headerSizesAt),
    flags: column(flagsAt),
  };
}
