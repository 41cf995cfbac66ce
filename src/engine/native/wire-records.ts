/**
 * Protobuf rows → the values of one message, by protobuf's rules
 * (protobuf.dev/programming-guides/encoding#last-one-wins). If a singular field has several records, the last one
 * counts; records of a singular message are merged. The last member of a oneof on the wire is set. Map entries stay in
 * wire order. Unknown numbers and extensions have no place in a layout, so they are left out.
 */
import { varintLow } from '../bytes/varint.ts';
import {
  type AnnotationTable,
  Flag,
  fieldAt,
  flagsAt,
  payloadCategoryAt,
  payloadEndAt,
  payloadStartAt,
} from '../model/annotation.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { fixedSize } from '../wire/encoding-facts.ts';
import { isConditionMet } from './condition.ts';
import type { Condition, MessageLayout } from './layout.ts';
import { decodeUtf8, readInteger, varintSize } from './wire-values.ts';

/** Rows by field number. */
export type Records = Map<number, readonly number[]>;

/**
 * The records of each field of a message, by field number. For a oneof, only the records of the member that is set: a
 * number that a closed enum does not list is an unknown field, which sets nothing, and is left out beside a member that
 * is set.
 * @param onUnlisted is called for each record that is left out so
 */
export function recordsOf(
  bytes: Uint8Array,
  wire: AnnotationTable,
  wireRows: readonly number[],
  subtreeEnd: Uint32Array,
  { byNumber, oneofs }: MessageDescriptor,
  onUnlisted?: () => void,
): Records {
  const records = new Map<number, number[]>();
  for (const parent of wireRows) {
    for (let row = parent + 1; row < subtreeEnd[parent]!; row = subtreeEnd[row]!) {
      const index = fieldAt(wire, row);
      if (index < 0) continue;
      const { number, isExtension } = wire.fields[index]!;
      const type = byNumber.get(number)?.type;
      if (isExtension || type === undefined) continue;
      const unreadable = type !== 'message' && type !== 'group' && payloadCategoryAt(wire, row) === 'unattributed';
      if (unreadable) continue;
      const list = records.get(number);
      if (list === undefined) records.set(number, [row]);
      else list.push(row);
    }
  }
  for (const { fields: members } of oneofs) {
    leaveOutUnlisted(bytes, wire, members, records, onUnlisted);
    // The last member clears the others. Earlier records of that member, before another member, stay cleared.
    let set = -1;
    let cleared = -1;
    for (const { number } of members) {
      const last = records.get(number)?.at(-1) ?? -1;
      if (last > set) [set, cleared] = [last, Math.max(set, cleared)];
      else cleared = Math.max(cleared, last);
    }
    for (const { number } of members) {
      const kept = records.get(number)?.filter((row) => row > cleared);
      if (kept !== undefined && kept.length > 0) records.set(number, kept);
      else records.delete(number);
    }
  }
  return records;
}

function leaveOutUnlisted(
  bytes: Uint8Array,
  wire: AnnotationTable,
  members: readonly FieldDescriptor[],
  records: Map<number, number[]>,
  onUnlisted: (() => void) | undefined,
): void {
  if (!members.some((member) => member.enum?.closed === true && records.has(member.number))) return;
  const listed = members.map((member) => {
    const rows = records.get(member.number) ?? [];
    if (member.enum?.closed !== true) return rows;
    return rows.filter((row) => isListed(member, varintLow(bytes, payloadStartAt(wire, row), payloadEndAt(wire, row))));
  });
  if (listed.every((rows) => rows.length === 0)) return;
  members.forEach(({ number }, at) => {
    const left = (records.get(number)?.length ?? 0) - listed[at]!.length;
    for (let count = 0; count < left; count++) onUnlisted?.();
    if (left > 0) records.set(number, listed[at]!);
  });
}

/** Whether a field has the number: one that a closed enum does not list is an unknown field. */
export const isListed = ({ type, enum: of }: FieldDescriptor, number: number): boolean =>
  type !== 'enum' || !of!.closed || of!.values.some((value) => value.number === number);

/** Appends row, start and end of each value that a record holds: one, or the elements of a packed run. */
export function listValues(
  bytes: Uint8Array,
  wire: AnnotationTable,
  record: number,
  { type }: FieldDescriptor,
  into: { push(record: number, start: number, end: number): unknown },
): void {
  const start = payloadStartAt(wire, record);
  const end = payloadEndAt(wire, record);
  if ((flagsAt(wire, record) & Flag.PACKED) === 0) {
    into.push(record, start, end);
    return;
  }
  const size = fixedSize(type);
  for (let at = start; at < end; ) {
    const next = at + (size > 0 ? size : varintSize(bytes, at));
    into.push(record, at, next);
    at = next;
  }
}

/** Whether the written values of the message satisfy a condition. */
export const satisfies = (
  condition: Condition,
  layout: MessageLayout,
  records: ReadonlyMap<number, readonly number[]>,
  bytes: Uint8Array,
  wire: AnnotationTable,
): boolean => isConditionMet(condition, keptValue(condition.field, layout, records, bytes, wire));

/** The value of a field that others depend on, as `isConditionMet` and `sizeFrom` expect it. */
export function keptValue(
  field: FieldDescriptor,
  { fields }: MessageLayout,
  records: ReadonlyMap<number, readonly number[]>,
  bytes: Uint8Array,
  wire: AnnotationTable,
): number {
  const rows = records.get(field.number) ?? [];
  const from = rows.at(-1);
  if (from === undefined) return 0;
  if (field.cardinality !== 'singular') {
    if (field.message !== undefined) return rows.length;
    const values: number[] = [];
    for (const row of rows) listValues(bytes, wire, row, field, values);
    return values.length / 3;
  }
  const start = payloadStartAt(wire, from);
  const end = payloadEndAt(wire, from);
  if (field.type === 'string' || field.type === 'bytes') {
    const form = fields.find((layout) => layout.field === field)?.form;
    const isUnits = form?.kind === 'string' && form.unit === 'utf16';
    return isUnits ? decodeUtf8(bytes.subarray(start, end)).length : end - start;
  }
  if (field.type === 'float' || field.type === 'double') return 0;
  const { low, high } = readInteger(bytes, start, end, field.type);
  return high * 2 ** 32 + (low >>> 0);
}

/** Whether an entry of a map has a key that differs from the field of its value that should equal it. */
export function keyDiffers(
  bytes: Uint8Array,
  wire: AnnotationTable,
  subtreeEnd: Uint32Array,
  entry: number,
  map: FieldDescriptor,
  key: FieldDescriptor,
): boolean {
  const last = (row: number, message: MessageDescriptor, number: number) =>
    recordsOf(bytes, wire, [row], subtreeEnd, message).get(number)?.at(-1);
  const text = (row: number | undefined) =>
    row === undefined ? '' : String(bytes.subarray(payloadStartAt(wire, row), payloadEndAt(wire, row)));
  const value = last(entry, map.message!, 2);
  const inner = value === undefined ? undefined : last(value, map.message!.byNumber.get(2)!.message!, key.number);
  return text(last(entry, map.message!, 1)) !== text(inner);
}
