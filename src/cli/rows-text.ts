/**
 * The rows of a message → a table: where each starts, how many bytes its tag, length and value take, which field it
 * is and what it says.
 */
import {
  type AnnotationTable,
  Flag,
  payloadCategoryAt,
  payloadEndAt,
  payloadStartAt,
  slotAt,
  WIRE_TYPE_NAMES,
  wireTypeAt,
} from '#engine/annotation.ts';
import { type FieldDescriptor, type MessageDescriptor, pathSegment } from '#engine/schema/descriptor.ts';
import { printValue } from './row-value.ts';
import { type Column, printTable } from './text-table.ts';

const COLUMNS: readonly Column[] = [
  { title: 'offset', align: 'right' },
  { title: 'tag', align: 'right' },
  { title: 'length', align: 'right' },
  { title: 'value', align: 'right' },
  { title: 'field', align: 'left' },
  { title: 'number', align: 'right' },
  { title: 'wire type', align: 'left' },
  { title: 'reads', align: 'left' },
];

const REMARKS: readonly (readonly [bit: number, words: string])[] = [
  [Flag.MALFORMED, 'cannot be read'],
  [Flag.MISMATCH, 'wire type is not the field’s'],
  [Flag.GUESS, 'a guess'],
  [Flag.OVERLONG, 'overlong varint'],
  [Flag.DEFAULT, 'default written'],
  [Flag.DUPLICATE, 'occurs again'],
];

export function printRows(
  table: AnnotationTable<FieldDescriptor>,
  bytes: Uint8Array,
  type: MessageDescriptor | undefined,
): string {
  const depths = new Uint16Array(table.start.length);
  const rows: string[][] = [];
  const count = table.start.length;
  for (let row = 0; row < count; row++) {
    depths[row] = row === 0 ? 0 : Math.min(depths[table.parent[row]!]! + 1, 0xffff);
    const field = table.field[row]!;
    const lost = payloadCategoryAt(table, row) === 'unattributed';
    const descends = row + 1 < count && table.parent[row + 1] === row;
    const payload = descends ? 0 : payloadEndAt(table, row) - payloadStartAt(table, row);
    const wireType = wireTypeAt(table, row);
    const name =
      row === 0
        ? (type?.fullName ?? 'message')
        : field >= 0
          ? pathSegment(table.fields[field]!)
          : field === -1
            ? 'unattributed'
            : `?${-2 - field}`;
    const flags = table.flags[row]!;
    const remarks = REMARKS.filter(([bit]) => (flags & bit) !== 0).map(([, words]) => words);
    const value = descends || row === 0 ? '' : printValue(table, bytes, row);
    rows.push([
      String(table.start[row]!),
      String(slotAt(table, row, 0) + slotAt(table, row, 2) || ''),
      String(slotAt(table, row, 1) || ''),
      payload === 0 ? '' : `${payload}${lost ? '?' : ''}`,
      `${indent(depths[row]!)}${name}`,
      field >= 0 ? String(table.fields[field]!.number) : field === -1 ? '' : String(-2 - field),
      WIRE_TYPE_NAMES[wireType] ?? '',
      [value, remarks.length === 0 ? '' : `(${remarks.join(', ')})`].filter((part) => part !== '').join(' '),
    ]);
  }
  return printTable(COLUMNS, rows);
}

/** Beyond twenty levels the depth is a number, or a hostile message would be all spaces. */
const indent = (depth: number): string => (depth <= 20 ? '  '.repeat(depth) : `${'  '.repeat(20)}[${depth}] `);
