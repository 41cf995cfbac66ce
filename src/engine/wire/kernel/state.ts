/** Variables that the host sets before a walk, and variables that it reads afterwards. */

/**
 * Addresses of the dispatch tables of the plan's blocks, and of the rows of its field paths. Both may change while the
 * host resolves a tag.
 */
export let dispatchBase: usize = 0;
export let rowsBase: usize = 0;

export let unattributed: u32 = 0;
/** Number of annotations since the last spill. */
export let annotations: u32 = 0;

/** Numbers the instances of all messages. It never restarts, so marks of earlier walks do not match. */
export let instances: u32 = 0;

export function place(dispatch: usize, rows: usize): void {
  dispatchBase = dispatch;
  rowsBase = rows;
}

export function settle(lost: u32, rows: u32, last: u32): void {
  unattributed = lost;
  annotations = rows;
  instances = last;
}
