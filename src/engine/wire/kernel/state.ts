/** Where the host put things, and what it reads after a walk. */

/** The tables of the plan's blocks, and the rows of its field paths. Both may move while the host resolves a tag. */
export let dispatchBase: usize = 0;
export let rowsBase: usize = 0;

export let unattributed: u32 = 0;
/** Annotations since the last spill. */
export let annotations: u32 = 0;

/** Numbers the instances of all messages; never starts over, so that marks of other walks mean nothing. */
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
