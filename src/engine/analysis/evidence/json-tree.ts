/**
 * JSON text as a tree of kinds and names, as evidence of a type. A syntax error ends the tree; the part before it
 * counts.
 */
import { decodeEscapes, endOfText } from '../../encodings/read-json/json-string.ts';
import type { TextNode } from './text-fit.ts';

const MAX_DEPTH = 100;
const LONGEST_TEXT = 4096;

/** null: the text does not begin with a value. */
export function jsonTree(bytes: Uint8Array): TextNode | null {
  return new Tree(bytes).value(0);
}

const decoder = new TextDecoder();
const ignore = (): void => undefined;

class Tree {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The next byte after white space; −1 at the end. */
  #next(): number {
    const bytes = this.#bytes;
    while (this.#at < bytes.length && bytes[this.#at]! <= 0x20) this.#at++;
    return this.#at < bytes.length ? bytes[this.#at]! : -1;
  }

  #stop(): null {
    this.#at = this.#bytes.length;
    return null;
  }

  value(depth: number): TextNode | null {
    const byte = this.#next();
    if (byte < 0 || depth > MAX_DEPTH) return this.#stop();
    if (byte === 0x22) {
      const text = this.#text();
      return text === null ? null : { kind: 'text', text };
    }
    if (byte === 0x7b) return this.#object(depth);
    if (byte === 0x5b) return this.#list(depth);
    const start = this.#at;
    const bytes = this.#bytes;
    while (this.#at < bytes.length && ![0x2c, 0x5d, 0x7d, 0x20, 0x0a, 0x0d, 0x09].includes(bytes[this.#at]!))
      this.#at++;
    const text = decoder.decode(bytes.subarray(start, Math.min(this.#at, start + LONGEST_TEXT)));
    if (text === 'null') return { kind: 'null', text };
    if (text === 'true' || text === 'false') return { kind: 'bool', text };
    return /^-?\d/.test(text) ? { kind: 'number', text } : this.#stop();
  }

  #text(): string | null {
    const start = this.#at + 1;
    const end = endOfText(this.#bytes, start, this.#bytes.length);
    if (end < 0) return this.#stop();
    this.#at = end + 1;
    return decoder.decode(decodeEscapes(this.#bytes, start, Math.min(end, start + LONGEST_TEXT), ignore));
  }

  /** The next byte, after a comma if there is one. */
  #nextOfList(): number {
    const byte = this.#next();
    if (byte !== 0x2c) return byte;
    this.#at++;
    return this.#next();
  }

  #object(depth: number): TextNode {
    const members: [string, TextNode][] = [];
    this.#at++;
    for (;;) {
      const byte = this.#nextOfList();
      if (byte !== 0x22) break;
      const name = this.#text();
      if (name === null || this.#next() !== 0x3a) break;
      this.#at++;
      const value = this.value(depth + 1);
      if (value === null) break;
      members.push([name, value]);
    }
    if (this.#next() === 0x7d) this.#at++;
    else this.#stop();
    return { kind: 'object', members };
  }

  #list(depth: number): TextNode {
    const items: TextNode[] = [];
    this.#at++;
    for (;;) {
      const byte = this.#nextOfList();
      if (byte < 0 || byte === 0x5d) break;
      const value = this.value(depth + 1);
      if (value === null) break;
      items.push(value);
    }
    if (this.#next() === 0x5d) this.#at++;
    else this.#stop();
    return { kind: 'list', items };
  }
}
