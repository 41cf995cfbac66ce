/**
 * Bytes that arrived and are not yet consumed, contiguous whatever the chunks were.
 * A chunk that meets an empty window is looked at in place; only what is left of it is copied, at `settle`.
 */

const SMALLEST = 4096;
/** A larger buffer is given back once it is empty. */
const KEEP_EMPTY = 1024 * 1024;

export class ByteWindow {
  bytes: Uint8Array = new Uint8Array(0);
  /** Index in `bytes` of the first byte not yet consumed. */
  start = 0;
  /** Index in `bytes` one past the last byte that arrived. */
  end = 0;
  #borrowed = false;

  get length(): number {
    return this.end - this.start;
  }

  /** Shows the chunk itself if the window is empty. Call `settle` before the chunk's owner takes it back. */
  borrow(chunk: Uint8Array): void {
    if (this.start < this.end) {
      this.append(chunk);
      return;
    }
    this.bytes = chunk;
    this.start = 0;
    this.end = chunk.length;
    this.#borrowed = true;
  }

  settle(): void {
    if (!this.#borrowed) {
      this.#release();
      return;
    }
    const rest = this.bytes.subarray(this.start, this.end);
    this.bytes = new Uint8Array(rest.length === 0 ? 0 : Math.max(SMALLEST, rest.length * 2));
    this.bytes.set(rest);
    this.start = 0;
    this.end = rest.length;
    this.#borrowed = false;
  }

  append(chunk: Uint8Array): void {
    if (this.#borrowed) this.settle();
    if (this.end + chunk.length > this.bytes.length) this.#makeRoom(chunk.length);
    this.bytes.set(chunk, this.end);
    this.end += chunk.length;
  }

  consume(count: number): void {
    this.start += count;
    if (this.start >= this.end && !this.#borrowed) this.#release();
  }

  #release(): void {
    if (this.start < this.end) return;
    this.start = 0;
    this.end = 0;
    if (this.bytes.length > KEEP_EMPTY) this.bytes = new Uint8Array(0);
  }

  #makeRoom(count: number): void {
    const held = this.bytes.subarray(this.start, this.end);
    if (held.length + count <= this.bytes.length / 2) {
      this.bytes.copyWithin(0, this.start, this.end);
    } else {
      const larger = new Uint8Array(Math.max(SMALLEST, (held.length + count) * 2));
      larger.set(held);
      this.bytes = larger;
    }
    this.end = held.length;
    this.start = 0;
  }
}
