/** Packs rows as they are built into an AnnotationTable. */
import type { FieldFacts } from '../schema/descriptor.ts';
import type { AnnotationTable, Encoding } from './annotation.ts';
import { MAX_DISTANCE, ROW_WORDS } from './row-cells.ts';
import { rowKinds } from './row-kinds.ts';

/**
 * A row while it is built: five words, unsigned where an offset is meant.
 *
 *   start │ end │ parent │ field │ header + flags · 65536
 */
export const BUILT_WORDS = 5;
export const BUILT = { start: 0, end: 1, parent: 2, field: 3, word: 4 } as const;

/** @param rows the words of at least `length` rows @param cells has room for them; the unused part is not in the table */
export function packRows<F extends FieldFacts>(
  encoding: Encoding,
  length: number,
  rows: Int32Array,
  fields: readonly F[],
  cells = new Uint32Array(length * ROW_WORDS),
): AnnotationTable<F> {
  const kinds = rowKinds();
  const farParents: number[] = [];
  const rareFields: number[] = [];
  let far = -1;
  for (let row = 0, at = 0, from = 0; row < length; row++, at += ROW_WORDS, from += BUILT_WORDS) {
    const above = rows[from + BUILT.parent]!;
    let distance = row - above;
    if (above < 0 || distance > MAX_DISTANCE) {
      distance = 0;
      if (above >= 0 && far !== above) farParents.push(row, above);
      if (above >= 0) far = above;
    }
    const own = rows[from + BUILT.field]!;
    const kind = kinds.of(own, rows[from + BUILT.word]!);
    if (kinds.isRare(kind)) rareFields.push(row, own);
    cells[at] = rows[from]!;
    cells[at + 1] = rows[from + BUILT.end]!;
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
