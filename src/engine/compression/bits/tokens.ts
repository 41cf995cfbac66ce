/**
 * What a compressed stream consists of, in the order of the plain bytes: runs of literals, and matches. 12 bytes a token.
 *
 *   literal byte   code length of the byte × scale + its share of the token's bits (a run's header)
 *   match byte     its share of the token's bits
 */

/** Code lengths in bits by byte value, times `scale`, hold for the tokens before `end` and behind the price before. */
export interface Price {
  /** One past the last token. */
  end: number;
  readonly lengths: Uint8Array;
  /** 1, but for a byte that stands once for n literals: 1 ÷ n. */
  readonly scale: number;
}

/** Each byte as it is. */
export const RAW_LENGTHS: Uint8Array = new Uint8Array(256).fill(8);
/** All that is paid for is the token's own bits. */
export const NO_LENGTHS: Uint8Array = new Uint8Array(256);

const FIRST_ROOM = 1024;

export class Tokens {
  /** Plain offset one past the token's last byte. */
  ends: Uint32Array = new Uint32Array(FIRST_ROOM);
  /** How far back a match was copied from; 0: literals. */
  distances: Uint32Array = new Uint32Array(FIRST_ROOM);
  /** Bits that the token's bytes share equally. */
  bits: Uint32Array = new Uint32Array(FIRST_ROOM);
  length = 0;
  readonly prices: Price[] = [];
  #lengths = RAW_LENGTHS;
  #scale = 1;

  /** Plain bytes of all tokens. */
  get end(): number {
    return this.length === 0 ? 0 : this.ends[this.length - 1]!;
  }

  /** What a literal of the next tokens costs. */
  price(lengths: Uint8Array, scale = 1): void {
    this.#lengths = lengths;
    this.#scale = scale;
  }

  /** @param end plain offset one past it; not before the last one's. @param bits what its header takes, beside the price */
  literals(end: number, bits: number): void {
    const last = this.prices.at(-1);
    if (last === undefined || last.lengths !== this.#lengths || last.scale !== this.#scale) {
      this.prices.push({ end: this.length + 1, lengths: this.#lengths, scale: this.#scale });
    } else last.end = this.length + 1;
    this.#push(end, 0, bits);
  }

  match(end: number, distance: number, bits: number): void {
    this.#push(end, distance, bits);
  }

  #push(end: number, distance: number, bits: number): void {
    const at = this.length++;
    if (at === this.ends.length) {
      this.ends = grown(this.ends);
      this.distances = grown(this.distances);
      this.bits = grown(this.bits);
    }
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
      const middle = (low + high) >>> 1;
      if (this.prices[middle]!.end <= token) low = middle + 1;
      else high = middle;
    }
    return this.prices[low]!;
  }
}

function grown(array: Uint32Array): Uint32Array {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
