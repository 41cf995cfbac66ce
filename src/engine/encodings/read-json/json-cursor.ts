/**
 * Reads JSON text and enters every byte in a row: `{ } [ ] : ,` as punctuation, names with their quotes as keys, white
 * space, and quotes and escapes separately from values. RFC 8259. A syntax error ends the reading at its offset; the
 * bytes after it are unattributed.
 */
import { TextCursor, type TextSpan } from '../text-cursor.ts';
import { decodeEscapes, endOfText, type TextFault } from './json-string.ts';

export const QUOTE = 0x22;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const COMMA = 0x2c;
export const COLON = 0x3a;
const BACKSLASH = 0x5c;

export class JsonCursor extends TextCursor {
  constructor(bytes: Uint8Array) {
    super(bytes, 'json');
  }

  /** Consumes white space. Returns the next byte; −1 at the end. */
  next(): number {
    const { bytes, end } = this;
    let at = this.at;
    while (at < end && isJsonSpace(bytes[at]!)) at++;
    this.take('space', at);
    return at < end ? bytes[at]! : -1;
  }

  /** The text that begins at a quote, without its quotes; null: it is not terminated, which ends the reading. */
  #textSpan(): TextSpan | null {
    const start = this.at + 1;
    const end = endOfText(this.bytes, start, this.end);
    if (end >= 0) return { start, end };
    this.at = this.end;
    this.stop('the end of a text');
    return null;
  }

  /** A member's name with its quotes, as one token. null: the next byte is not a quote. */
  key(): string | null {
    if (this.next() !== QUOTE) {
      this.stop('a name in quotes');
      return null;
    }
    const from = this.at;
    const span = this.#textSpan();
    if (span === null) {
      this.#unfinished(from);
      return null;
    }
    this.take('key', span.end + 1);
    return decoder.decode(this.#decoded(span));
  }

  /** A decoded text; its quotes and escapes have rows of their own. null: it is not terminated. */
  text(): Uint8Array | null {
    const from = this.at;
    const span = this.#textSpan();
    if (span === null) {
      this.#unfinished(from);
      return null;
    }
    const { bytes } = this;
    this.take('quotes', span.start);
    for (let at = span.start; at < span.end; ) {
      let run = at;
      while (run < span.end && bytes[run] !== BACKSLASH) run++;
      this.take('value', run);
      while (run < span.end && bytes[run] === BACKSLASH) run += bytes[run + 1] === 0x75 ? 6 : 2;
      at = Math.min(run, span.end);
      this.take('quotes', at);
    }
    this.take('quotes', span.end + 1);
    return this.#decoded(span);
  }

  /** Enters a text that is not terminated as unattributed. */
  #unfinished(from: number): void {
    this.at = from;
    this.end = from;
  }

  #decoded({ start, end }: TextSpan): Uint8Array {
    return decodeEscapes(this.bytes, start, end, this.#onTextFault);
  }

  readonly #onTextFault = ({ code, message, start, end }: TextFault): void => this.note(code, message, { start, end });

  /** A number or a literal: all bytes up to one that cannot be part of it. */
  word(): string {
    const { bytes, end } = this;
    const start = this.at;
    let at = start;
    while (at < end && isWord(bytes[at]!)) at++;
    if (at === start) {
      this.stop('a value');
      return '';
    }
    this.take('value', at);
    return decoder.decode(bytes.subarray(start, Math.min(at, start + LONGEST_WORD)));
  }

  /** Enters a whole value as unattributed, at any depth. */
  skip(): void {
    const { bytes, end } = this;
    let depth = 0;
    let at = this.at;
    while (at < end) {
      const byte = bytes[at]!;
      if (byte === QUOTE) {
        const close = endOfText(bytes, at + 1, end);
        if (close < 0) {
          at = end;
          break;
        }
        at = close;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (depth === 0) break;
        depth--;
      } else if (depth === 0 && byte === COMMA) break;
      at++;
      if (depth === 0 && (byte === CLOSE_OBJECT || byte === CLOSE_LIST)) break;
    }
    this.take('unattributed', at);
  }
}

const decoder = new TextDecoder();
/** Longer numbers are out of every range, and longer words are not JSON. */
const LONGEST_WORD = 1000;

export const isJsonSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Letters, digits, `+ - . _ $`. */
const isWord = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  byte === 0x2b ||
  byte === 0x2d ||
  byte === 0x2e ||
  byte === 0x5f ||
  byte === 0x24;
