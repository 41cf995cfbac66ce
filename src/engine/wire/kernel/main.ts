/** The kernel: what the host may call, and what it reads. Compiled by scripts/kernel.ts into ../kernel-code.ts. */
import { gather } from './lengths.ts';
import { annotations, place, unattributed } from './state.ts';
import { walk } from './walk.ts';

export { annotations, gather, place, unattributed };

/** Adds the message that ends at `end` to the rows of field paths. Returns bits of ScanFlag. */
export function scan(end: usize): i32 {
  return walk<u32>(end);
}

/** Annotates the message that ends at `end`; what was spilled was handed to the host. */
export function annotate(end: usize): void {
  walk<u8>(end);
}
