/** A body that comes in parts: its bytes and where they lie, until it is whole. */
import type { Piece } from './message.ts';

export class BodyParts {
  #parts: Uint8Array[] = [];
  #pieces: { start: number; end: number }[] = [];
  size = 0;

  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  /** @param bytes borrowed @param pieces of exactly these bytes */
  add(bytes: Uint8Array, pieces: readonly Piece[]): void {
    this.#parts.push(bytes.slice());
    this.size += bytes.length;
    for (const { start, end } of pieces) {
      const last = this.#pieces.at(-1);
      if (last !== undefined && last.end === start) last.end = end;
      else this.#pieces.push({ start, end });
    }
  }

  join(): Uint8Array {
    if (this.#parts.length === 1) return this.#parts[0]!;
    const whole = new Uint8Array(this.size);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }
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
