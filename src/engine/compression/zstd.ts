/**
 * Zstandard (RFC 8878) → plain bytes. Numbers are little-endian.
 *
 *   frame       28 b5 2f fd │ flags×1 │ (window×1) │ (dictionary id) │ (plain size) │ blocks │ (XXH64, low half×4)
 *   skippable   5? 2a 4d 18 │ size×4 │ anything
 *   block       last×1 kind×2 size×21 bits │ 0: bytes │ 1: one byte, `size` times │ 2: literals, sequences
 *   sequence    literals to take, then a match: its length and how far back it lies
 *
 * Frames may follow one another. Memory grows with what comes out, at most a block ahead of it: a size or a window that
 * a header claims allocates nothing.
 */

import type { BitBook } from './bits/book.ts';
import type { ContainerItem } from './bits/container.ts';
import { NO_LENGTHS, RAW_LENGTHS } from './bits/tokens.ts';
import { type Decode, type Decoded, decodeFailure } from './codec.ts';
import { scratch } from './scratch.ts';
import { firstMagic, isSkippable } from './skippable.ts';
import { xxh64Low } from './xxh64.ts';
import {
  bitsBelowMark,
  buildFse,
  type FseTable,
  type HuffmanTable,
  readFse,
  readHuffman,
  readHuffmanStream,
  repeatedSymbol,
  Unsound,
} from './zstd-entropy.ts';

const MAGIC = 0xfd2fb528;
const LONGEST_BLOCK = 128 * 1024;
const NO_TOKENS = new Uint32Array(0);
/** Bytes from which on one call copies faster than a loop. */
const LONG_COPY = 40;
const Kind = { RAW: 0, REPEATED: 1, COMPRESSED: 2 } as const;

const LITERALS_EXTRA = Uint8Array.of(
  ...fill(0, 16),
  ...[1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
);
const MATCH_EXTRA = Uint8Array.of(
  ...fill(0, 32),
  ...[1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
);
/** Each code begins where the one before ends. */
const LITERALS_BASE = basesFrom(0, LITERALS_EXTRA);
const MATCH_BASE = basesFrom(3, MATCH_EXTRA);
const MOST_DISTANCE_CODE = 31;
/** Larger offsets lie before the start of any output: plain bytes are fewer than 2³¹. */
const MOST_USEFUL_DISTANCE_CODE = 30;

function basesFrom(first: number, extra: Uint8Array): Int32Array {
  let base = first;
  return Int32Array.from(extra, (bits) => {
    const own = base;
    base += 2 ** bits;
    return own;
  });
}

/** The three kinds of codes of a sequence, in the order their tables are described. */
const CODES = {
  literals: {
    most: { accuracy: 9, symbol: LITERALS_EXTRA.length - 1 },
    usual: buildFse([4, 3, ...fill(2, 11), 1, 1, 1, ...fill(2, 9), 3, 2, ...fill(1, 5), ...fill(-1, 4)], 6),
  },
  distances: {
    most: { accuracy: 8, symbol: MOST_DISTANCE_CODE },
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

/** State that one block leaves to the next. */
interface Frame {
  /** Index in the output of the frame's first byte: nothing before it can be referred to. */
  readonly start: number;
  readonly longestBlock: number;
  huffman: HuffmanTable | null;
  literals: FseTable | null;
  distances: FseTable | null;
  matches: FseTable | null;
  /** The last three distances, latest first. */
  readonly recent: Int32Array;
}

const literalsBuffer = new Uint8Array(LONGEST_BLOCK);
/** Bit streams are read from here, four bytes at a time: those behind the end are there, and any. */
const bitBuffer = new Uint8Array(LONGEST_BLOCK + 4);
const bitView = new DataView(bitBuffer.buffer);

export const decodeZstd: Decode = (bytes, limit) => new ZstdDecoder(bytes, limit, null).run();

/** Decodes and enters in `book` what each bit is spent on. `offset`: how far it was read where it fails. */
export function bookZstd(
  bytes: Uint8Array,
  limit: number,
  book: BitBook,
): { readonly decoded: Decoded; readonly offset: number } {
  const decoder = new ZstdDecoder(bytes, limit, book);
  const decoded = decoder.run();
  return { decoded, offset: decoder.offset };
}

export const isZstd = (bytes: Uint8Array): boolean => firstMagic(bytes) === MAGIC;

class ZstdDecoder {
  readonly #bytes: Uint8Array;
  readonly #limit: number;
  #at = 0;
  #output = scratch(0);
  #written = 0;
  readonly #book: BitBook | null;

  constructor(bytes: Uint8Array, limit: number, book: BitBook | null) {
    this.#bytes = bytes;
    this.#limit = limit;
    this.#book = book;
  }

  get offset(): number {
    return Math.min(this.#at, this.#bytes.length);
  }

  run(): Decoded {
    try {
      return this.decode();
    } catch (error) {
      if (!(error instanceof Unsound)) throw error;
      return decodeFailure('malformed', `no sound zstd: ${error.message}`);
    }
  }

  /** Container bytes. */
  #enter(item: ContainerItem, bytes: number): void {
    this.#book?.container.add(item, bytes * 8);
  }

  decode(): Decoded {
    const bytes = this.#bytes;
    if (bytes.length === 0) return decodeFailure('truncated', 'no zstd frame');
    while (this.#at < bytes.length) {
      if (this.#at + 8 > bytes.length) return decodeFailure('truncated', 'ends within a zstd frame header');
      const magic = this.#number(4);
      if (magic === MAGIC) {
        const failure = this.#frame();
        if (failure !== null) return failure;
      } else if (isSkippable(magic)) {
        const size = this.#number(4);
        if (size > bytes.length - this.#at) return decodeFailure('truncated', 'ends within a skippable frame');
        this.#at += size;
        this.#enter('skippable_frames', 8 + size);
      } else return decodeFailure('malformed', 'no zstd frame');
    }
    return { ok: true, bytes: this.#output.subarray(0, this.#written) };
  }

  /** Up to six bytes exactly. */
  #number(width: number): number {
    let value = 0;
    for (let i = width - 1; i >= 0; i--) value = value * 256 + this.#bytes[this.#at + i]!;
    this.#at += width;
    return value;
  }

  #tooMuch = (): Decoded => decodeFailure('limit', `more than ${this.#limit} bytes come out`);

  /** @returns null where it is sound */
  #frame(): Decoded | null {
    const bytes = this.#bytes;
    const begin = this.#at - 4;
    const flags = bytes[this.#at++]!;
    if (flags & 8) throw new Unsound('a reserved bit is set');
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
    if (this.#number(dictionaryWidth) !== 0) throw new Unsound('it needs a dictionary');
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
      recent: Int32Array.of(1, 4, 8),
    };
    for (let last = false; !last; ) {
      if (this.#at + 3 > bytes.length) return decodeFailure('truncated', 'ends within a block header');
      const header = this.#number(3);
      const size = header >> 3;
      last = (header & 1) !== 0;
      this.#enter('block_headers', 3);
      const failure = this.#block(frame, (header >> 1) & 3, size);
      if (failure !== null) return failure;
      if (this.#written > this.#limit) return this.#tooMuch();
    }
    if (claimed !== null && this.#written - frame.start !== claimed) throw new Unsound('its size is not as said');
    if ((flags & 4) === 0) return null;
    if (this.#at + 4 > bytes.length) return decodeFailure('truncated', 'ends within the checksum');
    this.#enter('checksum', 4);
    const sound = this.#number(4) === xxh64Low(this.#output.subarray(frame.start, this.#written));
    return sound ? null : decodeFailure('malformed', 'the zstd checksum does not fit');
  }

  #block(frame: Frame, kind: number, size: number): Decoded | null {
    if (size > frame.longestBlock) throw new Unsound('a block is too long');
    const captured = kind === Kind.REPEATED ? 1 : size;
    if (this.#at + captured > this.#bytes.length) return decodeFailure('truncated', 'ends within a block');
    const end = this.#at + captured;
    this.#makeRoom(kind === Kind.COMPRESSED ? frame.longestBlock : size);
    if (kind === Kind.RAW) {
      this.#output.set(this.#bytes.subarray(this.#at, end), this.#written);
      this.#written += size;
      this.#enterBlock(RAW_LENGTHS, size, 0);
    } else if (kind === Kind.REPEATED) {
      this.#output.fill(this.#bytes[this.#at]!, this.#written, this.#written + size);
      this.#written += size;
      this.#enterBlock(NO_LENGTHS, size, 8);
    } else if (kind === Kind.COMPRESSED) this.#compressed(frame, end);
    else throw new Unsound('a block of no known kind');
    this.#at = end;
    return null;
  }

  /** A block that is all literals. @param bits that they share */
  #enterBlock(lengths: Uint8Array, size: number, bits: number): void {
    if (this.#book === null) return;
    if (size === 0) this.#book.container.add('block_headers', bits);
    else {
      this.#book.tokens.price(lengths);
      this.#book.tokens.literals(this.#written, bits);
    }
  }

  #makeRoom(count: number): void {
    const needed = this.#written + count;
    if (needed <= this.#output.length) return;
    const larger = scratch(Math.max(needed, Math.min(needed * 2, this.#limit + LONGEST_BLOCK)));
    if (larger !== this.#output) larger.set(this.#output.subarray(0, this.#written));
    this.#output = larger;
  }

  #compressed(frame: Frame, end: number): void {
    const { literals, count } = this.#literals(frame, end);
    const bytes = this.#bytes;
    if (this.#at >= end) throw new Unsound('a block has no sequences');
    const begin = this.#at;
    let sequences = bytes[this.#at++]!;
    if (sequences >= 128) {
      const wide = sequences === 255;
      if (this.#at + (wide ? 2 : 1) > end) throw new Unsound('a block is cut');
      sequences = wide ? this.#number(2) + 0x7f00 : (sequences - 128) * 256 + this.#number(1);
    }
    this.#enter('sequences_header', this.#at - begin);
    const stop = this.#written + frame.longestBlock;
    let taken = 0;
    if (sequences === 0) {
      if (this.#at !== end) throw new Unsound('a block continues behind its end');
    } else taken = this.#sequences(frame, end, sequences, literals, count, stop);
    const rest = literals.subarray(taken, count);
    if (this.#written + rest.length > stop) throw new Unsound('a block gives too much');
    this.#output.set(rest, this.#written);
    this.#written += rest.length;
    if (rest.length > 0) this.#book?.tokens.literals(this.#written, 0);
  }

  /** @returns where the literals are, and how many */
  #literals(frame: Frame, end: number): { readonly literals: Uint8Array; readonly count: number } {
    const bytes = this.#bytes;
    if (this.#at >= end) throw new Unsound('a block is empty');
    const first = bytes[this.#at]!;
    const kind = first & 3;
    const form = (first >> 2) & 3;
    if (kind < Kind.COMPRESSED) {
      const width = form === 1 ? 2 : form === 3 ? 3 : 1;
      if (this.#at + width > end) throw new Unsound('a block is cut');
      const head = this.#number(width);
      const count = width === 1 ? head >> 3 : head >> 4;
      if (count > frame.longestBlock) throw new Unsound('too many literals');
      const from = this.#at;
      this.#at += kind === Kind.RAW ? count : 1;
      if (this.#at > end) throw new Unsound('literals are cut');
      this.#enter('literals_header', width + (count === 0 && kind !== Kind.RAW ? 1 : 0));
      this.#book?.tokens.price(RAW_LENGTHS, kind === Kind.RAW ? 1 : 1 / count);
      if (kind === Kind.RAW) return { literals: bytes.subarray(from, from + count), count };
      literalsBuffer.fill(bytes[from]!, 0, count);
      return { literals: literalsBuffer, count };
    }
    const width = form < 2 ? 3 : form + 2;
    if (this.#at + width > end) throw new Unsound('a block is cut');
    const head = this.#number(width);
    const bits = [10, 10, 14, 18][form]!;
    const count = Math.floor(head / 16) % 2 ** bits;
    const size = Math.floor(head / 2 ** (4 + bits));
    if (count > frame.longestBlock) throw new Unsound('too many literals');
    const stop = this.#at + size;
    if (stop > end) throw new Unsound('literals are cut');
    this.#enter('literals_header', width);
    if (kind === Kind.COMPRESSED) {
      const { table, end: behind } = readHuffman(bytes, this.#at, stop);
      this.#enter('huffman_tables', behind - this.#at);
      frame.huffman = table;
      this.#at = behind;
    }
    const { huffman } = frame;
    if (huffman === null) throw new Unsound('a tree is referred to that is not there');
    this.#book?.tokens.price(literalLengths(huffman));
    bitBuffer.set(bytes.subarray(this.#at, stop));
    const offset = this.#at;
    if (form === 0) {
      readHuffmanStream(bitView, 0, stop - offset, huffman, literalsBuffer, 0, count);
      this.#enterPadding(stop);
    } else {
      if (this.#at + 6 > stop) throw new Unsound('literals are cut');
      this.#enter('jump_tables', 6);
      const sizes = [this.#number(2), this.#number(2), this.#number(2)];
      const quarter = Math.floor((count + 3) / 4);
      let from = this.#at;
      for (let stream = 0; stream < 4; stream++) {
        const to = stream < 3 ? from + sizes[stream]! : stop;
        const begin = stream * quarter;
        const own = stream < 3 ? quarter : count - begin;
        if (to > stop || own < 0) throw new Unsound('literals are cut');
        readHuffmanStream(bitView, from - offset, to - offset, huffman, literalsBuffer, begin, own);
        this.#enterPadding(to);
        from = to;
      }
    }
    this.#at = stop;
    return { literals: literalsBuffer, count };
  }

  /** The mark that a backward stream's bits stand behind, and the zeros above it, in the byte before `end`. */
  #enterPadding(end: number): void {
    this.#book?.container.add('padding', Math.clz32(this.#bytes[end - 1]!) - 23);
  }

  #table(frame: Frame, which: keyof typeof CODES, mode: number, end: number): FseTable {
    const { most, usual } = CODES[which];
    let table: FseTable;
    if (mode === 0) table = usual;
    else if (mode === 1) {
      const symbol = this.#at < end ? this.#bytes[this.#at++]! : 256;
      if (symbol > most.symbol) throw new Unsound('undefined code');
      table = repeatedSymbol(symbol);
    } else if (mode === 2) {
      const described = readFse(this.#bytes, this.#at, end, most);
      this.#at = described.end;
      table = described.table;
    } else {
      const before = frame[which];
      if (before === null) throw new Unsound('a table is referred to that is not there');
      table = before;
    }
    frame[which] = table;
    return table;
  }

  /** @returns how many literals were taken */
  #sequences(frame: Frame, end: number, sequences: number, literals: Uint8Array, count: number, stop: number): number {
    if (this.#at >= end) throw new Unsound('a block is cut');
    const modes = this.#bytes[this.#at++]!;
    if (modes & 3) throw new Unsound('a reserved bit is set');
    this.#enter('sequences_header', 1);
    const begin = this.#at;
    const ofLiterals = this.#table(frame, 'literals', modes >> 6, end);
    const ofDistances = this.#table(frame, 'distances', (modes >> 4) & 3, end);
    const ofMatches = this.#table(frame, 'matches', (modes >> 2) & 3, end);
    this.#enter('fse_tables', this.#at - begin);
    this.#enterPadding(end);
    const book = this.#book;
    book?.container.add('fse_initial_states', ofLiterals.accuracy + ofDistances.accuracy + ofMatches.accuracy);
    bitBuffer.set(this.#bytes.subarray(this.#at, end));
    const view = bitView;
    let left = bitsBelowMark(view, 0, end - this.#at);
    const first = (count: number): number => {
      left -= count;
      if (left < 0) throw new Unsound('sequences are cut');
      return (view.getUint32(left >>> 3, true) >>> (left & 7)) & ((1 << count) - 1);
    };
    let literalsState = first(ofLiterals.accuracy);
    let distanceState = first(ofDistances.accuracy);
    let matchState = first(ofMatches.accuracy);
    const literalsCells = ofLiterals.cells;
    const distanceCells = ofDistances.cells;
    const matchCells = ofMatches.cells;
    const { recent, start } = frame;
    const tokens = book?.tokens;
    tokens?.reserve(2 * sequences);
    let token = tokens?.length ?? 0;
    const tokenEnds = tokens?.ends ?? NO_TOKENS;
    const tokenDistances = tokens?.distances ?? NO_TOKENS;
    const tokenBits = tokens?.bits ?? NO_TOKENS;
    const output = this.#output;
    let written = this.#written;
    let taken = 0;
    for (let index = 1; index <= sequences; index++) {
      const distanceCell = distanceCells[distanceState]!;
      const matchCell = matchCells[matchState]!;
      const literalsCell = literalsCells[literalsState]!;
      const distanceCode = distanceCell & 255;
      const matchExtra = MATCH_EXTRA[matchCell & 255]!;
      const runExtra = LITERALS_EXTRA[literalsCell & 255]!;
      // Each read takes at most 25 bits: four bytes hold them at any bit offset.
      let place = 1;
      if (distanceCode > 0) {
        if (distanceCode > MOST_USEFUL_DISTANCE_CODE) throw new Unsound('a match lies before the start');
        const low = distanceCode > 25 ? distanceCode - 25 : 0;
        left -= distanceCode - low;
        if (left < low) throw new Unsound('sequences are cut');
        place = (view.getUint32(left >>> 3, true) >>> (left & 7)) & ((1 << (distanceCode - low)) - 1);
        if (low > 0) {
          left -= low;
          place = (place << low) | ((view.getUint32(left >>> 3, true) >>> (left & 7)) & ((1 << low) - 1));
        }
        place |= 1 << distanceCode;
      }
      let match = MATCH_BASE[matchCell & 255]!;
      let run = LITERALS_BASE[literalsCell & 255]!;
      if (matchExtra + runExtra > 0) {
        left -= matchExtra;
        if (left < runExtra) throw new Unsound('sequences are cut');
        match += (view.getUint32(left >>> 3, true) >>> (left & 7)) & ((1 << matchExtra) - 1);
        left -= runExtra;
        run += (view.getUint32(left >>> 3, true) >>> (left & 7)) & ((1 << runExtra) - 1);
      }
      let runBits = runExtra;
      let matchBits = distanceCode + matchExtra;
      // The bits of a state's update belong to the sequence that it leaves; behind the last one there is no update.
      if (index < sequences) {
        const runUpdate = (literalsCell >>> 8) & 255;
        const matchUpdate = (matchCell >>> 8) & 255;
        const distanceUpdate = (distanceCell >>> 8) & 255;
        runBits += runUpdate;
        matchBits += matchUpdate + distanceUpdate;
        left -= runUpdate + matchUpdate;
        if (left < distanceUpdate) throw new Unsound('sequences are cut');
        const held = view.getUint32(left >>> 3, true) >>> (left & 7);
        literalsState = (literalsCell >>> 16) + ((held >>> matchUpdate) & ((1 << runUpdate) - 1));
        matchState = (matchCell >>> 16) + (held & ((1 << matchUpdate) - 1));
        left -= distanceUpdate;
        distanceState =
          (distanceCell >>> 16) + ((view.getUint32(left >>> 3, true) >>> (left & 7)) & ((1 << distanceUpdate) - 1));
      }
      let distance = place - 3;
      if (place > 3) {
        recent[2] = recent[1]!;
        recent[1] = recent[0]!;
        recent[0] = distance;
      } else distance = recentDistance(recent, run === 0 ? place : place - 1);
      if (run > count - taken) throw new Unsound('more literals are taken than there are');
      if (written + run + match > stop) throw new Unsound('a block gives too much');
      for (const until = taken + run; taken < until; ) output[written++] = literals[taken++]!;
      if (distance === 0 || distance > written - start) throw new Unsound('a match lies before the start');
      if (tokens !== undefined) {
        if (run > 0) {
          tokenEnds[token] = written;
          tokenDistances[token] = 0;
          tokenBits[token++] = runBits;
        } else matchBits += runBits;
        tokenEnds[token] = written + match;
        tokenDistances[token] = distance;
        tokenBits[token++] = matchBits;
      }
      if (match > LONG_COPY && distance >= match) {
        output.copyWithin(written, written - distance, written - distance + match);
        written += match;
      } else
        for (const until = written + match; written < until; written++) output[written] = output[written - distance]!;
    }
    if (left !== 0) throw new Unsound('sequences do not end with their bits');
    if (tokens !== undefined) tokens.length = token;
    this.#written = written;
    return taken;
  }
}

/** The bits of each byte's code. */
function literalLengths({ entries }: HuffmanTable): Uint8Array {
  const lengths = new Uint8Array(256);
  for (const entry of entries) lengths[entry >> 4] = entry & 15;
  return lengths;
}

/** Numbers up to three stand for recent distances. @param index 1 more if no literals come before the match */
function recentDistance(recent: Int32Array, index: number): number {
  if (index === 0) return recent[0]!;
  const distance = index === 3 ? recent[0]! - 1 : recent[index]!;
  if (index > 1) recent[2] = recent[1]!;
  recent[1] = recent[0]!;
  recent[0] = distance;
  return distance;
}
