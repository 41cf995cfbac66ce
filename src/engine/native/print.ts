/**
 * The rows of a native message as text, one row a line: its offset, the bytes of each part, and their meaning. The five
 * columns of bytes sum to the message's length.
 */
import { endAt, fieldAt, parentAt, payloadCategoryAt, SLOTS, slotAt, startAt } from '../model/annotation.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { printRows } from '../model/print-rows.ts';
import { ALL_ROWS, type RowRange } from '../model/row-range.ts';
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
  const cells = (row: number): string => {
    const sizes = SLOTS.native.map((_, slot) => slotAt(table, row, slot));
    const isLeaf = row + 1 === table.length || parentAt(table, row + 1) !== row;
    const beforePayload = sizes.reduce((sum, size) => sum + size, 0);
    const own = isLeaf ? endAt(table, row) - startAt(table, row) - beforePayload : 0;
    return sizes.map((size) => (size === 0 ? '·' : String(size)).padStart(6)).join('') + String(own).padStart(9);
  };
  const columns = {
    title: '  flag  type count   len  payload',
    cells,
    meaning: (row: number) => meaning(read, bytes, row),
  };
  return printRows(table, columns, diagnostics, range);
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
