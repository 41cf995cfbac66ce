/** Scalars as JSON tokens, as Go's protojson writes them. protobuf.dev/programming-guides/json */
import { printDouble, printFloat } from '../bytes/float-text.ts';
import { decodeUtf8 } from '../native/wire-values.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import { countLoss } from './losses.ts';
import type { Scalar } from './message-value.ts';
import type { TokenWriter } from './token-writer.ts';

const DIGITS = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Escapes of two characters, by byte. */
export type ShortEscapes = Readonly<Record<number, string>>;
/** The escapes that the Collector writes. */
export const FEW_ESCAPES: ShortEscapes = {
  9: '\\t',
  10: '\\n',
  13: '\\r',
  [QUOTE]: '\\"',
  [BACKSLASH]: '\\\\',
};
const ALL_ESCAPES: ShortEscapes = { 8: '\\b', 12: '\\f', ...FEW_ESCAPES };

const isEscaped = (byte: number): boolean => byte < 0x20 || byte === QUOTE || byte === BACKSLASH;

/** The text of a float or double, of either width. */
export function floatText(value: Uint8Array): string {
  const view = new DataView(value.buffer, value.byteOffset, value.length);
  const number = value.length === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
  if (Number.isNaN(number)) return 'NaN';
  return value.length === 4 ? printFloat(number, value, 0) : printDouble(number, value, 0);
}

/** Whether the digits of a float are those of another double. */
export const hasOwnDigits = (type: 'float' | 'double', text: string): boolean =>
  type === 'float' && Math.fround(Number(text)) !== Number(text) && text !== 'NaN';

export const isUsualNaN = (value: Uint8Array): boolean => {
  const high = value.length === 4 ? [0, 0, 0xc0, 0x7f] : [0, 0, 0, 0, 0, 0, 0xf8, 0x7f];
  return high.every((byte, at) => value[at] === byte);
};

/** With `quotes`, quotes have a category of their own; quotes of keys are part of the key. */
export class JsonScalars {
  readonly #writer: TokenWriter;
  readonly #escapes: ShortEscapes;

  constructor(writer: TokenWriter, escapes = ALL_ESCAPES) {
    this.#writer = writer;
    this.#escapes = escapes;
  }

  /** Writes the tokens of a scalar in the open row. @param isKey key of a map: numbers have quotes too */
  scalar(field: FieldDescriptor, value: Scalar, isKey = false): void {
    switch (field.type) {
      case 'string':
        this.text(value as Uint8Array);
        return;
      case 'bytes':
        this.base64(value as Uint8Array);
        return;
      case 'float':
      case 'double': {
        const text = floatText(value as Uint8Array);
        if (text === 'NaN' && !isUsualNaN(value as Uint8Array)) countLoss(this.#writer.losses, 'nan-bits');
        if (hasOwnDigits(field.type, text)) countLoss(this.#writer.losses, 'float32-digits');
        if (text === 'NaN' || text.endsWith('y')) this.quoted(text);
        else this.#writer.ascii('value', text);
        return;
      }
      case 'enum':
        this.enumValue(field, value as number);
        return;
      default:
        if (isKey || typeof value === 'bigint') this.quoted(String(value));
        else this.#writer.ascii('value', String(value));
    }
  }

  enumValue({ enum: type }: FieldDescriptor, number: number): void {
    if (type!.fullName === 'google.protobuf.NullValue') {
      this.#writer.ascii('value', 'null');
      return;
    }
    const name = type!.values.find((value) => value.number === number)?.name;
    if (name === undefined) this.#writer.ascii('value', String(number));
    else this.quoted(name);
  }

  /** Writes a text that needs no escapes. */
  quoted(text: string): void {
    this.#writer.byte('quotes', QUOTE);
    this.#writer.ascii('value', text);
    this.#writer.byte('quotes', QUOTE);
  }

  base64(bytes: Uint8Array): void {
    const { out } = this.#writer;
    this.#writer.byte('quotes', QUOTE);
    if (bytes.length > 0) {
      this.#writer.token('value');
      for (let at = 0; at < bytes.length; at += 3) {
        const left = bytes.length - at;
        const bits = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
        out.byte(DIGITS[bits >> 18]!);
        out.byte(DIGITS[(bits >> 12) & 63]!);
        out.byte(left > 1 ? DIGITS[(bits >> 6) & 63]! : 0x3d);
        out.byte(left > 2 ? DIGITS[bits & 63]! : 0x3d);
      }
      this.#writer.end();
    }
    this.#writer.byte('quotes', QUOTE);
  }

  /** Writes UTF-8 in quotes. Runs without escapes are values. */
  text(utf8: Uint8Array): void {
    const writer = this.#writer;
    const text = withValidUtf8(utf8, writer);
    writer.byte('quotes', QUOTE);
    let start = 0;
    for (let at = 0; at <= text.length; at++) {
      if (at < text.length && !isEscaped(text[at]!)) continue;
      if (at > start) {
        writer.token('value');
        writer.out.raw(text, start, at);
        writer.end();
      }
      if (at === text.length) break;
      writer.token('quotes');
      for (; at < text.length && isEscaped(text[at]!); at++)
        rawAscii(writer, this.#escapes[text[at]!] ?? `\\u${text[at]!.toString(16).padStart(4, '0')}`);
      writer.end();
      start = at;
      at--;
    }
    writer.byte('quotes', QUOTE);
  }

  /** Writes a member's name with its quotes, as one token. */
  key(text: string): void {
    const writer = this.#writer;
    writer.token('key');
    writer.out.raw(utf8Of(JSON.stringify(text)));
    writer.end();
  }
}

const encoder = new TextEncoder();
const names = new Map<string, Uint8Array>();

/** Cached, because there are few names and each occurs often. */
export function utf8Of(name: string): Uint8Array {
  let bytes = names.get(name);
  if (bytes === undefined) {
    bytes = encoder.encode(name);
    if (names.size < 10_000) names.set(name, bytes);
  }
  return bytes;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text itself; bytes that are not UTF-8 become U+FFFD. */
export function withValidUtf8(utf8: Uint8Array, { losses }: Pick<TokenWriter, 'losses'>): Uint8Array {
  if (isUtf8(utf8)) return utf8;
  countLoss(losses, 'invalid-utf8');
  return encoder.encode(decodeUtf8(utf8));
}

export function isUtf8(text: Uint8Array): boolean {
  let at = 0;
  while (at < text.length && text[at]! < 0x80) at++;
  if (at === text.length) return true;
  try {
    strict.decode(text);
    return true;
  } catch {
    return false;
  }
}

function rawAscii({ out }: TokenWriter, text: string): void {
  for (let at = 0; at < text.length; at++) out.byte(text.charCodeAt(at));
}
