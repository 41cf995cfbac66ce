/**
 * One statement's tokens into what protobufjs's parser makes of them: type, number, label, ranges, method types.
 * Single statements, because a fault then costs one field instead of a file and has a place, and because names that
 * the parser's objects trip over (`__proto__`), its time per message (quadratic in fields) and its own linking never
 * come into play: the declared name goes in as `x`, and no object outlives the call.
 */
import protobuf from 'protobufjs';
import { SCALAR_TYPES, type Syntax } from '../declaration.ts';
import { SyntaxFault } from '../options/text.ts';
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

/** A statement, and the token that it declares, which the parser sees as `x`. */
interface Statement {
  readonly tokens: readonly Token[];
  readonly own: Token | undefined;
}

/** A shape has no tokens: where it cannot be read, the statement itself is read for the place. */
const NO_STATEMENT: Statement = { tokens: [], own: undefined };

/** Tokens as the parser can read them: no blanks inside of dotted names and negative numbers. */
function textOf({ tokens, own }: Statement): string {
  let text = '';
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1];
    const isGlued =
      previous?.text === '-' ||
      previous?.text === '.' ||
      (token.text === '.' && previous?.kind === 'word' && !BEFORE_NAME.has(previous.text));
    const word = token === own ? 'x' : token.text;
    text += isGlued || previous === undefined ? word : ` ${word}`;
  }
  return text;
}

function parse(
  text: string,
  statement: Statement,
  syntax: Syntax,
  before: string,
  after: string,
): protobuf.ReflectionObject {
  const head = syntax.startsWith('proto') ? 'syntax' : 'edition';
  const root = new protobuf.Root();
  try {
    protobuf.parse(`${head} = "${syntax}"; ${before} ${text}; ${after}`, root, { keepCase: true });
  } catch (error) {
    throw new SyntaxFault(faultOf(statement, String((error as Error).message)));
  }
  const parsed = root.nested?.['M'];
  if (parsed === undefined) throw new SyntaxFault(faultOf(statement, ''));
  return parsed;
}

/** The parser names the token it stopped at, and sometimes the one it wanted. */
function faultOf({ tokens, own }: Statement, message: string): Problem {
  const named = /^illegal (\w+) '(.*?)'(?:, '(.+)' expected)?/.exec(message);
  const [, what = 'token', read = '', expected] = named ?? [];
  const found = own === undefined ? read : read.replace(/\bx\b/, own.text);
  const all = { start: tokens[0]?.start ?? 0, end: tokens.at(-1)?.end ?? 0 };
  // Some tokens reach the parser glued together.
  const place =
    tokens.findLast(({ text }) => named !== null && text === found) ??
    tokens.find(({ kind, text }) => kind === 'symbol' && found.startsWith(text)) ??
    all;
  if (found === ';' || found === '}') {
    const last = tokens.at(-1);
    if (last === undefined) return problem(all, 'schema/syntax', 'The statement ends too early.');
    return problem(last, 'schema/syntax', `The statement ends too early, after "${last.text}".`);
  }
  if (expected !== undefined) {
    return problem(place, 'schema/syntax', `Expected "${expected}", found "${found}".`);
  }
  const role = what === 'token' ? '' : ` as a ${what}`;
  return problem(place, 'schema/syntax', named ? `"${found}" is not allowed here${role}.` : 'This cannot be read.');
}

/** Words of the grammar; any other word in a statement is part of a name. */
const KEYWORDS = new Set([...BEFORE_NAME, ...SCALAR_TYPES, 'map', 'group', 'rpc', 'x', 'G']);

/**
 * A statement with its names and its number taken out: `repeated a.b.C x = 5` → `repeated T0 x = 1`. Thousands of
 * statements have few shapes, so each is parsed once.
 */
interface Shape {
  readonly text: string;
  readonly names: readonly string[];
}

/** @param own the token that the statement declares, which goes in as `x`. */
function shapeOf(tokens: readonly Token[], own: Token): Shape {
  const names: string[] = [];
  let text = '';
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const isDot = token.kind === 'symbol' && token.text === '.';
    if (token === own) text += ' x';
    else if (token.kind === 'number') text += ' 1';
    else if (!isDot && (token.kind !== 'word' || isKeyword(token.text, tokens[at + 1]))) text += ` ${token.text}`;
    else {
      // A name with all its dots, as long as words and dots take turns.
      let name = token.text;
      let isWord = !isDot;
      for (let next = tokens[at + 1]; next !== undefined && next !== own; next = tokens[at + 1]) {
        if (isWord ? next.text !== '.' : next.kind !== 'word') break;
        name += next.text;
        isWord = !isWord;
        at++;
      }
      text += isWord ? ` T${names.length}` : ` ${name}`;
      names.push(name);
    }
  }
  return { text, names };
}

/** Before a dot, a word that others follow begins no name. */
const isKeyword = (word: string, next: Token | undefined): boolean =>
  BEFORE_NAME.has(word) || (KEYWORDS.has(word) && next?.text !== '.');

const MAX_SHAPES = 2000;
const shapes = new Map<string, unknown>();

/** The result of `read` for a shape, cached; undefined if it is wrong: then the statement itself gives the place. */
function byShape<T>(key: string, { text }: Shape, read: (text: string) => T): T | undefined {
  const full = key + text;
  if (shapes.has(full)) return shapes.get(full) as T | undefined;
  let parsed: T | undefined;
  try {
    parsed = read(text);
  } catch (fault) {
    if (!(fault instanceof SyntaxFault)) throw fault;
  }
  if (shapes.size >= MAX_SHAPES) shapes.clear();
  shapes.set(full, parsed);
  return parsed;
}

const withNames = (type: string, names: readonly string[]): string =>
  /^T[0-9]+$/.test(type) ? names[Number(type.slice(1))]! : type;

/**
 * `optional int32 x = 1`, `map<string, T> x = 2`, without options.
 * @param own the field's name among the tokens.
 * @param number the literal of its number.
 */
export function parseField(
  tokens: readonly Token[],
  own: Token,
  number: string,
  syntax: Syntax,
  surroundings: Surroundings,
): ParsedField {
  const shape = shapeOf(tokens, own);
  const known = byShape(`${syntax} ${surroundings}`, shape, (text) =>
    parseWhole(text, NO_STATEMENT, syntax, surroundings),
  );
  const parsed = known ?? parseWhole(textOf({ tokens, own }), { tokens, own }, syntax, surroundings);
  const type = known === undefined ? parsed.type : withNames(parsed.type, shape.names);
  return { ...parsed, type, number: integerLiteral(number) };
}

/** Of a literal that `isInteger` accepts. */
export const integerLiteral = (text: string): number =>
  /^0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : Number(text);

function parseWhole(text: string, statement: Statement, syntax: Syntax, surroundings: Surroundings): ParsedField {
  const [before, after] = FIELD_SURROUNDINGS[surroundings];
  const parsed = parse(text, statement, syntax, before, after);
  const field = parsed instanceof protobuf.Type ? parsed.get('x') : undefined;
  if (!(field instanceof protobuf.Field)) throw new SyntaxFault(faultOf(statement, ''));
  const first = /^ ?(\w+)/.exec(text)?.[1];
  const label = first === 'optional' || first === 'required' || first === 'repeated' ? first : undefined;
  const keyType = field instanceof protobuf.MapField ? field.keyType : undefined;
  return { type: field.type, number: field.id, label, keyType };
}

/** `reserved 1, 3 to 5` or `extensions 100 to max`, without options. */
export function parseRanges(tokens: readonly Token[], syntax: Syntax, block: 'message' | 'enum'): ParsedRanges {
  const statement = { tokens, own: undefined };
  const parsed = parse(textOf(statement), statement, syntax, `${block} M {`, '}');
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

/** `rpc X (stream A) returns (B)`, without its block. */
export function parseMethod(tokens: readonly Token[], own: Token, syntax: Syntax): ParsedMethod {
  const shape = shapeOf(tokens, own);
  const known = byShape(`${syntax} service`, shape, (text) => parseWholeMethod(text, NO_STATEMENT, syntax));
  if (known === undefined) return parseWholeMethod(textOf({ tokens, own }), { tokens, own }, syntax);
  return { ...known, input: withNames(known.input, shape.names), output: withNames(known.output, shape.names) };
}

function parseWholeMethod(text: string, statement: Statement, syntax: Syntax): ParsedMethod {
  const parsed = parse(text, statement, syntax, 'service M {', '}');
  const method = parsed instanceof protobuf.Service ? parsed.methods['x'] : undefined;
  if (method === undefined) throw new SyntaxFault(faultOf(statement, ''));
  return {
    input: method.requestType,
    output: method.responseType,
    clientStreaming: method.requestStream === true,
    serverStreaming: method.responseStream === true,
  };
}
