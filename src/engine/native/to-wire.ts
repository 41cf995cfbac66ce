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
import { type FieldLayout, type IntForm, NativeSlot, type ValueForm } from './layout.ts';
import { decodeCesu8, readNativeInt } from './native-values.ts';
import { type Int64, Output } from './output.ts';
import type { NativeRead } from './read.ts';
import { fits, isSigned, toVarint } from './wire-values.ts';

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
  /** Bytes in a message, a list or a packed run. */
  readonly payload: Float64Array;
  /** The bits of a number, as it is written. `low` of a text or of bytes: their size. */
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly ends: Uint32Array;

  constructor(rows: number) {
    this.parts = new Uint8Array(rows);
    this.leftOut = new Uint8Array(rows);
    this.payload = new Float64Array(rows);
    this.low = new Int32Array(rows);
    this.high = new Int32Array(rows);
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
export const toWire = (bytes: Uint8Array, read: NativeRead): Transcoded => new Transcoder(bytes, read).transcode();

class Transcoder {
  readonly #bytes: Uint8Array;
  readonly #table: NativeRead['table'];
  readonly #layouts: NativeRead['layouts'];
  readonly #notes: Notes;
  readonly #parts: Uint8Array;
  readonly #ends: Uint32Array;
  readonly #payload: Float64Array;
  readonly #diagnostics: Diagnostic[] = [];
  /** By row: texts whose bytes differ in UTF-8. */
  #texts: Map<number, Uint8Array> | undefined;
  /** For a map entry without a written key, by row: the row in its value that is the key. */
  #keys: Map<number, number> | undefined;
  #reported: Set<FieldLayout> | undefined;
  /** Rows that have to be written, the next one last. ~row means the end tag of a group. */
  readonly #open: number[] = [];

  constructor(bytes: Uint8Array, { table, layouts }: NativeRead) {
    this.#bytes = bytes;
    this.#table = table;
    this.#layouts = layouts;
    const rows = table.length;
    this.#notes = notesFor(rows);
    this.#parts = this.#notes.parts.fill(Part.NOTHING, 0, rows);
    this.#payload = this.#notes.payload.fill(0, 0, rows);
    this.#notes.leftOut.fill(0, 0, rows);
    this.#ends = subtreeEnds(table, this.#notes.ends);
  }

  transcode(): Transcoded {
    this.#choose();
    this.#measure();
    this.#write();
    return { bytes: output.written(), leftOut: this.#notes.leftOut, diagnostics: this.#diagnostics };
  }

  #layoutAt(row: number): FieldLayout {
    return this.#layouts[fieldAt(this.#table, row)]!;
  }

  #choose(): void {
    const { length } = this.#table;
    for (let row = 1; row < length; ) {
      const part = this.#partOf(row);
      this.#parts[row] = part;
      // Nothing is written for rows below a value that protobuf keeps as bytes, or below a value that it does not have.
      row = part === Part.NOTHING || part === Part.SCALAR ? this.#ends[row]! : row + 1;
    }
  }

  #partOf(row: number): number {
    const table = this.#table;
    const index = fieldAt(table, row);
    // The name of a member, the end of blocks, and padding have rows of their own beside the value's row.
    if (index < 0 || payloadCategoryAt(table, row) !== 'value') return Part.NOTHING;
    const layout = this.#layouts[index]!;
    if (layout.nativeOnly === true) {
      this.#report(row, layout);
      return Part.NOTHING;
    }
    const { field, form } = layout;
    if (layout.count !== undefined) {
      const parent = parentAt(table, row);
      const part = this.#parts[parent]!;
      const inList = (part === Part.LIST || part === Part.PACKED) && fieldAt(table, parent) === index;
      if (!inList) return field.packed ? Part.PACKED : Part.LIST;
      if (form.kind === 'message') {
        const key = layout.key === undefined ? -1 : this.#keyRowOf(row, layout.key);
        if (key >= 0) {
          this.#keys ??= new Map();
          this.#keys.set(row, key);
        }
        return Part.MESSAGE;
      }
      return part === Part.PACKED ? Part.ELEMENT : Part.SCALAR;
    }
    if (this.#isAbsent(row, layout)) return Part.NOTHING;
    if (field.message !== undefined) return Part.MESSAGE;
    const isMarked = layout.absence !== 'default' || (layout.choice ?? layout.sizedBy) !== undefined;
    const written = isMarked || field.parent.isMapEntry || field.presence === 'required';
    if (written || !this.#isDefault(row, layout)) return Part.SCALAR;
    this.#notes.leftOut[row] = 1;
    return Part.NOTHING;
  }

  /** Once for a field. */
  #report(row: number, layout: FieldLayout): void {
    this.#reported ??= new Set();
    if (this.#reported.has(layout)) return;
    this.#reported.add(layout);
    this.#diagnostics.push({
      code: 'native/native-only',
      severity: 'info',
      message: `“${layout.field.name}” has bytes natively only: protobuf does not keep its value.`,
      space: 'message',
      start: startAt(this.#table, row),
      end: endAt(this.#table, row),
    });
  }

  /** The row of the value's field that is the key of a map entry; −1: it was not read. */
  #keyRowOf(entry: number, key: FieldDescriptor): number {
    const table = this.#table;
    const ends = this.#ends;
    const value = entry + 1;
    if (value >= ends[entry]!) return -1;
    for (let row = value + 1; row < ends[value]!; row = ends[row]!) {
      const index = fieldAt(table, row);
      if (index >= 0 && table.fields[index] === key) return row;
    }
    return -1;
  }

  #isAbsent(row: number, { absence }: FieldLayout): boolean {
    const start = startAt(this.#table, row);
    if (absence === 'flag') return this.#isZero(start, start + slotAt(this.#table, row, NativeSlot.FLAG));
    if (absence === 'minus') return this.#bytes[start] === 255;
    return absence !== 'default' && (flagsAt(this.#table, row) & Flag.DEFAULT) !== 0;
  }

  #isDefault(row: number, { form }: FieldLayout): boolean {
    const [start, end] = [startAt(this.#table, row), endAt(this.#table, row)];
    if (form.kind === 'bool') return this.#bytes[start] === (form.inverted === true ? 1 : 0);
    if (form.kind !== 'int' && form.kind !== 'float') return payloadStartAt(this.#table, row) === end;
    return this.#isZero(start, end);
  }

  #isZero(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (this.#bytes[at] !== 0) return false;
    return true;
  }

  /** Computes sizes, children before parents. */
  #measure(): void {
    const payload = this.#payload;
    for (let row = this.#table.length - 1; row > 0; row--) {
      const part = this.#parts[row]!;
      if (part === Part.NOTHING) continue;
      const layout = this.#layoutAt(row);
      const tag = tagWidth(layout.field.number);
      const key = this.#keys?.get(row);
      if (key !== undefined) payload[row]! += 1 + this.#sizeScalar(key, this.#layoutAt(key));
      let size = 0;
      if (part === Part.SCALAR) size = tag + this.#sizeScalar(row, layout);
      else if (part === Part.ELEMENT) size = this.#sizeScalar(row, layout);
      else if (part === Part.LIST) size = payload[row]!;
      else if (part === Part.PACKED && payload[row] === 0) size = 0;
      else if (layout.field.type === 'group') size = 2 * tag + payload[row]!;
      else size = tag + varintWidth(payload[row]!, 0) + payload[row]!;
      payload[parentAt(this.#table, row)]! += size;
    }
  }

  /** Size of a scalar record's payload, whose bits or size are noted. */
  #sizeScalar(row: number, { form, field }: FieldLayout): number {
    const { low, high } = this.#notes;
    const start = payloadStartAt(this.#table, row);
    const end = payloadEndAt(this.#table, row);
    if (isOfBytes(form)) {
      const text = form.kind === 'string' && form.body === 'cesu8' ? this.#utf8Of(row, start, end) : undefined;
      const size = text?.length ?? end - start;
      low[row] = size;
      return varintWidth(size, 0) + size;
    }
    const wireType = wireTypeOf(field.type);
    if (form.kind !== 'float') {
      const value = this.#integerOf(row, form, field, start, end);
      const written = wireType === WireType.VARINT ? toVarint(value, field.type) : value;
      low[row] = written.low;
      high[row] = written.high;
    }
    return wireType === WireType.I32 ? 4 : wireType === WireType.I64 ? 8 : varintWidth(low[row]!, high[row]!);
  }

  #integerOf(row: number, form: ValueForm, field: FieldDescriptor, start: number, end: number): Int64 {
    const bytes = this.#bytes;
    if (form.kind === 'int') {
      const value = readNativeInt(bytes, start, end, form.form, field.type);
      const isNarrow = !field.type.endsWith('64');
      if (isNarrow && !fits(FIXED_32, isSigned(field.type), value.low, value.high)) this.#tooLarge(row, field, value);
      return value;
    }
    if (form.kind === 'bool') return { low: bytes[start]! ^ (form.inverted === true ? 1 : 0), high: 0 };
    // A member that its number identifies: an integer is that number, a boolean is true.
    const choice = this.#layoutAt(row).choice?.form;
    if (field.type === 'bool' || choice?.kind !== 'int') return { low: 1, high: 0 };
    const at = startAt(this.#table, row) + slotAt(this.#table, row, NativeSlot.FLAG);
    return readNativeInt(bytes, at, at + slotAt(this.#table, row, NativeSlot.TYPE), choice.form, 'int32');
  }

  #tooLarge(row: number, { name, type }: FieldDescriptor, { low, high }: Int64): void {
    const value = (BigInt(high) << 32n) | BigInt(low >>> 0);
    this.#diagnostics.push({
      code: 'native/overflow',
      severity: 'warning',
      message: `“${name}” is ${value}, which protobuf’s ${type} does not hold: it keeps its lowest 32 bits only.`,
      space: 'message',
      start: startAt(this.#table, row),
      end: endAt(this.#table, row),
    });
  }

  /** undefined: its bytes are already UTF-8. */
  #utf8Of(row: number, start: number, end: number): Uint8Array | undefined {
    if (isAscii(this.#bytes, start, end)) return undefined;
    const known = this.#texts?.get(row);
    if (known !== undefined) return known;
    const { text, lone } = decodeCesu8(this.#bytes.subarray(start, end));
    if (lone) {
      this.#diagnostics.push({
        code: 'native/lone-surrogate',
        severity: 'warning',
        message: 'This text holds half of a surrogate pair, which UTF-8 has no form for: it becomes U+FFFD.',
        space: 'message',
        start: startAt(this.#table, row),
        end: endAt(this.#table, row),
      });
    }
    const utf8 = encoder.encode(text);
    this.#texts ??= new Map();
    this.#texts.set(row, utf8);
    return utf8;
  }

  /** Writes the bytes of each message, its fields by number. The end tag of a group follows its subtree. */
  #write(): void {
    const open = this.#open;
    output.clear();
    this.#openChildren(0);
    while (open.length > 0) {
      const row = open.pop()!;
      if (row < 0) {
        tag(this.#layoutAt(~row).field, WireType.EGROUP);
        continue;
      }
      const layout = this.#layoutAt(row);
      const { field } = layout;
      switch (this.#parts[row]) {
        case Part.SCALAR:
          tag(field, wireTypeOf(field.type));
          this.#writeScalar(row, layout);
          continue;
        case Part.ELEMENT:
          this.#writeScalar(row, layout);
          continue;
        case Part.PACKED:
          if (this.#payload[row] === 0) continue;
          tag(field, WireType.LEN);
          output.varint64(this.#payload[row]!, 0);
          break;
        case Part.MESSAGE:
          this.#openMessage(row, field);
          break;
      }
      this.#openChildren(row);
    }
  }

  #openMessage(row: number, field: FieldDescriptor): void {
    if (field.type === 'group') {
      tag(field, WireType.SGROUP);
      this.#open.push(~row);
    } else {
      tag(field, WireType.LEN);
      output.varint64(this.#payload[row]!, 0);
    }
    const key = this.#keys?.get(row);
    if (key === undefined) return;
    const keyField = field.message!.byNumber.get(1)!;
    tag(keyField, wireTypeOf(keyField.type));
    this.#writeScalar(key, this.#layoutAt(key));
  }

  #writeScalar(row: number, { form, field }: FieldLayout): void {
    const low = this.#notes.low[row]!;
    const high = this.#notes.high[row]!;
    const start = payloadStartAt(this.#table, row);
    const end = payloadEndAt(this.#table, row);
    const wireType = wireTypeOf(field.type);
    if (isOfBytes(form)) {
      output.varint64(low, 0);
      const text = this.#texts?.get(row);
      if (text === undefined) output.raw(this.#bytes, start, end);
      else output.raw(text);
    } else if (form.kind === 'float') {
      const size = wireType === WireType.I64 ? 8 : 4;
      for (let i = 0; i < size; i++) output.byte(this.#bytes[form.order === 'big' ? end - 1 - i : start + i]!);
    } else if (wireType === WireType.I32) output.int(FIXED_32, low, high);
    else if (wireType === WireType.I64) output.int(FIXED_64, low, high);
    else output.varint64(low, high);
  }

  /** By field number, then in their order. */
  #openChildren(row: number): void {
    const open = this.#open;
    const { fields } = this.#table;
    const from = open.length;
    let last = 0;
    let sorted = true;
    for (let child = row + 1; child < this.#ends[row]!; child = this.#ends[child]!) {
      if (this.#parts[child] === Part.NOTHING) continue;
      const { number } = fields[fieldAt(this.#table, child)]!;
      if (number < last) sorted = false;
      last = number;
      open.push(child);
    }
    if (!sorted) {
      const numberAt = (child: number): number => fields[fieldAt(this.#table, child)]!.number;
      for (const child of open.splice(from).sort((a, b) => numberAt(a) - numberAt(b) || a - b)) open.push(child);
    }
    for (let low = from, high = open.length - 1; low < high; low++, high--) {
      const child = open[low]!;
      open[low] = open[high]!;
      open[high] = child;
    }
  }
}

/** Whether protobuf writes the value as bytes after their size. */
const isOfBytes = ({ kind }: ValueForm): boolean =>
  kind === 'string' ||
  kind === 'bytes' ||
  kind === 'ended' ||
  kind === 'rest' ||
  kind === 'sized' ||
  kind === 'content';

const FIXED_32: IntForm = { kind: 'fixed', bytes: 4, order: 'little' };
const FIXED_64: IntForm = { kind: 'fixed', bytes: 8, order: 'little' };

const encoder = new TextEncoder();

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! > 127) return false;
  return true;
}

const tag = (field: FieldDescriptor, wireType: number): void => output.varint64((field.number << 3) | wireType, 0);
