/**
 * Received bytes that are not consumed yet. They are contiguous, independent of the chunks that they were in.
 * If the window is empty, a chunk is read in place; `settle` copies only its unconsumed rest. An empty window holds no
 * memory, because there may be thousands of windows.
 */

import { giveBuffer, takeBuffer } from './buffer-pool.ts';

/** Up to this length, a loop is faster than a call. */
const SHORT = 64;
const EMPTY = new Uint8Array(0);

export class ByteWindow {
  bytes: Uint8Array = EMPTY;
  /** Index in `bytes` of the first byte not yet consumed. */
  start = 0;
  /** Index in `bytes` one past the last received byte. */
  end = 0;
  #borrowed = false;

  get length(): number {
    return this.end - this.start;
  }

  /** Uses chunk[from, to) in place if the window is empty. Call `settle` before the chunk's owner takes it back. */
  borrow(chunk: Uint8Array, from = 0, to: number = chunk.length): void {
    if (this.start < this.end) {
      this.append(chunk, from, to);
      return;
    }
    this.bytes = chunk;
    this.start = from;
    this.end = to;
    this.#borrowed = true;
  }

  settle(): void {
    if (!this.#borrowed) {
      this.#release();
      return;
    }
    this.#borrowed = false;
    const count = this.end - this.start;
    if (count === 0) {
      this.bytes = EMPTY;
    } else {
      const own = takeBuffer(count);
      own.set(this.bytes.subarray(this.start, this.end));
      this.bytes = own;
    }
    this.start = 0;
    this.end = count;
  }

  append(chunk: Uint8Array, from = 0, to: number = chunk.length): void {
    if (this.#borrowed) this.settle();
    const count = to - from;
    if (this.end + count > this.bytes.length) this.#makeRoom(count);
    if (count <= SHORT) for (let i = 0; i < count; i++) this.bytes[this.end + i] = chunk[from + i]!;
    else this.bytes.set(chunk.subarray(from, to), this.end);
    this.end += count;
  }

  consume(count: number): void {
    this.start += count;
    if (this.start >= this.end && !this.#borrowed) this.#release();
  }

  #release(): void {
    if (this.start < this.end) return;
    this.start = 0;
    this.end = 0;
    giveBuffer(this.bytes);
    this.bytes = EMPTY;
  }

  #makeRoom(count: number): void {
    const held = this.bytes.subarray(this.start, this.end);
    if (held.length + count <= this.bytes.length / 2) {
      this.bytes.copyWithin(0, this.start, this.end);
    } else {
      const larger = takeBuffer(held.length + count);
      larger.set(held);
      giveBuffer(this.bytes);
      this.bytes = larger;
    }
    this.end = held.length;
    this.start = 0;
  }
}
