/**
 * Parses one statement's tokens, without its options, by protoc's grammar: type, number, label, ranges, method types.
 * https://protobuf.dev/reference/protobuf/edition-2023-spec/
 */
import type { Syntax } from '../declaration.ts';
import { MAX_ENUM_NUMBER, MAX_FIELD_NUMBER } from '../link/rules.ts';
import { readTypeName, TokenCursor } from '../options/text.ts';
import { stringBytes, type Tokens } from './tokens.ts';

export interface ParsedField {
  /** As written, possibly with a leading dot. */
  readonly type: string;
  readonly number: number;
  readonly label: 'optional' | 'required' | 'repeated' | undefined;
  /** Type of a map's key. */
  readonly keyType: string | undefined;
}

export interface ParsedRanges {
  /** Inclusive at both ends. `max` is the largest possible number. */
  readonly ranges: readonly (readonly [number, number])[];
  readonly names: readonly string[];
}

export interface ParsedMethod {
  readonly input: string;
  readonly output: string;
  readonly clientStreaming: boolean;
  readonly serverStreaming: boolean;
}

/** The enclosing block, which decides the allowed forms of a statement. */
export type Surroundings = 'message' | 'oneof' | 'extend';

const MAX_NUMBER = { message: MAX_FIELD_NUMBER, enum: MAX_ENUM_NUMBER } as const;

const LABELS = ['optional', 'required', 'repeated'] as const;

/** `optional int32 x = 1`, `map<string, T> x = 2`: a label, a type, a name, an integer. */
export function parseField(tokens: Tokens, from: number, to: number): ParsedField {
  const cursor = new TokenCursor(tokens, from, to);
  const label = LABELS.find((word) => cursor.take(word));
  const isMap = cursor.is('map') && tokens.isSymbol(cursor.at + 1, '<');
  const { keyType, type } = isMap ? readMapTypes(cursor) : { keyType: undefined, type: readTypeName(cursor) };
  cursor.word('the name of the field');
  cursor.expect('=');
  const number = integerLiteral(cursor.next('a field number').text);
  expectEnd(cursor);
  return { type, number, label, keyType };
}

function readMapTypes(cursor: TokenCursor): { readonly keyType: string; readonly type: string } {
  cursor.expect('map');
  cursor.expect('<');
  const keyType = cursor.word('the type of the keys').text;
  cursor.expect(',');
  const type = readTypeName(cursor);
  cursor.expect('>');
  return { keyType, type };
}

/** `reserved 1, 3 to 5`, `reserved "a", "b"` or `extensions 100 to max`. Numbers of an enum may be negative. */
export function parseRanges(cursor: TokenCursor, syntax: Syntax, block: 'message' | 'enum'): ParsedRanges {
  const keyword = cursor.word('"reserved" or "extensions"').text;
  const readNumber = (): number => {
    const isNegative = block === 'enum' && cursor.take('-');
    if (!isInteger(cursor.peek()?.text ?? '')) throw cursor.fault('a whole number');
    return integerLiteral(cursor.next('a number').text) * (isNegative ? -1 : 1);
  };
  const ranges: (readonly [number, number])[] = [];
  const names: string[] = [];
  do {
    if (keyword === 'reserved' && syntax.startsWith('proto') && cursor.peek()?.kind === 'string') {
      names.push(readString(cursor));
    } else {
      const start = readNumber();
      const end = !cursor.take('to') ? start : cursor.take('max') ? MAX_NUMBER[block] : readNumber();
      ranges.push([start, end]);
    }
  } while (cursor.take(','));
  expectEnd(cursor);
  return { ranges, names };
}

/** Adjacent string literals are concatenated. */
function readString(cursor: TokenCursor): string {
  const bytes: number[] = [];
  while (cursor.peek()?.kind === 'string') for (const byte of stringBytes(cursor.next('a text'))) bytes.push(byte);
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** `rpc X (stream A) returns (B)`, without its block. */
export function parseMethod(cursor: TokenCursor): ParsedMethod {
  cursor.expect('rpc');
  cursor.word('the name of the method');
  const [input, clientStreaming] = readMethodType(cursor);
  cursor.expect('returns');
  const [output, serverStreaming] = readMethodType(cursor);
  expectEnd(cursor);
  return { input, output, clientStreaming, serverStreaming };
}

function readMethodType(cursor: TokenCursor): readonly [type: string, isStream: boolean] {
  cursor.expect('(');
  const isStream = cursor.take('stream');
  const type = readTypeName(cursor);
  cursor.expect(')');
  return [type, isStream];
}

function expectEnd(cursor: TokenCursor): void {
  if (!cursor.done) throw cursor.fault('the end of the statement');
}

export const isInteger = (literal: string): boolean => /^(0|[1-9][0-9]*|0[0-7]+|0[xX][0-9a-fA-F]+)$/.test(literal);

/** The value of a literal that `isInteger` accepts. */
export const integerLiteral = (text: string): number =>
  /^0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number(text);
