/** Words of Cap'n Proto while they are composed. capnproto.org/encoding.html#pointers */
import { type Choice, type StructLayout, sectionWords } from './capnp-layout.ts';
import { WORD_BYTES } from './capnp-words.ts';
import type { Scalar } from './message-value.ts';

/** The kinds of pointers. */
const Pointer = { STRUCT: 0, LIST: 1 } as const;
/** The sizes of list elements. */
export const Elements = { BIT: 1, BYTE: 2, FOUR: 4, EIGHT: 5, POINTER: 6, COMPOSITE: 7 } as const;

/** @param lgSize log₂ of the bits of a scalar; null: it is behind a pointer */
export function elementsOf(lgSize: number | null): number {
  if (lgSize === null) return Elements.POINTER;
  return lgSize === 0 ? Elements.BIT : lgSize === 5 ? Elements.FOUR : Elements.EIGHT;
}

export class WordBuffer {
  bytes = new Uint8Array(0);
  #view = new DataView(this.bytes.buffer);

  /** Starts some words: all zeros. */
  start(words: number): void {
    const length = words * WORD_BYTES;
    if (this.bytes.length < length) {
      this.bytes = new Uint8Array(2 * length);
      this.#view = new DataView(this.bytes.buffer);
    } else this.bytes.fill(0, 0, length);
  }

  /** The table of a message with one segment. */
  segmentTable(words: number): void {
    this.#view.setUint32(4, words, true);
  }

  /** @param offset in units of 2^lgSize bits */
  scalar(lgSize: number, offset: number, value: Scalar): void {
    if (value instanceof Uint8Array) this.bytes.set(value, (offset << lgSize) >> 3);
    else if (typeof value === 'bigint') this.#view.setBigUint64(offset * 8, BigInt.asUintN(64, value), true);
    else if (typeof value === 'number') this.#view.setInt32(offset * 4, value, true);
    else if (value) this.bytes[offset >> 3]! |= 1 << (offset & 7);
  }

  discriminant({ offset, value }: Choice): void {
    this.#view.setUint16(offset * 2, value, true);
  }

  /**
   * A pointer to a struct. A struct without words is where its pointer is, because a pointer of zeros is null.
   *
   * @param at the word @param offset words between it and the struct
   */
  structPointer(at: number, offset: number, layout: StructLayout): void {
    this.structWord(at, sectionWords(layout) === 0 ? -1 : offset, layout);
  }

  /** A pointer to a struct, or the tag of a list: the number of structs in place of the offset. */
  structWord(at: number, offset: number, { dataWords, pointers }: StructLayout): void {
    this.#view.setInt32(at * 8, (offset << 2) | Pointer.STRUCT, true);
    this.#view.setUint16(at * 8 + 4, dataWords, true);
    this.#view.setUint16(at * 8 + 6, pointers.length, true);
  }

  listPointer(at: number, offset: number, elements: number, count: number): void {
    this.#view.setInt32(at * 8, (offset << 2) | Pointer.LIST, true);
    this.#view.setInt32(at * 8 + 4, (count << 3) | elements, true);
  }
}
