/**
 * The items of a message set: `message_set_wire_format` writes each extension as a group that names it.
 *
 *   group 1 { type_id = 2 (varint, the number of the extension) │ message = 3 (LEN) }
 *
 * protobuf's descriptor.proto, MessageOptions.message_set_wire_format. An item is read as a group that has the
 * extension's name and whose message has the extension's type.
 */
import { varintEnd, varintLow } from '../bytes/varint.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { undeclaredField, undeclaredMessage } from '../schema/undeclared.ts';

/** The tag of group 1. */
export const ITEM_TAG = 11;
const TYPE_ID_TAG = 16;

/** The type_id of the item whose start tag ends at `start`; undefined: it is missing or cannot be read. */
export function typeIdAt(bytes: Uint8Array, start: number, end: number): number | undefined {
  let at = start;
  /** The low 32 bits of a varint. */
  const varint = (): number | undefined => {
    const from = at;
    const next = varintEnd(bytes, from, end);
    at = next < 0 ? end : next;
    return next < 0 ? undefined : varintLow(bytes, from, next) >>> 0;
  };
  for (let depth = 0; at < end; ) {
    const tag = varint();
    if (tag === undefined) return undefined;
    if (tag === TYPE_ID_TAG && depth === 0) return varint();
    const wireType = tag & 7;
    if (wireType === 0) varint();
    else if (wireType === 1) at += 8;
    else if (wireType === 5) at += 4;
    else if (wireType === 2) {
      const length = varint() ?? end;
      at += length;
    } else if (wireType === 3) depth++;
    else if (wireType === 4 && depth > 0) depth--;
    else return undefined;
  }
  return undefined;
}

const items = new WeakMap<MessageDescriptor, Map<number, FieldDescriptor>>();

/** The field of an item by its type_id. Without such an extension, the item's message is an unknown number. */
export function itemField(set: MessageDescriptor, typeId: number | undefined): FieldDescriptor {
  const known = items.get(set) ?? new Map<number, FieldDescriptor>();
  items.set(set, known);
  const extension = typeId === undefined ? undefined : set.extensions.get(typeId);
  const key = extension?.number ?? 0;
  const field = known.get(key) ?? describeItem(set, extension);
  known.set(key, field);
  return field;
}

function describeItem(set: MessageDescriptor, extension: FieldDescriptor | undefined): FieldDescriptor {
  const fullName = extension?.fullName ?? `${set.fullName}.Item`;
  const fields: FieldDescriptor[] = [];
  const byNumber = new Map<number, FieldDescriptor>();
  const item = undeclaredMessage({ name: 'Item', fullName, file: set.file, fields, byNumber });
  const add = (facts: Pick<FieldDescriptor, 'name' | 'number' | 'type' | 'message'>): void => {
    const field = undeclaredField({ fullName: `${fullName}.${facts.name}`, parent: item, ...facts });
    fields.push(field);
    byNumber.set(field.number, field);
  };
  add({ name: 'type_id', number: 2, type: 'uint32', message: undefined });
  if (extension !== undefined) add({ name: 'message', number: 3, type: 'message', message: extension.message });
  const name = extension?.name ?? 'Item';
  const isExtension = extension !== undefined;
  return undeclaredField({ name, fullName, number: 1, type: 'group', parent: set, message: item, isExtension });
}
