/**
 * One statement's tokens into what protobufjs's parser makes of them: type, number, label, ranges, method types.
 * Single statements, because a fault then costs one field instead of a file and has a place, and because names that
 * the parser's objects trip over (`__proto__`), its time per message (quadratic in fields) and its own linking never
 * come into play: the declared name goes in as `x`, and no object outlives the call.
 */
import protobuf from 'protobufjs';
import type { Syntax } from './declaration.ts';
import { SyntaxFault } from './option-text.ts';
import { type Problem, problem, type Token } from './tokens.ts';

export interface ParsedField {
  readonly type: string;
  readonly number: number;
  readonly label: 'optional' | 'required' | 'repeated' | undefined;
  /** Of a map. */
  readonly keyType: string | undefined;
}

export interface ParsedRanges {
  /** Inclusive at both ends. `max` is the largest number there is. */
  readonly ranges: readonly (readonly [number, number])[];
  readonly names: readonly string[];
}

export interface ParsedMethod {
  readonly input: string;
  readonly output: string;
  readonly clientStreaming: boolean;
  readonly serverStreaming: boolean;
}

/** The block a statement stands in decides what it may be. */
export type Surroundings = 'message' | 'oneof' | 'extend';

const FIELD_SURROUNDINGS: Readonly<Record<Surroundings, readonly [string, string]>> = {
  message: ['message M {', '}'],
  oneof: ['message M { oneof o {', '} }'],
  extend: ['message M { extend E {', '} }'],
};

/** Words after which a dot begins an absolute name instead of going on with one. */
const BEFORE_NAME = new Set(['optional', 'required', 'repeated', 'stream', 'returns']);

/** Tokens as the parser can read them: no blanks inside of dotted names and negative numbers. */
function textOf(tokens: readonly Token[]): string {
  let text = '';
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1];
    const isGlued =
      previous?.text === '-' ||
      previous?.text === '.' ||
      (token.text === '.' && previous?.kind === 'word' && !BEFORE_NAME.has(previous.text));
    text += isGlued || previous === undefined ? token.text : ` ${token.text}`;
  }
  return text;
}

function parse(tokens: readonly Token[], syntax: Syntax, before: string, after: string): protobuf.ReflectionObject {
  const head = syntax.startsWith('proto') ? 'syntax' : 'edition';
  const root = new protobuf.Root();
  try {
    protobuf.parse(`${head} = "${syntax}"; ${before} ${textOf(tokens)}; ${after}`, root, { keepCase: true });
  } catch (error) {
    throw new SyntaxFault(faultOf(tokens, String((error as Error).message)));
  }
  const parsed = root.nested?.['M'];
  if (parsed === undefined) throw new SyntaxFault(faultOf(tokens, ''));
  return parsed;
}

/** The parser names the token it stopped at, and sometimes the one it wanted. */
function faultOf(tokens: readonly Token[], message: string): Problem {
  const named = /^illegal (\w+) '(.*?)'(?:, '(.+)' expected)?/.exec(message);
  const [, what = 'token', found = '', expected] = named ?? [];
  const first = tokens[0]!;
  const all = { start: first.start, end: tokens.at(-1)!.end };
  // Some tokens reach the parser glued together.
  const place =
    tokens.findLast(({ text }) => named !== null && text === found) ??
    tokens.find(({ kind, text }) => kind === 'symbol' && found.startsWith(text)) ??
    all;
  if (found === ';' || found === '}') {
    const last = tokens.at(-1)!;
    return problem(last, 'schema/syntax', `The statement ends too early, after "${last.text}".`);
  }
  if (expected !== undefined) {
    return problem(place, 'schema/syntax', `Expected "${expected}"; here "${found}" stands.`);
  }
  const role = what === 'token' ? '' : ` as a ${what}`;
  return problem(place, 'schema/syntax', named ? `"${found}" cannot stand here${role}.` : 'This cannot be read.');
}

/** `optional int32 x = 1`, `map<string, T> x = 2`: without options, the name replaced by `x`. */
export function parseField(tokens: readonly Token[], syntax: Syntax, surroundings: Surroundings): ParsedField {
  const [before, after] = FIELD_SURROUNDINGS[surroundings];
  const parsed = parse(tokens, syntax, before, after);
  const field = parsed instanceof protobuf.Type ? parsed.get('x') : undefined;
  if (!(field instanceof protobuf.Field)) throw new SyntaxFault(faultOf(tokens, ''));
  const first = tokens[0]!.text;
  const label = first === 'optional' || first === 'required' || first === 'repeated' ? first : undefined;
  const keyType = field instanceof protobuf.MapField ? field.keyType : undefined;
  return { type: field.type, number: field.id, label, keyType };
}

/** `reserved 1, 3 to 5` or `extensions 100 to max`, without options. */
export function parseRanges(tokens: readonly Token[], syntax: Syntax, block: 'message' | 'enum'): ParsedRanges {
  const parsed = parse(tokens, syntax, `${block} M {`, '}');
  const read = ((parsed instanceof protobuf.Type ? parsed.extensions : undefined) ??
    (parsed as protobuf.Type | protobuf.Enum).reserved ??
    []) as readonly (readonly number[] | string)[];
  const ranges: (readonly [number, number])[] = [];
  const names: string[] = [];
  for (const entry of read) {
    if (typeof entry === 'string') names.push(entry);
    else ranges.push([entry[0]!, entry[1]!]);
  }
  return { ranges, names };
}

/** `X = -1`, without options. Gives the number. */
export function parseEnumValue(tokens: readonly Token[], syntax: Syntax): number {
  const parsed = parse(tokens, syntax, 'enum M {', '}');
  const number = parsed instanceof protobuf.Enum ? parsed.values['x'] : undefined;
  if (number === undefined) throw new SyntaxFault(faultOf(tokens, ''));
  return number;
}

/** `rpc X (stream A) returns (B)`, without its block. */
export function parseMethod(tokens: readonly Token[], syntax: Syntax): ParsedMethod {
  const parsed = parse(tokens, syntax, 'service M {', '}');
  const method = parsed instanceof protobuf.Service ? parsed.methods['x'] : undefined;
  if (method === undefined) throw new SyntaxFault(faultOf(tokens, ''));
  return {
    input: method.requestType,
    output: method.responseType,
    clientStreaming: method.requestStream === true,
    serverStreaming: method.responseStream === true,
  };
}
