/**
 * Bytes and rows of an encoding that consists of tokens. The row of a message, field or element contains the rows of
 * its tokens and of nested values. The row of a token owns its bytes, in one category.
 */
import {
  type AnnotationTable,
  type Category,
  composeFlags,
  endAt,
  Flag,
  fieldAt,
  flagsAt,
  NO_WIRE_TYPE,
  parentAt,
  payloadEndAt,
  payloadStartAt,
  slotAt,
  startAt,
  wireTypeAt,
} from '../model/annotation.ts';
import { Output } from '../native/output.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import { hasContents, shownField } from '../wire/any.ts';
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

/** Writes bytes[start, end) as one token of a category. */
export type WriteToken = (category: Category, bytes: Uint8Array, start: number, end: number) => void;

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
  readonly #wire: AnnotationTable<FieldDescriptor>;
  /** The open row; −1: no row is open. */
  #open = -1;

  /** @param wire the protobuf rows that `origin` counts */
  constructor(rows: EncodedRows, wire: AnnotationTable<FieldDescriptor>) {
    this.#rows = rows;
    this.#wire = wire;
  }

  finish(): Written {
    return { ok: true, bytes: this.out.finish(), losses: this.losses };
  }

  /** Opens a row inside the open row. @param category of its own bytes, if it gets no nested rows */
  begin(field: FieldDescriptor | undefined, origin: number, category: Category = 'value'): void {
    const index = field === undefined ? -1 : this.#rows.fieldIndex(shownField(field, this.#wire, origin));
    this.#begin(index, origin, flagsOf(category));
  }

  #begin(index: number, origin: number, flags: number): void {
    this.#rows.comesFrom(origin);
    this.#open = this.#rows.open(this.out.length, this.#open, index, flags);
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

  /**
   * Writes the value of the protobuf row `origin` in the open row: as one token; or, if it is the contents of an Any,
   * with the rows of its records, which have their wire types. @param write writes bytes of the value as a token
   */
  value(origin: number, value: Uint8Array, write: WriteToken = this.#raw): void {
    if (hasContents(this.#wire, origin)) this.#contents(origin, value, write);
    else write('value', value, 0, value.length);
  }

  readonly #raw: WriteToken = (category, bytes, start, end) => {
    this.token(category);
    this.out.raw(bytes, start, end);
    this.end();
  };

  #contents(from: number, value: Uint8Array, write: WriteToken): void {
    const wire = this.#wire;
    const before = payloadStartAt(wire, from);
    const piece = (category: Category, start: number, end: number): void => {
      if (end > start) write(category, value, start - before, end - before);
    };
    /** The open records, outermost first. */
    const open = [from];
    const endDownTo = (above: number): void => {
      for (let last = open.at(-1)!; last > above; last = open.at(-1)!) {
        piece('group-end', payloadEndAt(wire, last), endAt(wire, last));
        this.end();
        open.pop();
      }
    };
    for (let row = from + 1; row < wire.length && parentAt(wire, row) >= from; row++) {
      const above = parentAt(wire, row);
      endDownTo(above);
      // It is part of a record that is one row.
      if (open.at(-1) !== above) continue;
      const index = fieldAt(wire, row);
      const shown = index < 0 ? index : this.#rows.fieldIndex(wire.fields[index]!);
      this.#begin(shown, row, composeFlags(wireTypeAt(wire, row), 'value'));
      const start = startAt(wire, row);
      const tagEnd = start + slotAt(wire, row, 0);
      piece('tag', start, tagEnd);
      piece('length', tagEnd, payloadStartAt(wire, row));
      open.push(row);
      const isOne = index < 0 || (flagsAt(wire, row) & Flag.MALFORMED) !== 0;
      const isLeaf = row + 1 === wire.length || parentAt(wire, row + 1) !== row;
      if (isOne || isLeaf) piece('value', payloadStartAt(wire, row), payloadEndAt(wire, row));
      if (isOne) endDownTo(above);
    }
    endDownTo(from);
  }

  byte(category: Category, value: number): void {
    this.token(category);
    this.out.byte(value);
    this.end();
  }
}
