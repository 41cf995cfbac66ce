/**
 * Plain bytes → LZ4, block and frame, by the greedy search of liblz4 1.9 at its default level (acceleration 1). The
 * bytes are those of LZ4_compress_fast_continue on a fresh stream, and of LZ4F_compressFrame.
 * https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md, lz4_Frame_format.md
 */
import { copyBytes } from '../bytes/copy.ts';
import { decoders } from './kernel.ts';

const MIN_MATCH = 4;
const LAST_LITERALS = 5;
/** Minimum distance between the start of a match and the end of a block. */
const MATCH_MARGIN = 12;
const FAR = 65535;
const FRAME_BLOCK = 65536;

/** A raw block without a size prefix. */
export function encodeLz4Block(plain: Uint8Array): Uint8Array {
  const encoder = new BlockEncoder(plain, 5);
  encoder.block(0, plain.length);
  return encoder.out.subarray(0, encoder.length);
}

/**
 * One frame of 64 KiB blocks, which are linked if there are several. It has the content's size, unless that is 0, and no
 * checksums.
 */
export function encodeLz4Frame(plain: Uint8Array): Uint8Array {
  const isSingle = plain.length <= FRAME_BLOCK;
  const frame = new Uint8Array(19 + plain.length + 4 * Math.ceil(plain.length / FRAME_BLOCK));
  const view = new DataView(frame.buffer);
  view.setUint32(0, 0x184d2204, true);
  /** The flag of the size, and the width of the size. */
  const sized = plain.length > 0 ? 8 : 0;
  frame.set([(isSingle ? 0x60 : 0x40) | sized, 0x40], 4);
  view.setUint32(6, plain.length, true);
  view.setUint32(10, Math.floor(plain.length / 2 ** 32), true);
  frame[6 + sized] = (decoders.sum('xxh32', frame.subarray(4, 6 + sized)) >>> 8) & 255;
  let at = 7 + sized;
  const encoder = new BlockEncoder(plain, isSingle ? 4 : 5);
  for (let start = 0; start < plain.length; start += FRAME_BLOCK) {
    const end = Math.min(plain.length, start + FRAME_BLOCK);
    encoder.length = 0;
    encoder.block(start, end);
    const isStored = encoder.length >= end - start;
    const block = isStored ? plain.subarray(start, end) : encoder.out.subarray(0, encoder.length);
    view.setUint32(at, isStored ? block.length | 0x80000000 : block.length, true);
    frame.set(block, at + 4);
    at += 4 + block.length;
  }
  return frame.subarray(0, at + 4);
}

class BlockEncoder {
  readonly out: Uint8Array;
  length = 0;
  readonly #plain: Uint8Array;
  /** Last position of each hash; 0: none. */
  readonly #table: Uint32Array;
  /** Number of bytes that a hash covers. */
  readonly #hashed: 4 | 5;

  constructor(plain: Uint8Array, hashed: 4 | 5) {
    this.#plain = plain;
    this.#hashed = hashed;
    this.#table = new Uint32Array(hashed === 4 ? 1 << 13 : 1 << 12);
    this.out = new Uint8Array(plain.length + Math.ceil(plain.length / 255) + 16);
  }

  block(start: number, end: number): void {
    const plain = this.#plain;
    const table = this.#table;
    const lastStart = end - MATCH_MARGIN + 1;
    let anchor = start;
    if (end - start <= MATCH_MARGIN) {
      this.#sequence(anchor, end, 0, 0);
      return;
    }
    let at = start;
    table[this.#hashAt(at)] = at;
    at++;
    let hash = this.#hashAt(at);
    for (;;) {
      let found: number;
      let next = at;
      for (let step = 1, tries = 64; ; tries++) {
        at = next;
        next += step;
        step = tries >> 6;
        if (next > lastStart) {
          this.#sequence(anchor, end, 0, 0);
          return;
        }
        found = table[hash]!;
        table[hash] = at;
        hash = this.#hashAt(next);
        if (found + FAR >= at && this.#sameWord(found, at)) break;
      }
      while (at > anchor && found > 0 && plain[at - 1] === plain[found - 1]) {
        at--;
        found--;
      }
      do {
        const from = at;
        const offset = at - found;
        at += MIN_MATCH;
        for (const limit = end - LAST_LITERALS; at < limit && plain[at] === plain[at - offset]; ) at++;
        this.#sequence(anchor, from, offset, at - from);
        anchor = at;
        if (at >= lastStart) {
          this.#sequence(anchor, end, 0, 0);
          return;
        }
        table[this.#hashAt(at - 2)] = at - 2;
        const here = this.#hashAt(at);
        found = table[here]!;
        table[here] = at;
      } while (found + FAR >= at && this.#sameWord(found, at));
      at++;
      hash = this.#hashAt(at);
    }
  }

  #sameWord(a: number, b: number): boolean {
    const plain = this.#plain;
    return (
      plain[a] === plain[b] &&
      plain[a + 1] === plain[b + 1] &&
      plain[a + 2] === plain[b + 2] &&
      plain[a + 3] === plain[b + 3]
    );
  }

  #hashAt(at: number): number {
    const plain = this.#plain;
    if (this.#hashed === 4) {
      const word = plain[at]! | (plain[at + 1]! << 8) | (plain[at + 2]! << 16) | (plain[at + 3]! << 24);
      return Math.imul(word, 0x9e3779b1) >>> 19;
    }
    // Bits 28 to 39 of five bytes × 889523592379, computed in halves of 20 bits.
    const low = plain[at]! | (plain[at + 1]! << 8) | ((plain[at + 2]! & 15) << 16);
    const high = (plain[at + 2]! >> 4) | (plain[at + 3]! << 4) | (plain[at + 4]! << 12);
    const product = low * 0xcdcbb + ((low * 0xcf1bb + high * 0xcdcbb) % 2 ** 20) * 2 ** 20;
    return Math.floor(product / 2 ** 28) & 0xfff;
  }

  /** Writes literals [start, end), then a match. `size` 0: the last literals. */
  #sequence(start: number, end: number, offset: number, size: number): void {
    const literals = end - start;
    const match = size === 0 ? 0 : size - MIN_MATCH;
    this.#byte((Math.min(literals, 15) << 4) | Math.min(match, 15));
    this.#more(literals);
    copyBytes(this.#plain, start, end, this.out, this.length);
    this.length += literals;
    if (size === 0) return;
    this.#byte(offset & 255);
    this.#byte(offset >> 8);
    this.#more(match);
  }

  /** Writes the part of a length that exceeds four bits. */
  #more(size: number): void {
    if (size < 15) return;
    let left = size - 15;
    for (; left >= 255; left -= 255) this.#byte(255);
    this.#byte(left);
  }

  #byte(byte: number): void {
    this.out[this.length++] = byte;
  }
}
