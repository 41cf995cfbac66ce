/**
 * Messages as maps by name or by number, or as arrays by position: the common part of MessagePack and CBOR. Each format
 * gives the tokens of scalars and the headers of maps and arrays.
 */
import type { Category } from '../model/annotation.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import type { EncodedRows } from './encoded-rows.ts';
import type { EncodingSubject } from './encoding-row.ts';
import { keyNameOf } from './json.ts';
import { utf8Of } from './json-scalar.ts';
import { addLosses, countLoss } from './losses.ts';
import {
  defaultOf,
  type Item,
  isMessageField,
  type MessageValue,
  type Scalar,
  type SetField,
} from './message-value.ts';
import { TokenWriter, type Written } from './token-writer.ts';

/** Tokens of a format. Each function only writes bytes. */
export interface ValueTokens {
  readonly nil: (writer: TokenWriter) => void;
  readonly bool: (writer: TokenWriter, value: boolean) => void;
  readonly int: (writer: TokenWriter, value: number | bigint) => void;
  /** Four or eight bytes, little-endian as in protobuf. */
  readonly float: (writer: TokenWriter, value: Uint8Array) => void;
  readonly text: (writer: TokenWriter, utf8: Uint8Array) => void;
  /** Before bytes. */
  readonly bytesHead: (writer: TokenWriter, length: number) => void;
  readonly arrayHead: (writer: TokenWriter, length: number) => void;
  readonly mapHead: (writer: TokenWriter, length: number) => void;
}

/** How a field is identified. */
export type Keys = 'name' | 'number' | 'position';

export function encodeStructured(
  subject: EncodingSubject,
  rows: EncodedRows,
  tokens: ValueTokens,
  keys: Keys,
): Written {
  const writer = new TokenWriter(rows, subject.table);
  addLosses(writer.losses, subject.dropped);
  writer.begin(undefined, 0);
  new Structured(writer, tokens, keys).message(subject.value);
  writer.end();
  return writer.finish();
}

class Structured {
  readonly #writer: TokenWriter;
  readonly #tokens: ValueTokens;
  readonly #keys: Keys;

  constructor(writer: TokenWriter, tokens: ValueTokens, keys: Keys) {
    this.#writer = writer;
    this.#tokens = tokens;
    this.#keys = keys;
  }

  message({ type, fields }: MessageValue): void {
    if (this.#keys === 'position') {
      this.#positions(type, fields);
      return;
    }
    this.#head('mapHead', fields.length);
    for (const set of fields) {
      this.#writer.begin(set.field, set.row);
      this.#token('key', () => {
        if (this.#keys === 'name') this.#tokens.text(this.#writer, utf8Of(keyNameOf(set.field)));
        else this.#tokens.int(this.#writer, set.field.number);
      });
      this.#field(set);
      this.#writer.end();
    }
  }

  /** A slot for each declared field, sorted by number. */
  #positions(type: MessageDescriptor, fields: readonly SetField[]): void {
    const declared = byNumber(type);
    const set = new Map(fields.map((field) => [field.field, field]));
    this.#head('arrayHead', declared.length);
    for (const field of declared) {
      const found = set.get(field);
      this.#writer.begin(field, found?.row ?? -1);
      if (found !== undefined) this.#field(found);
      else this.#absent(field);
      this.#writer.end();
    }
    countLoss(this.#writer.losses, 'extension', fields.filter(({ field }) => field.isExtension).length);
  }

  #absent(field: FieldDescriptor): void {
    if (field.cardinality === 'map') this.#head('mapHead', 0);
    else if (field.cardinality === 'repeated') this.#head('arrayHead', 0);
    else if (field.presence === 'implicit') this.#scalar(field, defaultOf(field));
    else this.#token('flag', () => this.#tokens.nil(this.#writer));
  }

  #field({ field, items, entries }: SetField): void {
    if (field.cardinality === 'map') {
      const [key, value] = [field.message!.byNumber.get(1)!, field.message!.byNumber.get(2)!];
      this.#head('mapHead', entries.length);
      for (const entry of entries) {
        this.#writer.begin(undefined, entry.row);
        this.#part(key, entry.key);
        this.#part(value, entry.value);
        this.#writer.end();
      }
    } else if (field.cardinality === 'repeated') {
      this.#head('arrayHead', items.length);
      for (const item of items) {
        this.#writer.begin(undefined, item.row);
        this.#value(field, item);
        this.#writer.end();
      }
    } else this.#value(field, items[0]!);
  }

  #part(field: FieldDescriptor, item: Item): void {
    this.#writer.begin(field, item.row);
    this.#value(field, item);
    this.#writer.end();
  }

  #value(field: FieldDescriptor, { row, value, contents }: Item): void {
    if (isMessageField(field)) this.message(value as MessageValue);
    else if (contents !== undefined) {
      const bytes = value as Uint8Array;
      this.#token('length', () => this.#tokens.bytesHead(this.#writer, bytes.length));
      this.#writer.value(row, bytes);
    } else this.#scalar(field, value as Scalar);
  }

  #scalar(field: FieldDescriptor, value: Scalar): void {
    const [writer, tokens] = [this.#writer, this.#tokens];
    writer.token('value');
    if (typeof value === 'boolean') tokens.bool(writer, value);
    else if (!(value instanceof Uint8Array)) tokens.int(writer, value);
    else if (field.type === 'string') tokens.text(writer, value);
    else if (field.type === 'bytes') {
      tokens.bytesHead(writer, value.length);
      writer.out.raw(value);
    } else tokens.float(writer, value);
    writer.end();
  }

  #head(kind: 'arrayHead' | 'mapHead', length: number): void {
    this.#token('count', () => this.#tokens[kind](this.#writer, length));
  }

  #token(category: Category, write: () => void): void {
    this.#writer.token(category);
    write();
    this.#writer.end();
  }
}

const sorted = new WeakMap<MessageDescriptor, readonly FieldDescriptor[]>();

/** Declared fields, sorted by number. */
export function byNumber(type: MessageDescriptor): readonly FieldDescriptor[] {
  let fields = sorted.get(type);
  if (fields === undefined) {
    fields = [...type.fields].sort((a, b) => a.number - b.number);
    sorted.set(type, fields);
  }
  return fields;
}
