/**
 * Options as text → raw options: names divided into parts, values not interpreted. Libraries lose 64-bit digits, bytes
 * and repeated values, and do not support `<…>`.
 *
 *   (my.opt).sub = { a: 1 b: [2, 3] [ext.name] <c: "x"> }
 */
import type { NamePart, RawField, RawOption, RawValue } from '../declaration.ts';
import { shown } from '../text/statements.ts';
import { type Problem, problem, stringBytes, type Token, type Tokens } from '../text/tokens.ts';

/** Deeper values are rejected, as in protobuf's text format. */
const MAX_DEPTH = 60;

/** A fault that ends the reading of one statement. The reader of statements catches it. */
export class SyntaxFault extends Error {
  readonly problem: Problem;
  constructor(fault: Problem) {
    super(fault.message);
    this.problem = fault;
  }
}

export class TokenCursor {
  readonly #tokens: Tokens;
  readonly #end: number;
  at: number;

  constructor(tokens: Tokens, from: number, end: number) {
    this.#tokens = tokens;
    this.at = from;
    this.#end = end;
  }

  get done(): boolean {
    return this.at >= this.#end;
  }

  /** Offset one past the last token. */
  get lastEnd(): number {
    return this.at === 0 ? 0 : this.#tokens.endOf(this.at - 1);
  }

  peek(): Token | undefined {
    return this.done ? undefined : this.#tokens.at(this.at);
  }

  is(text: string): boolean {
    return !this.done && this.#tokens.is(this.at, text);
  }

  take(text: string): boolean {
    const found = this.is(text);
    if (found) this.at++;
    return found;
  }

  next(expected: string): Token {
    const token = this.peek();
    if (token === undefined) throw this.fault(expected);
    this.at++;
    return token;
  }

  expect(text: string): Token {
    if (!this.is(text)) throw this.fault(`"${text}"`);
    return this.#tokens.at(this.at++)!;
  }

  word(expected: string): Token {
    if (this.peek()?.kind !== 'word') throw this.fault(expected);
    return this.#tokens.at(this.at++)!;
  }

  /** Index of the first such symbol before the closing brace of the current block. */
  indexWithin(symbol: string): number | undefined {
    for (let at = this.at, depth = 1; at < this.#end; at++) {
      if (this.#tokens.is(at, symbol)) return at;
      if (this.#tokens.is(at, '{')) depth++;
      else if (this.#tokens.is(at, '}') && --depth === 0) return undefined;
    }
    return undefined;
  }

  /** A cursor over the same tokens, from here up to an index. */
  until(end: number): TokenCursor {
    return new TokenCursor(this.#tokens, this.at, end);
  }

  /** Moves after the closing brace of the current block. */
  skipPastBraces(): void {
    for (let depth = 1; depth > 0; ) {
      const { kind, text } = this.next('"}"');
      if (kind === 'string') continue;
      if (text === '{') depth++;
      else if (text === '}') depth--;
    }
  }

  /** A fault that names the expected token and the actual one. */
  fault(expected: string): SyntaxFault {
    const token = this.peek();
    const place = token ??
      this.#tokens.at(Math.max(0, Math.min(this.#end, this.#tokens.length) - 1)) ?? { start: 0, end: 0 };
    const text = token === undefined ? 'the end of the statement' : shown(token);
    const found = token === undefined || /^["']/.test(text) ? text : `"${text}"`;
    return new SyntaxFault(problem(place, 'schema/syntax', `Expected ${expected}, found ${found}.`));
  }
}

/** Reads `[a = 1, (b).c = 2]`, from its opening bracket on. */
export function readOptionList(cursor: TokenCursor): RawOption[] {
  const options: RawOption[] = [];
  cursor.expect('[');
  do options.push(readOption(cursor));
  while (cursor.take(','));
  cursor.expect(']');
  return options;
}

/** `name = value`. */
export function readOption(cursor: TokenCursor): RawOption {
  const name: NamePart[] = [];
  do {
    const open = cursor.peek();
    if (cursor.take('(')) {
      const text = readTypeName(cursor);
      const close = cursor.expect(')');
      name.push({ text, isExtension: true, start: open!.start, end: close.end });
    } else {
      const word = cursor.word('the name of an option');
      name.push({ text: word.text, isExtension: false, start: word.start, end: word.end });
    }
  } while (cursor.take('.'));
  cursor.expect('=');
  const first = name[0]!;
  const value = readValue(cursor, 0, false);
  return { kind: 'text', name, value, span: { start: first.start, end: name.at(-1)!.end } };
}

/** `a.b.C` or `.a.b.C`. */
export function readTypeName(cursor: TokenCursor): string {
  let name = cursor.take('.') ? '.' : '';
  name += cursor.word('a name').text;
  while (cursor.take('.')) name += `.${cursor.word('a name').text}`;
  return name;
}

function readValue(cursor: TokenCursor, depth: number, inAggregate: boolean): RawValue {
  if (depth > MAX_DEPTH) throw cursor.fault('a value nested less deeply');
  const token = cursor.peek();
  if (token?.kind === 'string') {
    const first = stringBytes(cursor.next('text'));
    if (cursor.peek()?.kind !== 'string') return { kind: 'string', bytes: first };
    const bytes = [...first];
    while (cursor.peek()?.kind === 'string') for (const byte of stringBytes(cursor.next('text'))) bytes.push(byte);
    return { kind: 'string', bytes: Uint8Array.from(bytes) };
  }
  if (cursor.is('{') || (inAggregate && cursor.is('<'))) return readAggregate(cursor, depth);
  if (inAggregate && cursor.take('[')) {
    const values: RawValue[] = [];
    if (!cursor.take(']')) {
      do values.push(readValue(cursor, depth + 1, true));
      while (cursor.take(','));
      cursor.expect(']');
    }
    return { kind: 'list', values };
  }
  const negative = cursor.take('-');
  // protoc accepts a sign before a message.
  if (negative && !inAggregate && cursor.is('{')) return readAggregate(cursor, depth);
  const literal = cursor.next('a value');
  if (literal.kind === 'number') return { kind: 'number', text: literal.text, negative };
  if (literal.kind !== 'word') {
    cursor.at--;
    throw cursor.fault('a value');
  }
  if (!negative) return { kind: 'identifier', text: literal.text };
  if (inAggregate ? /^(inf|infinity|nan)$/i.test(literal.text) : /^(inf|nan)$/.test(literal.text)) {
    return { kind: 'number', text: literal.text, negative };
  }
  cursor.at--;
  throw cursor.fault('a number');
}

/**
 * The outermost braces contain text format, in which `#` begins a comment. protoc joins it to one line, so the comment
 * ends with the outermost braces.
 */
function readAggregate(cursor: TokenCursor, depth: number): RawValue {
  const close = cursor.next('"{"').text === '<' ? '>' : '}';
  const comment = depth === 0 ? cursor.indexWithin('#') : undefined;
  if (comment === undefined) return { kind: 'aggregate', fields: readFields(cursor, depth, close) };
  const fields = readFields(cursor.until(comment), depth, undefined);
  cursor.skipPastBraces();
  return { kind: 'aggregate', fields };
}

/** @param close the symbol that ends the fields; undefined: the end of the tokens */
function readFields(cursor: TokenCursor, depth: number, close: string | undefined): RawField[] {
  const fields: RawField[] = [];
  while (close === undefined ? !cursor.done : !cursor.take(close)) {
    const name = readFieldName(cursor);
    const hasColon = cursor.take(':');
    // Messages need no colon.
    if (!hasColon && !cursor.is('{') && !cursor.is('<') && !cursor.is('[')) throw cursor.fault('":"');
    fields.push({ name, hasColon, value: readValue(cursor, depth + 1, true) });
    if (!cursor.take(',')) cursor.take(';');
  }
  return fields;
}

/**
 * The name of a field of the aggregate's type; in brackets, the name of an extension or the type of an Any
 * (`[host/full.Type]`).
 */
function readFieldName(cursor: TokenCursor): NamePart {
  const open = cursor.peek();
  if (!cursor.take('[')) {
    const word = cursor.word('the name of a field');
    return { text: word.text, isExtension: false, start: word.start, end: word.end };
  }
  let text = '';
  if (cursor.is('.')) throw cursor.fault('a name');
  while (!cursor.done && !cursor.is(']')) text += cursor.next('a name').text;
  const close = cursor.expect(']');
  return { text, isExtension: true, start: open!.start, end: close.end };
}
