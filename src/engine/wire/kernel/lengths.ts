/**
 * Counts each length below 128 by row: one addition a record instead of four. `gather` adds the counts to the cells of
 * the row.
 */
import * as Cell from '../cells.ts';
import { setSize } from './records.ts';
import { add } from './varints.ts';

/** Adds the counts of `count` rows, from `rows` on, to their cells, and resets the counts. */
export function gather(rows: usize, count: u32): void {
  for (let row = rows, end = rows + usize(count) * Cell.ROW_BYTES; row < end; row += Cell.ROW_BYTES) {
    const counts = row + Cell.CELLS * 4;
    const next = row + Cell.ROW_BYTES;
    let any = v128.load(counts);
    for (let at = counts + 16; at < next; at += 16) any = v128.or(any, v128.load(at));
    if (!v128.any_true(any)) continue;
    let records: u32 = 0;
    let bytes: u32 = 0;
    const held: u32 = load<u32>(row, Cell.HELD * 4);
    for (let length: u32 = 0; length < 128; length++) {
      const times = load<u32>(counts + (length << 2));
      if (times === 0) continue;
      records += times;
      bytes += times * length;
      setSize(row, length);
    }
    add(row, Cell.LENGTH_WIDTHS, records);
    if ((held & Cell.HOLDS_BYTES) !== 0) add(row, Cell.VALUE, bytes);
    if ((held & Cell.HOLDS_ZEROS) !== 0) add(row, Cell.ZEROS, load<u32>(counts));
    memory.fill(counts, 0, next - counts);
  }
}
