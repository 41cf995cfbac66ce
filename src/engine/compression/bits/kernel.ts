/**
 * The kernel of decoders that write tokens, and of assigning bits to spans: WebAssembly made from kernel/. It is only
 * loaded to record bits; plain decoding uses ../kernel.ts.
 */
import { type DecoderExports, DecoderKernel } from '../kernel.ts';
import { CODE_LENGTHS, INPUT_PADDING } from '../kernel-memory.ts';
import type { BitBook } from './book.ts';
import { KERNEL_CODE } from './kernel-code.ts';
import {
  ACCOUNT_COLUMN,
  BITS_COLUMN,
  BOOKED_INPUT,
  DISTANCE_COLUMN,
  LITERAL_LENGTHS,
  SPAN_ENDS,
  SUM_SIZE,
  TOKEN_ENDS,
} from './kernel-memory.ts';
import { type Price, RAW_LENGTHS, type StreamTokens } from './tokens.ts';

/** The functions of kernel/main.ts, besides those of the decoders. */
interface BookedExports extends DecoderExports {
  begin(origin: number): void;
  isFinished(): number;
  endBits(): number;
  beginSettling(plain: number, sums: number): void;
  price(scale: number): void;
  moreTokens(count: number): void;
  moreSpans(count: number): void;
  settle(): number;
}

const Block = { STORED: 0, FIXED: 1 } as const;
const FIXED_LENGTHS = new Uint8Array(256).fill(8).fill(9, 144);

/** The book that is being written; undefined: none. */
let open: BitBook | undefined;

export const booked: DecoderKernel<BookedExports> = new DecoderKernel<BookedExports>(KERNEL_CODE, BOOKED_INPUT, {
  spill: (count) => open!.tokens.append(booked.memory, count!),
  block: (kind, bits, stored) => {
    const { tokens, container } = open!;
    container.add('block_headers', 3);
    container.add(kind === Block.STORED ? 'padding' : 'huffman_tables', bits!);
    if (kind === Block.STORED) container.add('stored_lengths', 32);
    if (kind === Block.FIXED) tokens.price(FIXED_LENGTHS);
    else if (kind !== Block.STORED) tokens.price(booked.memory.slice(CODE_LENGTHS, CODE_LENGTHS + 256));
    else if (stored! > 0) tokens.price(RAW_LENGTHS);
  },
  endOfBlock: (bits) => open!.container.add('end_of_block', bits!),
  padding: (bits) => open!.container.add('padding', bits!),
});

/** The kernel that writes a book. */
export interface Books {
  readonly book: BitBook;
  readonly kernel: DecoderKernel<BookedExports>;
  /** Where the compressed bytes end in the kernel's memory. */
  readonly end: number;
}

/** Copies the compressed bytes into the memory. From now on, decoding makes entries in `book`. */
export function openBooks(bytes: Uint8Array, book: BitBook): Books {
  const end = booked.place(bytes);
  resident = undefined;
  open = book;
  booked.exports.begin(booked.output);
  return { book, kernel: booked, end };
}

/** Copied plain bytes that are still in the kernel's memory too. */
let resident: Uint8Array | undefined;

/** Copies plain bytes that the kernel lends. */
export function keepPlain(bytes: Uint8Array): Uint8Array {
  resident = bytes.slice();
  return resident;
}

/** Begins to assign the bits of `plain` to accounts. Returns the address of the sums: 16 bytes an account. */
export function beginSettling(plain: Uint8Array, accounts: number): { readonly sums: number } {
  if (resident !== plain) {
    booked.place(plain);
    resident = undefined;
  }
  const begin = resident === plain ? booked.output : booked.input;
  const sums = (begin + plain.length + INPUT_PADDING + 15) & ~15;
  booked.exports.makeRoom(sums, accounts * SUM_SIZE);
  booked.memory.fill(0, sums, sums + accounts * SUM_SIZE);
  booked.exports.beginSettling(begin, sums);
  return { sums };
}

const words = (column: number, count: number): Uint32Array =>
  new Uint32Array(booked.exports.memory.buffer, column, count);

/** Sets the price of literals in the following tokens. */
export function putPrice({ lengths, scale }: Price): void {
  booked.memory.set(lengths.subarray(0, 256), LITERAL_LENGTHS);
  booked.exports.price(scale);
}

export function putTokens({ ends, distances, bits }: StreamTokens, from: number, to: number): void {
  words(TOKEN_ENDS, to - from).set(ends.subarray(from, to));
  words(TOKEN_ENDS + DISTANCE_COLUMN, to - from).set(distances.subarray(from, to));
  words(TOKEN_ENDS + BITS_COLUMN, to - from).set(bits.subarray(from, to));
  booked.exports.moreTokens(to - from);
}

interface SpanColumns {
  readonly ends: Uint32Array;
  readonly accounts: Uint32Array;
}

export function putSpans({ ends, accounts }: SpanColumns, from: number, to: number): void {
  words(SPAN_ENDS, to - from).set(ends.subarray(from, to));
  words(SPAN_ENDS + ACCOUNT_COLUMN, to - from).set(accounts.subarray(from, to));
  booked.exports.moreSpans(to - from);
}
