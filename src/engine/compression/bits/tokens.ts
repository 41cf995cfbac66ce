/**
 * The tokens of a compressed stream, in the order of the plain bytes: runs of literals, and matches. A token takes 12
 * bytes.
 *
 *   literal byte   code length of the byte × scale + its share of the token's bits (a run's header)
 *   match byte     its share of the token's bits
 */

import { BITS_COLUMN, DISTANCE_COLUMN, TOKEN_ENDS } from './kernel-memory.ts';

/**
 * Code lengths in bits by byte value, times `scale`: the cost of literals from the token `from` up to the next price.
 */
export interface Price {
  readonly from: number;
  readonly lengths: Uint8Array;
  /** 1; but 1 ÷ n if one byte in the stream represents n literals. */
  readonly scale: number;
}

/** Each literal costs eight bits. */
export const RAW_LENGTHS: Uint8Array = new Uint8Array(256).fill(8);
/** Literals cost nothing besides the token's own bits. */
export const NO_LENGTHS: Uint8Array = new Uint8Array(256);

const MIN_ROOM = 256;

export class StreamTokens {
  /** Plain offset one past the token's last byte. */
  ends: Uint32Array;
  /** Distance back to the source of a match; 0: literals. */
  distances: Uint32Array;
  /** Bits that all bytes of the token share equally. */
  bits: Uint32Array;
  length = 0;
  readonly prices: Price[] = [];

  /** @param room expected number of tokens */
  constructor(room: number) {
    this.ends = new Uint32Array(Math.max(MIN_ROOM, room));
    this.distances = new Uint32Array(this.ends.length);
    this.bits = new Uint32Array(this.ends.length);
  }

  /** Number of plain bytes of all tokens. */
  get end(): number {
    return this.length === 0 ? 0 : this.ends[this.length - 1]!;
  }

  /** Sets the price of literals in the following tokens. */
  price(lengths: Uint8Array, scale = 1): void {
    if (this.prices.at(-1)?.from === this.length) this.prices.pop();
    this.prices.push({ from: this.length, lengths, scale });
  }

  /**
   * @param end plain offset one past the token; not before the end of the last token @param bits bits of the token's
   * header, besides the price
   */
  literals(end: number, bits: number): void {
    this.#push(end, 0, bits);
  }

  match(end: number, distance: number, bits: number): void {
    this.#push(end, distance, bits);
  }

  /** Appends `count` tokens from the place where the kernel writes them. */
  append({ buffer }: Uint8Array, count: number): void {
    this.#reserve(count);
    const column = (from: number): Uint32Array => new Uint32Array(buffer, TOKEN_ENDS + from, count);
    this.ends.set(column(0), this.length);
    this.distances.set(column(DISTANCE_COLUMN), this.length);
    this.bits.set(column(BITS_COLUMN), this.length);
    this.length += count;
  }

  #reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.ends.length) return;
    const room = Math.max(needed, this.ends.length * 2);
    this.ends = grown(this.ends, room);
    this.distances = grown(this.distances, room);
    this.bits = grown(this.bits, room);
  }

  #push(end: number, distance: number, bits: number): void {
    this.#reserve(1);
    const at = this.length++;
    this.ends[at] = end;
    this.distances[at] = distance;
    this.bits[at] = bits;
  }

  /** Index of the token with the plain byte at `offset`. */
  at(offset: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ends[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The price of literals in `token`. */
  priceAt(token: number): Price {
    let low = 0;
    let high = this.prices.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.prices[middle]!.from > token) high = middle - 1;
      else low = middle;
    }
    return this.prices[low]!;
  }
}

function grown(array: Uint32Array, room: number): Uint32Array {
  const larger = new Uint32Array(room);
  larger.set(array);
  return larger;
}
