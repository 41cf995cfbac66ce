/** Words of a Cap'n Proto message: as they are, or packed. capnproto.org/encoding.html#packing */
import type { Category } from '../model/annotation.ts';
import type { TokenWriter } from './token-writer.ts';

export const WORD_BYTES = 8;

export interface Words {
  /**
   * Writes some bytes, as tokens of the open row.
   *
   * @param words whole words, of which earlier bytes are written
   */
  write(category: Category, words: Uint8Array, start: number, end: number): void;
}

export class PlainWords implements Words {
  readonly #writer: TokenWriter;

  constructor(writer: TokenWriter) {
    this.#writer = writer;
  }

  write(category: Category, words: Uint8Array, start: number, end: number): void {
    if (start === end) return;
    this.#writer.token(category);
    this.#writer.out.raw(words, start, end);
    this.#writer.end();
  }
}

/** Most words after the first one of a run. */
const MOST_COUNTED = 255;
/** The tag of a word without zeros. */
const FULL = 0xff;

/**
 * Zeros are left out: before each word, a tag has a bit for each byte. Runs of zero words, and of words with at most
 * one zero, have a count. Tags belong to the field of the first byte of their word, counts to that of the byte before.
 */
export class PackedWords implements Words {
  readonly #writer: TokenWriter;
  /** The tag of the current word. */
  #tag = 0;
  /** Whether the current word is counted: without a tag of its own. */
  #isCounted = false;
  /** Offset of the count of a run that may continue; −1 without one. */
  #countAt = -1;
  #isToken = false;

  constructor(writer: TokenWriter) {
    this.#writer = writer;
  }

  write(category: Category, words: Uint8Array, start: number, end: number): void {
    const { out } = this.#writer;
    for (let at = start; at < end; at++) {
      if (at % WORD_BYTES === 0) this.#startWord(words, at);
      if ((this.#tag & (1 << (at % WORD_BYTES))) !== 0) {
        if (!this.#isToken) this.#writer.token(category);
        this.#isToken = true;
        out.byte(words[at]!);
      }
      if ((at + 1) % WORD_BYTES === 0 && this.#tag === FULL && !this.#isCounted) this.#startRun();
    }
    this.#endToken();
  }

  #endToken(): void {
    if (this.#isToken) this.#writer.end();
    this.#isToken = false;
  }

  #startWord(words: Uint8Array, at: number): void {
    let tag = 0;
    let zeros = 0;
    for (let bit = 0; bit < WORD_BYTES; bit++) {
      if (words[at + bit] === 0) zeros++;
      else tag |= 1 << bit;
    }
    this.#isCounted = this.#isInRun(zeros);
    if (this.#isCounted) {
      this.#writer.out.written()[this.#countAt]!++;
      return;
    }
    this.#tag = tag;
    this.#endToken();
    this.#writer.byte('length', tag);
    this.#countAt = -1;
    if (tag === 0) this.#startRun();
  }

  /** In a run, the tag of its first word applies: all bytes or none. */
  #isInRun(zeros: number): boolean {
    if (this.#countAt < 0 || this.#writer.out.written()[this.#countAt] === MOST_COUNTED) return false;
    return this.#tag === 0 ? zeros === WORD_BYTES : zeros <= 1;
  }

  #startRun(): void {
    this.#endToken();
    this.#countAt = this.#writer.out.length;
    this.#writer.byte('length', 0);
  }
}
