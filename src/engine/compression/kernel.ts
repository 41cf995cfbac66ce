/**
 * The decoders' kernel: WebAssembly made from kernel/, and its memory. Compressed bytes are copied into the memory.
 * Plain bytes are used in place: they are borrowed, valid until the next call of a decoder or checksum.
 */
import { type Decoded, SLICE, type Slices } from './codec.ts';
import { PAUSED } from './fault.ts';
import { KERNEL_CODE } from './kernel-code.ts';
import { INPUT, INPUT_PADDING } from './kernel-memory.ts';

/** The functions of kernel/main.ts. Addresses are those of the kernel's memory. */
export interface DecoderExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly consumed: { readonly value: number };
  readonly taken: { readonly value: number };
  makeRoom(from: number, count: number): number;
  inflate(start: number, end: number, output: number, limit: number, slice: number): number;
  snappy(start: number, pause: number, end: number, output: number, written: number, size: number): number;
  lz4(start: number, pause: number, end: number, floor: number, begin: number, stop: number, most: number): number;
  huffman(start: number, end: number, width: number, count: number): number;
  huffmanOfFour(a: number, b: number, c: number, d: number, end: number, width: number, count: number): number;
  sequences(
    start: number,
    end: number,
    number: number,
    literalsAccuracy: number,
    distanceAccuracy: number,
    matchAccuracy: number,
    literals: number,
    count: number,
    begin: number,
    stop: number,
    floor: number,
  ): number;
  crc32(start: number, end: number): number;
  crc32c(start: number, end: number): number;
  adler32(start: number, end: number): number;
  xxh32(start: number, end: number): number;
  /** The low half. */
  xxh64(start: number, end: number): number;
}

const PAGE = 65536;
/** Maximum plain bytes that the memory can hold, for any limit. */
const MOST = 2 ** 31 - 2 ** 20;
/**
 * If the memory grew beyond this number of bytes, it is dropped when much smaller data follow, because fresh memory is
 * slow.
 */
const LARGEST_KEPT = 8 * 1024 * 1024;
const FAR_FEWER = 32;

/** By its code: all kernels of a module share what the engine compiled of it. */
const MODULES = new Map<string, WebAssembly.Module>();

function moduleOf(code: string): WebAssembly.Module {
  const module =
    MODULES.get(code) ?? new WebAssembly.Module(Uint8Array.from(atob(code), (character) => character.charCodeAt(0)));
  MODULES.set(code, module);
  return module;
}

/** A kernel with its memory. It holds one stream at a time: its compressed bytes, followed by its plain bytes. */
export class DecoderKernel<E extends DecoderExports = DecoderExports> {
  /** Address of the compressed bytes. */
  readonly input: number;
  /** Address of the plain bytes. */
  output = 0;
  readonly #code: string;
  readonly #host: Readonly<Record<string, (...numbers: number[]) => void>>;
  #exports: E | undefined;
  #memory: Uint8Array = new Uint8Array(0);

  /** @param code WebAssembly, as base64 @param host its imports */
  constructor(code: string, input: number, host: Readonly<Record<string, (...numbers: number[]) => void>> = {}) {
    this.#code = code;
    this.input = input;
    this.#host = host;
  }

  get exports(): E {
    return this.#exports!;
  }

  /** A view of the memory, renewed whenever it grew. */
  get memory(): Uint8Array {
    const { buffer } = this.#exports!.memory;
    if (this.#memory.buffer !== buffer) this.#memory = new Uint8Array(buffer);
    return this.#memory;
  }

  /** Whether bytes are borrowed from this kernel. Such bytes must be copied before the next call of a decoder. */
  holds = (bytes: Uint8Array): boolean => bytes.buffer === this.#exports?.memory.buffer;

  /** Copies `bytes` into the memory, with zeros after them. Returns the address of their end. */
  place(bytes: Uint8Array): number {
    const size = this.#exports?.memory.buffer.byteLength ?? 0;
    if (this.#exports === undefined || (size > LARGEST_KEPT && bytes.length * FAR_FEWER < size)) {
      this.#exports = new WebAssembly.Instance(moduleOf(this.#code), { host: this.#host }).exports as unknown as E;
    }
    const end = this.input + bytes.length;
    const missing = end + INPUT_PADDING - this.#exports.memory.buffer.byteLength;
    if (missing > 0) this.#exports.memory.grow(Math.ceil(missing / PAGE));
    const { memory } = this;
    memory.set(bytes, this.input);
    memory.fill(0, end, end + INPUT_PADDING);
    this.output = (end + INPUT_PADDING + 15) & ~15;
    return end;
  }

  /** Maximum plain bytes: `limit`, or what the memory can hold. */
  most = (limit: number): number => Math.min(limit, MOST - this.output);

  /** Makes room for `count` plain bytes. Returns false if there is not enough memory. */
  room = (count: number): boolean => this.exports.makeRoom(this.output, count) !== 0;

  /** The plain bytes from `start` to `end`. */
  plain = (start: number, end: number): Uint8Array => this.memory.subarray(this.output + start, this.output + end);

  /** @param bytes if they are not in the memory, they overwrite what is there */
  sum(name: 'crc32' | 'crc32c' | 'adler32' | 'xxh32' | 'xxh64', bytes: Uint8Array): number {
    const start = this.holds(bytes) ? bytes.byteOffset : this.place(bytes) - bytes.length;
    return this.exports[name](start, start + bytes.length) >>> 0;
  }
}

/** The functions of the kernel that records no bits. */
interface PlainExports extends DecoderExports {
  inflateOn(start: number, end: number, output: number, limit: number, slice: number): number;
}

/** A kernel for decoding without recording bits. */
export type PlainKernel = DecoderKernel<PlainExports>;

/** The kernel of all bodies that are decoded at once. */
export const decoders: PlainKernel = new DecoderKernel<PlainExports>(KERNEL_CODE, INPUT);

/** A kernel for one body that is decoded in slices: between them, `decoders` may decode others. */
export const ownKernel = (): PlainKernel => new DecoderKernel<PlainExports>(KERNEL_CODE, INPUT);

export const isKernelMemory = (bytes: Uint8Array): boolean => decoders.holds(bytes);

/** A decoder that gives way. The result is in the memory of `kernel`, or has memory of its own. */
export type DecodeSlices = (
  bytes: Uint8Array,
  limit: number,
  kernel: PlainKernel,
  window?: Uint8Array,
) => Slices<Decoded>;

/** Compressed bytes of a step of LZ4 or Snappy. A byte of LZ4 gives at most 255 plain bytes. */
export const STEP = SLICE / 256;

export interface Plain {
  readonly bytes: Uint8Array;
  /** Number of compressed bytes that were read. */
  readonly consumed: number;
}

/**
 * @param limit maximum plain bytes @returns PAUSED: a slice is decoded, and `goOnInflating` decodes the rest. Another
 * fault: the bytes cannot be decoded
 */
export function runInflate(bytes: Uint8Array, limit: number, kernel: PlainKernel): Plain | number {
  const end = kernel.place(bytes);
  return plainOf(kernel, kernel.exports.inflate(INPUT, end, kernel.output, kernel.most(limit), SLICE));
}

/** @param size of the compressed bytes @param limit as before */
export function* goOnInflating(size: number, limit: number, kernel: PlainKernel): Slices<Plain | number> {
  for (;;) {
    yield;
    const answer = kernel.exports.inflateOn(INPUT, INPUT + size, kernel.output, kernel.most(limit), SLICE);
    if (answer !== PAUSED) return plainOf(kernel, answer);
  }
}

const plainOf = (kernel: PlainKernel, answer: number): Plain | number =>
  answer < 0 ? answer : { bytes: kernel.plain(0, answer), consumed: kernel.exports.consumed.value >>> 0 };
