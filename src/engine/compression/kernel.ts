/**
 * The decoders' kernel: WebAssembly made from kernel/, and its memory. Compressed bytes are put there, plain ones are
 * looked at where they came out: they are borrowed, until something else is decoded or summed up.
 */
import { KERNEL_CODE } from './kernel-code.ts';
import { INPUT, INPUT_PADDING } from './kernel-memory.ts';

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly consumed: { readonly value: number };
  inflate(start: number, end: number, output: number, limit: number): number;
  snappy(start: number, end: number, output: number, size: number): number;
  crc32(start: number, end: number): number;
  crc32c(start: number, end: number): number;
  adler32(start: number, end: number): number;
}

const PAGE = 65536;
/** Most plain bytes that the memory can hold, even under a larger limit. */
const MOST = 2 ** 31 - 2 ** 20;
/** A memory that grew beyond this, in bytes, is dropped when the next bytes come. */
const LARGEST_KEPT = 8 * 1024 * 1024;

let module: WebAssembly.Module | undefined;
let exports: Exports | undefined;
/** The memory, seen anew whenever it grew. */
let memory: Uint8Array = new Uint8Array(0);

function look(): void {
  if (memory.buffer !== exports!.memory.buffer) memory = new Uint8Array(exports!.memory.buffer);
}

/** Such bytes are borrowed, and must be copied before they are decoded further. */
export const isKernelMemory = (bytes: Uint8Array): boolean => bytes.buffer === exports?.memory.buffer;

/** Puts `bytes` into the memory, zeros behind them, and returns where they end. */
function place(bytes: Uint8Array): number {
  if (exports === undefined || memory.length > LARGEST_KEPT) {
    module ??= new WebAssembly.Module(Uint8Array.from(atob(KERNEL_CODE), (character) => character.charCodeAt(0)));
    exports = new WebAssembly.Instance(module, {}).exports as unknown as Exports;
  }
  const end = INPUT + bytes.length;
  const missing = end + INPUT_PADDING - exports.memory.buffer.byteLength;
  if (missing > 0) exports.memory.grow(Math.ceil(missing / PAGE));
  look();
  memory.set(bytes, INPUT);
  memory.fill(0, end, end + INPUT_PADDING);
  return end;
}

const outputBehind = (end: number): number => (end + INPUT_PADDING + 15) & ~15;

export interface Plain {
  readonly bytes: Uint8Array;
  /** Compressed bytes read. */
  readonly consumed: number;
}

/** @param limit most bytes that may come out. @returns a fault if it cannot be decoded */
export function runInflate(bytes: Uint8Array, limit: number): Plain | number {
  const end = place(bytes);
  const output = outputBehind(end);
  const size = exports!.inflate(INPUT, end, output, Math.min(limit, MOST - output));
  if (size < 0) return size;
  look();
  return { bytes: memory.subarray(output, output + size), consumed: exports!.consumed.value >>> 0 };
}

/** @param from offset of the first element @param size plain bytes claimed, of which the caller believes in */
export function runSnappy(bytes: Uint8Array, from: number, size: number): Uint8Array | number {
  const end = place(bytes);
  const output = outputBehind(end);
  const count = exports!.snappy(INPUT + from, end, output, size);
  if (count < 0) return count;
  look();
  return memory.subarray(output, output + count);
}

const sum =
  (name: 'crc32' | 'crc32c' | 'adler32') =>
  (bytes: Uint8Array): number => {
    const start = isKernelMemory(bytes) ? bytes.byteOffset : place(bytes) - bytes.length;
    return exports![name](start, start + bytes.length) >>> 0;
  };

export const crc32 = sum('crc32');
export const crc32c = sum('crc32c');
export const adler32 = sum('adler32');
