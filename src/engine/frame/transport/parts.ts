/** A body that comes in parts: its bytes and where they lie, until it is whole. */
import { giveBuffer, takeBuffer } from '../../bytes/buffer-pool.ts';
import type { LossRun } from '../../capture/containers/packets-log.ts';
import type { Piece } from '../message.ts';

const EMPTY = new Uint8Array(0);

export class BodyParts {
  #bytes: Uint8Array = EMPTY;
  #pieces: { start: number; end: number }[] = [];
  size = 0;

  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  /** @param bytes borrowed @param pieces of exactly these bytes */
  add(bytes: Uint8Array, pieces: readonly Piece[]): void {
    const size = this.size + bytes.length;
    if (size > this.#bytes.length) {
      const larger = takeBuffer(size);
      larger.set(this.whole());
      giveBuffer(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.size);
    this.size = size;
    for (const { start, end } of pieces) {
      const last = this.#pieces.at(-1);
      if (last !== undefined && last.end === start) last.end = end;
      else this.#pieces.push({ start, end });
    }
  }

  /** The bytes so far, borrowed: until more are added, or they are cleared. */
  whole(): Uint8Array {
    return this.#bytes.subarray(0, this.size);
  }

  /** Drops the bytes collected so far. */
  lose(run: LossRun): void {
    losePieces(run, this.#pieces);
    this.clear();
  }

  /** Begins anew; the pieces that were asked for are not touched. */
  clear(): void {
    giveBuffer(this.#bytes);
    this.#bytes = EMPTY;
    this.#pieces = [];
    this.size = 0;
  }
}

export function losePieces(run: LossRun, pieces: readonly Piece[]): void {
  for (const { start, end } of pieces) run.add(start, end);
}

/** The pieces of bytes [from, to) of what `pieces` join to. */
export function slicePieces(pieces: readonly Piece[], from: number, to: number): readonly Piece[] {
  const sliced: Piece[] = [];
  let at = 0;
  for (const { start, end } of pieces) {
    const first = Math.max(from, at);
    const last = Math.min(to, at + end - start);
    if (first < last) sliced.push({ start: start + first - at, end: start + last - at });
    at += end - start;
  }
  return sliced;
}
