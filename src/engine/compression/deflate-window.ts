/** The last 32 KiB of plain bytes: DEFLATE copies from no earlier ones (RFC 1951 §2). */

const MOST = 32 * 1024;
/** Memory of a full window: the bytes move once for each 32 KiB that are added. */
const CAPACITY = 2 * MOST;
const FIRST_CAPACITY = 1024;

export class DeflateWindow {
  #memory: Uint8Array;
  #end: number;

  /** @param first borrowed */
  constructor(first: Uint8Array = new Uint8Array(0)) {
    this.#memory = first.slice(-MOST);
    this.#end = this.#memory.length;
  }

  /** Borrowed: valid until bytes are added. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(Math.max(0, this.#end - MOST), this.#end);
  }

  /** @param plain borrowed */
  add(plain: Uint8Array): void {
    const last = plain.subarray(-MOST);
    const size = this.#end + last.length;
    if (size > this.#memory.length) this.#makeRoom(last.length);
    this.#memory.set(last, this.#end);
    this.#end += last.length;
  }

  #makeRoom(count: number): void {
    const kept = this.bytes;
    const larger = Math.min(CAPACITY, Math.max(FIRST_CAPACITY, 2 * (kept.length + count)));
    if (larger === this.#memory.length) this.#memory.copyWithin(0, kept.byteOffset, kept.byteOffset + kept.length);
    else {
      const memory = new Uint8Array(larger);
      memory.set(kept);
      this.#memory = memory;
    }
    this.#end = kept.length;
  }
}
