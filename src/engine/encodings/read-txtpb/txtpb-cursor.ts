/**
 * Reads protobuf's text format and enters every byte in a row: names as keys, strings as values with separate rows for
 * quotes and escapes, numbers and identifiers as values; separators and braces as punctuation; white space and comments.
 */
import type { RawValue } from '../../schema/declaration.ts';
import {
  BACKSLASH,
  bracketEnd,
  CLOSE_LIST,
  COMMA,
  closeOf,
  fieldNumberEnd,
  isQuote,
  MINUS,
  numberEnd,
  OPEN_LIST,
  SEMICOLON,
  spaceEnd,
  textEnd,
  wordEnd,
} from '../../text-format/tokens.ts';
import { TextCursor } from '../text-cursor.ts';
import { escapeAt } from './text-escapes.ts';

/** The name of a field as written. */
export interface FieldName {
  readonly kind: 'word' | 'number' | 'bracket';
  /** Without brackets, and without white space inside them. */
  readonly text: string;
}

/** A value that is neither a message nor a list. */
export type RawScalar = Exclude<RawValue, { readonly kind: 'list' | 'aggregate' }>;

const decoder = new TextDecoder();

/** A single part is returned without a copy. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export class TxtpbCursor extends TextCursor {
  constructor(bytes: Uint8Array) {
    super(bytes, 'txtpb');
  }

  /** The next byte after white space, without consuming it; −1 at the end. */
  peek(): number {
    const at = spaceEnd(this.bytes, this.at, this.end);
    return at < this.end ? this.bytes[at]! : -1;
  }

  next(): number {
    this.take('space', spaceEnd(this.bytes, this.at, this.end));
    return this.at < this.end ? this.bytes[this.at]! : -1;
  }

  /** The name at the cursor. null: there is no name here, which ends the reading. */
  name(): FieldName | null {
    const { bytes, at, end } = this;
    const isBracket = bytes[at] === OPEN_LIST && at < end;
    const kind = isBracket ? 'bracket' : wordEnd(bytes, at, end) > at ? 'word' : 'number';
    const to = isBracket
      ? bracketEnd(bytes, at, end)
      : kind === 'word'
        ? wordEnd(bytes, at, end)
        : fieldNumberEnd(bytes, at, end);
    if (to <= at) {
      this.stop('the name of a field');
      return null;
    }
    this.take('key', to);
    const text = decoder.decode(bytes.subarray(at, to));
    return { kind, text: isBracket ? text.slice(1, -1).replace(/#.*|\s+/g, '') : text };
  }

  /** The scalar at the cursor. null: there is no scalar here, which ends the reading. */
  scalar(): RawScalar | null {
    const { bytes } = this;
    if (this.at < this.end && isQuote(bytes[this.at]!)) return this.#texts();
    const negative = bytes[this.at] === MINUS && this.at < this.end;
    if (negative) {
      this.take('value', this.at + 1);
      this.next();
    }
    const { at, end } = this;
    const number = at < end ? numberEnd(bytes, at, end) : at;
    const to = number > at ? number : wordEnd(bytes, at, end);
    if (to === at) {
      this.stop(negative ? 'a number' : 'a value');
      return null;
    }
    const text = decoder.decode(bytes.subarray(at, to));
    this.take('value', to);
    return number > at || negative ? { kind: 'number', text, negative } : { kind: 'identifier', text };
  }

  /** Consecutive strings are concatenated. */
  #texts(): RawScalar | null {
    const parts: Uint8Array[] = [];
    for (;;) {
      if (!this.#text(parts)) return null;
      if (!isQuote(this.peek())) return { kind: 'string', bytes: joined(parts) };
      this.next();
    }
  }

  /**
   * Reads one string with its quotes. false: it is not terminated, which ends the reading. @param parts receives the
   * decoded text
   */
  #text(parts: Uint8Array[]): boolean {
    const { bytes, end } = this;
    const quote = bytes[this.at]!;
    const close = textEnd(bytes, this.at + 1, end, quote);
    if (close < 0) return this.stop('a text that ends on its line');
    this.take('quotes', this.at + 1);
    while (this.at < close) {
      const backslash = bytes.indexOf(BACKSLASH, this.at);
      const run = backslash < 0 || backslash > close ? close : backslash;
      if (run > this.at) parts.push(bytes.subarray(this.at, run));
      this.take('value', run);
      if (run < close) this.#escapes(close, parts);
    }
    this.take('quotes', close + 1);
    return true;
  }

  /** Reads consecutive escapes. */
  #escapes(close: number, parts: Uint8Array[]): void {
    const { bytes } = this;
    const out: number[] = [];
    let at = this.at;
    while (at < close && bytes[at] === BACKSLASH) {
      const { end, bytes: found } = escapeAt(bytes, at, close);
      if (found === null) {
        this.note('txtpb/escape', 'The text format has no such escape.', { start: at, end });
        for (let plain = at + 1; plain < end; plain++) out.push(bytes[plain]!);
      } else for (let of = 0; of < found.length; of++) out.push(found[of]!);
      at = end;
    }
    parts.push(Uint8Array.from(out));
    this.take('quotes', at);
  }

  /** Consumes the optional comma or semicolon after a field. */
  separator(): void {
    const byte = this.peek();
    if (byte !== COMMA && byte !== SEMICOLON) return;
    this.next();
    this.take('punctuation', this.at + 1);
  }

  /** Enters a whole value as unattributed, at any depth. */
  skip(): void {
    const { bytes, end } = this;
    let depth = 0;
    let at = this.at;
    while (at < end) {
      const byte = bytes[at]!;
      if (isQuote(byte)) {
        const close = textEnd(bytes, at + 1, end, byte);
        at = close < 0 ? end : close + 1;
        continue;
      }
      const space = spaceEnd(bytes, at, end);
      if (space > at) {
        at = space;
        continue;
      }
      const isClose = byte === CLOSE_LIST || byte === 0x7d || byte === 0x3e;
      if (isClose && depth === 0) break;
      if (closeOf(byte) >= 0 || byte === OPEN_LIST) depth++;
      at++;
      if (isClose && --depth === 0) break;
    }
    this.take('unattributed', at);
  }
}
