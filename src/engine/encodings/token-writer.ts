/**
 * Bytes and rows of an encoding that consists of tokens. The row of a message, field or element contains the rows of
 * its tokens and of nested values. The row of a token owns its bytes, in one category.
 */
import { type Category, composeFlags, NO_WIRE_TYPE } from '../model/annotation.ts';
import { Output } from '../native/output.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import type { EncodedRows } from './encoded-rows.ts';
import type { LossCounts } from './losses.ts';

export interface Written {
  readonly ok: true;
  readonly bytes: Uint8Array;
  readonly losses: LossCounts;
}

/** The encoding cannot represent a value. */
export interface Refused {
  readonly ok: false;
  /** The reason, as one sentence. */
  readonly reason: string;
}

const FLAGS = new Map<Category, number>();

const flagsOf = (category: Category): number => {
  let flags = FLAGS.get(category);
  if (flags === undefined) {
    flags = composeFlags(NO_WIRE_TYPE, category);
    FLAGS.set(category, flags);
  }
  return flags;
};

export class TokenWriter {
  readonly out = new Output();
  readonly losses: LossCounts = {};
  readonly #rows: EncodedRows;
  /** The open row; −1: no row is open. */
  #open = -1;

  constructor(rows: EncodedRows) {
    this.#rows = rows;
  }

  finish(): Written {
    return { ok: true, bytes: this.out.finish(), losses: this.losses };
  }

  /** Opens a row inside the open row. @param category of its own bytes, if it gets no nested rows */
  begin(field: FieldDescriptor | undefined, origin: number, category: Category = 'value'): void {
    const index = field === undefined ? -1 : this.#rows.fieldIndex(field);
    this.#rows.comesFrom(origin);
    this.#open = this.#rows.open(this.out.length, this.#open, index, flagsOf(category));
  }

  end(): void {
    this.#rows.close(this.#open, this.out.length);
    this.#open = this.#rows.parentOf(this.#open);
  }

  /** Begins a token; `close` ends it. */
  token(category: Category): void {
    this.begin(undefined, -1, category);
  }

  ascii(category: Category, text: string): void {
    this.token(category);
    for (let at = 0; at < text.length; at++) this.out.byte(text.charCodeAt(at));
    this.end();
  }

  byte(category: Category, value: number): void {
    this.token(category);
    this.out.byte(value);
    this.end();
  }
}
