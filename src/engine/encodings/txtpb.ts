/**
 * Protobuf's text format in the layout of protobuf-go and txtpbfmt: one field a line, two spaces for each level, in the
 * order of declaration, every element of a list as a separate field. White space belongs to the field after it.
 * protobuf.dev/reference/protobuf/textformat-spec
 */
import type { FieldDescriptor } from '../schema/descriptor.ts';
import { ANY } from '../schema/names.ts';
import { anyContents } from './any-contents.ts';
import type { EncodedRows } from './encoded-rows.ts';
import type { EncodingRow, EncodingSubject } from './encoding-row.ts';
import { byDeclaration } from './json.ts';
import { floatText, isUsualNaN, utf8Of, withValidUtf8 } from './json-scalar.ts';
import { addLosses, countLoss } from './losses.ts';
import { type Item, isMessageField, type MapEntry, type MessageValue, type Scalar } from './message-value.ts';
import { TokenWriter, type Written } from './token-writer.ts';
import { txtpbNameOf } from './txtpb-names.ts';

export const TXTPB: EncodingRow = {
  id: 'txtpb',
  label: 'Textproto',
  mapping:
    'Protobuf’s text format as protobuf-go lays it out: a field a line, names as declared, enums by name, bytes as escapes.',
  isCommon: false,
  write: encodeTxtpb,
};

function encodeTxtpb(subject: EncodingSubject, rows: EncodedRows): Written {
  const writer = new TokenWriter(rows, subject.table);
  addLosses(writer.losses, subject.dropped);
  writer.begin(undefined, 0);
  const text = new TxtpbWriter(writer);
  text.fields(subject.value, 0);
  if (!text.isEmpty) writer.byte('space', NEWLINE);
  writer.end();
  return writer.finish();
}

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const decoder = new TextDecoder();

class TxtpbWriter {
  isEmpty = true;
  readonly #writer: TokenWriter;

  constructor(writer: TokenWriter) {
    this.#writer = writer;
  }

  fields(value: MessageValue, depth: number): void {
    if (value.type.fullName === ANY && this.#any(value, depth)) return;
    for (const { field, items, entries } of byDeclaration(value)) {
      for (const item of items) this.#field(field, item, depth);
      for (const entry of entries) this.#entry(field, entry, depth);
    }
  }

  /** Writes the message that the URL names. false: it cannot be read, and nothing is written. */
  #any(any: MessageValue, depth: number): boolean {
    const contents = anyContents(any, this.#writer.losses, depth);
    if (contents === undefined) return false;
    this.#line(any.type.byNumber.get(2)!, any.fields.at(-1)!.row, `[${decoder.decode(contents.url)}]`, depth);
    this.#braces(contents.value, depth);
    this.#writer.end();
    return true;
  }

  /** Begins a field's row: the line, its indentation, and the name. */
  #line(field: FieldDescriptor, origin: number, name: string, depth: number): void {
    const writer = this.#writer;
    writer.begin(field, origin);
    this.#indent(depth);
    writer.token('key');
    writer.out.raw(utf8Of(name));
    writer.end();
    writer.ascii('punctuation', ':');
    writer.ascii('space', ' ');
  }

  #indent(depth: number): void {
    const blanks = `${this.isEmpty ? '' : '\n'}${'  '.repeat(depth)}`;
    if (blanks !== '') this.#writer.ascii('space', blanks);
    this.isEmpty = false;
  }

  #field(field: FieldDescriptor, { row, value }: Item, depth: number): void {
    const writer = this.#writer;
    this.#line(field, row, txtpbNameOf(field), depth);
    const isElement = isMessageField(field) && field.cardinality === 'repeated';
    if (isElement) writer.begin(undefined, -1);
    if (isMessageField(field)) this.#braces(value as MessageValue, depth);
    else this.#scalar(field, value as Scalar);
    if (isElement) writer.end();
    writer.end();
  }

  #braces(value: MessageValue, depth: number): void {
    const writer = this.#writer;
    writer.ascii('punctuation', '{');
    const start = writer.out.length;
    this.fields(value, depth + 1);
    if (writer.out.length > start) this.#indent(depth);
    writer.ascii('punctuation', '}');
  }

  #entry(map: FieldDescriptor, { row, key, value }: MapEntry, depth: number): void {
    const writer = this.#writer;
    this.#line(map, row, map.name, depth);
    writer.begin(undefined, -1);
    writer.ascii('punctuation', '{');
    this.#field(map.message!.byNumber.get(1)!, key, depth + 1);
    this.#field(map.message!.byNumber.get(2)!, value, depth + 1);
    this.#indent(depth);
    writer.ascii('punctuation', '}');
    writer.end();
    writer.end();
  }

  #scalar(field: FieldDescriptor, value: Scalar): void {
    const writer = this.#writer;
    switch (field.type) {
      case 'string':
        this.#text(withValidUtf8(value as Uint8Array, writer));
        return;
      case 'bytes':
        this.#text(value as Uint8Array);
        return;
      case 'float':
      case 'double': {
        const text = floatText(value as Uint8Array);
        if (text === 'NaN' && !isUsualNaN(value as Uint8Array)) countLoss(writer.losses, 'nan-bits');
        writer.ascii('value', SPECIAL[text] ?? shortOrExponential(text));
        return;
      }
      case 'enum':
        writer.ascii('value', field.enum!.values.find(({ number }) => number === value)?.name ?? String(value));
        return;
      default:
        writer.ascii('value', String(value));
    }
  }

  /** Writes a string. Runs without escapes are values. */
  #text(bytes: Uint8Array): void {
    const writer = this.#writer;
    writer.byte('quotes', QUOTE);
    for (let at = 0; at < bytes.length; ) {
      let run = at;
      let width = plainWidth(bytes, run);
      for (; width > 0; width = plainWidth(bytes, run)) run += width;
      if (run > at) {
        writer.token('value');
        writer.out.raw(bytes, at, run);
        writer.end();
      }
      at = run;
      if (at === bytes.length) break;
      let escapes = '';
      while (at < bytes.length && plainWidth(bytes, at) === 0) {
        const isControl = isControlOf2(bytes, at);
        escapes += isControl ? `\\u00${hex(bytes[at + 1]!)}` : (SHORT[bytes[at]!] ?? `\\x${hex(bytes[at]!)}`);
        at += isControl ? 2 : 1;
      }
      writer.ascii('quotes', escapes);
    }
    writer.byte('quotes', QUOTE);
  }
}

const SPECIAL: Readonly<Record<string, string>> = { NaN: 'nan', Infinity: 'inf', '-Infinity': '-inf' };

/** Go's `%g`: with an exponent, of at least two digits, from a million and below 0.0001. */
function shortOrExponential(text: string): string {
  const [digits, exponent = ''] = Number(text).toExponential().split('e');
  const isShort = Number(exponent) >= -4 && Number(exponent) < 6;
  return isShort ? text : `${digits}e${exponent.replace(/(?<=^.)(?=.$)/, '0')}`;
}

const SHORT: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 13: '\\r', 34: '\\"', 92: '\\\\' };
const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** Whether the character is U+0080 to U+009F. */
const isControlOf2 = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0xc2 && bytes[at + 1]! >= 0x80 && bytes[at + 1]! < 0xa0;

/** Bytes of the character at `at` if it can be written without an escape; 0: it needs an escape, or is not UTF-8. */
function plainWidth(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (at >= bytes.length) return 0;
  if (first < 0x80) return first < 0x20 || first === 0x7f || first === QUOTE || first === 0x5c ? 0 : 1;
  const width = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (width === 0 || at + width > bytes.length || isControlOf2(bytes, at)) return 0;
  const second = bytes[at + 1]!;
  const [least, most] = SECOND[first] ?? [0x80, 0xbf];
  if (second < least || second > most) return 0;
  for (let more = 2; more < width; more++) if ((bytes[at + more]! & 0xc0) !== 0x80) return 0;
  return width;
}

/** Allowed second bytes, which exclude overlong forms, surrogates and numbers above U+10FFFF. */
const SECOND: Readonly<Record<number, readonly [number, number]>> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
};
