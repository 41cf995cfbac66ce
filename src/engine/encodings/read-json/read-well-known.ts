/** The JSON forms of google.protobuf.Timestamp and similar types → messages. protobuf.dev/programming-guides/json */

import { floatBytes } from '../../bytes/float-bytes.ts';
import type { FieldDescriptor, MessageDescriptor } from '../../schema/descriptor.ts';
import { contentsField, memberField, typeNameOf } from '../../wire/any.ts';
import { isWellKnown } from '../json-well-known.ts';
import type { Item, MapEntry, MessageValue, SetField } from '../message-value.ts';
import { writeProtobuf } from '../write-protobuf.ts';
import { CLOSE_OBJECT, COLON, COMMA, type JsonCursor, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-cursor.ts';
import type { JsonReading } from './json-reading.ts';
import { decodeEscapes, endOfText } from './json-string.ts';
import { mapOf, setEntry, setMessage, wrapped } from './set-message.ts';

type Form = (json: JsonReading, type: MessageDescriptor) => MessageValue | undefined;

const FORMS: Readonly<Record<string, Form>> = {
  'google.protobuf.Timestamp': inText(timestamp),
  'google.protobuf.Duration': inText(duration),
  'google.protobuf.FieldMask': inText(fieldMask),
  'google.protobuf.Struct': structure,
  'google.protobuf.Value': anyValue,
  'google.protobuf.ListValue': listValue,
  'google.protobuf.Any': any,
};

export function readWellKnown(json: JsonReading, type: MessageDescriptor): MessageValue | undefined {
  const form = FORMS[type.fullName];
  if (form !== undefined) return form(json, type);
  // A wrapper type.
  const { row } = json.cursor;
  const field = type.byNumber.get(1)!;
  const value = json.scalar(field);
  return value === undefined ? undefined : wrapped(type, field, row, value);
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

function inText(read: (text: string, type: MessageDescriptor, row: number) => MessageValue | undefined): Form {
  return (json, type) => {
    const { cursor } = json;
    if (cursor.next() !== QUOTE) return json.misfit(type.name);
    const start = cursor.at;
    const utf8 = cursor.text();
    if (utf8 === null) return undefined;
    const value = read(decoder.decode(utf8), type, cursor.row);
    if (value === undefined) cursor.note('json/mismatch', `The text is no ${type.name}.`, { start, end: cursor.at });
    return value;
  };
}

const RFC3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/;
const [FIRST_SECOND, LAST_SECOND] = [-62135596800, 253402300799];

function timestamp(text: string, type: MessageDescriptor, row: number): MessageValue | undefined {
  const [, time, fraction = '', zone] = RFC3339.exec(text) ?? [];
  const seconds = Date.parse(`${time}${zone}`) / 1000;
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND)) return undefined;
  // Some engines read 30 February as 1 March, and all read 24:00 as the next day.
  if (!new Date(`${time}Z`).toISOString().startsWith(time!)) return undefined;
  return secondsAndNanos(type, row, BigInt(seconds), Number(fraction.padEnd(9, '0')));
}

const LONGEST_DURATION = 315_576_000_000n;

function duration(text: string, type: MessageDescriptor, row: number): MessageValue | undefined {
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/.exec(text) ?? [];
  if (whole === undefined || BigInt(whole) > LONGEST_DURATION) return undefined;
  const nanos = Number(fraction.padEnd(9, '0'));
  const isNegative = sign === '-';
  return secondsAndNanos(type, row, isNegative ? -BigInt(whole) : BigInt(whole), isNegative ? 0 - nanos : nanos);
}

function secondsAndNanos(type: MessageDescriptor, row: number, seconds: bigint, nanos: number): MessageValue {
  const fields = [
    ...wrapped(type, type.byNumber.get(1)!, row, seconds).fields,
    ...wrapped(type, type.byNumber.get(2)!, row, nanos).fields,
  ];
  return { type, fields };
}

function fieldMask(text: string, type: MessageDescriptor, row: number): MessageValue | undefined {
  if (text === '') return { type, fields: [] };
  // An underscore in a name is not valid, because lowerCamel cannot be converted back to it.
  if (text.includes('_')) return undefined;
  const items = text.split(',').map(
    (path): Item => ({
      row,
      value: encoder.encode(path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    }),
  );
  return { type, fields: [{ field: type.byNumber.get(1)!, row, items, entries: [] }] };
}

/**
 * Reads a Struct. Names, values and the characters between them count as value, because they belong to no field of the
 * schema.
 */
function structure(json: JsonReading, type: MessageDescriptor): MessageValue | undefined {
  const { cursor } = json;
  if (cursor.next() !== OPEN_OBJECT) return json.misfit('object');
  const { row } = cursor;
  const field = type.byNumber.get(1)!;
  const [keyField, valueField] = [field.message!.byNumber.get(1)!, field.message!.byNumber.get(2)!];
  const entries = new Map<string, MapEntry>();
  between(json, CLOSE_OBJECT, () => {
    if (cursor.next() !== QUOTE) return cursor.stop('a name in quotes');
    const key = json.scalar(keyField);
    if (cursor.next() !== COLON) return cursor.stop('a colon');
    cursor.take('value', cursor.at + 1);
    cursor.next();
    const value = json.message(valueField.message!);
    if (key === undefined || value === undefined) return false;
    setEntry(cursor, entries, { row, key: { row, value: key }, value: { row, value } });
    return true;
  });
  const map = mapOf(field, row, entries);
  return { type, fields: map === undefined ? [] : [map] };
}

function listValue(json: JsonReading, type: MessageDescriptor): MessageValue | undefined {
  const { cursor } = json;
  if (cursor.next() !== OPEN_LIST) return json.misfit('list');
  const { row } = cursor;
  const field = type.byNumber.get(1)!;
  const items: Item[] = [];
  between(json, 0x5d, () => {
    const value = json.message(field.message!);
    if (value !== undefined) items.push({ row, value });
  });
  return { type, fields: items.length === 0 ? [] : [{ field, row, items, entries: [] }] };
}

/** Reads the members of a Struct or ListValue. Brackets and commas count as value. */
function between({ cursor }: JsonReading, close: number, read: () => unknown): void {
  cursor.take('value', cursor.at + 1);
  for (let isFirst = true; !cursor.isStopped; isFirst = false) {
    const byte = cursor.next();
    if (byte === close) {
      cursor.take('value', cursor.at + 1);
      return;
    }
    if (!isFirst) {
      if (byte !== COMMA) {
        cursor.stop('a comma or an end');
        return;
      }
      cursor.take('value', cursor.at + 1);
      cursor.next();
    }
    read();
  }
}

/** By number: null_value, number_value, string_value, bool_value, struct_value, list_value. */
function anyValue(json: JsonReading, type: MessageDescriptor): MessageValue | undefined {
  const { cursor } = json;
  const byte = cursor.next();
  const { row } = cursor;
  const of = (number: number, value: Item['value'] | undefined): MessageValue | undefined => {
    const field = type.byNumber.get(number);
    if (value === undefined || field === undefined) return undefined;
    return { type, fields: [{ field, row, items: [{ row, value }], entries: [] }] };
  };
  if (byte === OPEN_OBJECT) return of(5, json.message(type.byNumber.get(5)!.message!));
  if (byte === OPEN_LIST) return of(6, json.message(type.byNumber.get(6)!.message!));
  const start = cursor.at;
  const token = json.token();
  if (token === null) return undefined;
  if (token.kind === 'text') return of(3, token.utf8);
  if (token.word === 'null') return of(1, 0);
  if (token.word === 'true' || token.word === 'false') return of(4, token.word === 'true');
  const number = Number(token.word);
  if (Number.isFinite(number)) return of(2, floatBytes(number, 'double'));
  cursor.note('json/range', 'The value is out of the range of double.', { start, end: cursor.at });
  return undefined;
}

const NO_FIELDS: ReadonlyMap<FieldDescriptor, SetField> = new Map();

/** Has no members of its own, so libraries differ: some write it as a well-known type. */
const EMPTY = 'google.protobuf.Empty';

/** The message that `@type` names. Its members are in the same object; a well-known type is in `value`. */
function any(json: JsonReading, type: MessageDescriptor): MessageValue | undefined {
  const { cursor } = json;
  if (cursor.next() !== OPEN_OBJECT) return json.misfit('object');
  const { row } = cursor;
  const start = cursor.at;
  const url = typeUrlAt(cursor);
  const inner = url === null ? undefined : json.findType(typeNameOf(url));
  const [urlField, valueField] = [type.byNumber.get(1)!, type.byNumber.get(2)!];
  const isInValue = inner !== undefined && (isWellKnown(inner) || inner.fullName === EMPTY);
  const drafts = new Map<FieldDescriptor, SetField>();
  const found = cursor.diagnostics.length;
  let wellKnown: MessageValue | undefined;
  json.object((name, key) => {
    if (name === '@type') {
      cursor.assign(urlField, 0);
      json.token();
    } else if (isInValue && name === 'value') {
      cursor.assign(contentsField(type, inner), 0);
      wellKnown = json.message(inner);
    } else if (inner === undefined || isInValue || !json.member(inner, name, key, drafts, memberField)) {
      json.unknownMember(name, key, inner);
    }
  });
  if (url === null) {
    if (cursor.at - start <= 2 || isEmptyObject(cursor, start)) return setMessage(type, NO_FIELDS);
    cursor.note('json/mismatch', 'An Any has no @type.', { start, end: cursor.at });
    return undefined;
  }
  if (inner === undefined) {
    cursor.note('json/unknown-type', `No schema has the type of ${url}.`, { start, end: cursor.at });
    return undefined;
  }
  const value = isWellKnown(inner) ? wellKnown : setMessage(inner, drafts);
  if (value === undefined) {
    if (cursor.diagnostics.length === found)
      cursor.note('json/mismatch', 'The Any has no member "value".', { start, end: cursor.at });
    return undefined;
  }
  const bytes = writeProtobuf(value);
  const fields = [
    ...wrapped(type, urlField, row, encoder.encode(url)).fields,
    ...wrapped(type, valueField, row, bytes).fields,
  ];
  return { type, fields };
}

const isEmptyObject = ({ bytes, at }: JsonCursor, start: number): boolean =>
  /^\{\s*\}$/.test(decoder.decode(bytes.subarray(start, Math.min(at, start + 100))));

const ignore = (): void => undefined;

/**
 * The text of the member `@type` of the object at the cursor, without moving the cursor. null: there is no such member.
 */
function typeUrlAt({ bytes, at: from, end }: JsonCursor): string | null {
  let depth = 0;
  let isNamed = false;
  for (let at = from; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      const close = endOfText(bytes, at + 1, end);
      if (close < 0) return null;
      if (depth === 1) {
        if (isNamed) return decoder.decode(decodeEscapes(bytes, at + 1, close, ignore));
        isNamed = close - at === 6 && decoder.decode(bytes.subarray(at + 1, close)) === '@type';
      }
      at = close;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if (byte === CLOSE_OBJECT || byte === 0x5d) {
      depth--;
      if (depth === 0) return null;
    } else if (isNamed && byte !== COLON && byte > 0x20) isNamed = false;
  }
  return null;
}
