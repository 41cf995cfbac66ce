/** The columns of an AnnotationTable while they are written. */
import type { AnnotationTable } from '../annotation.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';

export interface Columns {
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  readonly parent: Int32Array;
  readonly field: Int32Array;
  readonly head: Uint16Array;
  readonly flags: Uint16Array;
  /** Row r is written at r & mask: −1 where each has a place, else rows beyond the capacity overwrite earlier ones. */
  readonly mask: number;
}

export function allocateColumns(rows: number, mask: number): Columns {
  return {
    start: new Uint32Array(rows),
    end: new Uint32Array(rows),
    parent: new Int32Array(rows),
    field: new Int32Array(rows),
    head: new Uint16Array(rows),
    flags: new Uint16Array(rows),
    mask,
  };
}

/** The first `rows` rows as a table of their own: copied, so that the columns can be written again. */
export function copyTable(
  columns: Columns,
  rows: number,
  fields: readonly FieldDescriptor[],
): AnnotationTable<FieldDescriptor> {
  return {
    encoding: 'wire',
    length: rows,
    start: columns.start.slice(0, rows),
    end: columns.end.slice(0, rows),
    parent: columns.parent.slice(0, rows),
    field: columns.field.slice(0, rows),
    head: columns.head.slice(0, rows),
    flags: columns.flags.slice(0, rows),
    fields,
  };
}

/** Columns of the right size as a table: they are handed out, and must not be written again. */
export function giveTable(columns: Columns, fields: readonly FieldDescriptor[]): AnnotationTable<FieldDescriptor> {
  const { start, end, parent, field, head, flags } = columns;
  return { encoding: 'wire', length: start.length, start, end, parent, field, head, flags, fields };
}
