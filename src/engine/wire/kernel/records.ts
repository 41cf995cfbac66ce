/** Enters a record into the cells of its row, without the bytes of its value. */
import * as Cell from '../cells.ts';
import * as Entry from '../entry.ts';
import * as ScanFlag from '../scan-flags.ts';
import { folded, mark } from './frames.ts';
import { add, widthOf } from './varints.ts';

export function setSize(row: usize, size: u32): void {
  const least = load<u32>(row, Cell.MIN_SIZE * 4);
  // A size is stored plus one; 0 means no record yet.
  if (least - 1 > size) store<u32>(row, size + 1, Cell.MIN_SIZE * 4);
  if (size > load<u32>(row, Cell.MAX_SIZE * 4)) store<u32>(row, size, Cell.MAX_SIZE * 4);
}

/**
 * Enters presence: the record is the first one of its field in this message instance, or a further one. Returns bits of
 * ScanFlag.
 */
export function countRecord(rows: usize, row: usize, place: u32, entry: u32, elements: u32, instance: u32): i32 {
  let flags = 0;
  if (load<u32>(row, Cell.LAST * 4) !== instance) {
    if (folded > 0) mark(row, place);
    store<u32>(row, instance, Cell.LAST * 4);
    if ((entry & Entry.REPEATED) !== 0) {
      add(row, Cell.PRESENT, 1);
      store<u32>(row, elements, Cell.IN_INSTANCE * 4);
      if (elements >= 128) add(row, Cell.COUNT_EXTRA, extraCountBytes(elements));
    } else if ((entry & Entry.ONEOF_MEMBER) !== 0) {
      const oneof = rows + load<u32>(row, Cell.ONEOF * 4);
      if (load<u32>(oneof, Cell.ONEOF_LAST * 4) === instance) flags = ScanFlag.IRREGULAR;
      store<u32>(oneof, instance, Cell.ONEOF_LAST * 4);
    }
  } else if ((entry & Entry.REPEATED) !== 0) {
    const before = load<u32>(row, Cell.IN_INSTANCE * 4);
    const after = before + elements;
    store<u32>(row, after, Cell.IN_INSTANCE * 4);
    if (after >= 128) add(row, Cell.COUNT_EXTRA, extraCountBytes(after) - extraCountBytes(before));
  } else {
    add(row, Cell.REPEATS, 1);
    flags = ScanFlag.IRREGULAR;
  }
  return flags;
}

/** Bytes of a VInt count beyond the first byte. */
function extraCountBytes(count: u32): i32 {
  return i32(widthOf(count)) - 1;
}
