/**
 * Canonical proto3 JSON as Go's protojson writes it, without white space. Names are lowerCamel (`json_name`) or as
 * declared, in the order of declaration; 64-bit integers are strings, bytes are padded base64, enums are names, NaN and
 * infinities are strings, and floats have the fewest digits that give the same value. Timestamp, Duration, Struct and
 * similar types have special forms. protobuf.dev/programming-guides/json
 */
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import type { EncodedRows } from './encoded-rows.ts';
import type { EncodingRow, EncodingSubject } from './encoding-row.ts';
import { JsonScalars, type ShortEscapes } from './json-scalar.ts';
import { isWellKnown, wellKnownJson } from './json-well-known.ts';
import { addLosses } from './losses.ts';
import {
  type Item,
  isMessageField,
  type MapEntry,
  type MessageValue,
  type Scalar,
  type SetField,
} from './message-value.ts';
import { TokenWriter, type Written } from './token-writer.ts';

/** The differences of a dialect of protobuf's JSON. */
export interface JsonDialect {
  readonly nameOf: (field: FieldDescriptor) => string;
  /** Writes a scalar differently from ProtoJSON; false: nothing was written. */
  readonly scalar?: (field: FieldDescriptor, value: Scalar, writer: TokenWriter, scalars: JsonScalars) => boolean;
  /** Escapes of two characters; default: all that JSON has. */
  readonly escapes?: ShortEscapes;
  /** The order of fields; default: order of declaration. */
  readonly order?: (value: MessageValue) => readonly SetField[];
}

/** A field's name in canonical JSON; for an extension, its full name. */
export const keyNameOf = (field: FieldDescriptor): string =>
  field.isExtension ? `[${field.fullName}]` : field.jsonName;

const declaredNameOf = (field: FieldDescriptor): string => (field.isExtension ? `[${field.fullName}]` : field.name);

export function encodeJson(subject: EncodingSubject, rows: EncodedRows, dialect: JsonDialect): Written {
  const writer = new TokenWriter(rows, subject.table);
  addLosses(writer.losses, subject.dropped);
  const json = new JsonWriter(writer, dialect);
  writer.begin(undefined, 0);
  json.message(subject.value);
  writer.end();
  return writer.finish();
}

const positions = new WeakMap<MessageDescriptor, ReadonlyMap<FieldDescriptor, number>>();

function positionOf(type: MessageDescriptor): ReadonlyMap<FieldDescriptor, number> {
  let known = positions.get(type);
  if (known === undefined) {
    known = new Map(type.fields.map((field, index) => [field, index]));
    positions.set(type, known);
  }
  return known;
}

/** In order of declaration. Extensions follow, sorted by name. */
export function byDeclaration({ type, fields }: MessageValue): readonly SetField[] {
  const position = positionOf(type);
  const at = ({ field }: SetField) => position.get(field) ?? type.fields.length;
  return [...fields].sort((a, b) => at(a) - at(b) || (a.field.fullName < b.field.fullName ? -1 : 1));
}

export class JsonWriter {
  readonly writer: TokenWriter;
  readonly scalars: JsonScalars;
  depth = 0;
  readonly #dialect: JsonDialect;

  constructor(writer: TokenWriter, dialect: JsonDialect) {
    this.writer = writer;
    this.scalars = new JsonScalars(writer, dialect.escapes);
    this.#dialect = dialect;
  }

  /** Writes the tokens of a message in the open row. */
  message(value: MessageValue): void {
    this.depth++;
    if (!isWellKnown(value.type) || !wellKnownJson(this, value)) {
      this.writer.byte('punctuation', 0x7b);
      this.members(value, true);
      this.writer.byte('punctuation', 0x7d);
    }
    this.depth--;
  }

  members(value: MessageValue, isFirst: boolean): void {
    const { order = byDeclaration } = this.#dialect;
    let first = isFirst;
    for (const set of order(value)) {
      this.writer.begin(set.field, set.row);
      this.comma(first);
      first = false;
      this.scalars.key(this.#dialect.nameOf(set.field));
      this.writer.byte('punctuation', 0x3a);
      if (set.field.cardinality === 'map') this.#map(set);
      else if (set.field.cardinality === 'repeated') this.#list(set);
      else this.#value(set.field, set.items[0]!);
      this.writer.end();
    }
  }

  comma(isFirst: boolean): void {
    if (!isFirst) this.writer.byte('punctuation', 0x2c);
  }

  #list({ field, items }: SetField): void {
    this.writer.byte('punctuation', 0x5b);
    for (const [index, item] of items.entries()) {
      this.comma(index === 0);
      this.writer.begin(undefined, item.row);
      this.#value(field, item);
      this.writer.end();
    }
    this.writer.byte('punctuation', 0x5d);
  }

  #map({ field, entries }: SetField): void {
    const [key, value] = [field.message!.byNumber.get(1)!, field.message!.byNumber.get(2)!];
    this.writer.byte('punctuation', 0x7b);
    for (const [index, entry] of entries.entries()) this.#entry(entry, key, value, index === 0);
    this.writer.byte('punctuation', 0x7d);
  }

  #entry(entry: MapEntry, key: FieldDescriptor, value: FieldDescriptor, isFirst: boolean): void {
    const { writer } = this;
    this.comma(isFirst);
    writer.begin(undefined, entry.row);
    writer.begin(key, entry.key.row);
    this.scalars.scalar(key, entry.key.value as Scalar, true);
    writer.end();
    writer.byte('punctuation', 0x3a);
    writer.begin(value, entry.value.row);
    this.#value(value, entry.value);
    writer.end();
    writer.end();
  }

  #value(field: FieldDescriptor, { value }: Item): void {
    if (isMessageField(field)) this.message(value as MessageValue);
    else if (this.#dialect.scalar?.(field, value as Scalar, this.writer, this.scalars) !== true) {
      this.scalars.scalar(field, value as Scalar);
    }
  }
}

const NEWLINE = 0x0a;

export const JSON_CANONICAL: EncodingRow = {
  id: 'json',
  label: 'JSON',
  mapping:
    'Canonical proto3 JSON as Go’s protojson writes it, without white space: lowerCamel names, 64-bit integers as texts, bytes in base64, enums by name.',
  isCommon: true,
  separator: NEWLINE,
  write: (subject, rows) => encodeJson(subject, rows, { nameOf: keyNameOf }),
};

export const JSON_PROTO_NAMES: EncodingRow = {
  id: 'json-proto-names',
  label: 'JSON, names as declared',
  mapping: 'As JSON, with the names of fields as the schema declares them, of a group in lower case.',
  isCommon: false,
  separator: NEWLINE,
  write: (subject, rows) => encodeJson(subject, rows, { nameOf: declaredNameOf }),
};
