/** The relations of a row to other rows. */
import {
  type AnnotationTable,
  fieldAt,
  headerSizesAt,
  parentAt,
  payloadEndAt,
  payloadStartAt,
  WireType,
  wireTypeAt,
} from '../model/annotation.ts';

/** Payload bytes that belong to no child. */
export function ownPayload(table: AnnotationTable, row: number): number {
  return hasChildren(table, row) ? 0 : payloadEndAt(table, row) - payloadStartAt(table, row);
}

/** Pre-order: the first child of a row is the next row. */
export const hasChildren = (table: AnnotationTable, row: number): boolean =>
  row + 1 < table.length && parentAt(table, row + 1) === row;

/** Bytes of the header: tag, length and end tag. */
export const headBytes = (table: AnnotationTable, row: number): number => {
  const head = headerSizesAt(table, row);
  return (head & 15) + ((head >> 4) & 15) + ((head >> 8) & 15);
};

/**
 * Whether the payload was parsed as records, even if it is empty: a message, a group or a map entry. True for row 0.
 */
export function isDescended(table: AnnotationTable, row: number): boolean {
  const field = fieldAt(table, row);
  return (
    row === 0 || wireTypeAt(table, row) === WireType.SGROUP || (field >= 0 && table.fields[field]!.type === 'message')
  );
}
