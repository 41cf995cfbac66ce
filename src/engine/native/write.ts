/**
 * One message's values, taken from its protobuf rows, written as a native stream: the bytes, their rows, and for each
 * row the protobuf row it came from. Works on rows and an explicit stack, so depth is bounded by memory alone.
 *
 * Protobuf's rules decide what the values are (protobuf.dev/programming-guides/encoding#last-one-wins): of several
 * records of a singular field the last one counts, several of a singular message are merged, and of a oneof's
 * members the last one on the wire is set. Map entries stay in wire order. Unknown numbers and extensions have no
 * place in a layout: they are not written.
 */
import {
  type AnnotationTable,
  composeFlags,
  Flag,
  NO_WIRE_TYPE,
  payloadCategoryAt,
  payloadEndAt,
  payloadStartAt,
  subtreeEnds,
} from '../annotation.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import { type FieldLayout, type IntForm, type LayoutOf, type MessageLayout, NativeSlot } from './layout.ts';
import { Output } from './output.ts';
import { Rows } from './rows.ts';
import { decodeUtf8, fits, isSigned, readInteger, varintSize } from './wire-values.ts';

export interface Written {
  readonly bytes: Uint8Array;
  readonly table: AnnotationTable<FieldDescriptor>;
  /** By native row: the protobuf row its value came from; −1 for what protobuf does not write. */
  readonly origin: Int32Array;
  /** Values that the layout cannot hold, with the place of their protobuf bytes. */
  readonly diagnostics: readonly Diagnostic[];
}

const VALUE = composeFlags(NO_WIRE_TYPE, 'value');
const EMPTY: readonly number[] = [];

/** A message being written: its protobuf rows (several are merged), its native row, and the field that is next. */
interface Frame {
  readonly layout: MessageLayout;
  readonly records: ReadonlyMap<number, readonly number[]>;
  readonly row: number;
  next: number;
  /** The elements of the repeated message field that is being written, if one is. */
  elements: readonly number[];
  element: number;
  elementsRow: number;
}

export function writeNative(
  bytes: Uint8Array,
  wire: AnnotationTable,
  root: MessageLayout,
  layoutOf: LayoutOf,
): Written {
  const out = new Output();
  const rows = new Rows();
  const origin: number[] = [];
  const diagnostics: Diagnostic[] = [];
  const subtreeEnd = subtreeEnds(wire);

  const open = (parent: number, layout: FieldLayout | undefined, from: number, flags = VALUE): number => {
    origin.push(from);
    return rows.open(out.length, parent, layout?.field, flags);
  };
  const enter = (layout: MessageLayout, wireRows: readonly number[], row: number): Frame => ({
    layout,
    records: recordsOf(wire, wireRows, subtreeEnd, layout),
    row,
    next: 0,
    elements: EMPTY,
    element: 0,
    elementsRow: -1,
  });
  const writeInt = (form: IntForm, signed: boolean, low: number, high: number, at: number): void => {
    if (!fits(form, signed, low, high)) {
      diagnostics.push({
        code: 'native/overflow',
        severity: 'warning',
        message: `The value does not fit the native writer: it keeps its lowest ${form.kind === 'fixed' ? form.bytes * 8 : 32} bits only.`,
        space: 'message',
        start: wire.start[at]!,
        end: wire.end[at]!,
      });
    }
    out.int(form, low, high);
  };

  /** One value of the protobuf row `from`, in bytes[start, end) of the payload. */
  const writeValue = (row: number, layout: FieldLayout, from: number, start: number, end: number): void => {
    const { form, field, absence } = layout;
    switch (form.kind) {
      case 'int': {
        const { low, high } = readInteger(bytes, start, end, field.type);
        writeInt(form.form, isSigned(field.type), low, high, from);
        return;
      }
      case 'bool':
        out.byte(readInteger(bytes, start, end, 'bool').low);
        return;
      case 'float':
        // Bits, not values: a NaN keeps its payload.
        for (let i = 0; i < form.bytes; i++) {
          out.byte(bytes[form.order === 'big' ? start + form.bytes - 1 - i : start + i]!);
        }
        return;
      case 'string': {
        const text = decodeUtf8(bytes.subarray(start, end));
        const body = form.body === 'utf8' ? encoder.encode(text) : undefined;
        const size = form.unit === 'utf16' ? text.length : body!.length;
        writeLength(row, form.length, size + (absence === 'length+1' ? 1 : 0));
        if (body === undefined) out.cesu8(text);
        else out.raw(body);
        return;
      }
      case 'bytes':
        writeLength(row, form.length, end - start + (absence === 'length+1' ? 1 : 0));
        out.raw(bytes.subarray(start, end));
        return;
      case 'message':
        return;
    }
  };
  const writeLength = (row: number, form: IntForm, length: number): void => {
    const at = out.length;
    out.int(form, length, length < 0 ? -1 : 0);
    rows.slot(row, NativeSlot.LENGTH, out.length - at);
  };

  const writeAbsent = (row: number, { form, absence }: FieldLayout): void => {
    if (absence === 'tristate') {
      out.byte(2);
      return;
    }
    switch (form.kind) {
      case 'int':
        out.int(form.form, 0, 0);
        return;
      case 'bool':
        out.byte(0);
        return;
      case 'float':
        for (let i = 0; i < form.bytes; i++) out.byte(0);
        return;
      case 'string':
      case 'bytes':
        writeLength(row, form.length, absence === 'sentinel' ? -1 : 0);
        return;
      case 'message':
        return;
    }
  };

  const writeScalar = (parent: number, layout: FieldLayout, from: number): void => {
    const present = from >= 0;
    const absent = !present && layout.absence !== 'flag' ? Flag.DEFAULT : 0;
    const row = open(parent, layout, from, VALUE | absent);
    if (layout.absence === 'flag') {
      out.byte(present ? 1 : 0);
      rows.slot(row, NativeSlot.FLAG, 1);
    }
    if (present) writeValue(row, layout, from, payloadStartAt(wire, from), payloadEndAt(wire, from));
    else if (layout.absence !== 'flag') writeAbsent(row, layout);
    rows.close(row, out.length);
  };

  const writeCount = (row: number, form: IntForm, count: number): void => {
    const at = out.length;
    out.int(form, count, 0);
    rows.slot(row, NativeSlot.COUNT, out.length - at);
  };

  const writeElements = (parent: number, layout: FieldLayout, records: readonly number[]): void => {
    const row = open(parent, layout, records[0] ?? -1);
    const values: number[] = [];
    for (const record of records) listValues(bytes, wire, record, layout, values);
    writeCount(row, layout.count!, values.length / 3);
    for (let i = 0; i < values.length; i += 3) {
      const element = open(row, layout, values[i]!);
      writeValue(element, layout, values[i]!, values[i + 1]!, values[i + 2]!);
      rows.close(element, out.length);
    }
    rows.close(row, out.length);
  };

  const stack: Frame[] = [enter(root, [0], open(-1, undefined, 0))];
  while (stack.length > 0) {
    const frame = stack.at(-1)!;
    if (frame.elementsRow >= 0) {
      if (frame.element < frame.elements.length) {
        const layout = frame.layout.fields[frame.next]!;
        const from = frame.elements[frame.element++]!;
        stack.push(enter(layoutOf(layout.field.message!), [from], open(frame.elementsRow, layout, from)));
        continue;
      }
      rows.close(frame.elementsRow, out.length);
      frame.elementsRow = -1;
      frame.next++;
    }
    if (frame.next === frame.layout.fields.length) {
      rows.close(frame.row, out.length);
      stack.pop();
      continue;
    }
    const layout = frame.layout.fields[frame.next]!;
    const records = frame.records.get(layout.field.number) ?? EMPTY;
    if (layout.form.kind !== 'message') {
      frame.next++;
      if (layout.count !== undefined) writeElements(frame.row, layout, records);
      else writeScalar(frame.row, layout, records.at(-1) ?? -1);
    } else if (layout.count !== undefined) {
      const row = open(frame.row, layout, records[0] ?? -1);
      writeCount(row, layout.count, records.length);
      frame.elementsRow = row;
      frame.elements = records;
      frame.element = 0;
    } else {
      frame.next++;
      const present = records.length > 0;
      const row = open(frame.row, layout, records[0] ?? -1);
      if (layout.absence === 'flag') {
        out.byte(present ? 1 : 0);
        rows.slot(row, NativeSlot.FLAG, 1);
      }
      if (present || layout.absence === 'default') stack.push(enter(layoutOf(layout.field.message!), records, row));
      else rows.close(row, out.length);
    }
  }
  return { bytes: out.finish(), table: rows.finish('native'), origin: Int32Array.from(origin), diagnostics };
}

const encoder = new TextEncoder();

/** The records that make up the fields of a message, by field number; of a oneof, those of the member that is set. */
function recordsOf(
  wire: AnnotationTable,
  wireRows: readonly number[],
  subtreeEnd: Uint32Array,
  { message, fields }: MessageLayout,
): Map<number, number[]> {
  const records = new Map<number, number[]>();
  const known = new Set(fields.map((layout) => layout.field.number));
  for (const parent of wireRows) {
    for (let row = parent + 1; row < subtreeEnd[parent]!; row = subtreeEnd[row]!) {
      const index = wire.field[row]!;
      if (index < 0) continue;
      const { number, isExtension, type } = wire.fields[index]!;
      if (isExtension || !known.has(number)) continue;
      const unreadable = type !== 'message' && type !== 'group' && payloadCategoryAt(wire, row) === 'unattributed';
      if (unreadable) continue;
      const list = records.get(number);
      if (list === undefined) records.set(number, [row]);
      else list.push(row);
    }
  }
  for (const { fields: members } of message.oneofs) {
    // The member that comes last clears the others, and what was set of it before another member stays cleared.
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

/** Appends row, start and end of each value that a record holds: one, or the elements of a packed run. */
function listValues(
  bytes: Uint8Array,
  wire: AnnotationTable,
  record: number,
  layout: FieldLayout,
  into: number[],
): void {
  const start = payloadStartAt(wire, record);
  const end = payloadEndAt(wire, record);
  if ((wire.flags[record]! & Flag.PACKED) === 0) {
    into.push(record, start, end);
    return;
  }
  const { type } = layout.field;
  const size = layout.form.kind === 'float' ? (type === 'double' ? 8 : 4) : fixedIntSize(type);
  for (let at = start; at < end; ) {
    const next = at + (size > 0 ? size : varintSize(bytes, at));
    into.push(record, at, next);
    at = next;
  }
}

const fixedIntSize = (type: string): number =>
  type === 'fixed64' || type === 'sfixed64' ? 8 : type === 'fixed32' || type === 'sfixed32' ? 4 : 0;
