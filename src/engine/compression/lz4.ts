/**
 * LZ4 → plain bytes. https://github.com/lz4/lz4, lz4_Block_format.md and lz4_Frame_format.md. Numbers are
 * little-endian.
 *
 *   block      sequences: literal length×4 match length−4×4 bits │ (length bytes) │ literals │ distance×2 │ (length bytes)
 *              the last sequence ends after its literals
 *   frame      04 22 4d 18 │ flags×1 block size×1 (plain size×8) (dictionary×4) check×1 │ blocks │ 0×4 │ (XXH32×4)
 *   in it      size×4, top bit: stored │ block │ (XXH32×4)
 *   legacy     02 21 4c 18 │ size×4 block, up to the end or to the next magic number
 *   skippable  5? 2a 4d 18 │ size×4 │ anything
 */
import { littleEndian } from '../bytes/integers.ts';
import type { ContainerItem } from './bits/container.ts';
import type { Books } from './bits/kernel.ts';
import { RAW_LENGTHS } from './bits/tokens.ts';
import {
  atOnce,
  type Decode,
  type Decoded,
  type DecodeFailure,
  decodeFailure,
  limitFailure,
  SLICE,
  type Slices,
} from './codec.ts';
import * as Fault from './fault.ts';
import { type DecoderKernel, type DecodeSlices, decoders, STEP } from './kernel.ts';
import { LZ4_LEGACY_MAGIC, LZ4_MAGIC } from './signatures.ts';
import { isSkippable } from './skippable.ts';

const STORED = 0x80000000;
const LEGACY_BLOCK = 8 << 20;
/** An address beyond all memory. */
const NOWHERE = 0xffffffff;
const FRAME_FLAGS = { version: 0xc0, independent: 0x20, blockSums: 0x10, size: 8, sum: 4, reserved: 2, dictionary: 1 };

const FAULTS: Readonly<Record<number, DecodeFailure>> = {
  [Fault.NO_LAST_LITERALS]: decodeFailure('truncated', 'an LZ4 block does not end with literals'),
  [Fault.LITERAL_LENGTH_CUT]: decodeFailure('truncated', 'ends within a literal length'),
  [Fault.LITERAL_CUT]: decodeFailure('truncated', 'ends within literals'),
  [Fault.COPY_CUT]: decodeFailure('truncated', 'ends within a distance'),
  [Fault.COPY_LENGTH_CUT]: decodeFailure('truncated', 'ends within a match length'),
  [Fault.COPY_BEFORE_START]: decodeFailure('malformed', 'a match refers to bytes before the start'),
  [Fault.MORE_THAN_CLAIMED]: decodeFailure('malformed', 'an LZ4 block is too long'),
  [Fault.NO_MEMORY]: decodeFailure('limit', 'its plain bytes do not fit into memory'),
};

const slicesOf =
  (kind: 'block' | 'frame'): DecodeSlices =>
  (bytes, limit, kernel) => {
    kernel.place(bytes);
    return new Lz4Decoder(bytes, limit, kernel).run(kind);
  };

export const lz4BlockSlices = slicesOf('block');
export const lz4FrameSlices = slicesOf('frame');

export const decodeLz4Block: Decode = (bytes, limit) => atOnce(lz4BlockSlices(bytes, limit, decoders));
export const decodeLz4Frame: Decode = (bytes, limit) => atOnce(lz4FrameSlices(bytes, limit, decoders));

/** Decodes, and records the use of each bit. `offset`: in case of a fault, the offset of the fault. */
export function bookLz4(
  bytes: Uint8Array,
  kind: 'block' | 'frame',
  limit: number,
  books: Books,
): { readonly decoded: Decoded; readonly offset: number } {
  const decoder = new Lz4Decoder(bytes, limit, books.kernel, books);
  const decoded = atOnce(decoder.run(kind));
  return { decoded, offset: decoder.offset };
}

class Lz4Decoder {
  readonly #bytes: Uint8Array;
  readonly #limit: number;
  readonly #books: Books | undefined;
  readonly #kernel: DecoderKernel;
  #at = 0;
  #written = 0;
  /** Plain bytes after which it gives way. */
  #due = SLICE;

  /** @param kernel it already has the bytes */
  constructor(bytes: Uint8Array, limit: number, kernel: DecoderKernel, books?: Books) {
    this.#bytes = bytes;
    this.#limit = limit;
    this.#books = books;
    this.#kernel = kernel;
  }

  get offset(): number {
    return Math.min(this.#at, this.#bytes.length);
  }

  *run(kind: 'block' | 'frame'): Slices<Decoded> {
    const failure = yield* kind === 'block'
      ? this.#block(this.#bytes.length, 0, Number.POSITIVE_INFINITY)
      : this.#frames();
    return failure ?? { ok: true, bytes: this.#kernel.plain(0, this.#written) };
  }

  #enter(item: ContainerItem, bytes: number): void {
    this.#books?.book.container.add(item, bytes * 8);
  }

  #number(): number {
    this.#at += 4;
    return littleEndian(this.#bytes, this.#at - 4);
  }

  #isDue(): boolean {
    if (this.#written < this.#due) return false;
    this.#due = this.#written + SLICE;
    return true;
  }

  /** The checksum of compressed bytes. */
  #sum(from: number, to: number): number {
    const { memory, input } = this.#kernel;
    return this.#kernel.sum('xxh32', memory.subarray(input + from, input + to));
  }

  #has = (count: number): boolean => this.#at + count <= this.#bytes.length;

  *#frames(): Slices<DecodeFailure | null> {
    if (this.#bytes.length === 0) return decodeFailure('truncated', 'no LZ4 frame');
    while (this.#at < this.#bytes.length) {
      if (!this.#has(4)) return decodeFailure('truncated', 'ends within an LZ4 frame header');
      const magic = this.#number();
      let failure: DecodeFailure | null = null;
      if (magic === LZ4_MAGIC) failure = yield* this.#frame();
      else if (magic === LZ4_LEGACY_MAGIC) failure = yield* this.#legacy();
      else if (isSkippable(magic)) {
        if (!this.#has(4)) return decodeFailure('truncated', 'ends within a skippable frame');
        const size = this.#number();
        if (!this.#has(size)) return decodeFailure('truncated', 'ends within a skippable frame');
        this.#at += size;
        this.#enter('skippable_frames', 8 + size);
      } else {
        this.#at -= 4;
        return decodeFailure('malformed', 'no LZ4 frame');
      }
      if (failure !== null) return failure;
    }
    return null;
  }

  *#frame(): Slices<DecodeFailure | null> {
    const bytes = this.#bytes;
    const begin = this.#at;
    const flags = bytes[begin] ?? 0;
    const kind = ((bytes[begin + 1] ?? 0) >> 4) & 7;
    const hasSize = (flags & FRAME_FLAGS.size) !== 0;
    const headerSize = 2 + (hasSize ? 8 : 0) + (flags & FRAME_FLAGS.dictionary ? 4 : 0);
    if (!this.#has(headerSize + 1)) return decodeFailure('truncated', 'ends within an LZ4 frame header');
    if (
      (flags & FRAME_FLAGS.version) !== 0x40 ||
      flags & FRAME_FLAGS.reserved ||
      kind < 4 ||
      bytes[begin + 1]! & 0x8f
    ) {
      return decodeFailure('malformed', 'an LZ4 frame of no known kind');
    }
    // Kafka's clients took the checksum over the magic number too, up to format 1 of records (KIP-57).
    const checksums = [begin, begin - 4].map((from) => (this.#sum(from, begin + headerSize) >>> 8) & 255);
    if (!checksums.includes(bytes[begin + headerSize]!)) {
      return decodeFailure('malformed', 'the checksum of the LZ4 frame header does not fit');
    }
    if (flags & FRAME_FLAGS.dictionary) return decodeFailure('malformed', 'the LZ4 frame needs a dictionary');
    this.#enter('frame_header', 4 + headerSize + 1);
    this.#at = begin + headerSize + 1;
    const longest = 2 ** (8 + 2 * kind);
    const start = this.#written;
    for (;;) {
      if (!this.#has(4)) return decodeFailure('truncated', 'ends within an LZ4 block header');
      const size = this.#number();
      if (size === 0) break;
      this.#enter('block_headers', 4);
      const failure = yield* this.#framed(size, flags & FRAME_FLAGS.independent ? this.#written : start, longest);
      if (failure !== null) return failure;
      if ((flags & FRAME_FLAGS.blockSums) === 0) continue;
      if (!this.#has(4)) return decodeFailure('truncated', 'ends within an LZ4 block checksum');
      const block = this.#at - (size & ~STORED);
      if (this.#number() !== this.#sum(block, this.#at - 4)) {
        return decodeFailure('malformed', 'an LZ4 block checksum does not fit');
      }
      this.#enter('block_checksums', 4);
    }
    this.#enter('end_mark', 4);
    if (
      hasSize &&
      littleEndian(bytes, begin + 2) + littleEndian(bytes, begin + 6) * 2 ** 32 !== this.#written - start
    ) {
      return decodeFailure('malformed', 'the plain size of the LZ4 frame does not fit');
    }
    if ((flags & FRAME_FLAGS.sum) === 0) return null;
    if (!this.#has(4)) return decodeFailure('truncated', 'ends within the LZ4 checksum');
    this.#enter('content_checksum', 4);
    yield;
    return this.#number() === this.#kernel.sum('xxh32', this.#kernel.plain(start, this.#written))
      ? null
      : decodeFailure('malformed', 'the LZ4 checksum does not fit');
  }

  *#legacy(): Slices<DecodeFailure | null> {
    this.#enter('frame_header', 4);
    while (this.#at < this.#bytes.length) {
      if (!this.#has(4)) return decodeFailure('truncated', 'ends within an LZ4 block header');
      const size = this.#number();
      if (size === LZ4_MAGIC || size === LZ4_LEGACY_MAGIC || isSkippable(size)) {
        this.#at -= 4;
        return null;
      }
      this.#enter('block_headers', 4);
      if (size & STORED) return decodeFailure('malformed', 'an LZ4 block is too long');
      const failure = yield* this.#framed(size, this.#written, LEGACY_BLOCK);
      if (failure !== null) return failure;
    }
    return null;
  }

  /** Decodes a block of a frame. @param floor plain offset of the lowest copy source */
  *#framed(size: number, floor: number, longest: number): Slices<DecodeFailure | null> {
    const count = size & ~STORED;
    if (!this.#has(count)) return decodeFailure('truncated', 'ends within an LZ4 block');
    if ((size & STORED) === 0) return yield* this.#block(this.#at + count, floor, this.#written + longest);
    if (count > longest) return decodeFailure('malformed', 'an LZ4 block is too long');
    if (this.#isDue()) yield;
    if (this.#written + count > this.#limit) return this.#tooMuch();
    const kernel = this.#kernel;
    if (!kernel.room(this.#written + count)) return FAULTS[Fault.NO_MEMORY]!;
    const { memory, input, output } = kernel;
    memory.copyWithin(output + this.#written, input + this.#at, input + this.#at + count);
    this.#at += count;
    this.#written += count;
    this.#books?.book.tokens.price(RAW_LENGTHS);
    if (count > 0) this.#books?.book.tokens.literals(this.#written, 0);
    return null;
  }

  #tooMuch = (): DecodeFailure => limitFailure(this.#limit);

  /** Decodes the sequences up to `end`. @param stop maximum plain offset after them */
  *#block(end: number, floor: number, stop: number): Slices<DecodeFailure | null> {
    const { exports, input, output } = this.#kernel;
    this.#books?.book.tokens.price(RAW_LENGTHS);
    do {
      if (this.#isDue()) yield;
      const count = exports.lz4(
        input + this.#at,
        input + Math.min(end, this.#at + STEP),
        input + end,
        output + floor,
        output + this.#written,
        Number.isFinite(stop) ? output + stop : NOWHERE,
        output + this.#kernel.most(this.#limit),
      );
      this.#at += exports.consumed.value;
      if (count < 0) return count === Fault.LIMIT ? this.#tooMuch() : FAULTS[count]!;
      this.#written += count;
    } while (this.#at < end);
    if (this.#books !== undefined) this.#books.book.container.add('end_token', this.#books.kernel.exports.endBits());
    return null;
  }
}
