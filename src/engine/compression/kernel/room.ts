/** The plain bytes are at the end of the memory, which grows with them. */
import { OUTPUT_PADDING } from '../kernel-memory.ts';

const PAGE_BITS = 16;

/**
 * Makes room for `count` bytes at `from` and for the padding after them. The memory grows by a quarter more if it can.
 * Returns false if there is not enough memory.
 */
export function makeRoom(from: usize, count: usize): bool {
  const needed = from + count + OUTPUT_PADDING;
  const has = usize(memory.size()) << PAGE_BITS;
  if (needed <= has) return true;
  const pages = ((needed - has) >> PAGE_BITS) + 1;
  const more = pages + (usize(memory.size()) >> 2);
  return memory.grow(i32(more)) >= 0 || memory.grow(i32(pages)) >= 0;
}

/** The address up to which a decoder may write before it asks for more room. */
export function roomEnd(): usize {
  return (usize(memory.size()) << PAGE_BITS) - OUTPUT_PADDING;
}

/**
 * Copies `length` bytes from `back` bytes before `to`. The ranges may overlap. It may overwrite 31 bytes after them.
 */
export function copyBack(to: usize, back: usize, length: usize): void {
  const stop = to + length;
  let from = to - back;
  if (back >= 16) {
    do {
      v128.store(to, v128.load(from));
      to += 16;
      from += 16;
    } while (to < stop);
  } else if (back >= 8) {
    do {
      store<u64>(to, load<u64>(from));
      to += 8;
      from += 8;
    } while (to < stop);
  } else if (back === 1) {
    const same = i8x16.splat(load<i8>(from));
    do {
      v128.store(to, same);
      to += 16;
    } while (to < stop);
  } else {
    // After some bytes, the same bytes are also a multiple of `back` before, at least sixteen.
    let far = back;
    while (far < 16) far += back;
    const near = from + far;
    do {
      store<u8>(to, load<u8>(from));
      to++;
      from++;
    } while (to < stop && to < near);
    for (; to < stop; to += 16) v128.store(to, v128.load(to - far));
  }
}
