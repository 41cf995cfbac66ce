/**
 * The kernel's exports: functions that the host may call, and variables that it reads. Compiled by scripts/kernel.ts
 * into ../kernel-code.ts.
 */

import { MESSAGE, MESSAGE_PADDING } from '../kernel-memory.ts';
import { gather } from './lengths.ts';
import { annotations, place, setUnattributed, unattributed } from './state.ts';
import { walk } from './walk.ts';

export { annotations, gather, place, unattributed };

/**
 * Adds messages to the rows of field paths. They are consecutive and begin at MESSAGE.
 * @param ends address of the end of each message, four bytes each. The message's bits of ScanFlag replace it.
 */
export function scan(ends: usize, count: u32): void {
  const last = ends + (usize(count) << 2);
  const stack = (last + 15) & ~15;
  let start: usize = MESSAGE;
  let lost: u32 = 0;
  for (let at = ends; at < last; at += 4) {
    const end: usize = load<u32>(at);
    store<i32>(at, walk<u32>(start, end, stack));
    lost += unattributed;
    start = end;
  }
  setUnattributed(lost);
}

/** Annotates the message that ends at `end`. Spilled rows were already handed to the host. */
export function annotate(end: usize): void {
  // The stack is aligned, after all bytes that may be read with the message.
  walk<u8>(MESSAGE, end, (end + MESSAGE_PADDING + 15) & ~15);
}
