/**
 * Transcodes a native message, as `readNative` explains it, to canonical protobuf: fields are ordered by number, packed
 * if the schema packs them, and defaults of implicit fields are left out. Unread bytes are left out too.
 */

import { varintWidth } from '../bytes/varint.ts';
import {
  endAt,
  Flag,
  fieldAt,
  flagsAt,
  parentAt,
  payloadCategoryAt,
  payloadEndAt,
  payloadStartAt,
  slotAt,
  startAt,
  subtreeEnds,
  WireType,
} from '../model/annotation.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import { wireTypeOf } from '../schema/wire-types.ts';
import { tagWidth } from '../wire/encoding-facts.ts';
import { type FieldLayout, NativeSlot } from './layout.ts';
import { decodeCesu8, readNativeInt } from './native-values.ts';
import { type Int64, Output } from './output.ts';
import type { NativeRead } from './read.ts';
import { toVarint } from './wire-values.ts';

export interface Transcoded {
  readonly bytes: Uint8Array;
  /** By native row: 1 for a value that is absent in protobuf because it is the type's default. */
  readonly leftOut: Uint8Array;
  /**
   * Values that protobuf cannot hold: lone surrogates, and fields that exist only in the stream. Spans are native
   * messageOffsets.
   */
  readonly diagnostics: readonly Diagnostic[];
}

/** The role of a native row in protobuf. */
const Part = { NOTHING: 0, SCALAR: 1, MESSAGE: 2, LIST: 3, PACKED: 4, ELEMENT: 5 } as const;

/** Intermediate results for each row. */
class Notes {
  readonly parts: Uint8Array;
  readonly leftOut: Uint8Array;
  readonly payload: Float64Array;
  readonly ends: Uint32Array;

  constructor(rows: number) {
    this.parts = new Uint8Array(rows);
    this.leftOut = new Uint8Array(rows);
    this.payload = new Float64Array(rows);
    this.ends = new Uint32Array(rows);
  }
}

/** Largest number of rows whose notes are kept for reuse. */
const LARGEST_KEPT = 1 << 18;

/** Kept between calls, because messages are small and many. */
let kept = new Notes(1024);
const output = new Output();

function notesFor(rows: number): Notes {
  if (rows > LARGEST_KEPT) return new Notes(rows);
  if (rows > kept.parts.length) kept = new Notes(2 * rows);
  return kept;
}

/** Borrowed: its bytes and `leftOut` are valid until the next message is transcoded. */
export function toWire(bytes: Uint8Array, { table, layouts }: NativeRead): Transcoded {
  const diagnostics: Diagnostic[] = [];
  /** By row: texts whose bytes differ in UTF-8. */
  const texts = new Map<number, Uint8Array>();
  const notes = notesFor(table.length);
  const parts = notes.parts.fill(Part.NOTHING, 0, table.length);
  const leftOut = notes.leftOut.fill(0, 0, table.length);
  const payload = notes.payload.fill(0, 0, table.length);
  const layoutAt = (row: number): FieldLayout => layouts[fieldAt(table, row)]!;

  const ends = subtreeEnds(table, notes.ends.subarray(0, table.length));
  /** For a map entry without a written key, by row: the row in its value that is the key. */
  const keys = new Map<number, number>();

  const reported = new Set<FieldLayout>();
  const report = (row: number, layout: FieldLayout): void => {
    reported.add(layout);
    diagnostics.push({
      code: 'native/native-only',
      severity: 'info',
      message: `“${layout.field.name}” has bytes natively only: protobuf does not keep its value.`,
      space: 'message',
      start: startAt(table, row),
      end: endAt(table, row),
    });
  };

  for (let row = 1; row < table.length; ) {
    const part = partOf(row);
    parts[row] = part;
    // Nothing is written for rows below a value that protobuf keeps as bytes, or below a value that it does not have.
    row = part === Part.NOTHING || part === Part.SCALAR ? ends[row]! : row + 1;
  }

  function partOf(row: number): number {
    const category = payloadCategoryAt(table, row);
    // The name of a member, the end of blocks, and padding have rows of their own beside the value's row.
    if (fieldAt(table, row) < 0 || category !== 'value') return Part.NOTHING;
    const layout = layoutAt(row);
    if (layout.nativeOnly === true) {
      if (!reported.has(layout)) report(row, layout);
      return Part.NOTHING;
    }
    const parent = parentAt(table, row);
    const { field, form } = layout;
    if (layout.count !== undefined) {
      const inList =
        (parts[parent] === Part.LIST || parts[parent] === Part.PACKED) &&
        fieldAt(table, parent) === fieldAt(table, row);
      if (!inList) return field.packed ? Part.PACKED : Part.LIST;
      if (form.kind === 'message') {
        const key = layout.key === undefined ? -1 : keyRowOf(row, layout.key);
        if (key >= 0) keys.set(row, key);
        return Part.MESSAGE;
      }
      return parts[parent] === Part.PACKED ? Part.ELEMENT : Part.SCALAR;
    }
    if (isAbsent(row, layout)) return Part.NOTHING;
    if (field.message !== undefined) return Part.MESSAGE;
    const isMarked = layout.absence !== 'default' || (layout.choice ?? layout.sizedBy) !== undefined;
    const written = isMarked || field.parent.isMapEntry || field.presence === 'required';
    if (written || !isDefault(row, layout)) return Part.SCALAR;
    leftOut[row] = 1;
    return Part.NOTHING;
  }

  /** The row of the value's field that is the key of a map entry; −1: it was not read. */
  function keyRowOf(entry: number, key: FieldDescriptor): number {
    const value = entry + 1;
    if (value >= ends[entry]!) return -1;
    for (let row = value + 1; row < ends[value]!; row = ends[row]!) {
      const index = fieldAt(table, row);
      if (index >= 0 && table.fields[index] === key) return row;
    }
    return -1;
  }

  function isAbsent(row: number, { absence }: FieldLayout): boolean {
    if (absence === 'flag') {
      const start = startAt(table, row);
      return bytes.subarray(start, start + slotAt(table, row, NativeSlot.FLAG)).every((byte) => byte === 0);
    }
    if (absence === 'minus') return bytes[startAt(table, row)] === 255;
    return absence !== 'default' && (flagsAt(table, row) & Flag.DEFAULT) !== 0;
  }

  function isDefault(row: number, { form }: FieldLayout): boolean {
    if (form.kind === 'bool') return bytes[startAt(table, row)] === (form.inverted === true ? 1 : 0);
    if (form.kind !== 'int' && form.kind !== 'float') return payloadStartAt(table, row) === endAt(table, row);
    for (let at = startAt(table, row); at < endAt(table, row); at++) if (bytes[at] !== 0) return false;
    return true;
  }

  /** Writes the payload of a scalar record to `out`. Without `out`, returns its size. */
  function scalar(row: number, { form, field }: FieldLayout, out: Output | undefined): number {
    const start = payloadStartAt(table, row);
    const end = payloadEndAt(table, row);
    switch (form.kind) {
      case 'string':
      case 'bytes':
      case 'ended':
      case 'rest':
      case 'sized':
      case 'content': {
        const text = form.kind === 'string' && form.body === 'cesu8' ? utf8Of(row, start, end) : undefined;
        const length = text?.length ?? end - start;
        out?.varint64(length, 0);
        if (text === undefined) out?.raw(bytes, start, end);
        else out?.raw(text);
        return varintWidth(length, 0) + length;
      }
      case 'float': {
        const size = field.type === 'double' ? 8 : 4;
        for (let i = 0; out !== undefined && i < size; i++) {
          out.byte(bytes[form.order === 'big' ? end - 1 - i : start + i]!);
        }
        return size;
      }
      default: {
        const value = integerOf(row, form, field, start, end);
        if (field.type === 'fixed32' || field.type === 'sfixed32') {
          out?.int({ kind: 'fixed', bytes: 4, order: 'little' }, value.low, value.high);
          return 4;
        }
        if (field.type === 'fixed64' || field.type === 'sfixed64') {
          out?.int({ kind: 'fixed', bytes: 8, order: 'little' }, value.low, value.high);
          return 8;
        }
        const { low, high } = toVarint(value, field.type);
        out?.varint64(low, high);
        return varintWidth(low, high);
      }
    }
  }

  function integerOf(
    row: number,
    form: FieldLayout['form'],
    field: FieldDescriptor,
    start: number,
    end: number,
  ): Int64 {
    if (form.kind === 'int') return readNativeInt(bytes, start, end, form.form, field.type);
    if (form.kind === 'bool') return { low: bytes[start]! ^ (form.inverted === true ? 1 : 0), high: 0 };
    // A member that its number identifies: an integer is that number, a boolean is true.
    const choice = layoutAt(row).choice?.form;
    if (field.type === 'bool' || choice?.kind !== 'int') return { low: 1, high: 0 };
    const at = startAt(table, row) + slotAt(table, row, NativeSlot.FLAG);
    return readNativeInt(bytes, at, at + slotAt(table, row, NativeSlot.TYPE), choice.form, 'int32');
  }

  /** undefined: its bytes are already UTF-8. */
  function utf8Of(row: number, start: number, end: number): Uint8Array | undefined {
    const known = texts.get(row);
    if (known !== undefined || isAscii(bytes, start, end)) return known;
    const { text, lone } = decodeCesu8(bytes.subarray(start, end));
    if (lone) {
      diagnostics.push({
        code: 'native/lone-surrogate',
        severity: 'warning',
        message: 'This text holds half of a surrogate pair, which UTF-8 has no form for: it becomes U+FFFD.',
        space: 'message',
        start: startAt(table, row),
        end: endAt(table, row),
      });
    }
    const utf8 = encoder.encode(text);
    texts.set(row, utf8);
    return utf8;
  }

  // Computes sizes, children before parents.
  for (let row = table.length - 1; row > 0; row--) {
    const parent = parentAt(table, row);
    const part = parts[row]!;
    if (part === Part.NOTHING) continue;
    const layout = layoutAt(row);
    const tag = tagWidth(layout.field.number);
    const key = keys.get(row);
    if (key !== undefined) payload[row]! += 1 + scalar(key, layoutAt(key), undefined);
    let size = 0;
    if (part === Part.SCALAR) size = tag + scalar(row, layout, undefined);
    else if (part === Part.ELEMENT) size = scalar(row, layout, undefined);
    else if (part === Part.LIST) size = payload[row]!;
    else if (part === Part.PACKED) size = payload[row] === 0 ? 0 : tag + varintWidth(payload[row]!, 0) + payload[row]!;
    else if (layout.field.type === 'group') size = 2 * tag + payload[row]!;
    else size = tag + varintWidth(payload[row]!, 0) + payload[row]!;
    payload[parent]! += size;
  }

  // Writes the bytes of each message, its fields by number. The end tag of a group follows its subtree.
  const out = output;
  out.clear();
  /** Rows that have to be written, the next one last. ~row means the end tag of a group. */
  const open: number[] = [];
  const openChildren = (row: number): void => {
    const from = open.length;
    let last = 0;
    let sorted = true;
    for (let child = row + 1; child < ends[row]!; child = ends[child]!) {
      if (parts[child] === Part.NOTHING) continue;
      const { number } = table.fields[fieldAt(table, child)]!;
      if (number < last) sorted = false;
      last = number;
      open.push(child);
    }
    if (!sorted) {
      for (const child of open.splice(from).sort((a, b) => numberAt(a) - numberAt(b) || a - b)) open.push(child);
    }
    for (let low = from, high = open.length - 1; low < high; low++, high--) {
      const row = open[low]!;
      open[low] = open[high]!;
      open[high] = row;
    }
  };
  const numberAt = (row: number): number => table.fields[fieldAt(table, row)]!.number;

  openChildren(0);
  while (open.length > 0) {
    const row = open.pop()!;
    if (row < 0) {
      tag(out, layoutAt(~row).field, WireType.EGROUP);
      continue;
    }
    const layout = layoutAt(row);
    const { field } = layout;
    switch (parts[row]) {
      case Part.SCALAR:
        tag(out, field, wireTypeOf(field.type));
        scalar(row, layout, out);
        continue;
      case Part.ELEMENT:
        scalar(row, layout, out);
        continue;
      case Part.PACKED:
        if (payload[row] === 0) continue;
        tag(out, field, WireType.LEN);
        out.varint64(payload[row]!, 0);
        break;
      case Part.MESSAGE:
        if (field.type === 'group') {
          tag(out, field, WireType.SGROUP);
          open.push(~row);
        } else {
          tag(out, field, WireType.LEN);
          out.varint64(payload[row]!, 0);
        }
        if (keys.has(row)) {
          const key = keys.get(row)!;
          const keyField = field.message!.byNumber.get(1)!;
          tag(out, keyField, wireTypeOf(keyField.type));
          scalar(key, layoutAt(key), out);
        }
        break;
    }
    openChildren(row);
  }
  return { bytes: out.written(), leftOut, diagnostics };
}

const encoder = new TextEncoder();

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! > 127) return false;
  return true;
}

function tag(out: Output, field: FieldDescriptor, wireType: number): void {
  out.varint64((field.number << 3) | wireType, 0);
}
