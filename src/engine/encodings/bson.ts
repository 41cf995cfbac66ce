/**
 * BSON: names as in JSON; integers as int32 if they fit, else int64 (unsigned ones by their bits); float as double;
 * lists as documents "0", "1" …; map keys as texts. bsonspec.org/spec.html
 */
import type { FieldDescriptor } from '../schema/descriptor.ts';
import type { EncodedRows } from './encoded-rows.ts';
import type { EncodingRow, EncodingSubject } from './encoding-row.ts';
import { keyNameOf } from './json.ts';
import { utf8Of, withValidUtf8 } from './json-scalar.ts';
import { addLosses, countLoss } from './losses.ts';
import {
  type Item,
  isMessageField,
  type MessageValue,
  type Scalar,
  type SetField,
  turnsNegative,
} from './message-value.ts';
import { widened } from './thrift.ts';
import { TokenWriter, type Written } from './token-writer.ts';

const Type = { DOUBLE: 1, STRING: 2, DOCUMENT: 3, ARRAY: 4, BINARY: 5, BOOL: 8, INT32: 16, INT64: 18 } as const;

function encode(subject: EncodingSubject, rows: EncodedRows): Written {
  const writer = new TokenWriter(rows, subject.table);
  addLosses(writer.losses, subject.dropped);
  writer.begin(undefined, 0);
  new Documents(writer).message(subject.value);
  writer.end();
  return writer.finish();
}

/** Unsigned 64-bit values are judged by their bits. */
function isInt32(value: number | bigint): boolean {
  const signed = typeof value === 'bigint' ? BigInt.asIntN(64, value) : value;
  return signed >= -2147483648 && signed <= 2147483647;
}

class Documents {
  readonly #writer: TokenWriter;

  constructor(writer: TokenWriter) {
    this.#writer = writer;
  }

  message({ fields }: MessageValue): void {
    this.#document(() => {
      for (const set of fields) {
        this.#writer.begin(set.field, set.row);
        this.#field(set);
        this.#writer.end();
      }
    });
  }

  /** Writes a document: its length, its elements, a zero byte. */
  #document(elements: () => void): void {
    const { out } = this.#writer;
    const start = out.length;
    this.#int32('length', 0);
    elements();
    this.#writer.byte('group-end', 0);
    new DataView(out.written().buffer, out.written().byteOffset).setInt32(start, out.length - start, true);
  }

  #field(set: SetField): void {
    const { field, items, entries } = set;
    const name = utf8Of(keyNameOf(field));
    if (field.cardinality === 'map') {
      this.#head(Type.DOCUMENT, name);
      const [key, value] = [field.message!.byNumber.get(1)!, field.message!.byNumber.get(2)!];
      this.#document(() => {
        for (const entry of entries) {
          this.#writer.begin(undefined, entry.row);
          this.#entry(key, entry.key, value, entry.value);
          this.#writer.end();
        }
      });
    } else if (field.cardinality === 'repeated') {
      this.#head(Type.ARRAY, name);
      this.#document(() => {
        for (const [index, item] of items.entries()) {
          this.#writer.begin(undefined, item.row);
          this.#element(field, utf8Of(String(index)), item);
          this.#writer.end();
        }
      });
    } else this.#element(field, name, items[0]!);
  }

  /** Writes an entry of a map: its key is the name of the value. */
  #entry(key: FieldDescriptor, from: Item, field: FieldDescriptor, item: Item): void {
    const text =
      from.value instanceof Uint8Array ? withValidUtf8(from.value, this.#writer) : utf8Of(String(from.value));
    this.#writer.begin(field, item.row);
    this.#writer.byte('type', this.#typeOf(field, item));
    this.#writer.end();
    this.#writer.begin(key, from.row);
    this.#name('value', text);
    this.#writer.end();
    this.#writer.begin(field, item.row);
    this.#value(field, item);
    this.#writer.end();
  }

  #element(field: FieldDescriptor, name: Uint8Array, item: Item): void {
    this.#head(this.#typeOf(field, item), name);
    this.#value(field, item);
  }

  #head(type: number, name: Uint8Array): void {
    this.#writer.byte('type', type);
    this.#name('key', name);
  }

  /** Writes a zero-terminated text. */
  #name(category: 'key' | 'value', name: Uint8Array): void {
    const nul = name.indexOf(0);
    if (nul >= 0) countLoss(this.#writer.losses, 'key-with-nul');
    this.#writer.token(category);
    this.#writer.out.raw(nul < 0 ? name : name.subarray(0, nul));
    this.#writer.out.byte(0);
    this.#writer.end();
  }

  #typeOf(field: FieldDescriptor, { value }: Item): number {
    if (isMessageField(field)) return Type.DOCUMENT;
    switch (field.type) {
      case 'string':
        return Type.STRING;
      case 'bytes':
        return Type.BINARY;
      case 'float':
      case 'double':
        return Type.DOUBLE;
      case 'bool':
        return Type.BOOL;
      default: {
        return isInt32(value as number | bigint) ? Type.INT32 : Type.INT64;
      }
    }
  }

  #value(field: FieldDescriptor, item: Item): void {
    if (isMessageField(field)) this.message(item.value as MessageValue);
    else this.#scalar(field, item.value as Scalar, item.row);
  }

  #scalar(field: FieldDescriptor, value: Scalar, row: number): void {
    const writer = this.#writer;
    if (typeof value === 'boolean') writer.byte('value', value ? 1 : 0);
    else if (value instanceof Uint8Array) this.#bytes(field, value, row);
    else {
      if (turnsNegative(value, 64)) countLoss(writer.losses, 'unsigned');
      if (isInt32(value)) this.#int32('value', Number(BigInt.asIntN(64, BigInt(value))));
      else {
        const bits = BigInt.asUintN(64, BigInt(value));
        writer.token('value');
        for (let shift = 0n; shift < 64n; shift += 8n) writer.out.byte(Number((bits >> shift) & 255n));
        writer.end();
      }
    }
  }

  #bytes({ type }: FieldDescriptor, value: Uint8Array, row: number): void {
    const writer = this.#writer;
    if (type === 'float') countLoss(writer.losses, 'float32');
    if (type === 'string') {
      const text = withValidUtf8(value, writer);
      this.#int32('length', text.length + 1);
      writer.token('value');
      writer.out.raw(text);
      writer.end();
      writer.byte('group-end', 0);
      return;
    }
    if (type === 'bytes') {
      this.#int32('length', value.length);
      writer.byte('type', 0);
    }
    writer.value(row, type === 'float' ? widened(value) : value);
  }

  #int32(category: 'length' | 'value', value: number): void {
    const { out } = this.#writer;
    this.#writer.token(category);
    for (let shift = 0; shift < 32; shift += 8) out.byte((value >>> shift) & 255);
    this.#writer.end();
  }
}

export const BSON: EncodingRow = {
  id: 'bson',
  label: 'BSON',
  mapping:
    'A document of the fields that are there, by their JSON names; int32 or int64, floats as double, lists as documents.',
  isCommon: false,
  write: encode,
};
