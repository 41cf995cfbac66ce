/** Maximum bytes that are copied by a loop. A view and `set` take longer than the loop for that many. */
const SHORT = 48;

/** Copies from[start, end) to `to`, beginning at `at`. */
export function copyBytes(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): void {
  if (end - start > SHORT) to.set(from.subarray(start, end), at);
  else for (let i = start; i < end; i++) to[at + i - start] = from[i]!;
}
