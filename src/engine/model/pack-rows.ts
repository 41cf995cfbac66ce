/** Packs rows from one column for each property, as they are built, into an AnnotationTable. */
import type { FieldFacts } from '../schema/descriptor.ts';
import type { AnnotationTable, Encoding } from './annotation.ts';
import { MOST_DISTANCE, ROW_WORDS } from './row-cells.ts';
import { rowKinds } from './row-kinds.ts';

/** One entry a row: the values that `startAt` and the other functions of annotation.ts return. */
export interface RowColumns {
  readonly start: ArrayLike<number>;
  readonly end: ArrayLike<number>;
  readonly parent: ArrayLike<number>;
  readonly field: ArrayLike<number>;
  readonly head: ArrayLike<number>;
  readonly flags: ArrayLike<number>;
}

/** @param cells has room for at least all rows; the unused part is not in the table */
export function packRows<F extends FieldFacts>(
  encoding: Encoding,
  length: number,
  { start, end, parent, field, head, flags }: RowColumns,
  fields: readonly F[],
  cells = new Uint32Array(length * ROW_WORDS),
): AnnotationTable<F> {
  const kinds = rowKinds();
  const farParents: number[] = [];
  const rareFields: number[] = [];
  for (let row = 0, at = 0; row < length; row++, at += ROW_WORDS) {
    const above = parent[row]!;
    let distance = row - above;
    if (above < 0 || distance > MOST_DISTANCE) {
      distance = 0;
      if (above >= 0 && farParents.at(-1) !== above) farParents.push(row, above);
    }
    const kind = kinds.of(field[row]!, head[row]! | (flags[row]! << 16));
    if (kinds.isRare(kind)) rareFields.push(row, field[row]!);
    cells[at] = start[row]!;
    cells[at + 1] = end[row]!;
    cells[at + 2] = (kind << 16) | distance;
  }
  return {
    encoding,
    length,
    cells: cells.length === length * ROW_WORDS ? cells : cells.subarray(0, length * ROW_WORDS),
    kinds: kinds.words,
    farParents: Int32Array.from(farParents),
    rareFields: Int32Array.from(rareFields),
    fields,
  };
}
