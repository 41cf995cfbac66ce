/**
 * The tokens of a compressed stream, in the order of the plain bytes: runs of literals, and matches. 12 bytes a token.
 *
 *   literal byte   code length of the byte × scale + its share of the token's bits (a run's header)
 *   match byte     its share of the token's bits
 */

import { BITS_COLUMN, DISTANCE_COLUMN, TOKEN_ENDS } from './kernel-memory.ts';

/** Code lengths in bits by byte value, times `scale`: what literals cost from the token `from` to the next price. */
export interface Price {
  readonly from: number;
  readonly lengths: Uint8Array;
  /** 1, but for a byte that stands once for n literals: 1 ÷ n. */
  readonly scale: number;
}

/** Each byte as it is. */
export const RAW_LENGTHS: Uint8Array = new Uint8Array(256).fill(8);
/** All that is paid for is the token's own bits. */
export const NO_LENGTHS: Uint8Array = new Uint8Array(256);

const LEAST_ROOM = 256;

export class StreamTokens {
  /** Plain offset one past the token's last byte. */
  ends: Uint32Array;
  /** How far back a match was copied from; 0: literals. */
  distances: Uint32Array;
  /** Bits that the token's bytes share equally. */
  bits: Uint32Array;
  length = 0;
  readonly prices: Price[] = [];

  /** @param room tokens that may well come */
  constructor(room: number) {
    this.ends = new Uint32Array(Math.max(LEAST_ROOM, room));
    this.distances = new Uint32Array(this.ends.length);
    this.bits = new Uint32Array(this.ends.length);
  }

  /** Plain bytes of all tokens. */
  get end(): number {
    return this.length === 0 ? 0 : this.ends[this.length - 1]!;
  }

  /** Sets the price of a literal in the next tokens. */
  price(lengths: Uint8Array, scale = 1): void {
    if (this.prices.at(-1)?.from === this.length) this.prices.pop();
    this.prices.push({ from: this.length, lengths, scale });
  }

  /** @param end plain offset one past it; not before the last one's. @param bits what its header takes, beside the price */
  literals(end: number, bits: number): void {
    this.#push(end, 0, bits);
  }

  match(end: number, distance: number, bits: number): void {
    this.#push(end, distance, bits);
  }

  /** `count` tokens from where the kernel writes them. */
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

  /** The token that holds the plain byte at `offset`. */
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

  /** The price that holds for literals of `token`. */
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
