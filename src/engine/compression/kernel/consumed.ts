/** Compressed bytes that the last call read; where it ended in a fault, how far it came. */
export let consumed: u32 = 0;

export function setConsumed(count: u32): void {
  consumed = count;
}
