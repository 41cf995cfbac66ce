/** Rows of one message, a part at a time: what is full is handed to the host, which changes such rows itself. */
import * as Memory from '../kernel-memory.ts';
import * as host from './host.ts';

/** LEN, and the category of values. */
const FLAGS_OF_MESSAGE: u32 = 7 | (2 << 3);

/** Rows that the host has. */
export let spilled: u32 = 0;

/** The row of the message itself, which ends at `end`. */
export function begin(end: u32): void {
  spilled = 0;
  store<u32>(Memory.STARTS, 0);
  store<u32>(Memory.ENDS, end);
  store<i32>(Memory.PARENTS, -1);
  store<i32>(Memory.FIELDS, -1);
  store<u16>(Memory.HEADS, 0);
  store<u16>(Memory.FLAGS, FLAGS_OF_MESSAGE);
}

/** Where the columns have the row of this number. */
export function makePlace(row: u32): u32 {
  if (row - spilled === Memory.ANNOTATIONS_ROOM) {
    host.spill(row);
    spilled = row;
  }
  return row - spilled;
}

/** Sets bits of a row, be it spilled; an end of 0 changes nothing. */
export function amend(row: u32, end: u32, head: u32, flags: u32): void {
  if (row < spilled) {
    host.patch(row, end, head, flags);
    return;
  }
  const at = row - spilled;
  if (end !== 0) store<u32>(Memory.ENDS + (at << 2), end);
  store<u16>(Memory.HEADS + (at << 1), load<u16>(Memory.HEADS + (at << 1)) | head);
  store<u16>(Memory.FLAGS + (at << 1), load<u16>(Memory.FLAGS + (at << 1)) | flags);
}
