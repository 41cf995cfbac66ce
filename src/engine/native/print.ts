/**
 * The rows of a native message as text, one a line: the offset, the bytes of each part, and what they mean.
 * The five columns of bytes sum to the message's length.
 */
import { endAt, fieldAt, parentAt, payloadCategoryAt, SLOTS, slotAt, startAt } from '../model/annotation.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { ALL_ROWS, type RowRange, rowsIn } from '../model/row-range.ts';
import { pathSegment } from '../schema/descriptor.ts';
import { NativeSlot } from './layout.ts';
import type { NativeRead } from './read.ts';
import { describeNative } from './value.ts';

export function printNative(
  read: NativeRead,
  bytes: Uint8Array,
  diagnostics: readonly Diagnostic[] = read.diagnostics,
  range: RowRange = ALL_ROWS,
): string {
  const { table } = read;
  const depth = new Uint32Array(table.length);
  const lines = [' offset  flag  type count   len  payload'];
  const { first, end: last } = rowsIn(table, range);
  for (let row = 0; row < last; row++) {
    if (row > 0) depth[row] = depth[parentAt(table, row)]! + 1;
    if (row < first) continue;
    const sizes = SLOTS.native.map((_, slot) => slotAt(table, row, slot));
    const cells = sizes.map((size) => (size === 0 ? '·' : String(size)).padStart(6)).join('');
    const isLeaf = row + 1 === table.length || parentAt(table, row + 1) !== row;
    const head = sizes.reduce((sum, size) => sum + size, 0);
    const own = isLeaf ? endAt(table, row) - startAt(table, row) - head : 0;
    const line = `${String(startAt(table, row)).padStart(7)}${cells}${String(own).padStart(9)}`;
    lines.push(`${line}  ${'  '.repeat(Math.min(depth[row]!, 40))}${meaning(read, bytes, row)}`);
  }
  for (const { code, severity, message, start, end } of diagnostics) {
    lines.push(`${severity} ${code} at ${start}${end > start + 1 ? `–${end - 1}` : ''}: ${message}`);
  }
  return `${lines.join('\n')}\n`;
}

function meaning(read: NativeRead, bytes: Uint8Array, row: number): string {
  const { table, layouts } = read;
  if (row === 0) return `message of ${endAt(table, 0)} bytes`;
  const words = describeNative(read, bytes, row);
  const value = words === '' ? '' : `: ${words}`;
  const category = payloadCategoryAt(table, row);
  const index = fieldAt(table, row);
  if (index < 0) return category === 'type' ? `name${value}` : `unattributed${value}`;
  const field = table.fields[index]!;
  if (category === 'type') return `name of ${pathSegment(field)}${value}`;
  const parent = parentAt(table, row);
  const isElement = fieldAt(table, parent) === index && slotAt(table, parent, NativeSlot.COUNT) > 0;
  return isElement
    ? `${field.message?.name ?? 'element'}${value}`
    : `${pathSegment(field)} ${layouts[fieldAt(table, row)]?.label ?? ''}${value}`;
}
