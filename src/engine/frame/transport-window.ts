/**
 * What arrived of one direction and is not yet consumed, contiguous, each byte knowing where in the capture it lies.
 *
 *   streamOffset   position ──────────────── position + length
 *   bytes          │ start …                  end │
 *   capture        │ piece │ piece │ piece …
 */
import { ByteWindow } from '../bytes/byte-window.ts';
import type { Piece } from './message.ts';

interface Origin {
  /** streamOffset of the piece's first byte. */
  readonly offset: number;
  readonly captureOffset: number;
  readonly length: number;
  readonly time: number | null;
}

export class StreamWindow {
  readonly #window = new ByteWindow();
  #origins: Origin[] = [];
  /** Index in `#origins` of the first that is not wholly consumed. */
  #head = 0;
  /** captureOffset behind the last byte consumed. */
  #behind = 0;
  /** streamOffset of the first byte not yet consumed. */
  position = 0;

  get bytes(): Uint8Array {
    return this.#window.bytes;
  }
  /** Index in `bytes` of the first byte not yet consumed. */
  get start(): number {
    return this.#window.start;
  }
  get end(): number {
    return this.#window.end;
  }
  get length(): number {
    return this.#window.length;
  }

  /** Shows `bytes` behind the unread ones. They are borrowed until `settle`. */
  borrow(bytes: Uint8Array, captureOffset: number, time: number | null): void {
    this.#origins.push({ offset: this.position + this.length, captureOffset, length: bytes.length, time });
    this.#window.borrow(bytes);
  }

  /** Keeps a copy of what is still unread. */
  settle(): void {
    this.#window.settle();
  }

  /** The next `count` bytes, borrowed: valid until the next `borrow` or `settle`. */
  peek(count: number): Uint8Array {
    return this.#window.bytes.subarray(this.start, this.start + count);
  }

  consume(count: number): void {
    this.#window.consume(count);
    this.position += count;
    const origins = this.#origins;
    while (this.#head < origins.length) {
      const origin = origins[this.#head]!;
      if (origin.offset + origin.length > this.position) break;
      this.#head++;
    }
    if (this.#head === origins.length) {
      if (this.#head > 0) {
        const last = origins.at(-1)!;
        this.#behind = last.captureOffset + last.length;
        this.#origins.length = 0;
        this.#head = 0;
      }
    } else if (this.#head > 64 && this.#head * 2 > origins.length) {
      this.#origins = origins.slice(this.#head);
      this.#head = 0;
    }
  }

  /** Drops what is unread and steps over `size` missing bytes. */
  gap(size: number): void {
    this.consume(this.length);
    this.position += size;
  }

  /** Where bytes [from, to) ahead of the window's start lie in the capture; neighbours are joined. */
  pieces(from: number, to: number): Piece[] {
    const pieces: { start: number; end: number }[] = [];
    const first = this.position + from;
    const last = this.position + to;
    for (let i = this.#head; i < this.#origins.length; i++) {
      const origin = this.#origins[i]!;
      const start = Math.max(first, origin.offset);
      const end = Math.min(last, origin.offset + origin.length);
      if (origin.offset >= last) break;
      if (start >= end) continue;
      const at = origin.captureOffset + start - origin.offset;
      const before = pieces.at(-1);
      if (before !== undefined && before.end === at) before.end = at + end - start;
      else pieces.push({ start: at, end: at + end - start });
    }
    return pieces;
  }

  /** captureOffset of the window's first byte; of an empty one, behind the last byte it held. */
  get captureOffset(): number {
    const origin = this.#origins[this.#head];
    return origin === undefined ? this.#behind : origin.captureOffset + Math.max(0, this.position - origin.offset);
  }

  /** When the window's first byte was captured. */
  get time(): number | null {
    return this.#origins[this.#head]?.time ?? null;
  }
}
