/**
 * The text of a .proto file → tokens with their offsets, by protoc's lexical rules. White space and comments are the
 * gaps between tokens, so comments are found in gaps.
 * https://protobuf.dev/reference/protobuf/edition-2023-spec/#lexical_elements
 */

export interface Span {
  /** Offset of the first UTF-16 unit in the file's text. */
  readonly start: number;
  /** One past the last one. */
  readonly end: number;
}

export interface Token extends Span {
  readonly kind: 'word' | 'number' | 'string' | 'symbol';
  readonly text: string;
}

const KINDS = ['word', 'number', 'string', 'symbol'] as const;
const SYMBOL = KINDS.indexOf('symbol');
const STRING = KINDS.indexOf('string');

/** The tokens of a text, in 9 bytes each. An object per token takes 100 bytes, and a text of 2 MB has 700,000 tokens. */
export class Tokens implements Iterable<Token> {
  readonly #text: string;
  /** Indexes of `KINDS`. */
  #kinds: Uint8Array;
  #starts: Uint32Array;
  #ends: Uint32Array;
  #length = 0;

  constructor(text: string) {
    this.#text = text;
    const capacity = 16 + (text.length >> 2);
    this.#kinds = new Uint8Array(capacity);
    this.#starts = new Uint32Array(capacity);
    this.#ends = new Uint32Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  add(kind: Token['kind'], start: number, end: number): void {
    if (this.#length === this.#kinds.length) {
      this.#kinds = grown(this.#kinds, Uint8Array);
      this.#starts = grown(this.#starts, Uint32Array);
      this.#ends = grown(this.#ends, Uint32Array);
    }
    this.#kinds[this.#length] = KINDS.indexOf(kind);
    this.#starts[this.#length] = start;
    this.#ends[this.#length] = end;
    this.#length++;
  }

  /** A negative index counts from the end. */
  at(index: number): Token | undefined {
    const at = index < 0 ? this.#length + index : index;
    if (at < 0 || at >= this.#length) return undefined;
    const [start, end] = [this.#starts[at]!, this.#ends[at]!];
    return { kind: KINDS[this.#kinds[at]!]!, text: this.#text.slice(start, end), start, end };
  }

  /** Whether the token is this text, and no string. */
  is(index: number, text: string): boolean {
    return this.#kinds[index] !== STRING && this.#has(index, text);
  }

  isSymbol(index: number, symbol: string): boolean {
    return this.#kinds[index] === SYMBOL && this.#has(index, symbol);
  }

  #has(index: number, text: string): boolean {
    if (index < 0 || index >= this.#length) return false;
    const start = this.#starts[index]!;
    return this.#ends[index]! - start === text.length && this.#text.startsWith(text, start);
  }

  startOf(index: number): number {
    return this.#starts[index]!;
  }

  endOf(index: number): number {
    return this.#ends[index]!;
  }

  slice(from: number, to: number): Token[] {
    const tokens: Token[] = [];
    for (let at = from; at < Math.min(to, this.#length); at++) tokens.push(this.at(at)!);
    return tokens;
  }

  *[Symbol.iterator](): Iterator<Token> {
    for (let at = 0; at < this.#length; at++) yield this.at(at)!;
  }
}

function grown<T extends Uint8Array | Uint32Array>(from: T, Kind: new (length: number) => T): T {
  const larger = new Kind(2 * from.length);
  larger.set(from);
  return larger;
}

/** The span alone: a token that is kept would keep its text. */
export const spanOf = ({ start, end }: Span): Span => ({ start, end });

/** A fault at a place of the text; the file is added later. */
export interface Problem extends Span {
  readonly code: string;
  readonly message: string;
}

const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /0[xX][0-9a-fA-F]*|0[0-9]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]*)?/y;

/** Faults of a number. The first matching pattern counts. */
const BAD_NUMBERS: readonly (readonly [RegExp, string])[] = [
  [/^0[xX]$/, 'Digits from 0 to 9 and a to f are missing after "0x".'],
  [/^0[0-9]*[89]/, 'A number that begins with 0 is octal: its digits are 0 to 7.'],
  [/^[^xX]*[eE][+-]?$/, 'The digits of the exponent are missing.'],
];

export function tokenize(text: string): { readonly tokens: Tokens; readonly problems: readonly Problem[] } {
  const tokens = new Tokens(text);
  const problems: Problem[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const matchEnd = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : at;
  };
  const push = (kind: Token['kind'], end: number) => {
    tokens.add(kind, at, end);
    at = end;
  };
  const toToken = () => {
    at = gapEnd(text, at, problems);
    return at < text.length;
  };
  while (toToken()) {
    const char = text[at]!;
    if (/[A-Za-z_]/.test(char)) push('word', matchEnd(WORD));
    else if (
      /[0-9]/.test(char) ||
      (char === '.' && /[0-9]/.test(text[at + 1] ?? '') && !isNamePart(tokens.at(-1), at))
    ) {
      push('number', matchEnd(NUMBER));
      const last = tokens.at(-1)!;
      const wrong = BAD_NUMBERS.find(([pattern]) => pattern.test(last.text));
      if (wrong !== undefined) problems.push(problem(last, 'schema/syntax', wrong[1]));
      else if (/[A-Za-z_]/.test(text[at] ?? '')) {
        problems.push(problem(last, 'schema/syntax', `A blank is missing after the number ${last.text}.`));
      } else if (text[at] === '.') {
        problems.push(problem({ start: at, end: at + 1 }, 'schema/syntax', 'This number has a point too many.'));
      }
    } else if (char === '"' || char === "'") {
      const end = stringEnd(text, at);
      const start = at;
      if (end < 0) {
        const line = lineEnd(text, at);
        problems.push(problem({ start: at, end: line }, 'schema/syntax', 'This text is not closed on its line.'));
        push('string', line);
      } else push('string', end);
      const { text: written } = tokens.at(-1)!;
      if (end >= 0 && written.includes('\\')) {
        const bad = badEscape(written);
        if (bad !== undefined) {
          problems.push(problem({ start: start + bad, end: start + bad + 2 }, 'schema/syntax', ESCAPE_WORDS));
        }
      }
    } else if (text.startsWith('/*', at)) {
      problems.push(problem({ start: at, end: at + 2 }, 'schema/syntax', 'This comment is never closed.'));
      at = text.length;
    } else push('symbol', at + (text.codePointAt(at)! > 0xffff ? 2 : 1));
  }
  return { tokens, problems };
}

/** One past the white space and comments at `at`. An unterminated comment is not a comment. */
function gapEnd(text: string, from: number, problems: Problem[]): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 32 || (code >= 9 && code <= 13)) at++;
    else if (code < 32) {
      const start = at;
      while (isControl(text.charCodeAt(at))) at++;
      problems.push(problem({ start, end: at }, 'schema/syntax', 'Control characters are not allowed here.'));
    } else if (code !== 47) return at;
    else if (text[at + 1] === '/') at = commentEnd(text, at);
    else if (text[at + 1] === '*') {
      const end = text.indexOf('*/', at + 2);
      if (end < 0) return at;
      const comment = text.slice(at, end);
      const inner = comment.indexOf('/*', 2);
      if (inner >= 0) {
        const message = 'Comments cannot be nested; the first "*/" ends the outer comment.';
        problems.push(problem({ start: at + inner, end: at + inner + 2 }, 'schema/syntax', message));
      }
      const nul = comment.indexOf('\0');
      if (nul >= 0) problems.push(problem({ start: at + nul, end: at + nul + 1 }, 'schema/syntax', NUL_IN_COMMENT));
      at = end + 2;
    } else return at;
  }
  return at;
}

const NUL_IN_COMMENT = 'A NUL is not allowed, not even in comments.';

/** Control characters that are not white space. */
const isControl = (code: number): boolean => code < 9 || (code > 13 && code < 32);

const LINE_COMMENT = /[^\n\0]*/y;

/** The end of a line comment: the end of the line, or a NUL, as in protoc. */
function commentEnd(text: string, at: number): number {
  LINE_COMMENT.lastIndex = at;
  LINE_COMMENT.test(text);
  return LINE_COMMENT.lastIndex;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** One past the closing quote; −1: the line ends first. */
function stringEnd(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at];
    if (char === quote) return at + 1;
    if (char === '\n' || char === '\0') return -1;
    if (char === '\\') {
      at++;
      if (text[at] === '\n') return -1;
    }
  }
  return -1;
}

export const problem = (span: Span, code: string, message: string): Problem => ({
  code,
  message,
  start: span.start,
  end: span.end,
});

/** In `a.5` the dot is part of a name, in `= .5` part of a number. */
const isNamePart = (previous: Token | undefined, at: number) => previous?.kind === 'word' && previous.end === at;

/** Offsets of the beginnings of the lines. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** 1-based line and column (in UTF-16 units) of an offset. */
export function lineAndColumn(
  starts: readonly number[],
  offset: number,
): { readonly line: number; readonly column: number } {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - starts[low]! + 1 };
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };
const ESCAPE =
  /\\[uU](?:0000)?([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|\\(?:([0-7]{1,3})|[xX]([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))|[^\\]+/g;

/** Valid escapes. */
const GOOD_ESCAPE = /\\(?:[abfnrtv\\?'"0-7]|[xX][0-9a-fA-F]|u[0-9a-fA-F]{4}|U00[01][0-9a-fA-F]{5})/y;
const ESCAPE_WORDS =
  'This escape is not valid. The valid ones are \\a \\b \\f \\n \\r \\t \\v \\\\ \\? \\\' \\", octal \\0 to \\377, \\x and hex digits, \\u with four, \\U with eight.';

/** Offset of the first invalid escape; undefined if all are valid. */
function badEscape(written: string): number | undefined {
  for (let at = written.indexOf('\\'); at >= 0; at = written.indexOf('\\', at)) {
    GOOD_ESCAPE.lastIndex = at;
    if (!GOOD_ESCAPE.test(written)) return at;
    at = GOOD_ESCAPE.lastIndex;
  }
  return undefined;
}

const encoder = new TextEncoder();

/** The bytes of a string token. `\x` and octal escapes are bytes; `\u` and `\U` are code points in UTF-8. */
export function stringBytes(token: Token): Uint8Array {
  if (!token.text.includes('\\')) return encoder.encode(token.text.slice(1, -1));
  const bytes: number[] = [];
  for (const [all, head, trail, octal, hex, short, long, other] of token.text.slice(1, -1).matchAll(ESCAPE)) {
    if (head !== undefined && trail !== undefined) {
      bytes.push(...encoder.encode(String.fromCharCode(Number.parseInt(head, 16), Number.parseInt(trail, 16))));
    } else if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 255);
    else if (hex !== undefined) bytes.push(Number.parseInt(hex, 16));
    else if (short !== undefined || long !== undefined) {
      const code = Number.parseInt((short ?? long)!, 16);
      if (code >= 0xd800 && code < 0xe000)
        bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
      // Beyond the last code point, protoc keeps the escape as text.
      else if (code > 0x10ffff) bytes.push(...encoder.encode(`\\U${code.toString(16).padStart(8, '0')}`));
      else bytes.push(...encoder.encode(String.fromCodePoint(code)));
    } else if (other !== undefined) {
      const code = ESCAPES[other];
      if (code === undefined) bytes.push(...encoder.encode(other));
      else bytes.push(code);
    } else for (const byte of encoder.encode(all)) bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}
