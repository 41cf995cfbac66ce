/**
 * The two entropy codes of Zstandard (RFC 8878 §4), finite state entropy and Huffman, and the bit streams that contain
 * them. Invalid data throws `Unsound`; `zstd.ts` catches it.
 */

/** Invalid Zstandard data. It is only thrown and caught within the decoder. */
export class InvalidZstdError extends Error {}

const LONGEST_HUFFMAN = 11;

/**
 * Bits that are read in reverse order, from the last written one to the first. The highest set bit of the last byte
 * marks their end.
 */
export class BackwardBits {
  readonly #bytes: Uint8Array;
  readonly #start: number;
  /** Number of remaining bits; negative: zeros were read beyond the beginning. */
  left: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    const last = end > start ? bytes[end - 1]! : 0;
    if (last === 0) throw new InvalidZstdError('a bit stream has no end mark');
    this.#bytes = bytes;
    this.#start = start;
    this.left = (end - start) * 8 - 1 - Math.clz32(last) + 24;
  }

  /** The next `count` bits, at most 16, without consuming them. */
  peek(count: number): number {
    const at = this.left - count;
    if (at < 0) {
      const there = this.left;
      return there <= 0 ? 0 : (this.#bitsAt(0) & ((1 << there) - 1)) << (count - there);
    }
    return this.#bitsAt(at) & ((1 << count) - 1);
  }

  read(count: number): number {
    const bits = this.peek(count);
    this.left -= count;
    return bits;
  }

  #bitsAt(bit: number): number {
    const at = this.#start + (bit >> 3);
    return (this.#bytes[at]! | (this.#bytes[at + 1]! << 8) | (this.#bytes[at + 2]! << 16)) >>> (bit & 7);
  }
}

/** By state: symbol │ bits of the update × 2⁸ │ base of the next state × 2¹⁶. */
export interface FseTable {
  readonly accuracy: number;
  readonly cells: Int32Array;
}

export const repeatedSymbol = (symbol: number): FseTable => ({ accuracy: 0, cells: Int32Array.of(symbol) });

/** @param counts number of states by symbol; −1: one state, whose update reads all bits */
export function buildFse(counts: readonly number[], accuracy: number): FseTable {
  const size = 1 << accuracy;
  const cells = new Int32Array(size);
  const next = new Uint16Array(counts.length);
  let high = size;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    next[symbol] = Math.abs(counts[symbol]!);
    if (counts[symbol] === -1) cells[--high] = symbol;
  }
  const step = (size >> 1) + (size >> 3) + 3;
  let at = 0;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    for (let i = counts[symbol]!; i > 0; i--) {
      cells[at] = symbol;
      do at = (at + step) & (size - 1);
      while (at >= high);
    }
  }
  if (at !== 0) throw new InvalidZstdError('a table does not add up');
  for (let state = 0; state < size; state++) {
    const symbol = cells[state]!;
    const number = next[symbol]!++;
    const width = accuracy - (31 - Math.clz32(number));
    cells[state] = symbol | (width << 8) | (((number << width) - size) << 16);
  }
  return { accuracy, cells };
}

/** Reads a table's description. @returns the table, and the offset after the description */
export function readFse(
  bytes: Uint8Array,
  start: number,
  end: number,
  most: { readonly accuracy: number; readonly symbol: number },
): { readonly table: FseTable; readonly end: number } {
  let bit = start * 8;
  const read = (count: number): number => {
    const at = bit >> 3;
    const value = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16)) >>> (bit & 7);
    bit += count;
    if (bit > end * 8) throw new InvalidZstdError('a table is cut');
    return value & ((1 << count) - 1);
  };
  if (start >= end) throw new InvalidZstdError('a table is missing');
  const accuracy = read(4) + 5;
  if (accuracy > most.accuracy) throw new InvalidZstdError('a table is too fine');
  const counts: number[] = [];
  let left = 1 << accuracy;
  while (left > 0) {
    if (counts.length > most.symbol) throw new InvalidZstdError('a table has too many symbols');
    const width = 32 - Math.clz32(left + 1);
    const low = (1 << (width - 1)) - 1;
    const short = (1 << width) - 2 - left;
    // A shorter number ends one bit earlier, which may be the last available bit.
    let value = read(width - 1);
    if (value >= short) {
      value |= read(1) << (width - 1);
      if (value > low) value -= short;
    }
    counts.push(value - 1);
    left -= Math.abs(value - 1);
    if (value !== 1) continue;
    for (let repeats = 3; repeats === 3; ) {
      repeats = read(2);
      for (let i = 0; i < repeats; i++) counts.push(0);
      if (counts.length > most.symbol + 1) throw new InvalidZstdError('a table has too many symbols');
    }
  }
  if (left !== 0 || counts.length > most.symbol + 1) throw new InvalidZstdError('a table does not add up');
  return { table: buildFse(counts, accuracy), end: Math.ceil(bit / 8) };
}

/** A Huffman table, whose entries are in the kernel's memory. */
export interface HuffmanTable {
  readonly bits: number;
  /** Length of each byte's code, in bits. */
  readonly lengths: Uint8Array;
}

/** Maximum number of entries of a table. */
export const HUFFMAN_ENTRIES = 1 << LONGEST_HUFFMAN;

/**
 * Reads a tree's description.
 * @param entries receives the table, indexed by the next `bits` bits: symbol << 4 | length of its code @returns the
 * table, and the offset after the description
 */
export function readHuffman(
  bytes: Uint8Array,
  start: number,
  end: number,
  entries: Uint16Array,
): { readonly table: HuffmanTable; readonly end: number } {
  if (start >= end) throw new InvalidZstdError('a tree is missing');
  const head = bytes[start]!;
  const weights = new Uint8Array(256);
  let count: number;
  let behind: number;
  if (head >= 128) {
    count = head - 127;
    behind = start + 1 + Math.ceil(count / 2);
    if (behind > end) throw new InvalidZstdError('a tree is cut');
    for (let i = 0; i < count; i++) {
      const pair = bytes[start + 1 + (i >> 1)]!;
      weights[i] = i % 2 === 0 ? pair >> 4 : pair & 15;
    }
  } else {
    behind = start + 1 + head;
    if (behind > end) throw new InvalidZstdError('a tree is cut');
    count = readWeights(bytes, start + 1, behind, weights);
  }
  let sum = 0;
  for (let i = 0; i < count; i++) {
    if (weights[i]! > LONGEST_HUFFMAN) throw new InvalidZstdError('a code is too long');
    sum += (1 << weights[i]!) >> 1;
  }
  if (sum === 0) throw new InvalidZstdError('a tree has no codes');
  const width = 32 - Math.clz32(sum);
  const left = (1 << width) - sum;
  if (width > LONGEST_HUFFMAN || (left & (left - 1)) !== 0) throw new InvalidZstdError('a tree does not add up');
  weights[count++] = 32 - Math.clz32(left);
  // Codes of the lowest weight come first. Each takes 2^(weight − 1) entries.
  const places = new Uint16Array(width + 2);
  for (let i = 0; i < count; i++) places[weights[i]! + 1]! += (1 << weights[i]!) >> 1;
  for (let weight = 1; weight <= width; weight++) places[weight + 1]! += places[weight]!;
  const lengths = new Uint8Array(256);
  for (let symbol = 0; symbol < count; symbol++) {
    const weight = weights[symbol]!;
    if (weight === 0) continue;
    const length = width + 1 - weight;
    lengths[symbol] = length;
    const from = places[weight]!;
    places[weight] = from + (1 << (weight - 1));
    entries.fill((symbol << 4) | length, from, from + (1 << (weight - 1)));
  }
  return { table: { bits: width, lengths }, end: behind };
}

/** Reads weights with two alternating states, up to the end of the bits. @returns the number of weights, at most 255 */
function readWeights(bytes: Uint8Array, start: number, end: number, into: Uint8Array): number {
  const { table, end: from } = readFse(bytes, start, end, { accuracy: 6, symbol: 12 });
  const bits = new BackwardBits(bytes, from, end);
  const states = [bits.read(table.accuracy), bits.read(table.accuracy)];
  if (bits.left < 0) throw new InvalidZstdError('a tree is cut');
  for (let turn = 0, count = 0; ; turn ^= 1) {
    const cell = table.cells[states[turn]!]!;
    into[count++] = cell & 255;
    if (count > 255) throw new InvalidZstdError('a tree has too many symbols');
    states[turn] = (cell >>> 16) + bits.read((cell >>> 8) & 255);
    if (bits.left >= 0) continue;
    into[count++] = table.cells[states[turn ^ 1]!]! & 255;
    if (count > 255) throw new InvalidZstdError('a tree has too many symbols');
    return count;
  }
}
