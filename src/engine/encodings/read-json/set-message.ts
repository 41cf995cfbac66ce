/** Builds messages from fields that were read. */
import type { FieldDescriptor, MessageDescriptor } from '../../schema/descriptor.ts';
import {
  compareKeys,
  isDefault,
  keyText,
  type MapEntry,
  type MessageValue,
  type Scalar,
  type SetField,
} from '../message-value.ts';
import type { JsonCursor } from './json-cursor.ts';

/** Fields sorted by number, as protobuf writes them. */
export const setMessage = (type: MessageDescriptor, drafts: ReadonlyMap<FieldDescriptor, SetField>): MessageValue => ({
  type,
  fields: [...drafts.values()].sort((a, b) => a.field.number - b.field.number),
});

/** A message with one scalar field, which is left out if it has its default value. */
export function wrapped(type: MessageDescriptor, field: FieldDescriptor, row: number, value: Scalar): MessageValue {
  const isLeftOut = field.presence === 'implicit' && isDefault(field, value);
  return { type, fields: isLeftOut ? [] : [{ field, row, items: [{ row, value }], entries: [] }] };
}

/** Enters an entry that ends at the cursor. */
export function setEntry(cursor: JsonCursor, entries: Map<string, MapEntry>, entry: MapEntry): void {
  const text = keyText(entry.key.value as Scalar);
  if (entries.has(text)) {
    const span = { start: cursor.at, end: cursor.at };
    cursor.note('json/duplicate-key', 'A key of a map is given again; the last one counts.', span);
  }
  entries.set(text, entry);
}

/** Entries sorted by key, as protobuf writes them. undefined: there are none. */
export function mapOf(
  field: FieldDescriptor,
  row: number,
  entries: ReadonlyMap<string, MapEntry>,
): SetField | undefined {
  if (entries.size === 0) return undefined;
  const sorted = [...entries.values()].sort((a, b) => compareKeys(a.key.value as Scalar, b.key.value as Scalar));
  return { field, row, items: [], entries: sorted };
}
