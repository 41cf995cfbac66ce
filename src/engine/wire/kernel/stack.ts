/** The stack follows the message and grows with the memory. Only the number of bytes limits nesting. */
export function hasRoom(top: usize): boolean {
  return top + 64 <= usize(memory.size()) << 16;
}

export function makeRoom(top: usize): void {
  // 256 pages are 16 MiB.
  if (!hasRoom(top) && memory.grow(256) < 0) unreachable();
}
