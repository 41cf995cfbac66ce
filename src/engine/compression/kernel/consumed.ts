/** Number of compressed bytes that the last call read. After a fault, the number of bytes up to the fault. */
export let consumed: u32 = 0;

export function setConsumed(count: u32): void {
  consumed = count;
}
