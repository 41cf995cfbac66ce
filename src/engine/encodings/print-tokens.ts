/** The rows of an encoding of tokens as text, one row a line: the offset, the bytes, and their use. */
import {
  type AnnotationTable,
  endAt,
  Flag,
  fieldAt,
  flagsAt,
  payloadCategoryAt,
  startAt,
} from '../model/annotation.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { printRows } from '../model/print-rows.ts';
import type { RowRange } from '../model/row-range.ts';
import { type FieldDescriptor, pathSegment } from '../schema/descriptor.ts';
import { hasChildren } from '../wire/rows.ts';

const LONGEST = 60;
const decoder = new TextDecoder();

export function printTokens(
  table: AnnotationTable<FieldDescriptor>,
  bytes: Uint8Array,
  diagnostics: readonly Diagnostic[],
  range: RowRange,
): string {
  const isOwn = (row: number): boolean => !hasChildren(table, row);
  const cells = (row: number): string => {
    const size = isOwn(row) ? String(endAt(table, row) - startAt(table, row)) : '·';
    const category = isOwn(row) ? payloadCategoryAt(table, row) : '';
    return `${size.padStart(7)}  ${category.padEnd(11)}`;
  };
  const columns = {
    title: '  bytes  category',
    cells,
    meaning: (row: number) => meaning(table, bytes, row, isOwn(row)),
  };
  return printRows(table, columns, diagnostics, range);
}

function meaning(table: AnnotationTable<FieldDescriptor>, bytes: Uint8Array, row: number, isOwn: boolean): string {
  if (row === 0) return `message of ${endAt(table, 0)} bytes`;
  const index = fieldAt(table, row);
  const flags = (flagsAt(table, row) & Flag.UNKNOWN) !== 0 ? '  [in no schema]' : '';
  if (index >= 0) return `${pathSegment(table.fields[index]!)}${flags}`;
  return isOwn ? tokenText(table, bytes, row) : 'element';
}

/** The text of a token, or its beginning; empty: the row has tokens of its own. */
export function tokenText(table: AnnotationTable, bytes: Uint8Array, row: number): string {
  if (hasChildren(table, row)) return '';
  const [start, end] = [startAt(table, row), endAt(table, row)];
  const text = decoder.decode(bytes.subarray(start, Math.min(end, start + LONGEST))).replaceAll(/\s+/g, ' ');
  return `${text}${end - start > LONGEST ? '…' : ''}`;
}
