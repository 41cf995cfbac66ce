/** Finds a mark, as the end of a line, in the bytes of a direction that grow. No byte is searched twice. */
import type { StreamWindow } from './window.ts';

/** Index of the first mark that begins in bytes[from, end); −1, or one beyond `end`: not found. */
type FindMark = (bytes: Uint8Array, from: number, end: number) => number;

export class MarkSearch {
  readonly #size: number;
  readonly #find: FindMark;
  /** streamOffset of the last one that was found; −1: none was. */
  #found = -1;
  /** streamOffset before which none begins, apart from those before the last one that was asked for. */
  #until = 0;

  /** @param size bytes of the mark */
  constructor(size: number, find: FindMark) {
    this.#size = size;
    this.#find = find;
  }

  /**
   * Index in the window's bytes of the first mark from an index on; −1: not found so far.
   * @param from never less than in earlier calls, counted in the direction's bytes
   */
  from({ bytes, start, end, position }: StreamWindow, from: number): number {
    const shift = start - position;
    if (this.#found < from - shift) {
      const first = Math.max(from, this.#until + shift);
      const at = first + this.#size > end ? -1 : this.#find(bytes, first, end);
      const isFound = at >= 0 && at + this.#size <= end;
      this.#found = isFound ? at - shift : -1;
      this.#until = Math.max(this.#until, isFound ? this.#found : end - shift - this.#size + 1);
    }
    return this.#found < 0 ? -1 : this.#found + shift;
  }
}
