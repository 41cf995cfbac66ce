/**
 * Plain bytes → a snappy block, by the greedy search of the reference implementations. A table has the last position of
 * each four bytes. The longer nothing repeats, the fewer positions are looked up. The output equals golang/snappy's.
 * https://github.com/google/snappy/blob/main/format_description.txt
 */
import { copyBytes } from '../bytes/copy.ts';
import { setVarint } from '../bytes/varint.ts';

const BLOCK = 1 << 16;
/** The search for copies stops before the last bytes of a block, so that four bytes can be read at any position. */
const MARGIN = 15;
const LARGEST_TABLE = 1 << 14;

export function encodeSnappy(plain: Uint8Array): Uint8Array {
  const encoder = new Encoder(plain);
  for (let start = 0; start < plain.length; start += BLOCK) {
    encoder.block(start, Math.min(plain.length, start + BLOCK));
  }
  return encoder.out.subarray(0, encoder.length);
}

class Encoder {
  readonly out: Uint8Array;
  length = 0;
  readonly #plain: Uint8Array;
  readonly #table = new Uint32Array(LARGEST_TABLE);

  constructor(plain: Uint8Array) {
    this.#plain = plain;
    this.out = new Uint8Array(32 + plain.length + Math.ceil(plain.length / 6));
    this.length = setVarint(this.out, 0, plain.length);
  }

  block(start: number, end: number): void {
    const table = this.#table;
    const plain = this.#plain;
    const limit = end - MARGIN;
    if (end - start < MARGIN + 2) {
      this.#literal(start, end);
      return;
    }
    let shift = 24;
    for (let size = 256; size < LARGEST_TABLE && size < end - start; size *= 2) shift--;
    table.fill(start);
    let emitted = start;
    let at = start + 1;
    let hash = this.#hashAt(at, shift);
    for (;;) {
      let skip = 32;
      let next = at;
      let candidate: number;
      do {
        at = next;
        next = at + (skip >> 5);
        skip += skip >> 5;
        if (next > limit) {
          this.#literal(emitted, end);
          return;
        }
        candidate = table[hash]!;
        table[hash] = at;
        hash = this.#hashAt(next, shift);
      } while (this.#wordAt(at) !== this.#wordAt(candidate));
      this.#literal(emitted, at);
      do {
        const from = at;
        at += 4;
        for (let seen = candidate + 4; at < end && plain[seen] === plain[at]; seen++) at++;
        this.#copy(from - candidate, at - from);
        emitted = at;
        if (at >= limit) {
          this.#literal(emitted, end);
          return;
        }
        table[this.#hashAt(at - 1, shift)] = at - 1;
        const here = this.#hashAt(at, shift);
        candidate = table[here]!;
        table[here] = at;
      } while (this.#wordAt(at) === this.#wordAt(candidate));
      at++;
      hash = this.#hashAt(at, shift);
    }
  }

  #wordAt(at: number): number {
    const plain = this.#plain;
    return plain[at]! | (plain[at + 1]! << 8) | (plain[at + 2]! << 16) | (plain[at + 3]! << 24);
  }

  #hashAt(at: number, shift: number): number {
    return Math.imul(this.#wordAt(at), 0x1e35a7bd) >>> shift;
  }

  #literal(start: number, end: number): void {
    const size = end - start;
    if (size === 0) return;
    const tag = size - 1;
    if (tag < 60) this.#byte(tag << 2);
    else if (tag < 256) {
      this.#byte(60 << 2);
      this.#byte(tag);
    } else {
      this.#byte(61 << 2);
      this.#short(tag);
    }
    copyBytes(this.#plain, start, end, this.out, this.length);
    this.length += size;
  }

  #copy(offset: number, size: number): void {
    let left = size;
    for (; left >= 68; left -= 64) this.#farCopy(offset, 64);
    if (left > 64) {
      this.#farCopy(offset, 60);
      left -= 60;
    }
    if (left >= 12 || offset >= 2048) this.#farCopy(offset, left);
    else {
      this.#byte(((offset >> 8) << 5) | ((left - 4) << 2) | 1);
      this.#byte(offset & 255);
    }
  }

  #farCopy(offset: number, size: number): void {
    this.#byte(((size - 1) << 2) | 2);
    this.#short(offset);
  }

  #short(value: number): void {
    this.#byte(value & 255);
    this.#byte(value >> 8);
  }

  #byte(byte: number): void {
    this.out[this.length++] = byte;
  }
}
