/**
 * Smile, Jackson's binary JSON, as OpenSearch and Elasticsearch write it (SmileXContent): each name once, then a
 * reference to it; texts of values are not shared; bytes as they are. Names as in JSON; integers as numbers; enums as
 * numbers; keys of maps as texts; well-known types as ordinary messages.
 * github.com/FasterXML/smile-format-specification
 */
import { decodeUtf8 } from '../native/wire-values.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import type { EncodedRows } from './encoded-rows.ts';
import type { EncodingRow, EncodingSubject } from './encoding-row.ts';
import { keyNameOf } from './json.ts';
import { utf8Of, withValidUtf8 } from './json-scalar.ts';
import { addLosses } from './losses.ts';
import { type Item, isMessageField, type MessageValue, type Scalar, type SetField } from './message-value.ts';
import { TokenWriter, type Written } from './token-writer.ts';

/** `:)`, a line end, version 0 with raw bytes and shared names. */
const HEADER = [0x3a, 0x29, 0x0a, 0x05];
const EMPTY = 0x20;
const INT32 = 0x24;
const INT64 = 0x25;
const BIG_INTEGER = 0x26;
const FLOAT = 0x28;
const DOUBLE = 0x29;
const LONG_NAME = 0x34;
const LONG_ASCII = 0xe0;
const LONG_UNICODE = 0xe4;
const ARRAY = [0xf8, 0xf9] as const;
const OBJECT = [0xfa, 0xfb] as const;
const TEXT_END = 0xfc;
const RAW_BYTES = 0xfd;

/** Names that have a reference; after them, the list begins again. */
const MAX_NAMES = 1024;
/** Longer texts are marked as Unicode even if they are not: they may not fit in the buffer of 8,000 bytes. */
const MAX_ASCII = 2666;

function encode(subject: EncodingSubject, rows: EncodedRows): Written {
  const writer = new TokenWriter(rows, subject.table);
  addLosses(writer.losses, subject.dropped);
  writer.begin(undefined, 0);
  writer.token('header');
  for (const byte of HEADER) writer.out.byte(byte);
  writer.end();
  new Objects(writer).message(subject.value);
  writer.end();
  return writer.finish();
}

class Objects {
  readonly #writer: TokenWriter;
  /** References of names, by text. */
  readonly #seen = new Map<string, number>();
  #names = 0;

  constructor(writer: TokenWriter) {
    this.#writer = writer;
  }

  message({ fields }: MessageValue): void {
    this.#between(OBJECT, () => {
      for (const set of fields) {
        this.#writer.begin(set.field, set.row);
        this.#writer.token('key');
        this.#name(keyNameOf(set.field));
        this.#writer.end();
        this.#field(set);
        this.#writer.end();
      }
    });
  }

  #between([first, last]: readonly [number, number], write: () => void): void {
    this.#writer.byte('punctuation', first);
    write();
    this.#writer.byte('punctuation', last);
  }

  #field({ field, items, entries }: SetField): void {
    if (field.cardinality === 'map') {
      const [key, value] = [field.message!.byNumber.get(1)!, field.message!.byNumber.get(2)!];
      this.#between(OBJECT, () => {
        for (const entry of entries) {
          this.#writer.begin(undefined, entry.row);
          this.#writer.begin(key, entry.key.row);
          this.#key(entry.key.value as Scalar);
          this.#writer.end();
          this.#writer.begin(value, entry.value.row);
          this.#value(value, entry.value);
          this.#writer.end();
          this.#writer.end();
        }
      });
    } else if (field.cardinality === 'repeated') {
      this.#between(ARRAY, () => {
        for (const item of items) {
          this.#writer.begin(undefined, item.row);
          this.#value(field, item);
          this.#writer.end();
        }
      });
    } else this.#value(field, items[0]!);
  }

  #key(value: Scalar): void {
    const utf8 = value instanceof Uint8Array ? withValidUtf8(value, this.#writer) : utf8Of(String(value));
    this.#name(decodeUtf8(utf8), utf8);
  }

  /** A name in full, or its reference. */
  #name(name: string, utf8: Uint8Array = utf8Of(name)): void {
    const { out } = this.#writer;
    const seen = this.#seen.get(name);
    if (seen !== undefined) {
      if (seen < 64) out.byte(0x40 | seen);
      else {
        out.byte(0x30 | (seen >> 8));
        out.byte(seen & 255);
      }
      return;
    }
    const bytes = utf8.length;
    if (bytes === 0) {
      out.byte(EMPTY);
      return;
    }
    const isAscii = bytes === name.length;
    if (bytes <= (isAscii ? 64 : 56)) {
      out.byte((isAscii ? 0x7f : 0xbe) + bytes);
      out.raw(utf8);
    } else this.#long(LONG_NAME, utf8);
    this.#remember(name);
  }

  #remember(name: string): void {
    if (this.#names === MAX_NAMES) {
      this.#seen.clear();
      this.#names = 0;
    }
    // Bytes above 0xfd mark other things.
    if ((this.#names & 255) < 0xfe) this.#seen.set(name, this.#names);
    this.#names++;
  }

  #long(token: number, text: Uint8Array): void {
    const { out } = this.#writer;
    out.byte(token);
    out.raw(text);
    out.byte(TEXT_END);
  }

  #value(field: FieldDescriptor, { row, value, contents }: Item): void {
    const writer = this.#writer;
    if (isMessageField(field)) this.message(value as MessageValue);
    else if (contents !== undefined) {
      const bytes = value as Uint8Array;
      writer.token('length');
      this.#bytesHead(bytes.length);
      writer.end();
      writer.value(row, bytes);
    } else {
      writer.token('value');
      this.#scalar(field, value as Scalar);
      writer.end();
    }
  }

  #scalar({ type }: FieldDescriptor, value: Scalar): void {
    const { out } = this.#writer;
    if (typeof value === 'boolean') out.byte(value ? 0x23 : 0x22);
    else if (!(value instanceof Uint8Array)) this.#integer(BigInt(value));
    else if (type === 'string') this.#text(value);
    else if (type === 'bytes') {
      this.#bytesHead(value.length);
      out.raw(value);
    } else this.#float(value);
  }

  #text(value: Uint8Array): void {
    const { out } = this.#writer;
    const utf8 = withValidUtf8(value, this.#writer);
    const bytes = utf8.length;
    const isAscii = utf8.every((byte) => byte < 0x80);
    if (bytes === 0) out.byte(EMPTY);
    else if (bytes <= 64) {
      out.byte((isAscii ? 0x3f : 0x7e) + bytes);
      out.raw(utf8);
    } else this.#long(isAscii && bytes <= MAX_ASCII ? LONG_ASCII : LONG_UNICODE, utf8);
  }

  #bytesHead(length: number): void {
    this.#writer.out.byte(RAW_BYTES);
    this.#varint(BigInt(length));
  }

  #integer(value: bigint): void {
    const { out } = this.#writer;
    const zigzag = value < 0n ? -2n * value - 1n : 2n * value;
    if (zigzag < 32n) out.byte(0xc0 | Number(zigzag));
    else if (zigzag >> 64n > 0n) this.#bigInteger(value);
    else {
      out.byte(zigzag >> 32n > 0n ? INT64 : INT32);
      this.#varint(zigzag);
    }
  }

  /** Seven bits a byte, the most significant first. The last byte has six and is marked. */
  #varint(value: bigint): void {
    const { out } = this.#writer;
    let shift = 6n;
    while (value >> shift > 0n) shift += 7n;
    for (shift -= 7n; shift > 0n; shift -= 7n) out.byte(Number((value >> shift) & 127n));
    out.byte(0x80 | Number(value & 63n));
  }

  /** Its nine bytes, seven bits a byte, the most significant first. The last byte has two. @param value from 2⁶³ on, below 2⁶⁴ */
  #bigInteger(value: bigint): void {
    const { out } = this.#writer;
    out.byte(BIG_INTEGER);
    this.#varint(9n);
    for (let shift = 65n; shift > 0n; shift -= 7n) out.byte(Number((value >> shift) & 127n));
    out.byte(Number(value & 3n));
  }

  /** Seven bits a byte, the most significant first. The first byte has four with their sign, or one of a double. */
  #float(value: Uint8Array): void {
    const { out } = this.#writer;
    const view = new DataView(value.buffer, value.byteOffset, value.length);
    const isFloat = value.length === 4;
    out.byte(isFloat ? FLOAT : DOUBLE);
    const bits = isFloat ? BigInt(view.getInt32(0, true)) : view.getBigUint64(0, true);
    for (let shift = isFloat ? 28n : 63n; shift >= 0n; shift -= 7n) out.byte(Number((bits >> shift) & 127n));
  }
}

export const SMILE: EncodingRow = {
  id: 'smile',
  label: 'Smile',
  mapping:
    'Jackson’s binary JSON as OpenSearch writes it: JSON names, each in full once, then in one or two bytes; integers, floats and bytes in binary.',
  isCommon: false,
  write: encode,
};
