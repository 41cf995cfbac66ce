/** Bytes that grow by many small pieces: a piece takes no memory but its bytes. */

const FIRST = 1024;
const LARGEST = 1 << 20;

export class GrowingBytes {
  #blocks: Uint8Array<ArrayBuffer>[] = [];
  /** Used bytes of the last block. */
  #used = 0;
  length = 0;

  /** @param piece is copied. @returns the copy: views of one block share its memory */
  add(piece: Uint8Array): Uint8Array<ArrayBuffer> {
    let block = this.#blocks.at(-1);
    if (block === undefined || this.#used + piece.length > block.length) {
      this.#cutLast();
      block = new Uint8Array(Math.max(piece.length, Math.min(LARGEST, Math.max(FIRST, this.length))));
      this.#blocks.push(block);
      this.#used = 0;
    }
    block.set(piece, this.#used);
    this.#used += piece.length;
    this.length += piece.length;
    return block.subarray(this.#used - piece.length, this.#used);
  }

  /** @param piece is kept, if it is large: it must not change afterwards */
  own(piece: Uint8Array): void {
    if (piece.length < LARGEST || !(piece.buffer instanceof ArrayBuffer)) {
      this.add(piece);
      return;
    }
    this.#cutLast();
    this.#blocks.push(piece as Uint8Array<ArrayBuffer>);
    this.#used = piece.length;
    this.length += piece.length;
  }

  #cutLast(): void {
    const last = this.#blocks.pop();
    if (last !== undefined) this.#blocks.push(last.subarray(0, this.#used));
  }

  /** All of them in one piece. */
  whole(): Uint8Array<ArrayBuffer> {
    this.#cutLast();
    const [only, more] = this.#blocks;
    if (only !== undefined && more === undefined) return only;
    const whole = new Uint8Array(this.length);
    let at = 0;
    for (const block of this.#blocks) {
      whole.set(block, at);
      at += block.length;
    }
    return whole;
  }
}
