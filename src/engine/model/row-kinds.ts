/**
 * The kinds of rows: each combination of field, header and flags, numbered in the order of first occurrence. Messages
 * have many rows and few kinds. Tables that are made one after another share one list.
 */
import { composeFlags, NO_WIRE_TYPE, RARE_FIELD } from './annotation.ts';

/**
 * A kind's number has 16 bits. The last numbers are reserved for kinds of rare fields: one field has fewer combinations
 * of header and flags than there are such numbers.
 */
const MAX_KINDS = 65536;
const MAX_OF_FIELDS = MAX_KINDS - 16384;
/** A new table gets a new list if the shared list has more kinds than this. */
const MAX_SHARED = 32768;
/** Fields below it, most tables have no others: the word of their last row is often the word of the next one. */
const REMEMBERED = 1024;

export class RowKinds {
  /**
   * Two words a kind, as in `AnnotationTable.kinds`. Adding a kind may replace the array; the earlier array then keeps
   * its kinds.
   */
  words = new Int32Array(128);
  size = 0;
  /**
   * A hash table: kind + 1 at the place of its field and word. It has at least twice as many places as there are kinds.
   */
  #places = new Uint32Array(256);
  /** By field: the word that was asked for last, and its kind. */
  readonly #lastWords = new Int32Array(REMEMBERED).fill(-1);
  readonly #lastKinds = new Uint16Array(REMEMBERED);

  constructor() {
    // Kind 0 is the kind of messages. The kernel relies on it.
    this.of(-1, composeFlags(NO_WIRE_TYPE, 'value') << 16);
  }

  /** @param word header + flags · 65536. For a rare kind, the table has to store the field itself. */
  of(field: number, word: number): number {
    if (field < 0 || field >= REMEMBERED) return this.#find(field, word);
    if (this.#lastWords[field] !== word) {
      this.#lastKinds[field] = this.#find(field, word);
      this.#lastWords[field] = word;
    }
    return this.#lastKinds[field]!;
  }

  #find(field: number, word: number): number {
    const { words } = this;
    const places = this.#places;
    const mask = places.length - 1;
    let at = hashOf(field, word) & mask;
    for (let kind = places[at]!; kind !== 0; kind = places[at]!) {
      if (words[2 * kind - 2] === field && words[2 * kind - 1] === word) return kind - 1;
      at = (at + 1) & mask;
    }
    if (this.size >= MAX_OF_FIELDS && field !== RARE_FIELD) return this.#find(RARE_FIELD, word);
    if (this.size === MAX_KINDS) throw new Error('unreachable: a field has fewer kinds of rows');
    return this.#add(field, word, at);
  }

  isRare(kind: number): boolean {
    return this.words[2 * kind] === RARE_FIELD;
  }

  /** The kind that equals `kind` with the bits of `word` set too. */
  with(kind: number, word: number): number {
    return this.of(this.words[2 * kind]!, this.words[2 * kind + 1]! | word);
  }

  #add(field: number, word: number, at: number): number {
    const kind = this.size++;
    if (2 * kind === this.words.length) {
      const words = new Int32Array(4 * kind);
      words.set(this.words);
      this.words = words;
    }
    this.words[2 * kind] = field;
    this.words[2 * kind + 1] = word;
    this.#places[at] = kind + 1;
    if (4 * this.size > this.#places.length) this.#spread();
    return kind;
  }

  #spread(): void {
    const places = new Uint32Array(2 * this.#places.length);
    const mask = places.length - 1;
    for (let kind = 0; kind < this.size; kind++) {
      let at = hashOf(this.words[2 * kind]!, this.words[2 * kind + 1]!) & mask;
      while (places[at] !== 0) at = (at + 1) & mask;
      places[at] = kind + 1;
    }
    this.#places = places;
  }
}

function hashOf(field: number, word: number): number {
  const mixed = Math.imul(field ^ Math.imul(word, 0x85ebca6b), 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

let kinds = new RowKinds();

/** The kinds for a new table. */
export function rowKinds(): RowKinds {
  if (kinds.size > MAX_SHARED) kinds = new RowKinds();
  return kinds;
}
