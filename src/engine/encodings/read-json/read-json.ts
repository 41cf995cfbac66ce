/**
 * JSON of a message → its rows, and the same message in protobuf. Every byte is in one row, for any text. It accepts
 * both forms of names, numbers as strings, enums by name or number, both alphabets of base64, and OTLP/JSON's ids in
 * hex. A member that the type does not explain is shown by its path, is a finding, and is not part of the protobuf
 * message. protobuf.dev/programming-guides/json, opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
import { Flag } from '../../model/annotation.ts';
import type { FieldDescriptor, MessageDescriptor } from '../../schema/descriptor.ts';
import type { FindType, FormatRead, FormatReader } from '../format-read.ts';
import { isOtlp, isOtlpId } from '../json-otlp.ts';
import { hasOwnDigits } from '../json-scalar.ts';
import { isWellKnown } from '../json-well-known.ts';
import { PlacedLosses } from '../losses.ts';
import {
  type Item,
  isDefault,
  isMessageField,
  type MapEntry,
  type MessageValue,
  type Scalar,
  type SetField,
} from '../message-value.ts';
import { isRounded } from '../precision.ts';
import type { TextSpan } from '../text-cursor.ts';
import { writeProtobuf } from '../write-protobuf.ts';
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, JsonCursor, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-cursor.ts';
import type { JsonReading } from './json-reading.ts';
import { fieldNamed, UnknownNames } from './known-names.ts';
import { namedMaps } from './named-maps.ts';
import { type JsonToken, readScalar, ScalarFault } from './read-scalar.ts';
import { readWellKnown } from './read-well-known.ts';
import { mapOf, setEntry, setMessage } from './set-message.ts';

export interface JsonRead extends FormatRead {
  /** Number of members whose name the type has and whose value fits, and number of all others. */
  readonly known: number;
  readonly unknown: number;
}

export interface JsonReadOptions {
  /** Finds types that a google.protobuf.Any names. */
  readonly findType?: FindType;
  /** Shared by messages, so that the same name is the same field. */
  readonly names?: UnknownNames;
}

/** A reader for a sequence of messages: a name that no schema has is the same field in all of them. */
export function jsonReader(findType: FindType): FormatReader {
  const names = new UnknownNames();
  return (bytes, type) => readJson(bytes, type, { findType, names });
}

/** The greatest integer up to which a double holds each one. */
const MAX_SAFE = 2n ** 53n;
const decoder = new TextDecoder();

/** Protobuf's own parsers accept 100 levels; deeper values are skipped. */
const MAX_DEPTH = 250;

/** @param type undefined: reads by the text's own names */
export function readJson(
  bytes: Uint8Array,
  type: MessageDescriptor | undefined,
  { findType = () => undefined, names = new UnknownNames() }: JsonReadOptions = {},
): JsonRead {
  const reader = new JsonReader(new JsonCursor(bytes), findType, names, type !== undefined && isOtlp(type.fullName));
  const { cursor } = reader;
  cursor.begin(undefined);
  let value: MessageValue | null = null;
  if (cursor.next() === -1) cursor.note('json/empty', 'There is no text.', { start: 0, end: bytes.length }, 'error');
  else if (type === undefined) reader.generic();
  else value = reader.message(type) ?? null;
  if (value === null && type !== undefined) cursor.leaveOut(1);
  while (cursor.row > 0) cursor.close();
  cursor.finish();
  cursor.close();
  return {
    table: cursor.rows.finish('native'),
    protobuf: value === null ? new Uint8Array(0) : writeProtobuf(value),
    value,
    diagnostics: cursor.diagnostics,
    losses: reader.losses.counts,
    firstLosses: reader.losses.firsts,
    known: reader.known,
    unknown: reader.unknown,
  };
}

class JsonReader implements JsonReading {
  readonly cursor: JsonCursor;
  readonly findType: (fullName: string) => MessageDescriptor | undefined;
  readonly losses = new PlacedLosses();
  known = 0;
  unknown = 0;
  readonly #names: UnknownNames;
  readonly #isOtlp: boolean;
  #depth = 0;
  #namedMaps: ReadonlySet<number> | undefined;

  constructor(cursor: JsonCursor, findType: JsonReader['findType'], names: UnknownNames, isOtlpType: boolean) {
    this.cursor = cursor;
    this.findType = findType;
    this.#names = names;
    this.#isOtlp = isOtlpType;
  }

  /** Reads the value at the cursor as a message. undefined: it is not an object, and is read by its names. */
  message(type: MessageDescriptor): MessageValue | undefined {
    if (isWellKnown(type)) return this.nested(() => readWellKnown(this, type));
    if (this.cursor.next() === OPEN_OBJECT) return this.nested(() => this.#members(type));
    return this.misfit(type.fullName);
  }

  /** Reads one level deeper. undefined: the value is too deep, and is skipped. */
  nested<T>(read: () => T): T | undefined {
    const { cursor } = this;
    if (this.#depth >= MAX_DEPTH) {
      const start = cursor.at;
      cursor.skip();
      cursor.note('json/too-deep', `Values nested deeper than ${MAX_DEPTH} are not read.`, { start, end: cursor.at });
      return undefined;
    }
    this.#depth++;
    const value = read();
    this.#depth--;
    return value;
  }

  /** Handles a value that does not fit the schema: it is read by its names, and is not part of the protobuf message. */
  misfit(what: string): undefined {
    const { cursor } = this;
    const start = cursor.at;
    this.generic();
    if (!cursor.isStopped) cursor.note('json/mismatch', `The value is no ${what}.`, { start, end: cursor.at });
    return undefined;
  }

  #members(type: MessageDescriptor): MessageValue {
    const drafts = new Map<FieldDescriptor, SetField>();
    this.object((name, span) => {
      if (!this.member(type, name, span, drafts)) this.unknownMember(name, span, type);
    });
    return setMessage(type, drafts);
  }

  /** Reads the members of the object at the cursor. @param take called after the colon, in the member's own row */
  object(take: (name: string, key: TextSpan) => void): void {
    const { cursor } = this;
    cursor.take('punctuation', cursor.at + 1);
    for (let isFirst = true; ; isFirst = false) {
      const byte = cursor.next();
      if (byte === CLOSE_OBJECT) {
        cursor.take('punctuation', cursor.at + 1);
        return;
      }
      cursor.begin(undefined);
      const isSound = this.#member(isFirst, byte, take);
      cursor.close();
      if (!isSound || cursor.isStopped) return;
    }
  }

  #member(isFirst: boolean, byte: number, take: (name: string, key: TextSpan) => void): boolean {
    const { cursor } = this;
    if (!isFirst) {
      if (byte !== COMMA) return cursor.stop('a comma or the end of the object');
      cursor.take('punctuation', cursor.at + 1);
      cursor.next();
    }
    const start = cursor.at;
    const name = cursor.key();
    if (name === null) return false;
    const key = { start, end: cursor.at };
    if (!cursor.expect(COLON, 'a colon')) return false;
    cursor.next();
    take(name, key);
    return true;
  }

  /** Reads the elements of the list at the cursor. @param take called in the element's own row */
  list(take: () => void): void {
    const { cursor } = this;
    cursor.take('punctuation', cursor.at + 1);
    for (let isFirst = true; ; isFirst = false) {
      const byte = cursor.next();
      if (byte === CLOSE_LIST) {
        cursor.take('punctuation', cursor.at + 1);
        return;
      }
      cursor.begin(undefined);
      let isSound = true;
      if (!isFirst) {
        isSound = byte === COMMA || cursor.stop('a comma or the end of the list');
        if (isSound) cursor.take('punctuation', cursor.at + 1);
        cursor.next();
      }
      if (isSound) take();
      cursor.close();
      if (!isSound || cursor.isStopped) return;
    }
  }

  /** Reads a member of a message; false: the type has no such name. @param shownAs the field of the member's row */
  member(
    type: MessageDescriptor,
    name: string,
    key: TextSpan,
    drafts: Map<FieldDescriptor, SetField>,
    shownAs: (field: FieldDescriptor) => FieldDescriptor = (field) => field,
  ): boolean {
    const { cursor } = this;
    const field = fieldNamed(type, name);
    if (field === undefined) return false;
    const isAgain = drafts.has(field);
    cursor.assign(shownAs(field), isAgain ? Flag.DUPLICATE : 0);
    if (isAgain) cursor.note('json/duplicate-key', `${JSON.stringify(name)} is given again; the last one counts.`, key);
    const { row } = cursor;
    const errors = cursor.diagnostics.length;
    const set = this.#field(field, row);
    if (set === undefined && cursor.diagnostics.length > errors) {
      cursor.rows.mark(row, Flag.MISMATCH);
      this.unknown++;
    } else this.known++;
    drafts.delete(field);
    if (set === undefined) return true;
    if (field.oneof !== undefined) {
      for (const other of drafts.keys()) {
        if (other.oneof !== field.oneof) continue;
        cursor.note('json/oneof', `${other.name} and ${field.name} exclude each other; the last one counts.`, key);
        drafts.delete(other);
      }
    }
    drafts.set(field, set);
    return true;
  }

  /** Reads a member that no schema explains, by its name. */
  unknownMember(name: string, key: TextSpan, type?: MessageDescriptor): void {
    const { cursor } = this;
    cursor.assign(this.#names.fieldOf(name), Flag.UNKNOWN);
    if (type !== undefined) {
      this.unknown++;
      const short = name.length > 100 ? `${name.slice(0, 100)}…` : name;
      cursor.note('json/unknown-key', `${type.fullName} has no field ${JSON.stringify(short)}.`, key);
    }
    this.generic();
  }

  /** Reads a value by its own names. */
  generic(): void {
    const { cursor } = this;
    const byte = cursor.next();
    if (byte === OPEN_OBJECT) this.nested(() => this.#genericObject());
    else if (byte === OPEN_LIST) this.nested(() => this.list(() => this.generic()));
    else this.token();
  }

  #genericObject(): void {
    const { cursor } = this;
    this.#namedMaps ??= namedMaps(cursor.bytes);
    if (!this.#namedMaps.has(cursor.at)) {
      this.object((name, key) => this.unknownMember(name, key));
      return;
    }
    const [keyField, valueField] = [this.#names.fieldOf('key'), this.#names.fieldOf('value')];
    this.#entries(keyField, Flag.UNKNOWN, () => {
      cursor.rows.mark(cursor.begin(valueField), Flag.UNKNOWN);
      this.generic();
      cursor.close();
    });
  }

  /** The scalar at the cursor; null: the next value is not a scalar, which ends the reading. */
  token(): JsonToken | null {
    const { cursor } = this;
    const byte = cursor.next();
    const start = cursor.at;
    if (byte === QUOTE) {
      const utf8 = cursor.text();
      return utf8 === null ? null : { kind: 'text', utf8 };
    }
    const word = cursor.word();
    if (word === '') return null;
    if (!WORD.test(word)) {
      cursor.note('json/value', `${word.slice(0, 40)} is not a JSON value.`, { start, end: cursor.at });
    }
    return { kind: 'word', word };
  }

  /** A scalar of the field's type; undefined: the value is of another kind. */
  scalar(field: FieldDescriptor, isKey = false): Scalar | undefined {
    const { cursor } = this;
    const byte = cursor.next();
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) return this.misfit(field.type);
    const start = cursor.at;
    const token = this.token();
    if (token === null) return undefined;
    const value = readScalar(field, token, this.#isOtlp && isOtlpId(field), isKey);
    if (!(value instanceof ScalarFault)) {
      this.#notePrecision(field, token, value, { start, end: cursor.at });
      return value;
    }
    cursor.note(value.code, value.message, { start, end: cursor.at });
    return undefined;
  }

  /** Numbers are decimal text: some readers round them, and so may the type. */
  #notePrecision({ type }: FieldDescriptor, token: JsonToken, value: Scalar, span: TextSpan): void {
    const { cursor, losses } = this;
    if (typeof value === 'bigint') {
      if (token.kind !== 'word' || (value <= MAX_SAFE && value >= -MAX_SAFE)) return;
      losses.add('unsafe-integer', span);
      cursor.note(
        'json/unsafe-integer',
        'A reader that holds numbers as doubles rounds this one: it is above 2⁵³.',
        span,
      );
    } else if (type === 'float' || type === 'double') {
      const text = token.kind === 'word' ? token.word : decoder.decode(token.utf8);
      const number = type === 'float' ? Math.fround(Number(text)) : Number(text);
      if (!Number.isFinite(number)) return;
      if (isRounded(text, number, type)) {
        losses.add('rounded', span);
        cursor.note('json/rounded', `The value has more digits than a ${type} holds.`, span);
      } else if (hasOwnDigits(type, text)) losses.add('float32-digits', span);
    }
  }

  /** Whether the value is a null that means an absent field. */
  #isAbsent(field: FieldDescriptor): boolean {
    const { cursor } = this;
    const { bytes, at, end } = cursor;
    const isNull = at + 4 <= end && bytes[at] === 0x6e && bytes[at + 1] === 0x75 && bytes[at + 2] === 0x6c;
    if (!isNull || field.message?.fullName === 'google.protobuf.Value') return false;
    return field.enum?.fullName !== 'google.protobuf.NullValue' || field.cardinality !== 'singular';
  }

  #field(field: FieldDescriptor, row: number): SetField | undefined {
    const { cursor } = this;
    cursor.next();
    const isMany = field.cardinality !== 'singular';
    if (this.#isAbsent(field) || (isMany && cursor.bytes[cursor.at] === 0x6e)) {
      this.token();
      return undefined;
    }
    if (field.cardinality === 'map') return this.#map(field, row);
    if (field.cardinality === 'repeated') {
      if (cursor.next() !== OPEN_LIST) return this.misfit('list');
      const items: Item[] = [];
      this.nested(() =>
        this.list(() => {
          const item = this.#item(field);
          if (item !== undefined) items.push(item);
        }),
      );
      return items.length === 0 ? undefined : { field, row, items, entries: [] };
    }
    const item = this.#item(field);
    if (item === undefined) return undefined;
    const isLeftOut = field.presence === 'implicit' && !isMessageField(field) && isDefault(field, item.value as Scalar);
    return isLeftOut ? undefined : { field, row, items: [{ ...item, row }], entries: [] };
  }

  #item(field: FieldDescriptor): Item | undefined {
    const { cursor } = this;
    const { row } = cursor;
    const from = cursor.rows.length;
    const value = isMessageField(field) ? this.message(field.message!) : this.scalar(field);
    if (value !== undefined) return { row, value };
    cursor.leaveOut(from);
    return undefined;
  }

  #map(field: FieldDescriptor, row: number): SetField | undefined {
    const { cursor } = this;
    if (cursor.next() !== OPEN_OBJECT) return this.misfit('object');
    const [keyField, valueField] = [field.message!.byNumber.get(1)!, field.message!.byNumber.get(2)!];
    const entries = new Map<string, MapEntry>();
    this.nested(() =>
      this.#entries(keyField, 0, (row, key) => {
        const valueRow = cursor.begin(valueField);
        const item = this.#item(valueField);
        cursor.close();
        if (key === undefined || item === undefined) {
          cursor.leaveOut(row);
          return;
        }
        setEntry(cursor, entries, { row, key, value: { ...item, row: valueRow } });
      }),
    );
    return mapOf(field, row, entries);
  }

  /** Reads the entries of the object at the cursor. @param take called after the colon, in the entry's own row */
  #entries(
    keyField: FieldDescriptor,
    bits: number,
    take: (entry: number, key: MapEntry['key'] | undefined) => void,
  ): void {
    const { cursor } = this;
    cursor.take('punctuation', cursor.at + 1);
    for (let isFirst = true; ; isFirst = false) {
      const byte = cursor.next();
      if (byte === CLOSE_OBJECT) {
        cursor.take('punctuation', cursor.at + 1);
        return;
      }
      const entry = cursor.begin(undefined);
      if (!isFirst) {
        if (byte === COMMA) cursor.take('punctuation', cursor.at + 1);
        else cursor.stop('a comma or the end of the object');
      }
      const key = this.#key(keyField, bits);
      if (key !== null) take(entry, key);
      cursor.close();
      if (cursor.isStopped) return;
    }
  }

  /** Reads the key of an entry and the colon. undefined: it is of another kind; null: the reading has ended. */
  #key(field: FieldDescriptor, bits: number): MapEntry['key'] | undefined | null {
    const { cursor } = this;
    if (cursor.isStopped) return null;
    if (cursor.next() !== QUOTE) {
      cursor.stop('a key in quotes');
      return null;
    }
    const row = cursor.begin(field);
    cursor.rows.mark(row, bits);
    const value = this.scalar(field, true);
    cursor.close();
    if (cursor.isStopped || !cursor.expect(COLON, 'a colon')) return null;
    cursor.next();
    return value === undefined ? undefined : { row, value };
  }
}

const WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
