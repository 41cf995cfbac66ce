/**
 * The bytes of one direction that are not consumed yet. They are contiguous, and each has a place in the capture.
 *
 *   streamOffset   position ──────────────── position + length
 *   bytes          │ start …                  end │
 *   capture        │ piece │ piece │ piece …
 */
import { ByteWindow } from '../../bytes/byte-window.ts';
import type { LossRun } from '../../capture/containers/packets-log.ts';
import type { Piece } from '../message.ts';

/** Maximum number of pieces whose arrays are kept. */
const KEPT_PIECES = 64;

export class StreamWindow {
  readonly #window = new ByteWindow();
  /** By piece: streamOffset after its last byte, and the difference between captureOffset and streamOffset. */
  #ends: number[] = [];
  #shifts: number[] = [];
  /** By piece: milliseconds since the epoch; NaN: the capture has no clock. */
  #times: number[] = [];
  /** Number of pieces, and the first one that is not completely consumed. Later array elements are unused. */
  #pieces = 0;
  #head = 0;
  /** captureOffset after the last consumed byte. */
  #behind = 0;
  /** streamOffset of the first byte that is not consumed. */
  position = 0;

  get bytes(): Uint8Array {
    return this.#window.bytes;
  }
  /** Index in `bytes` of the first byte that is not consumed. */
  get start(): number {
    return this.#window.start;
  }
  get end(): number {
    return this.#window.end;
  }
  get length(): number {
    return this.#window.length;
  }

  /** Appends bytes[start, end) to the unread bytes. They are borrowed until `settle`. */
  borrow(bytes: Uint8Array, start: number, end: number, captureOffset: number, time: number | null): void {
    const from = this.position + this.length;
    const piece = this.#pieces++;
    this.#ends[piece] = from + end - start;
    this.#shifts[piece] = captureOffset - from;
    this.#times[piece] = time ?? Number.NaN;
    this.#window.borrow(bytes, start, end);
  }

  /** Copies the unread bytes. */
  settle(): void {
    this.#window.settle();
  }

  /** The next `count` bytes. Borrowed: valid until the next `borrow` or `settle`. */
  peek(count: number): Uint8Array {
    return this.#window.bytes.subarray(this.start, this.start + count);
  }

  consume(count: number): void {
    this.#window.consume(count);
    this.position += count;
    const ends = this.#ends;
    const pieces = this.#pieces;
    while (this.#head < pieces && ends[this.#head]! <= this.position) this.#head++;
    if (this.#head === pieces) {
      if (pieces === 0) return;
      this.#behind = ends[pieces - 1]! + this.#shifts[pieces - 1]!;
      this.#drop(pieces);
    } else if (this.#head > KEPT_PIECES && this.#head * 2 > pieces) this.#drop(this.#head);
  }

  /** Consumes bytes that are lost. */
  lose(run: LossRun, count: number): void {
    for (const { start, end } of this.pieces(0, count)) run.add(start, end);
    this.consume(count);
  }

  #drop(count: number): void {
    if (this.#pieces > KEPT_PIECES) {
      this.#ends = this.#ends.slice(count, this.#pieces);
      this.#shifts = this.#shifts.slice(count, this.#pieces);
      this.#times = this.#times.slice(count, this.#pieces);
    }
    this.#pieces -= count;
    this.#head = 0;
  }

  /** Drops the unread bytes and skips `size` missing bytes. */
  gap(size: number): void {
    this.consume(this.length);
    this.position += size;
  }

  /** Places in the capture of the bytes [from, to) after the window's start. Adjacent pieces are joined. */
  pieces(from: number, to: number): Piece[] {
    const pieces: { start: number; end: number }[] = [];
    let at = this.position + from;
    const last = this.position + to;
    for (let i = this.#head; i < this.#pieces && at < last; i++) {
      const end = Math.min(last, this.#ends[i]!);
      if (at >= end) continue;
      const start = at + this.#shifts[i]!;
      const before = pieces.at(-1);
      if (before !== undefined && before.end === start) before.end += end - at;
      else pieces.push({ start, end: start + end - at });
      at = end;
    }
    return pieces;
  }

  /** captureOffset of the window's first byte; for an empty window, the offset after its last byte. */
  get captureOffset(): number {
    return this.#head < this.#pieces ? this.position + this.#shifts[this.#head]! : this.#behind;
  }

  /** Time at which the window's first byte was captured. */
  get time(): number | null {
    const time = this.#head < this.#pieces ? this.#times[this.#head]! : Number.NaN;
    return Number.isNaN(time) ? null : time;
  }
}
