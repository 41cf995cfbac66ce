/** A captured text → its names and values that no field holds: other encodings of the message do not have them. */
import { type AnnotationTable, Flag, flagsAt, parentAt, payloadCategoryAt } from '../model/annotation.ts';

/** The outermost rows of each. */
export function unheldRows(table: AnnotationTable): readonly number[] {
  const found: number[] = [];
  const isUnheld = new Uint8Array(table.length);
  for (let row = 1; row < table.length; row++) {
    const isInside = isUnheld[parentAt(table, row)] === 1;
    const isUnknown = (flagsAt(table, row) & Flag.UNKNOWN) !== 0;
    if (isInside || isUnknown) isUnheld[row] = 1;
    if (!isInside && (isUnknown || payloadCategoryAt(table, row) === 'unattributed')) found.push(row);
  }
  return found;
}
