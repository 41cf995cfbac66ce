/**
 * The contents of a google.protobuf.Any: `value` holds a message of the type that the last segment of `type_url` names.
 * They are read if the URL comes directly before them, as writers write it, and a schema has the type. The record is
 * then a field of its own, with the type's name in brackets, as protobuf's text format writes it. google/protobuf/any.proto
 */
import { varintEnd, varintLow } from '../bytes/varint.ts';
import { type AnnotationTable, Flag, fieldAt, flagsAt } from '../model/annotation.ts';
import { type FieldDescriptor, type MessageDescriptor, pathSegment } from '../schema/descriptor.ts';
import { ANY } from '../schema/names.ts';
import { undeclaredField } from '../schema/undeclared.ts';

/** The tags of `type_url` and `value`. */
export const URL_TAG = 10;
export const VALUE_TAG = 18;

/** Full name of the field that holds the contents. */
export const VALUE_NAME = `${ANY}.value`;

/** Longer URLs name no type. */
const MAX_URL = 4096;

const decoder = new TextDecoder();

/** The type's name in a URL. */
export const typeNameOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** A URL that names a type of the schema, and where it ends. */
export interface NamedType {
  readonly end: number;
  readonly type: MessageDescriptor;
}

/** The type that the URL names whose tag ends at `start`; undefined: no value follows. @param limit end of the message */
export function typeNamedAt(
  bytes: Uint8Array,
  start: number,
  limit: number,
  { namedTypes }: MessageDescriptor,
): NamedType | undefined {
  const from = varintEnd(bytes, start, limit);
  if (from < 0 || from - start > 2) return undefined;
  const end = from + varintLow(bytes, start, from);
  // At the limit, the value of another message may follow.
  if (end >= limit || end - from > MAX_URL) return undefined;
  const type = namedTypes?.get(typeNameOf(decoder.decode(bytes.subarray(from, end))));
  return type === undefined ? undefined : { end, type };
}

/** By the registry's types, because a message may be read with a copy of its descriptor. */
const fields = new WeakMap<object, Map<MessageDescriptor, FieldDescriptor>>();

/** The field of contents of a type. */
export function contentsField(any: MessageDescriptor, type: MessageDescriptor): FieldDescriptor {
  const known = fields.get(any.namedTypes!) ?? new Map<MessageDescriptor, FieldDescriptor>();
  fields.set(any.namedTypes!, known);
  const field =
    known.get(type) ??
    undeclaredField({
      ...{ name: `[${type.fullName}]`, fullName: `${any.fullName}.value`, number: 2, parent: any },
      ...{ type: 'message' as const, message: type },
    });
  known.set(type, field);
  return field;
}

const members = new WeakMap<FieldDescriptor, FieldDescriptor>();

/**
 * A field of the contents where these have no row of their own, as in JSON: `[held.Item].name`. Its path is that of the
 * field in the contents.
 */
export function memberField(field: FieldDescriptor): FieldDescriptor {
  const { fullName, number, type, parent, message, enum: named, cardinality, presence, packed } = field;
  const name = `[${parent.fullName}].${pathSegment(field)}`;
  const shown =
    members.get(field) ??
    undeclaredField({ name, fullName, number, type, parent, message, enum: named, cardinality, presence, packed });
  members.set(field, shown);
  return shown;
}

/** Whether a field was made by `contentsField`. */
export const isContents = ({ name, parent }: FieldDescriptor): boolean =>
  parent.namedTypes !== undefined && name.startsWith('[');

/** Whether a type is google.protobuf.Any, as protobuf declares it. */
export const isAny = (type: MessageDescriptor | undefined): boolean =>
  type?.namedTypes !== undefined && type.byNumber.get(1)?.type === 'string' && type.byNumber.get(2)?.type === 'bytes';

/** The field that a record is shown as: that of its contents, if these are read; else its own one. @param row −1: none */
export function shownField(
  field: FieldDescriptor,
  table: AnnotationTable<FieldDescriptor>,
  row: number,
): FieldDescriptor {
  if (row < 0 || field.parent.namedTypes === undefined) return field;
  const index = fieldAt(table, row);
  const own = index < 0 ? undefined : table.fields[index];
  return own !== undefined && own.number === field.number && isContents(own) ? own : field;
}

/** Whether the contents of a record have rows of their own, none of which is unattributed. */
export function hasContents(table: AnnotationTable<FieldDescriptor>, row: number): boolean {
  if (row < 0) return false;
  const index = fieldAt(table, row);
  return index >= 0 && isContents(table.fields[index]!) && (flagsAt(table, row) & Flag.MALFORMED) === 0;
}
