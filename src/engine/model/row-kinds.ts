/**
 * The kinds of rows: field, head and flags together, numbered as they occur. Messages have many rows and few kinds, and
 * tables made one after another share one list.
 */
import { composeFlags, NO_WIRE_TYPE, RARE_FIELD } from './annotation.ts';

/** A number has 16 bits. The last of them are for kinds of rare fields: one field has fewer heads and flags than that. */
const MOST_KINDS = 65536;
const MOST_OF_FIELDS = MOST_KINDS - 16384;
/** Tables that begin when there are more kinds than this get another list. */
const MOST_SHARED = 32768;

export class RowKinds {
  /** Two words a kind, as in `AnnotationTable.kinds`. Valid until a kind is added; then it still has all that it had. */
  words = new Int32Array(128);
  size = 0;
  /** Kind + 1, where field and word lead to; twice as many places as kinds at least. */
  #places = new Uint32Array(256);

  constructor() {
    // Kind 0 is that of messages: the kernel relies on it.
    this.of(-1, composeFlags(NO_WIRE_TYPE, 'value') << 16);
  }

  /** @param word head + flags · 65536. Where the kind is rare, the table has to keep the field itself. */
  of(field: number, word: number): number {
    const { words } = this;
    const places = this.#places;
    const mask = places.length - 1;
    let at = hashOf(field, word) & mask;
    for (let kind = places[at]!; kind !== 0; kind = places[at]!) {
      if (words[2 * kind - 2] === field && words[2 * kind - 1] === word) return kind - 1;
      at = (at + 1) & mask;
    }
    if (this.size >= MOST_OF_FIELDS && field !== RARE_FIELD) return this.of(RARE_FIELD, word);
    if (this.size === MOST_KINDS) throw new Error('unreachable: a field has fewer kinds of rows');
    return this.#add(field, word, at);
  }

  isRare(kind: number): boolean {
    return this.words[2 * kind] === RARE_FIELD;
  }

  /** The kind of a row of `kind` when bits of `word` are set. */
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

/** The kinds for a table that begins now. */
export function rowKinds(): RowKinds {
  if (kinds.size > MOST_SHARED) kinds = new RowKinds();
  return kinds;
}
