/**
 * The kernel's exports: functions that the host may call, and variables that it reads. Compiled by scripts/kernel.ts
 * into ../kernel-code.ts.
 */

import { MESSAGE_PADDING } from '../kernel-memory.ts';
import { gather } from './lengths.ts';
import { setMessages } from './place.ts';
import { annotations, place, unattributed } from './state.ts';
import { walk } from './walk.ts';

export { annotations, gather, place, unattributed };

/**
 * Adds messages, one or more, to the rows of field paths. They are consecutive and begin at MESSAGE.
 * @param ends address of the end of each message, four bytes each. The message's bits of ScanFlag replace it.
 */
export function scan(ends: usize, count: u32): void {
  const behind = ends + (usize(count) << 2);
  setMessages(ends, behind - 4);
  walk<u32>(load<u32>(ends), (behind + 15) & ~15);
}

/** Annotates the message that ends at `end`. Spilled rows were already handed to the host. */
export function annotate(end: usize): void {
  // The stack is aligned, after all bytes that may be read with the message.
  walk<u8>(end, (end + MESSAGE_PADDING + 15) & ~15);
}
