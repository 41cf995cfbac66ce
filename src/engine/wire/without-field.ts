/** Removes one field from a message. The result has the bytes that a writer would have written without it. */
import { setVarint, varintWidth } from '../bytes/varint.ts';
import { type AnnotationTable, endAt, parentAt, slotAt, startAt, subtreeEnds } from '../model/annotation.ts';
import { rowPaths } from './path-totals.ts';
import { findPath } from './path-tree.ts';
import { hasChildren } from './rows.ts';

const GONE = -1;

/**
 * Lengths around the removed field shrink to their shortest form. All other bytes are unchanged, including unknown and
 * unattributed ones. @param path as in `rowPaths`; its records are removed with all that is nested in them
 */
export function withoutField(bytes: Uint8Array, table: AnnotationTable, path: string): Uint8Array {
  const { path: paths, paths: tree } = rowPaths(table);
  const index = findPath(tree, table, path);
  if (index < 0) return bytes;
  /** By row: its bytes without the field, or GONE. For rows with children: the bytes of their payload. */
  const sizes = new Int32Array(table.length);
  const payloads = new Int32Array(table.length);
  for (let row = table.length - 1; row > 0; row--) {
    if (paths[row] === index) {
      sizes[row] = GONE;
      continue;
    }
    const tags = slotAt(table, row, 0) + slotAt(table, row, 2);
    sizes[row] = hasChildren(table, row)
      ? tags + payloads[row]! + (slotAt(table, row, 1) > 0 ? varintWidth(payloads[row]!, 0) : 0)
      : endAt(table, row) - startAt(table, row);
    payloads[parentAt(table, row)]! += sizes[row]!;
  }
  const shorter = new Uint8Array(payloads[0]!);
  const ends = subtreeEnds(table);
  const open: number[] = [];
  let at = 0;
  const copy = (start: number, end: number): void => {
    shorter.set(bytes.subarray(start, end), at);
    at += end - start;
  };
  const close = (row: number): void => copy(endAt(table, row) - slotAt(table, row, 2), endAt(table, row));
  for (let row = 1; row < table.length; ) {
    while (open.length > 0 && ends[open.at(-1)!]! <= row) close(open.pop()!);
    if (sizes[row] === GONE) {
      row = ends[row]!;
      continue;
    }
    const start = startAt(table, row);
    if (hasChildren(table, row)) {
      copy(start, start + slotAt(table, row, 0));
      if (slotAt(table, row, 1) > 0) at = setVarint(shorter, at, payloads[row]!);
      open.push(row);
    } else copy(start, endAt(table, row));
    row++;
  }
  while (open.length > 0) close(open.pop()!);
  return shorter;
}
