/** The rows of an encoding that is made of tokens as text, one a line: the offset, the bytes, what they are spent on. */
import {
  type AnnotationTable,
  endAt,
  Flag,
  fieldAt,
  flagsAt,
  parentAt,
  payloadCategoryAt,
  startAt,
} from '../model/annotation.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { ALL_ROWS, type RowRange, rowsIn } from '../model/row-range.ts';
import { type FieldDescriptor, pathSegment } from '../schema/descriptor.ts';
import { hasChildren } from '../wire/rows.ts';

const LONGEST = 60;
const decoder = new TextDecoder();

export function printTokens(
  table: AnnotationTable<FieldDescriptor>,
  bytes: Uint8Array,
  diagnostics: readonly Diagnostic[] = [],
  range: RowRange = ALL_ROWS,
): string {
  const depth = new Uint32Array(table.length);
  const lines = [' offset  bytes  category'];
  const { first, end: last } = rowsIn(table, range);
  for (let row = 0; row < last; row++) {
    if (row > 0) depth[row] = depth[parentAt(table, row)]! + 1;
    if (row < first) continue;
    const [start, end] = [startAt(table, row), endAt(table, row)];
    const isOwn = !hasChildren(table, row);
    const category = isOwn ? payloadCategoryAt(table, row) : '';
    const size = isOwn ? String(end - start) : '·';
    const indent = '  '.repeat(Math.min(depth[row]!, 40));
    lines.push(
      `${String(start).padStart(7)}${size.padStart(7)}  ${category.padEnd(12)} ${indent}${meaning(table, bytes, row, isOwn)}`,
    );
  }
  for (const { code, severity, message, start, end } of diagnostics) {
    lines.push(`${severity} ${code} at ${start}${end > start + 1 ? `–${end - 1}` : ''}: ${message}`);
  }
  return `${lines.join('\n')}\n`;
}

function meaning(table: AnnotationTable<FieldDescriptor>, bytes: Uint8Array, row: number, isOwn: boolean): string {
  if (row === 0) return `message of ${endAt(table, 0)} bytes`;
  const index = fieldAt(table, row);
  const flags = (flagsAt(table, row) & Flag.UNKNOWN) !== 0 ? '  [unknown]' : '';
  if (index >= 0) return `${pathSegment(table.fields[index]!)}${flags}`;
  if (!isOwn) return 'element';
  const [start, end] = [startAt(table, row), endAt(table, row)];
  const text = decoder.decode(bytes.subarray(start, Math.min(end, start + LONGEST))).replaceAll(/\s+/g, ' ');
  return `${text}${end - start > LONGEST ? '…' : ''}`;
}
