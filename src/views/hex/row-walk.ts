/** Arrow keys in a hex view → the next row: Down and Up move along the rows, Right enters a row, Left leaves it. */
import { type AnnotationTable, parentAt } from '#engine/model/annotation.ts';

/** −1: the key has no function here. `ends`: the end (exclusive) of each row's subtree. */
export function walkRows(table: AnnotationTable, ends: Uint32Array, row: number, key: string): number {
  const last = table.length - 1;
  if (last < 0) return -1;
  if (row < 0) return ['ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowLeft', 'Home', 'End'].includes(key) ? 0 : -1;
  switch (key) {
    case 'ArrowDown':
      return ends[row]! <= last && row !== 0 ? ends[row]! : Math.min(last, row + 1);
    case 'ArrowUp':
      return row === 0 ? 0 : previousSibling(table, ends, row);
    case 'ArrowRight':
      return Math.min(last, row + 1);
    case 'ArrowLeft':
      return Math.max(0, parentAt(table, row));
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return -1;
  }
}

/** The row whose subtree ends where this one starts, among the same siblings; the parent if it has no such sibling. */
function previousSibling(table: AnnotationTable, ends: Uint32Array, row: number): number {
  const parent = parentAt(table, row);
  let before = row - 1;
  while (before > parent && parentAt(table, before) !== parent) before = parentAt(table, before);
  return before > parent && ends[before] === row ? before : Math.max(0, parent);
}
