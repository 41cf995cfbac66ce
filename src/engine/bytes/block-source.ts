/**
 * A source that caches the last blocks that it read. Messages follow one another in the capture; without blocks, the
 * browser would be asked for a few hundred bytes a hundred thousand times.
 */
import type { Source } from './source.ts';

const BLOCK_BYTES = 256 << 10;
const BLOCKS = 8;

export interface BlockSource extends Source {
  /** The bytes of [start, end) if one block holds them; null: they have to be read. Borrowed until the next read. */
  peek(start: number, end: number): Uint8Array | null;
}

/** @param nextTurn resolves when no reader still borrows bytes of earlier reads */
export function blockSource(source: Source, nextTurn: () => Promise<void>): BlockSource {
  /** Least recently used first. */
  const blocks = new Map<number, Promise<Uint8Array> | Uint8Array>();
  /** Memory of results that lie in several blocks, and the last that was given back. */
  const own = new WeakSet<ArrayBufferLike>();
  let spare = new ArrayBuffer(0);

  const forget = (index: number): void => {
    const block = blocks.get(index);
    blocks.delete(index);
    // A borrower uses the block before the next turn of the event loop.
    if (block instanceof Uint8Array) void nextTurn().then(() => source.letGo?.(block));
  };

  const block = (index: number): Promise<Uint8Array> | Uint8Array => {
    const known = blocks.get(index);
    if (known !== undefined) {
      blocks.delete(index);
      blocks.set(index, known);
      return known;
    }
    const start = index * BLOCK_BYTES;
    const reading = source.read(start, Math.min(source.size, start + BLOCK_BYTES));
    blocks.set(index, reading);
    reading.then(
      (bytes) => blocks.get(index) === reading && blocks.set(index, bytes),
      () => blocks.delete(index),
    );
    if (blocks.size > BLOCKS) forget(blocks.keys().next().value!);
    return reading;
  };

  const takeMemory = (size: number): ArrayBuffer => {
    const memory = spare.byteLength >= size ? spare : new ArrayBuffer(size);
    spare = new ArrayBuffer(0);
    own.add(memory);
    return memory;
  };

  return {
    name: source.name,
    size: source.size,
    handle: source.handle,
    peek(start, end) {
      const index = Math.floor(start / BLOCK_BYTES);
      const found = blocks.get(index);
      const from = index * BLOCK_BYTES;
      if (!(found instanceof Uint8Array) || end - from > found.length) return null;
      return found.subarray(start - from, end - from);
    },
    async read(start, end) {
      const first = Math.floor(start / BLOCK_BYTES);
      const last = Math.floor(Math.max(start, end - 1) / BLOCK_BYTES);
      if (last - first >= BLOCKS) return source.read(start, end);
      if (first === last) {
        const from = first * BLOCK_BYTES;
        return (await block(first)).subarray(start - from, end - from);
      }
      const bytes = new Uint8Array(takeMemory(end - start), 0, end - start);
      for (let index = first; index <= last; index++) {
        const from = index * BLOCK_BYTES;
        const part = (await block(index)).subarray(Math.max(0, start - from), end - from);
        bytes.set(part, Math.max(0, from - start));
      }
      return bytes;
    },
    letGo({ buffer }) {
      // All other results are parts of blocks.
      if (own.has(buffer)) spare = buffer as ArrayBuffer;
    },
  };
}
