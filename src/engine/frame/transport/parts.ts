/** Collects the parts of a body, their bytes and places, until it is complete. */
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

  /** @param bytes borrowed @param pieces the places of these bytes */
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

  /** The bytes so far. Borrowed: valid until bytes are added or cleared. */
  whole(): Uint8Array {
    return this.#bytes.subarray(0, this.size);
  }

  /** Drops the bytes collected so far. */
  lose(run: LossRun): void {
    reportLostPieces(run, this.#pieces);
    this.clear();
  }

  /** Starts again. Pieces that were returned earlier stay valid. */
  clear(): void {
    giveBuffer(this.#bytes);
    this.#bytes = EMPTY;
    this.#pieces = [];
    this.size = 0;
  }
}

export function reportLostPieces(run: LossRun, pieces: readonly Piece[]): void {
  for (const { start, end } of pieces) run.add(start, end);
}

/** The pieces of the bytes [from, to) of joined pieces. */
export const slicePieces = (pieces: readonly Piece[], from: number, to: number): { start: number; end: number }[] =>
  pieceSlicer(pieces)(from, to);

/** `slicePieces` for bytes in ascending order. For each message of a body, all its pieces would be looked at again. */
export function pieceSlicer(pieces: readonly Piece[]): (from: number, to: number) => { start: number; end: number }[] {
  let first = 0;
  /** Bytes before the first piece. */
  let before = 0;
  return (from, to) => {
    const sliced: { start: number; end: number }[] = [];
    let at = before;
    for (let i = first; i < pieces.length && at < to; i++) {
      const { start, end } = pieces[i]!;
      const next = at + end - start;
      if (next <= from) {
        first = i + 1;
        before = next;
      } else if (from < to) sliced.push({ start: start + Math.max(0, from - at), end: Math.min(end, start + to - at) });
      at = next;
    }
    return sliced;
  };
}
