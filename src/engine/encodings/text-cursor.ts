/** Reads a captured text and enters every byte in a row. A syntax error ends the reading. */
import { type Category, composeFlags, Flag, NO_WIRE_TYPE } from '../model/annotation.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { NativeRows } from '../native/rows.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';

/** Maximum number of listed findings of one message. */
const MAX_DIAGNOSTICS = 100;

/** Categories whose bytes share a row where they follow each other. */
const GROWING: ReadonlySet<Category> = new Set(['punctuation', 'space']);

const VALUE = composeFlags(NO_WIRE_TYPE, 'value');
const UNATTRIBUTED = composeFlags(NO_WIRE_TYPE, 'unattributed');

/** Half-open, messageOffsets. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

export abstract class TextCursor {
  readonly bytes: Uint8Array;
  readonly rows = new NativeRows();
  readonly diagnostics: Diagnostic[] = [];
  at = 0;
  /** End of the reading: the end of the text, or the first fault. */
  end: number;
  #open = -1;
  /** The last row and its category, if it is punctuation or white space that may be extended; otherwise −1. */
  #growing = -1;
  #growingCategory: Category = 'punctuation';
  #isStopped = false;
  readonly #format: string;

  /** @param format codes of faults begin with it */
  constructor(bytes: Uint8Array, format: string) {
    this.bytes = bytes;
    this.end = bytes.length;
    this.#format = format;
  }

  /** Consumes white space. Returns the next byte; −1 at the end. */
  abstract next(): number;

  get row(): number {
    return this.#open;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Opens a row inside the open row. */
  begin(field: FieldDescriptor | undefined): number {
    this.#growing = -1;
    const index = field === undefined ? -1 : this.rows.fieldIndex(field);
    this.#open = this.rows.open(this.at, this.#open, index, VALUE);
    return this.#open;
  }

  /** Sets the field of the open row. */
  assign(field: FieldDescriptor, bits: number): void {
    this.rows.setField(this.#open, this.rows.fieldIndex(field));
    this.rows.mark(this.#open, bits);
  }

  close(): void {
    this.#growing = -1;
    this.rows.close(this.#open, this.at);
    this.#open = this.rows.parentOf(this.#open);
  }

  /** Enters the bytes up to `end` in one category. */
  take(category: Category, end: number): void {
    if (end <= this.at) return;
    if (category === this.#growingCategory && this.#growing >= 0) this.rows.close(this.#growing, end);
    else {
      const row = this.rows.open(this.at, this.#open, -1, composeFlags(NO_WIRE_TYPE, category));
      this.rows.close(row, end);
      this.#growing = GROWING.has(category) ? row : -1;
      this.#growingCategory = category;
    }
    this.at = end;
  }

  /** Values in the rows from `from` on fit no field, and are not in the protobuf message. */
  leaveOut(from: number): void {
    const { rows } = this;
    for (let row = from; row < rows.length; row++) {
      const isToken = row + 1 === rows.length || rows.parentOf(row + 1) !== row;
      // Names that no schema has show that already.
      const isNamed = (rows.flagsOf(rows.parentOf(row)) & Flag.UNKNOWN) !== 0;
      if (isToken && !isNamed && rows.flagsOf(row) === VALUE) rows.setFlags(row, UNATTRIBUTED);
    }
  }

  /** Consumes one byte of punctuation. false: the next byte is another one, which ends the reading. */
  expect(byte: number, what: string): boolean {
    if (this.next() !== byte) return this.stop(what);
    this.take('punctuation', this.at + 1);
    return true;
  }

  /** Ends the reading. */
  stop(expected: string): false {
    if (this.#isStopped) return false;
    const isCut = this.at >= this.end;
    this.note(
      `${this.#format}/${isCut ? 'truncated' : 'syntax'}`,
      isCut ? `The text ends where ${expected} should follow.` : `${capital(expected)} is expected here.`,
      { start: this.at, end: isCut ? this.at : this.at + 1 },
      'error',
    );
    this.#isStopped = true;
    this.end = this.at;
    return false;
  }

  note(code: string, message: string, { start, end }: TextSpan, severity: Diagnostic['severity'] = 'warning'): void {
    if (this.diagnostics.length >= MAX_DIAGNOSTICS) return;
    this.diagnostics.push({ code, severity, message, space: 'message', start, end });
  }

  /** Enters the remaining bytes, after the value or the fault. */
  finish(): void {
    if (!this.#isStopped && this.next() >= 0) {
      const span = { start: this.at, end: this.bytes.length };
      this.note(`${this.#format}/trailing`, 'There is more text after the value.', span, 'error');
    }
    this.end = this.bytes.length;
    this.take('unattributed', this.bytes.length);
  }
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
