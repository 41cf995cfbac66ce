/** The stack lies behind the message and grows with the memory: nesting is bounded by the bytes alone. */
export function makeRoom(top: usize): void {
  const end = usize(memory.size()) << 16;
  // 256 pages are 16 MiB.
  if (top + 64 > end && memory.grow(256) < 0) unreachable();
}
