/** The rows of a message → the JSON that docs/annotate-json.md describes. */
import {
  type AnnotationTable,
  endAt,
  fieldAt,
  flagsAt,
  NO_WIRE_TYPE,
  parentAt,
  payloadCategoryAt,
  payloadStartAt,
  SLOTS,
  slotAt,
  startAt,
  WIRE_TYPE_NAMES,
  wireTypeAt,
} from '#engine/model/annotation.ts';
import { type RowRange, rowsIn } from '#engine/model/row-range.ts';
import { type FieldDescriptor, pathSegment } from '#engine/schema/descriptor.ts';
import { flagWords } from '#engine/wire/print.ts';
import { ownPayload } from '#engine/wire/rows.ts';

/** @param textOf the text of a row's value; empty: it has none */
export function rowsJson(
  table: AnnotationTable<FieldDescriptor>,
  range: RowRange,
  textOf: (row: number) => string,
): { readonly rows: readonly object[]; readonly next: number | null } {
  const { first, end } = rowsIn(table, range);
  const rows = Array.from({ length: end - first }, (_, at) => rowJson(table, first + at, textOf(first + at)));
  return { rows, next: end === table.length ? null : startAt(table, end) };
}

function rowJson(table: AnnotationTable<FieldDescriptor>, row: number, value: string): object {
  const index = fieldAt(table, row);
  const field = index < 0 ? undefined : table.fields[index]!;
  // Names that no schema has are fields without a number.
  const number = field === undefined ? (index === -1 ? null : -2 - index) : field.number || null;
  const wireType = wireTypeAt(table, row);
  return {
    row,
    parent: row === 0 ? null : parentAt(table, row),
    field: field === undefined ? null : pathSegment(field),
    number,
    ...(table.encoding === 'protobuf' && number !== null && wireType !== NO_WIRE_TYPE
      ? { wireType: WIRE_TYPE_NAMES[wireType] }
      : {}),
    start: startAt(table, row),
    payloadStart: payloadStartAt(table, row),
    end: endAt(table, row),
    bytes: ownBytes(table, row),
    flags: flagWords(flagsAt(table, row)),
    value: value === '' ? null : value,
  };
}

/** The bytes of a row that are in none of the rows below it, by category. */
function ownBytes(table: AnnotationTable, row: number): Readonly<Record<string, number>> {
  const bytes: Record<string, number> = {};
  const add = (category: string, size: number): void => {
    if (size > 0) bytes[category] = (bytes[category] ?? 0) + size;
  };
  for (const [slot, category] of SLOTS[table.encoding].entries()) add(category, slotAt(table, row, slot));
  add(payloadCategoryAt(table, row), ownPayload(table, row));
  return bytes;
}
