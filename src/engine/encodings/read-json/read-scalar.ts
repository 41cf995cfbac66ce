/** JSON scalars → the values of a field's type, as ProtoJSON's parsers accept them. protobuf.dev/programming-guides/json */
import { floatBytes } from '../../bytes/float-bytes.ts';
import type { EnumDescriptor, FieldDescriptor } from '../../schema/descriptor.ts';
import { enumNumbers } from '../enum-numbers.ts';
import type { Scalar } from '../message-value.ts';
import { hexDigit } from './json-string.ts';

/** A JSON scalar: a decoded text, or a number or literal as written. */
export type JsonToken =
  | { readonly kind: 'text'; readonly utf8: Uint8Array }
  | { readonly kind: 'word'; readonly word: string };

/** A fault of a scalar. The message is one sentence. */
export class ScalarFault {
  readonly code: string;
  readonly message: string;

  constructor(code: 'json/mismatch' | 'json/range' | 'json/unknown-enum' | 'json/base64', message: string) {
    this.code = code;
    this.message = message;
  }
}

const decoder = new TextDecoder();
const misfit = (type: string): ScalarFault => new ScalarFault('json/mismatch', `The value is no ${type}.`);

/** @param isHex bytes are in OTLP/JSON's form of ids @param isKey the scalar is a map key, which is always a text */
export function readScalar(
  field: FieldDescriptor,
  token: JsonToken,
  isHex: boolean,
  isKey: boolean,
): Scalar | ScalarFault {
  const { type } = field;
  switch (type) {
    case 'string':
      return token.kind === 'text' ? token.utf8 : misfit('text');
    case 'bytes':
      return token.kind === 'text' ? readBytes(token.utf8, isHex) : misfit('text of bytes');
    case 'bool': {
      const word =
        isKey && token.kind === 'text' ? decoder.decode(token.utf8) : token.kind === 'word' ? token.word : '';
      return word === 'true' ? true : word === 'false' ? false : misfit('bool');
    }
    case 'enum':
      return readEnum(field.enum!, token);
    case 'double':
    case 'float':
      return readFloat(type, token);
    case 'message':
    case 'group':
      return misfit('message');
    default:
      return readInteger(type, token);
  }
}

const textOf = (token: JsonToken): string => (token.kind === 'word' ? token.word : decoder.decode(token.utf8));

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  32: [-(2n ** 31n), 2n ** 31n - 1n],
  u32: [0n, 2n ** 32n - 1n],
  64: [-(2n ** 63n), 2n ** 63n - 1n],
  u64: [0n, 2n ** 64n - 1n],
};

function readInteger(type: string, token: JsonToken): Scalar | ScalarFault {
  const text = textOf(token);
  const isWide = type.endsWith('64');
  const isUnsigned = type.startsWith('u') || type.startsWith('fixed');
  const [least, greatest] = RANGES[`${isUnsigned ? 'u' : ''}${isWide ? '64' : '32'}`]!;
  const value = jsonIntegerOf(text);
  if (value === undefined) return misfit(type);
  if (value === null || value < least || value > greatest)
    return new ScalarFault('json/range', `The value is out of the range of ${type}.`);
  return isWide ? value : Number(value);
}

/** Digits of the largest integer, and some zeros after the decimal point. */
const MAX_DIGITS = 60;

/** undefined: not an integer. null: more digits than any type has. `1.0` and `1e3` are integers. */
export function jsonIntegerOf(text: string): bigint | null | undefined {
  if (!NUMBER.test(text)) return undefined;
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const isNegative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return 0n;
  const shift = Number(exponent) - fraction.length;
  if (shift < 0) {
    const behind = digits.slice(Math.max(0, digits.length + shift));
    if (digits.length + shift <= 0 || /[^0]/.test(behind)) return undefined;
    const kept = digits.slice(0, digits.length + shift);
    if (kept.length > MAX_DIGITS) return null;
    return isNegative ? -BigInt(kept) : BigInt(kept);
  }
  if (digits.length + shift > MAX_DIGITS) return null;
  const value = BigInt(digits) * 10n ** BigInt(shift);
  return isNegative ? -value : value;
}

const SPECIAL: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

function readFloat(type: 'double' | 'float', token: JsonToken): Uint8Array | ScalarFault {
  const text = textOf(token);
  const special = token.kind === 'text' ? SPECIAL[text] : undefined;
  if (special === undefined && !NUMBER.test(text)) return misfit(type);
  const number = special ?? Number(text);
  const rounded = type === 'float' ? Math.fround(number) : number;
  if (special === undefined && !Number.isFinite(rounded))
    return new ScalarFault('json/range', `The value is out of the range of ${type}.`);
  return floatBytes(rounded, type);
}

function readEnum(type: EnumDescriptor, token: JsonToken): number | ScalarFault {
  if (token.kind === 'word') {
    if (type.fullName === 'google.protobuf.NullValue' && token.word === 'null') return 0;
    const value = jsonIntegerOf(token.word);
    if (value === undefined) return misfit(`value of ${type.name}`);
    const [least, greatest] = RANGES['32']!;
    if (value === null || value < least || value > greatest)
      return new ScalarFault('json/range', 'The value is out of the range of an enum.');
    return Number(value);
  }
  const name = decoder.decode(token.utf8);
  return (
    enumNumbers(type).get(name) ??
    new ScalarFault('json/unknown-enum', `${type.name} has no value ${JSON.stringify(name)}.`)
  );
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SIXTH = new Int8Array(256).fill(-1);
for (let at = 0; at < LETTERS.length; at++) SIXTH[LETTERS.charCodeAt(at)] = at;
SIXTH['-'.charCodeAt(0)] = 62;
SIXTH['_'.charCodeAt(0)] = 63;
const [EQUALS, NEWLINE, RETURN] = [0x3d, 0x0a, 0x0d];

function readBytes(written: Uint8Array, isHex: boolean): Uint8Array | ScalarFault {
  // Some writers break lines, and most readers allow it.
  const text = written.includes(NEWLINE) ? written.filter((byte) => byte !== NEWLINE && byte !== RETURN) : written;
  if (isHex) {
    const bytes = hexBytes(text);
    if (bytes !== null) return bytes;
  }
  let length = text.length;
  while (length > 0 && text.length - length < 2 && text[length - 1] === EQUALS) length--;
  const out = new Uint8Array(Math.floor((length * 3) / 4));
  let bits = 0;
  let held = 0;
  let to = 0;
  for (let at = 0; at < length; at++) {
    const sixth = SIXTH[text[at]!]!;
    if (sixth < 0) return new ScalarFault('json/base64', 'The text is not base64.');
    bits = (bits << 6) | sixth;
    held += 6;
    if (held >= 8) {
      held -= 8;
      out[to++] = (bits >> held) & 0xff;
    }
  }
  return length % 4 === 1 ? new ScalarFault('json/base64', 'The text is not valid base64: a digit is missing.') : out;
}

/** Ids have 8 or 16 bytes. Their 16 or 32 digits cannot be the base64 form of an id. null: not such an id. */
function hexBytes(text: Uint8Array): Uint8Array | null {
  if (text.length !== 16 && text.length !== 32) return null;
  const out = new Uint8Array(text.length / 2);
  for (let at = 0; at < out.length; at++) {
    const [high, low] = [hexDigit(text[2 * at]!), hexDigit(text[2 * at + 1]!)];
    if (high < 0 || low < 0) return null;
    out[at] = high * 16 + low;
  }
  return out;
}
