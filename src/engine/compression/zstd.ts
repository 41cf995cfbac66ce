/**
 * Zstandard (RFC 8878) → plain bytes. Numbers are little-endian.
 *
 *   frame       28 b5 2f fd │ flags×1 │ (window×1) │ (dictionary id) │ (plain size) │ blocks │ (XXH64, low half×4)
 *   skippable   5? 2a 4d 18 │ size×4 │ anything
 *   block       last×1 kind×2 size×21 bits │ 0: bytes │ 1: one byte, `size` times │ 2: literals, sequences
 *   sequence    number of literals, then a match: its length and its distance
 *
 * Several frames may follow one another. Memory grows with the output, at most a block ahead of it. Sizes and windows
 * in headers allocate nothing.
 */

import type { ContainerItem } from './bits/container.ts';
import type { Books } from './bits/kernel.ts';
import { NO_LENGTHS, RAW_LENGTHS } from './bits/tokens.ts';
import { atOnce, type Decode, type Decoded, decodeFailure, limitFailure, SLICE, type Slices } from './codec.ts';
import * as Fault from './fault.ts';
import { type DecoderKernel, type DecodeSlices, decoders } from './kernel.ts';
import {
  FSE_DISTANCES,
  FSE_LITERALS,
  FSE_MATCHES,
  HUFFMAN,
  RECENT,
  RUN_CODES,
  ZSTD_LITERALS,
} from './kernel-memory.ts';
import { ZSTD_MAGIC } from './signatures.ts';
import { isSkippable } from './skippable.ts';
import {
  buildFse,
  type FseTable,
  HUFFMAN_ENTRIES,
  type HuffmanTable,
  InvalidZstdError,
  readFse,
  readHuffman,
  repeatedSymbol,
} from './zstd-entropy.ts';

const LONGEST_BLOCK = 128 * 1024;
const Kind = { RAW: 0, REPEATED: 1, COMPRESSED: 2 } as const;

const LITERALS_EXTRA = Uint8Array.of(
  ...fill(0, 16),
  ...[1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
);
const MATCH_EXTRA = Uint8Array.of(
  ...fill(0, 32),
  ...[1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
);
/** Each code begins at the end of the previous one. */
const LITERALS_BASE = basesFrom(0, LITERALS_EXTRA);
const MATCH_BASE = basesFrom(3, MATCH_EXTRA);
const MAX_DISTANCE_CODE = 31;
/** The kernel's table: base and extra bits of each literal code, then of each match code. */
const CODE_TABLE = new Uint8Array(
  Uint32Array.from([...pairs(LITERALS_BASE, LITERALS_EXTRA), ...pairs(MATCH_BASE, MATCH_EXTRA)]).buffer,
);

function pairs(bases: Int32Array, extra: Uint8Array): readonly number[] {
  return [...bases].flatMap((base, code) => [base, extra[code]!]);
}

function basesFrom(first: number, extra: Uint8Array): Int32Array {
  let base = first;
  return Int32Array.from(extra, (bits) => {
    const own = base;
    base += 2 ** bits;
    return own;
  });
}

/** The three kinds of codes of a sequence, in the order of their descriptions. */
const CODES = {
  literals: {
    most: { accuracy: 9, symbol: LITERALS_EXTRA.length - 1 },
    usual: buildFse([4, 3, ...fill(2, 11), 1, 1, 1, ...fill(2, 9), 3, 2, ...fill(1, 5), ...fill(-1, 4)], 6),
  },
  distances: {
    most: { accuracy: 8, symbol: MAX_DISTANCE_CODE },
    usual: buildFse([...fill(1, 6), 2, 2, 2, ...fill(1, 15), ...fill(-1, 5)], 5),
  },
  matches: {
    most: { accuracy: 9, symbol: MATCH_EXTRA.length - 1 },
    usual: buildFse([1, 4, 3, ...fill(2, 6), ...fill(1, 37), ...fill(-1, 7)], 6),
  },
} as const;

function fill(value: number, count: number): readonly number[] {
  return new Array<number>(count).fill(value);
}

/** State that a block passes to the next one. */
interface Frame {
  /** Index in the output of the frame's first byte, which is the lowest copy source. */
  readonly start: number;
  readonly longestBlock: number;
  huffman: HuffmanTable | null;
  literals: FseTable | null;
  distances: FseTable | null;
  matches: FseTable | null;
}

/** The last three distances at the beginning of a frame, latest first. */
const FIRST_RECENT = Int32Array.of(1, 4, 8);

const FAULTS: Readonly<Record<number, string>> = {
  [Fault.TRUNCATED]: 'a bit stream is cut',
  [Fault.MALFORMED]: 'a bit stream does not end with its symbols',
  [Fault.COPY_BEFORE_START]: 'a match refers to bytes before the start',
  [Fault.LITERAL_CUT]: 'more literals are taken than there are',
  [Fault.MORE_THAN_CLAIMED]: 'a block gives too much',
};

/** @returns the kernel's result; throws if it is a fault */
function sound(answer: number): number {
  if (answer < 0) throw new InvalidZstdError(FAULTS[answer]!);
  return answer;
}

export const zstdSlices: DecodeSlices = (bytes, limit, kernel) => {
  kernel.place(bytes);
  return new ZstdDecoder(bytes, limit, kernel).run();
};

export const decodeZstd: Decode = (bytes, limit) => atOnce(zstdSlices(bytes, limit, decoders));

/** Decodes, and records the use of each bit. `offset`: in case of a fault, the offset of the fault. */
export function bookZstd(
  bytes: Uint8Array,
  limit: number,
  books: Books,
): { readonly decoded: Decoded; readonly offset: number } {
  const decoder = new ZstdDecoder(bytes, limit, books.kernel, books);
  const decoded = atOnce(decoder.run());
  return { decoded, offset: decoder.offset };
}

class ZstdDecoder {
  readonly #bytes: Uint8Array;
  readonly #limit: number;
  #at = 0;
  #written = 0;
  /** Plain bytes after which it gives way. */
  #pause = SLICE;
  readonly #books: Books | undefined;
  readonly #kernel: DecoderKernel;

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

  *run(): Slices<Decoded> {
    try {
      return yield* this.decode();
    } catch (error) {
      if (!(error instanceof InvalidZstdError)) throw error;
      return decodeFailure('malformed', `no sound zstd: ${error.message}`);
    }
  }

  /** Records container bytes. */
  #enter(item: ContainerItem, bytes: number): void {
    this.#books?.book.container.add(item, bytes * 8);
  }

  *decode(): Slices<Decoded> {
    const bytes = this.#bytes;
    if (bytes.length === 0) return decodeFailure('truncated', 'no zstd frame');
    while (this.#at < bytes.length) {
      if (this.#at + 8 > bytes.length) return decodeFailure('truncated', 'ends within a zstd frame header');
      const magic = this.#number(4);
      if (magic === ZSTD_MAGIC) {
        const failure = yield* this.#frame();
        if (failure !== null) return failure;
      } else if (isSkippable(magic)) {
        const size = this.#number(4);
        if (size > bytes.length - this.#at) return decodeFailure('truncated', 'ends within a skippable frame');
        this.#at += size;
        this.#enter('skippable_frames', 8 + size);
      } else return decodeFailure('malformed', 'no zstd frame');
    }
    return { ok: true, bytes: this.#kernel.plain(0, this.#written) };
  }

  /** Reads an exact number of up to six bytes. */
  #number(width: number): number {
    let value = 0;
    for (let i = width - 1; i >= 0; i--) value = value * 256 + this.#bytes[this.#at + i]!;
    this.#at += width;
    return value;
  }

  #tooMuch = (): Decoded => limitFailure(this.#limit);

  /** @returns null: the frame is valid */
  *#frame(): Slices<Decoded | null> {
    const bytes = this.#bytes;
    const begin = this.#at - 4;
    const flags = bytes[this.#at++]!;
    if (flags & 8) throw new InvalidZstdError('a reserved bit is set');
    const single = (flags & 32) !== 0;
    const dictionaryWidth = [0, 1, 2, 4][flags & 3]!;
    const sizeWidth = [single ? 1 : 0, 2, 4, 8][flags >> 6]!;
    if (this.#at + (single ? 0 : 1) + dictionaryWidth + sizeWidth > bytes.length) {
      return decodeFailure('truncated', 'ends within a zstd frame header');
    }
    let window = 0;
    if (!single) {
      const code = bytes[this.#at++]!;
      window = 2 ** (10 + (code >> 3)) * (1 + (code & 7) / 8);
    }
    if (this.#number(dictionaryWidth) !== 0) throw new InvalidZstdError('it needs a dictionary');
    const claimed = sizeWidth === 0 ? null : this.#number(sizeWidth) + (sizeWidth === 2 ? 256 : 0);
    if (claimed !== null && claimed > this.#limit - this.#written) return this.#tooMuch();
    if (single) window = claimed!;
    this.#enter('frame_header', this.#at - begin);
    const frame: Frame = {
      start: this.#written,
      longestBlock: Math.min(window, LONGEST_BLOCK),
      huffman: null,
      literals: null,
      distances: null,
      matches: null,
    };
    this.#put(RECENT, FIRST_RECENT);
    for (let last = false; !last; ) {
      if (this.#written >= this.#pause) {
        this.#pause = this.#written + SLICE;
        yield;
      }
      if (this.#at + 3 > bytes.length) return decodeFailure('truncated', 'ends within a block header');
      const header = this.#number(3);
      const size = header >> 3;
      last = (header & 1) !== 0;
      this.#enter('block_headers', 3);
      const failure = this.#block(frame, (header >> 1) & 3, size);
      if (failure !== null) return failure;
      if (this.#written > this.#limit) return this.#tooMuch();
    }
    if (claimed !== null && this.#written - frame.start !== claimed)
      throw new InvalidZstdError('its size is not as said');
    if ((flags & 4) === 0) return null;
    if (this.#at + 4 > bytes.length) return decodeFailure('truncated', 'ends within the checksum');
    this.#enter('checksum', 4);
    yield;
    const sound = this.#number(4) === this.#kernel.sum('xxh64', this.#kernel.plain(frame.start, this.#written));
    return sound ? null : decodeFailure('malformed', 'the zstd checksum does not fit');
  }

  #block(frame: Frame, kind: number, size: number): Decoded | null {
    if (size > frame.longestBlock) throw new InvalidZstdError('a block is too long');
    const captured = kind === Kind.REPEATED ? 1 : size;
    if (this.#at + captured > this.#bytes.length) return decodeFailure('truncated', 'ends within a block');
    const end = this.#at + captured;
    if (!this.#kernel.room(this.#written + (kind === Kind.COMPRESSED ? frame.longestBlock : size))) {
      return decodeFailure('limit', 'its plain bytes do not fit into memory');
    }
    if (kind === Kind.RAW) {
      this.#copy(this.#kernel.input + this.#at, size);
      this.#written += size;
      this.#enterBlock(RAW_LENGTHS, size, 0);
    } else if (kind === Kind.REPEATED) {
      const { memory, output } = this.#kernel;
      memory.fill(this.#bytes[this.#at]!, output + this.#written, output + this.#written + size);
      this.#written += size;
      this.#enterBlock(NO_LENGTHS, size, 8);
    } else if (kind === Kind.COMPRESSED) this.#compressed(frame, end);
    else throw new InvalidZstdError('a block of no known kind');
    this.#at = end;
    return null;
  }

  /** Records a block that consists of literals. @param bits that they share */
  #enterBlock(lengths: Uint8Array, size: number, bits: number): void {
    if (this.#books === undefined) return;
    const { tokens, container } = this.#books.book;
    if (size === 0) container.add('block_headers', bits);
    else {
      tokens.price(lengths);
      tokens.literals(this.#written, bits);
    }
  }

  /** Appends `count` bytes from an address of the kernel's memory. */
  #copy(from: number, count: number): void {
    const { memory, output } = this.#kernel;
    memory.copyWithin(output + this.#written, from, from + count);
  }

  /** Copies numbers to their place in the kernel's memory. */
  #put(place: number, { buffer, byteOffset, byteLength }: Int32Array | Uint8Array): void {
    this.#kernel.memory.set(new Uint8Array(buffer, byteOffset, byteLength), place);
  }

  #compressed(frame: Frame, end: number): void {
    const { literals, count } = this.#literals(frame, end);
    const bytes = this.#bytes;
    if (this.#at >= end) throw new InvalidZstdError('a block has no sequences');
    const begin = this.#at;
    let sequences = bytes[this.#at++]!;
    if (sequences >= 128) {
      const wide = sequences === 255;
      if (this.#at + (wide ? 2 : 1) > end) throw new InvalidZstdError('a block is cut');
      sequences = wide ? this.#number(2) + 0x7f00 : (sequences - 128) * 256 + this.#number(1);
    }
    this.#enter('sequences_header', this.#at - begin);
    const stop = this.#written + frame.longestBlock;
    let taken = 0;
    if (sequences === 0) {
      if (this.#at !== end) throw new InvalidZstdError('a block has bytes after its end');
    } else taken = this.#sequences(frame, end, sequences, literals, count, stop);
    const rest = count - taken;
    if (this.#written + rest > stop) throw new InvalidZstdError('a block gives too much');
    this.#copy(literals + taken, rest);
    this.#written += rest;
    if (rest > 0) this.#books?.book.tokens.literals(this.#written, 0);
  }

  /** @returns the address of the literals in the kernel's memory, and their number */
  #literals(frame: Frame, end: number): { readonly literals: number; readonly count: number } {
    const bytes = this.#bytes;
    if (this.#at >= end) throw new InvalidZstdError('a block is empty');
    const first = bytes[this.#at]!;
    const kind = first & 3;
    const form = (first >> 2) & 3;
    if (kind < Kind.COMPRESSED) {
      const width = form === 1 ? 2 : form === 3 ? 3 : 1;
      if (this.#at + width > end) throw new InvalidZstdError('a block is cut');
      const head = this.#number(width);
      const count = width === 1 ? head >> 3 : head >> 4;
      if (count > frame.longestBlock) throw new InvalidZstdError('too many literals');
      const from = this.#at;
      this.#at += kind === Kind.RAW ? count : 1;
      if (this.#at > end) throw new InvalidZstdError('literals are cut');
      this.#enter('literals_header', width + (count === 0 && kind !== Kind.RAW ? 1 : 0));
      this.#books?.book.tokens.price(RAW_LENGTHS, kind === Kind.RAW ? 1 : 1 / count);
      if (kind === Kind.RAW) return { literals: this.#kernel.input + from, count };
      this.#kernel.memory.fill(bytes[from]!, ZSTD_LITERALS, ZSTD_LITERALS + count);
      return { literals: ZSTD_LITERALS, count };
    }
    const width = form < 2 ? 3 : form + 2;
    if (this.#at + width > end) throw new InvalidZstdError('a block is cut');
    const head = this.#number(width);
    const bits = [10, 10, 14, 18][form]!;
    const count = Math.floor(head / 16) % 2 ** bits;
    const size = Math.floor(head / 2 ** (4 + bits));
    if (count > frame.longestBlock) throw new InvalidZstdError('too many literals');
    const stop = this.#at + size;
    if (stop > end) throw new InvalidZstdError('literals are cut');
    this.#enter('literals_header', width);
    if (kind === Kind.COMPRESSED) {
      // The table stays there, because later blocks may refer to it.
      const entries = new Uint16Array(this.#kernel.memory.buffer, HUFFMAN, HUFFMAN_ENTRIES);
      const { table, end: behind } = readHuffman(bytes, this.#at, stop, entries);
      this.#enter('huffman_tables', behind - this.#at);
      frame.huffman = table;
      this.#at = behind;
    }
    const { huffman } = frame;
    if (huffman === null) throw new InvalidZstdError('a tree is referred to that is not there');
    this.#books?.book.tokens.price(huffman.lengths);
    const { exports, input } = this.#kernel;
    if (form === 0) {
      sound(exports.huffman(input + this.#at, input + stop, huffman.bits, count));
      this.#enterPadding(stop);
    } else {
      if (this.#at + 6 > stop) throw new InvalidZstdError('literals are cut');
      this.#enter('jump_tables', 6);
      const first = this.#number(2);
      const second = this.#number(2);
      const third = this.#number(2);
      const a = this.#at;
      const [b, c, d] = [a + first, a + first + second, a + first + second + third];
      if (d > stop || 3 * Math.floor((count + 3) / 4) > count) throw new InvalidZstdError('literals are cut');
      sound(exports.huffmanOfFour(input + a, input + b, input + c, input + d, input + stop, huffman.bits, count));
      for (const to of [b, c, d, stop]) this.#enterPadding(to);
    }
    this.#at = stop;
    return { literals: ZSTD_LITERALS, count };
  }

  /** Records the end mark of a backward stream and the zeros above it, in the byte before `end`. */
  #enterPadding(end: number): void {
    this.#books?.book.container.add('padding', Math.clz32(this.#bytes[end - 1]!) - 23);
  }

  #table(frame: Frame, which: keyof typeof CODES, mode: number, end: number): FseTable {
    const { most, usual } = CODES[which];
    let table: FseTable;
    if (mode === 0) table = usual;
    else if (mode === 1) {
      const symbol = this.#at < end ? this.#bytes[this.#at++]! : 256;
      if (symbol > most.symbol) throw new InvalidZstdError('undefined code');
      table = repeatedSymbol(symbol);
    } else if (mode === 2) {
      const described = readFse(this.#bytes, this.#at, end, most);
      this.#at = described.end;
      table = described.table;
    } else {
      const before = frame[which];
      if (before === null) throw new InvalidZstdError('a table is referred to that is not there');
      table = before;
    }
    frame[which] = table;
    return table;
  }

  /** @returns the number of literals that were used */
  #sequences(frame: Frame, end: number, sequences: number, literals: number, count: number, stop: number): number {
    if (this.#at >= end) throw new InvalidZstdError('a block is cut');
    const modes = this.#bytes[this.#at++]!;
    if (modes & 3) throw new InvalidZstdError('a reserved bit is set');
    this.#enter('sequences_header', 1);
    const begin = this.#at;
    const ofLiterals = this.#table(frame, 'literals', modes >> 6, end);
    const ofDistances = this.#table(frame, 'distances', (modes >> 4) & 3, end);
    const ofMatches = this.#table(frame, 'matches', (modes >> 2) & 3, end);
    this.#enter('fse_tables', this.#at - begin);
    this.#enterPadding(end);
    const states = ofLiterals.accuracy + ofDistances.accuracy + ofMatches.accuracy;
    this.#books?.book.container.add('fse_initial_states', states);
    this.#put(FSE_LITERALS, ofLiterals.cells);
    this.#put(FSE_DISTANCES, ofDistances.cells);
    this.#put(FSE_MATCHES, ofMatches.cells);
    this.#put(RUN_CODES, CODE_TABLE);
    const { exports, input, output } = this.#kernel;
    this.#written += sound(
      exports.sequences(
        input + this.#at,
        input + end,
        sequences,
        ofLiterals.accuracy,
        ofDistances.accuracy,
        ofMatches.accuracy,
        literals,
        count,
        output + this.#written,
        output + stop,
        output + frame.start,
      ),
    );
    return exports.taken.value;
  }
}
