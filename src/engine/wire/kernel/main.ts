/**
 * The kernel's exports: functions that the host may call, and variables that it reads. Compiled by scripts/kernel.ts
 * into ../kernel-code.ts.
 */
import { gather } from './lengths.ts';
import { annotations, place, unattributed } from './state.ts';
import { walk } from './walk.ts';

export { annotations, gather, place, unattributed };

/** Adds the message that ends at `end` to the rows of field paths. Returns bits of ScanFlag. */
export function scan(end: usize): i32 {
  return walk<u32>(end);
}

/** Annotates the message that ends at `end`. Spilled rows were already handed to the host. */
export function annotate(end: usize): void {
  walk<u8>(end);
}
