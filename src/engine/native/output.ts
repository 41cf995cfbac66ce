/**
 * A growing output buffer with the primitives of sequential streams. Names and bytes of the variable-width and text
 * forms are those of `org.opensearch.core.common.io.stream.StreamOutput` (2.19.2).
 */
import { setVarint } from '../bytes/varint.ts';
import type { IntForm } from './layout.ts';

/** A 64-bit integer as two signed 32-bit halves. */
export interface Int64 {
  readonly low: number;
  readonly high: number;
}

/** Up to this length, a loop is faster than a call. */
const SHORT = 32;

/** Largest memory that is kept for reuse. */
const LARGEST_KEPT = 1 << 20;

/** Memory of a finished output, kept for the next one because messages are small and many. */
let spare: Uint8Array<ArrayBuffer> | undefined;

function takeMemory(): Uint8Array<ArrayBuffer> {
  const memory = spare ?? new Uint8Array(1024);
  spare = undefined;
  return memory;
}

export class Output {
  #bytes = takeMemory();
  length = 0;

  /** Returns the bytes and ends the output: nothing can be written afterwards. */
  finish(): Uint8Array {
    const { length } = this;
    const bytes = this.#bytes;
    const isWhole = length === bytes.length && length > LARGEST_KEPT;
    const finished = isWhole ? bytes : bytes.slice(0, length);
    if (bytes.length <= LARGEST_KEPT) spare = bytes;
    this.#bytes = finished;
    return finished;
  }

  /** Takes the memory for a known number of bytes at once; nothing is written yet. */
  expect(bytes: number): void {
    if (bytes > LARGEST_KEPT) this.#bytes = new Uint8Array(bytes);
  }

  /** Starts again and overwrites the earlier bytes. */
  clear(): void {
    this.length = 0;
    if (this.#bytes.length > LARGEST_KEPT) this.#bytes = takeMemory();
  }

  /** Borrowed: valid until more is written. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = value;
  }

  raw(bytes: Uint8Array, start = 0, end = bytes.length): void {
    const count = end - start;
    this.#reserve(count);
    if (count <= SHORT) for (let i = 0; i < count; i++) this.#bytes[this.length + i] = bytes[start + i]!;
    else this.#bytes.set(bytes.subarray(start, end), this.length);
    this.length += count;
  }

  /** Writes an integer. `low` and `high` are the value, sign-extended. A fixed form takes its lowest bytes. */
  int(form: IntForm, low: number, high: number): void {
    if (form.kind === 'varint') {
      if (form.zigzag) this.varint64((low << 1) ^ (high >> 31), ((high << 1) | (low >>> 31)) ^ (high >> 31));
      else if (form.more === 1) this.varint64((low + 1) | 0, 0);
      else this.varint64(low, form.bits === 32 ? 0 : high);
      return;
    }
    if (form.kind === 'marked') {
      if (form.zigzag) this.#marked((low << 1) ^ (high >> 31), ((high << 1) | (low >>> 31)) ^ (high >> 31));
      else this.#marked(low, high);
      return;
    }
    this.#reserve(8);
    for (let i = 0; i < form.bytes; i++) {
      const at = form.order === 'little' ? i : form.bytes - 1 - i;
      this.#bytes[this.length + at] = i < 4 ? low >>> (i * 8) : high >>> ((i - 4) * 8);
    }
    this.length += form.bytes;
  }

  /** bincode's `VarintEncoding` (docs.rs/bincode/2.0.1/bincode/config/struct.Configuration.html#method.with_variable_int_encoding). */
  #marked(low: number, high: number): void {
    if (high === 0 && low >= 0 && low <= 250) {
      this.byte(low);
      return;
    }
    const bytes = high !== 0 ? 8 : low >>> 16 !== 0 ? 4 : 2;
    this.byte(bytes === 8 ? 253 : bytes === 4 ? 252 : 251);
    this.int({ kind: 'fixed', bytes, order: 'little' }, low, high);
  }

  /** Inserts an integer at an offset, before bytes that are already written. Returns the number of inserted bytes. */
  insertInt(at: number, form: IntForm, value: number): number {
    const end = this.length;
    this.int(form, value, 0);
    const size = this.length - end;
    const written = this.#bytes.slice(end, this.length);
    this.#bytes.copyWithin(at + size, at, end);
    this.#bytes.set(written, at);
    return size;
  }

  /** writeVInt and writeVLongNoCheck: 7 bits a byte, low bits first. */
  varint64(low: number, high: number): void {
    this.#reserve(10);
    this.length = setVarint(this.#bytes, this.length, low, high);
  }

  /**
   * The body of writeString: each UTF-16 unit separately, in 1 to 3 bytes. A surrogate pair therefore takes 6 bytes,
   * and U+0000 takes one.
   */
  cesu8(text: string): void {
    this.#reserve(text.length * 3);
    const bytes = this.#bytes;
    let at = this.length;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x80) {
        bytes[at++] = unit;
      } else if (unit < 0x800) {
        bytes[at++] = 0xc0 | (unit >> 6);
        bytes[at++] = 0x80 | (unit & 63);
      } else {
        bytes[at++] = 0xe0 | (unit >> 12);
        bytes[at++] = 0x80 | ((unit >> 6) & 63);
        bytes[at++] = 0x80 | (unit & 63);
      }
    }
    this.length = at;
  }

  #reserve(size: number): void {
    if (this.length + size <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + size));
    bytes.set(this.#bytes.subarray(0, this.length));
    this.#bytes = bytes;
  }
}

const scratch = new Output();

/** Counts the bytes that are written and does not store them. */
export class CountingOutput extends Output {
  override byte(): void {
    this.length++;
  }

  override raw(bytes: Uint8Array, start = 0, end = bytes.length): void {
    this.length += end - start;
  }

  override int(form: IntForm, low: number, high: number): void {
    scratch.clear();
    scratch.int(form, low, high);
    this.length += scratch.length;
  }

  override insertInt(_: number, form: IntForm, value: number): number {
    const before = this.length;
    this.int(form, value, 0);
    return this.length - before;
  }

  override cesu8(text: string): void {
    scratch.clear();
    scratch.cesu8(text);
    this.length += scratch.length;
  }
}
