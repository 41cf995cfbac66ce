/**
 * DEFLATE (RFC 1951) → tokens. Only the symbols are read: the plain bytes come from the decoder's kernel, and what a
 * literal costs is looked up by its byte in the lengths of its block's codes.
 */
import { type BitBook, type BitFailure, bitFailure } from './book.ts';
import { SymbolTable } from './deflate-codes.ts';
import { RAW_LENGTHS } from './tokens.ts';

const PADDING = 8;
const END_OF_BLOCK = 256;
const FIRST_LENGTH = 257;
const LITERALS = 288;
const DISTANCES = 32;
/** The order in which the lengths of the codes for code lengths come. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LENGTH_EXTRA = Uint8Array.of(
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  1,
  1,
  1,
  1,
  2,
  2,
  2,
  2,
  3,
  3,
  3,
  3,
  4,
  4,
  4,
  4,
  5,
  5,
  5,
  5,
  0,
);
const LENGTH_BASE = Uint16Array.from([...basesFrom(3, LENGTH_EXTRA.subarray(0, -1)), 258]);
const DISTANCE_EXTRA = Uint8Array.from({ length: 30 }, (_, symbol) => Math.max(0, (symbol >> 1) - 1));
const DISTANCE_BASE = Uint16Array.from(basesFrom(1, DISTANCE_EXTRA));

function basesFrom(first: number, extra: Uint8Array): number[] {
  let base = first;
  return Array.from(extra, (bits) => {
    const own = base;
    base += 2 ** bits;
    return own;
  });
}

const fixedLengths = new Uint8Array(LITERALS).fill(8).fill(9, 144, 256).fill(7, 256, 280);
const fixedLiterals = new SymbolTable(9, LITERALS);
fixedLiterals.fill(fixedLengths, 0, LITERALS);
const fixedDistances = new SymbolTable(5, DISTANCES);
fixedDistances.fill(new Uint8Array(DISTANCES).fill(5), 0, DISTANCES);

/** Filled anew for each block. */
const dynamicLiterals = new SymbolTable(11, LITERALS);
const dynamicDistances = new SymbolTable(9, DISTANCES);
const codeLengths = new SymbolTable(7, LENGTH_ORDER.length);

/** @returns the offset behind the last block, and whether it is marked as the last; or why it cannot be found. @param from offset of the first block in `bytes` */
export function walkDeflate(
  bytes: Uint8Array,
  from: number,
  limit: number,
  book: BitBook,
): { readonly ok: true; readonly end: number; readonly isFinished: boolean } | BitFailure {
  const walk = new DeflateWalk(bytes, from, limit, book);
  const failure = walk.run();
  return failure ?? { ok: true, end: walk.end, isFinished: walk.isFinished };
}

class DeflateWalk {
  readonly #bytes: Uint8Array;
  /** The same with four bytes behind them. */
  readonly #view: DataView;
  readonly #limit: number;
  readonly #book: BitBook;
  /** Plain offset of the stream's first byte: nothing before it can be copied. */
  readonly #floor: number;
  /** Position in bits. */
  #bit: number;
  isFinished = false;
  readonly #begin: number;
  readonly #most: number;

  constructor(bytes: Uint8Array, from: number, limit: number, book: BitBook) {
    this.#bytes = bytes;
    const padded = new Uint8Array(bytes.length + PADDING);
    padded.set(bytes);
    this.#view = new DataView(padded.buffer);
    this.#limit = limit;
    this.#book = book;
    this.#floor = book.tokens.end;
    this.#bit = from * 8;
    this.#begin = this.#bit;
    this.#most = bytes.length * 8;
  }

  get end(): number {
    return Math.ceil(this.#bit / 8);
  }

  #fail(reason: BitFailure['reason'], detail: string): BitFailure {
    return bitFailure(reason, detail, Math.min(this.#bytes.length, Math.floor(this.#bit / 8)));
  }

  #cut = (): BitFailure => this.#fail('truncated', 'the deflate stream does not end');

  /** The next `count` bits, at most 16; zeros behind the end. */
  #peek(count: number): number {
    const at = Math.floor(this.#bit / 8);
    const bytes = this.#bytes;
    const held = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    return (held >>> (this.#bit % 8)) & ((1 << count) - 1);
  }

  #take(count: number): number {
    const bits = this.#peek(count);
    this.#bit += count;
    return bits;
  }

  run(): BitFailure | null {
    const { container } = this.#book;
    while (!this.isFinished) {
      // A stream that was flushed and never finished ends with the bytes.
      if (this.#bit === this.#most && this.#bit > this.#begin) return null;
      if (this.#bit + 3 > this.#most) return this.#cut();
      this.isFinished = this.#take(1) === 1;
      const kind = this.#take(2);
      container.add('block_headers', 3);
      const failure =
        kind === 0
          ? this.#stored()
          : kind === 1
            ? this.#symbols(fixedLiterals, fixedDistances, fixedLengths)
            : kind === 2
              ? this.#dynamic()
              : this.#fail('malformed', 'not a deflate stream: a block of no known kind');
      if (failure !== null) return failure;
    }
    container.add('padding', (8 - (this.#bit % 8)) % 8);
    return null;
  }

  #stored(): BitFailure | null {
    const { tokens, container } = this.#book;
    const padding = (8 - (this.#bit % 8)) % 8;
    this.#bit += padding;
    container.add('padding', padding);
    if (this.#bit + 32 > this.#most) return this.#cut();
    const length = this.#take(16);
    if (length !== (this.#take(16) ^ 0xffff)) {
      return this.#fail('malformed', 'not a deflate stream: the length of a stored block');
    }
    container.add('stored_lengths', 32);
    if (this.#bit + length * 8 > this.#most) return this.#cut();
    if (length === 0) return null;
    const end = tokens.end + length;
    if (end > this.#limit) return this.#fail('limit', `more than ${this.#limit} bytes come out`);
    this.#bit += length * 8;
    tokens.price(RAW_LENGTHS);
    tokens.literals(end, 0);
    return null;
  }

  #dynamic(): BitFailure | null {
    const begin = this.#bit;
    const wrong = (what: string) => this.#fail('malformed', `not a deflate stream: ${what}`);
    const literals = this.#take(5) + 257;
    const distances = this.#take(5) + 1;
    const codes = this.#take(4) + 4;
    if (literals > 286 || distances > 30) return wrong('too many codes');
    const ofCodes = new Uint8Array(LENGTH_ORDER.length);
    for (let i = 0; i < codes; i++) ofCodes[LENGTH_ORDER[i]!] = this.#take(3);
    if (!codeLengths.fill(ofCodes, 0, ofCodes.length)) return wrong('the codes for code lengths');
    const lengths = new Uint8Array(literals + distances);
    for (let i = 0; i < lengths.length; ) {
      if (this.#bit > this.#most) return this.#cut();
      const entry = codeLengths.entries[this.#peek(7)]!;
      if (entry === 0) return wrong('an undefined code');
      this.#bit += entry & 15;
      const symbol = entry >> 4;
      if (symbol < 16) {
        lengths[i++] = symbol;
        continue;
      }
      if (symbol === 16 && i === 0) return wrong('a code length is repeated before the first');
      const repeated = symbol === 16 ? lengths[i - 1]! : 0;
      const count = symbol === 16 ? this.#take(2) + 3 : symbol === 17 ? this.#take(3) + 3 : this.#take(7) + 11;
      if (i + count > lengths.length) return wrong('too many code lengths');
      lengths.fill(repeated, i, i + count);
      i += count;
    }
    if (this.#bit > this.#most) return this.#cut();
    const isSound =
      lengths[END_OF_BLOCK] !== 0 &&
      dynamicLiterals.fill(lengths, 0, literals) &&
      dynamicDistances.fill(lengths, literals, distances);
    if (!isSound) return wrong('its codes');
    this.#book.container.add('huffman_tables', this.#bit - begin);
    return this.#symbols(dynamicLiterals, dynamicDistances, lengths);
  }

  /** The symbols of a block, up to its end. */
  #symbols(literals: SymbolTable, distances: SymbolTable, lengths: Uint8Array): BitFailure | null {
    const { tokens, container } = this.#book;
    tokens.price(lengths);
    const view = this.#view;
    const most = this.#most;
    const literalMask = (1 << literals.bits) - 1;
    const distanceMask = (1 << distances.bits) - 1;
    const literalEntries = literals.entries;
    const distanceEntries = distances.entries;
    const floor = this.#floor;
    const limit = this.#limit;
    let plain = tokens.end;
    let taken = plain;
    let bit = this.#bit;
    let token = tokens.length;
    let { ends, distances: backs, bits: costs } = tokens;
    for (;;) {
      // 25 bits at least: two codes that the table holds, or one of any length with its extra bits.
      let held = view.getUint32(bit >>> 3, true) >>> (bit & 7);
      let entry = literalEntries[held & literalMask]!;
      if (isLiteral(entry) && bit < most) {
        bit += entry & 15;
        plain++;
        entry = literalEntries[(held >>> (entry & 15)) & literalMask]!;
        if (isLiteral(entry)) {
          bit += entry & 15;
          plain++;
          continue;
        }
        if (bit < most) held = view.getUint32(bit >>> 3, true) >>> (bit & 7);
      }
      if (entry === 0) entry = literals.find(held);
      const code = entry & 15;
      const symbol = entry >> 4;
      this.#bit = bit;
      if (bit + code > most) return this.#cut();
      if (plain > limit) return this.#fail('limit', `more than ${limit} bytes come out`);
      if (isLiteral(entry)) {
        bit += code;
        plain++;
        continue;
      }
      const place = symbol - FIRST_LENGTH;
      if (entry === 0 || place >= LENGTH_EXTRA.length) {
        return bit + LONGEST_CODE > most ? this.#cut() : this.#fail('malformed', NO_CODE);
      }
      if (token + 2 > ends.length) {
        tokens.length = token;
        tokens.reserve(2);
        ({ ends, distances: backs, bits: costs } = tokens);
      }
      if (plain > taken) {
        ends[token] = plain;
        backs[token] = 0;
        costs[token++] = 0;
      }
      if (symbol === END_OF_BLOCK) {
        tokens.length = token;
        this.#bit = bit + code;
        container.add('end_of_block', code);
        return null;
      }
      const extra = LENGTH_EXTRA[place]!;
      const length = LENGTH_BASE[place]! + ((held >>> code) & ((1 << extra) - 1));
      const begin = bit;
      bit += code + extra;
      if (bit > most) return this.#cut();
      held = view.getUint32(bit >>> 3, true) >>> (bit & 7);
      let back = distanceEntries[held & distanceMask]!;
      if (back === 0) back = distances.find(held);
      const backPlace = back >> 4;
      if (back === 0 || backPlace >= DISTANCE_EXTRA.length) {
        return bit + LONGEST_CODE > most ? this.#cut() : this.#fail('malformed', NO_CODE);
      }
      const backExtra = DISTANCE_EXTRA[backPlace]!;
      bit += back & 15;
      if (bit + backExtra > most) return this.#cut();
      held = view.getUint32(bit >>> 3, true) >>> (bit & 7);
      bit += backExtra;
      const distance = DISTANCE_BASE[backPlace]! + (held & ((1 << backExtra) - 1));
      if (distance > plain - floor)
        return this.#fail('malformed', 'not a deflate stream: a match lies before the start');
      plain += length;
      ends[token] = plain;
      backs[token] = distance;
      costs[token++] = bit - begin;
      taken = plain;
    }
  }
}

/** A symbol below 256, of a code that the table holds. */
const isLiteral = (entry: number): boolean => (entry - 1) >>> 0 < (END_OF_BLOCK << 4) - 1;

const LONGEST_CODE = 15;
const NO_CODE = 'not a deflate stream: an undefined code';
