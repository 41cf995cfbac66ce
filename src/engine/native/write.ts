/**
 * Writes the values of one message, taken from its protobuf rows, as a native stream: the bytes, their rows, and the
 * protobuf row of each row. It works on rows with an explicit stack, so only memory limits the depth.
 */
import { joinBytes } from '../bytes/join.ts';
import {
  type AnnotationTable,
  composeFlags,
  Flag,
  NO_WIRE_TYPE,
  payloadEndAt,
  payloadStartAt,
  subtreeEnds,
} from '../model/annotation.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { isAny, shownField } from '../wire/any.ts';
import { choiceKeyOf } from './choice.ts';
import { endingOf, sizeFrom, sizingField } from './condition.ts';
import {
  type Choice,
  type FieldLayout,
  type IntForm,
  type LayoutOf,
  type MessageLayout,
  NativeSlot,
  type SizedBy,
  type ValueForm,
} from './layout.ts';
import { PassingRows } from './open-rows.ts';
import { Output } from './output.ts';
import { NativeRows } from './rows.ts';
import { keptValue, keyDiffers, listValues, type Records, recordsOf, satisfies } from './wire-records.ts';
import { readInteger } from './wire-values.ts';
import { CountingStream, exceedsIntForm, WriteStream, type WrittenNative } from './write-stream.ts';
import { ValueWriter } from './write-value.ts';

const VALUE = composeFlags(NO_WIRE_TYPE, 'value');
const TYPE = composeFlags(NO_WIRE_TYPE, 'type');
const COUNT = composeFlags(NO_WIRE_TYPE, 'count');
const BYTE: IntForm = { kind: 'fixed', bytes: 1, order: 'big' };
const EMPTY: readonly number[] = [];
/** A record of an unknown number: the value of an Any is not read by the URL of the record before. */
const APART = Uint8Array.of(0x78, 0);

/** A message that is being written: its protobuf rows (several are merged), its native row, and the next field. */
interface Frame {
  readonly layout: MessageLayout;
  readonly records: Records;
  readonly row: number;
  /** The form of a blob's length. The length is inserted before the contents after they are written. */
  readonly length: IntForm | undefined;
  readonly contents: number;
  next: number;
  /** The elements of the repeated message field that is being written; empty if there is no such field. */
  elements: readonly number[];
  element: number;
  elementsRow: number;
  /** An opaque rest was written, so no field may follow. */
  endsHere: boolean;
  /** Indices of the fields to write; undefined: all. `next` is an index of this list. */
  readonly order: readonly number[] | undefined;
}

/** Functions for callers that count fields instead of writing them. */
export interface SeparateWriting {
  /** Indices of the fields to write of a message whose row is open, ascending; undefined: all. */
  order(row: number, layout: MessageLayout, records: Records): readonly number[] | undefined;
  /** Writes a message from its payload; null: its rows are already loaded. Returns whether an opaque rest ended it. */
  readonly write:
    | ((payload: Uint8Array, layout: MessageLayout, row: number, length: IntForm | undefined) => boolean)
    | null;
}

/** Maximum number of bytes and of rows. */
export interface WriteBudget {
  readonly bytes: number;
  readonly rows: number;
}

/** @returns null: the budget is too small */
export function writeNative(
  bytes: Uint8Array,
  wire: AnnotationTable<FieldDescriptor>,
  root: MessageLayout,
  layoutOf: LayoutOf,
): WrittenNative;
export function writeNative(
  bytes: Uint8Array,
  wire: AnnotationTable<FieldDescriptor>,
  root: MessageLayout,
  layoutOf: LayoutOf,
  budget: WriteBudget,
): WrittenNative | null;
export function writeNative(
  bytes: Uint8Array,
  wire: AnnotationTable<FieldDescriptor>,
  root: MessageLayout,
  layoutOf: LayoutOf,
  budget: WriteBudget = UNBOUNDED,
): WrittenNative | null {
  const rows = new NativeRows();
  const out = new Output();
  const stream = new WriteStream(wire, rows, out);
  const writer = new Writer(bytes, wire, layoutOf, stream);
  if (!writer.write(root, stream.open(-1, undefined, 0), undefined, budget)) return null;
  const { diagnostics } = stream;
  return { bytes: out.finish(), table: rows.finish('native'), origin: Int32Array.from(stream.origin), diagnostics };
}

/** The bytes alone: a message without most of its fields has a row for each of them. */
export function nativeBytes(
  bytes: Uint8Array,
  wire: AnnotationTable<FieldDescriptor>,
  root: MessageLayout,
  layoutOf: LayoutOf,
): Uint8Array {
  const out = new Output();
  const stream = new CountingStream(wire, new PassingRows(), out);
  new Writer(bytes, wire, layoutOf, stream).write(root, stream.open(-1, undefined, 0), undefined);
  return out.finish();
}

const UNBOUNDED: WriteBudget = { bytes: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY };

export class Writer {
  readonly #bytes: Uint8Array;
  readonly #wire: AnnotationTable<FieldDescriptor>;
  readonly #layoutOf: LayoutOf;
  readonly #stream: WriteStream;
  readonly #values: ValueWriter;
  readonly #subtreeEnd: Uint32Array;
  readonly #apart: SeparateWriting | undefined;
  readonly #stack: Frame[] = [];
  /** An opaque rest was written, which ends the enclosing messages too. */
  endsAround = false;

  constructor(
    bytes: Uint8Array,
    wire: AnnotationTable<FieldDescriptor>,
    layoutOf: LayoutOf,
    stream: WriteStream,
    apart?: SeparateWriting,
  ) {
    this.#bytes = bytes;
    this.#wire = wire;
    this.#layoutOf = layoutOf;
    this.#stream = stream;
    this.#apart = apart;
    this.#values = new ValueWriter(bytes, wire, this.#stream, layoutOf, (layout) => nothing(layout, layoutOf));
    this.#subtreeEnd = subtreeEnds(wire);
  }

  /** Writes the message into an open row. @returns false: the budget is too small */
  write(root: MessageLayout, row: number, length: IntForm | undefined, budget: WriteBudget = UNBOUNDED): boolean {
    const { out, rows } = this.#stream;
    this.#enter(root, [0], row, length);
    while (this.#stack.length > 0) {
      if (out.length > budget.bytes || rows.length > budget.rows) return false;
      this.#step(this.#stack.at(-1)!);
    }
    return true;
  }

  #open(parent: number, { field }: FieldLayout, from: number, flags?: number): number {
    return this.#stream.open(parent, shownField(field, this.#wire, from), from, flags);
  }

  #pad(row: number, { form, field }: FieldLayout, from: number): void {
    this.#stream.pad(row, form, shownField(field, this.#wire, from));
  }

  #enter(layout: MessageLayout, wireRows: readonly number[], row: number, length: IntForm | undefined): void {
    const records = recordsOf(this.#bytes, this.#wire, wireRows, this.#subtreeEnd, layout.message);
    const frame: Frame = {
      layout,
      records,
      row,
      length,
      contents: this.#stream.out.length,
      next: 0,
      elements: EMPTY,
      element: 0,
      elementsRow: -1,
      endsHere: false,
      order: undefined,
    };
    this.#reportUnwritten(frame);
    this.#stack.push({ ...frame, order: this.#apart?.order(row, layout, records) });
  }

  /** Reports values that have no place in the layout. */
  #reportUnwritten({ layout, records }: Frame): void {
    if (records.size === 0) return;
    for (const [number, rows] of records) {
      const field = layout.message.byNumber.get(number)!;
      if (layout.fields.some((written) => written.field === field) || rows.length === 0) continue;
      // If the values of a map contain its keys, the key is written with the value.
      if (!layout.message.isMapEntry || number !== 1) this.#stream.report(field, rows[0]!, 'is not part of the layout');
      // A reader finds no value of the field, so fields that depend on it must not see one either.
      records.delete(number);
    }
  }

  /** Takes one step: a field, an element, or the end of a message. */
  #step(frame: Frame): void {
    if (frame.elementsRow >= 0) {
      if (frame.element < frame.elements.length) {
        const layout = fieldAt(frame);
        const from = frame.elements[frame.element++]!;
        this.#element(layout, from, this.#open(frame.elementsRow, layout, from));
        return;
      }
      this.#endList(frame.elementsRow, fieldAt(frame), frame.elements.length);
      frame.elementsRow = -1;
      frame.next++;
    }
    if (frame.endsHere || frame.next === (frame.order ?? frame.layout.fields).length) {
      this.#leave(frame);
      return;
    }
    const layout = fieldAt(frame);
    if (layout.choice !== undefined) {
      this.#choose(frame, layout.choice);
      return;
    }
    const records = frame.records.get(layout.field.number) ?? EMPTY;
    if (layout.when !== undefined && !satisfies(layout.when, frame.layout, frame.records, this.#bytes, this.#wire)) {
      if (records.length > 0)
        this.#stream.report(layout.field, records[0]!, 'has no place where its condition is not met');
      frame.records.delete(layout.field.number);
      frame.next++;
    } else if (layout.count !== undefined || layout.sizedBy !== undefined) this.#list(frame, layout, records);
    else {
      frame.next++;
      this.#singular(frame, layout, records);
    }
  }

  #leave(frame: Frame): void {
    const { out, rows } = this.#stream;
    if (frame.length !== undefined) {
      const size = out.length - frame.contents;
      const grown = out.insertInt(frame.contents, frame.length, size);
      rows.slot(frame.row, NativeSlot.LENGTH, grown);
      rows.shift(frame.row, grown);
      if (exceedsIntForm(frame.length, size))
        this.#stream.overflow(frame.row, `A length of ${size} does not fit its writer.`);
    }
    rows.close(frame.row, out.length);
    this.#stack.pop();
  }

  #element(layout: FieldLayout, from: number, row: number): void {
    const { form, field, key } = layout;
    if (key !== undefined && keyDiffers(this.#bytes, this.#wire, this.#subtreeEnd, from, field, key)) {
      this.#stream.warn(
        'native/key-differs',
        `The map's key is not the value's “${key.name}”, which alone is written.`,
        from,
      );
    }
    const length = form.kind === 'message' ? form.length : undefined;
    this.#message(layout, [from], row, length);
  }

  /** Writes the message that these records hold, merged. */
  #message({ field }: FieldLayout, records: readonly number[], row: number, length: IntForm | undefined): void {
    const layout = this.#layoutOf(field.message!);
    const write = this.#apart?.write ?? null;
    if (write === null || field.type === 'group' || records.length === 0) this.#enter(layout, records, row, length);
    else if (write(this.#payloadOf(records, layout.message), layout, row, length)) this.#endAll();
  }

  #payloadOf(records: readonly number[], type: MessageDescriptor): Uint8Array {
    const bytes = this.#bytes;
    const wire = this.#wire;
    const parts = records.map((record) => bytes.subarray(payloadStartAt(wire, record), payloadEndAt(wire, record)));
    if (parts.length === 1) return parts[0]!;
    return joinBytes(isAny(type) ? parts.flatMap((part) => [part, APART]) : parts);
  }

  #list(frame: Frame, layout: FieldLayout, records: readonly number[]): void {
    const { form, absence } = layout;
    // The values are listed twice: a list of a million takes many times its bytes.
    const list = (push: (record: number, start: number, end: number) => void): void => {
      for (const record of records) listValues(this.#bytes, this.#wire, record, layout.field, { push });
    };
    let elements = 0;
    if (form.kind === 'message') elements = records.length;
    else list(() => elements++);
    if (layout.sizedBy !== undefined) this.#checkSize(frame, layout.sizedBy, elements, records[0] ?? 0);
    const isBeside = layout.sizedBy !== undefined;
    const row = isBeside ? frame.row : this.#open(frame.row, layout, records[0] ?? -1);
    if (absence === 'flag') this.#flag(row, layout, elements > 0);
    if (!isBeside && (absence !== 'flag' || elements > 0)) this.#count(row, layout, elements);
    if (form.kind === 'message') {
      frame.elementsRow = row;
      frame.elements = records;
      frame.element = 0;
      return;
    }
    list((record, start, end) => {
      const element = this.#open(row, layout, record);
      this.#value(element, layout, record, start, end);
      this.#stream.rows.close(element, this.#stream.out.length);
      this.#stream.pad(element, layout.form, layout.field);
    });
    this.#endList(row, layout, elements);
    frame.next++;
  }

  /** Checks that the field that holds the number of elements or bytes has the right value. */
  #checkSize({ layout, records }: Frame, by: SizedBy, size: number, from: number): void {
    if ('toEnd' in by || 'until' in by) return;
    const field = sizingField(by);
    const value = field === undefined ? 0 : keptValue(field, layout, records, this.#bytes, this.#wire);
    const said = sizeFrom(by, value);
    if (said === size) return;
    const who = field === undefined ? 'The schema' : `“${field.name}”`;
    this.#stream.warn('native/size-differs', `${who} says ${said}, and ${size} are written.`, from);
  }

  /** Closes a list's row. If elements are written in blocks, writes the final count of 0 first. */
  #endList(row: number, layout: FieldLayout, elements: number): void {
    const { out, rows } = this.#stream;
    if (layout.inBlocks === true && elements > 0) {
      const end = this.#open(row, layout, -1, COUNT);
      out.int(layout.count!, 0, 0);
      rows.close(end, out.length);
    }
    const { sizedBy } = layout;
    if (sizedBy !== undefined && 'until' in sizedBy) {
      const end = this.#open(row, layout, -1, COUNT);
      out.raw(endingOf(sizedBy.until));
      rows.close(end, out.length);
    }
    rows.close(row, out.length);
  }

  #count(row: number, { count, countTwice, absence }: FieldLayout, elements: number): void {
    const { out, rows } = this.#stream;
    const at = out.length;
    const isAbsent = absence === 'sentinel' && elements === 0;
    const written = isAbsent ? -1 : absence === 'length+1' && elements > 0 ? elements + 1 : elements;
    out.int(count!, written, isAbsent ? -1 : 0);
    if (countTwice === true && elements > 0) out.int(count!, elements, 0);
    rows.slot(row, NativeSlot.COUNT, out.length - at);
    if ((absence === 'length+1' || absence === 'sentinel') && elements === 0) rows.mark(row, Flag.DEFAULT);
    if (exceedsIntForm(count!, elements)) {
      this.#stream.overflow(row, `A list of ${elements} elements is too long for its count.`);
    }
  }

  #flag(row: number, { flag = BYTE, absence }: FieldLayout, isPresent: boolean): void {
    const at = this.#stream.out.length;
    const not = absence === 'minus' ? -1 : 0;
    this.#stream.out.int(flag, isPresent ? 1 : not, isPresent ? 0 : not);
    this.#stream.rows.slot(row, NativeSlot.FLAG, this.#stream.out.length - at);
  }

  #singular(frame: Frame, layout: FieldLayout, records: readonly number[]): void {
    const { form, absence } = layout;
    const from = records.at(-1) ?? -1;
    const isPresent = from >= 0;
    if (absence === 'end') {
      if (!isPresent) return;
      if (isBehindEnd(frame, layout)) {
        this.#stream.report(layout.field, from, 'has no place behind an absent value that the end of the bytes marks');
        return;
      }
    }
    const isFlagged = absence === 'flag' || absence === 'minus';
    if (form.kind === 'message') {
      const row = this.#open(frame.row, layout, records[0] ?? -1);
      if (isFlagged) this.#flag(row, layout, isPresent);
      if (isPresent || absence === 'default') this.#message(layout, records, row, form.length);
      else {
        if (absence === 'sentinel') {
          this.#stream.length(row, form.length!, -1);
          this.#stream.rows.mark(row, Flag.DEFAULT);
        }
        this.#stream.rows.close(row, this.#stream.out.length);
      }
      return;
    }
    const absent = !isPresent && !isFlagged ? Flag.DEFAULT : 0;
    if (form.kind === 'sized' && (isPresent || !('size' in form.by))) {
      const size = isPresent ? payloadEndAt(this.#wire, from) - payloadStartAt(this.#wire, from) : 0;
      this.#checkSize(frame, form.by, size, Math.max(0, from));
    }
    const row = this.#open(frame.row, layout, from, VALUE | absent);
    if (isFlagged) this.#flag(row, layout, isPresent);
    if (isPresent) this.#value(row, layout, from, payloadStartAt(this.#wire, from), payloadEndAt(this.#wire, from));
    else if (!isFlagged) this.#values.absent(row, layout);
    this.#stream.rows.close(row, this.#stream.out.length);
    if (isPresent || !isFlagged) this.#pad(row, layout, from);
  }

  /** Writes the number or name of the member that is set, or else of the first one, and returns that member. */
  #choose(frame: Frame, choice: Choice): void {
    const { fields } = frame.layout;
    const members = fields.filter((layout) => layout.choice === choice);
    frame.next += members.length;
    const set = members.find(({ field }) => frame.records.has(field.number));
    if (choice.when !== undefined && !satisfies(choice.when, frame.layout, frame.records, this.#bytes, this.#wire)) {
      if (set !== undefined) {
        const at = frame.records.get(set.field.number)![0]!;
        this.#stream.report(set.field, at, 'has no place where its condition is not met');
        frame.records.delete(set.field.number);
      }
      return;
    }
    if (set === undefined) this.#stream.reportUnchosen(frame.row, members[0]!.field);
    let layout = set ?? members[0]!;
    let key = choiceKeyOf(choice, layout.field);
    let records = frame.records.get(layout.field.number) ?? EMPTY;
    if (key === undefined) {
      this.#stream.report(layout.field, records[0] ?? 0, 'has no number or name of its own');
      layout = members[0]!;
      key = choiceKeyOf(choice, layout.field) ?? 0;
      records = EMPTY;
    }
    const from = records.at(-1) ?? -1;
    if (layout.form.kind === 'none' && layout.field.type !== 'bool' && from >= 0)
      key = this.#numberAt(from, layout, key);
    const row = this.#chooser(frame, choice.form, layout, key, records[0] ?? -1);
    if (layout.form.kind === 'message') {
      this.#message(layout, records, row, layout.form.length);
      return;
    }
    if (from >= 0) this.#value(row, layout, from, payloadStartAt(this.#wire, from), payloadEndAt(this.#wire, from));
    else {
      this.#stream.rows.mark(row, Flag.DEFAULT);
      this.#values.absent(row, layout);
    }
    this.#stream.rows.close(row, this.#stream.out.length);
    this.#pad(row, layout, from);
  }

  /** Writes a number into the member's row, or a name into a row before it. Returns the member's row. */
  #chooser(frame: Frame, form: ValueForm, layout: FieldLayout, key: number | string, from: number): number {
    const { out, rows } = this.#stream;
    if (form.kind === 'int') {
      const row = this.#open(frame.row, layout, from);
      const at = out.length;
      out.int(form.form, Number(key), Number(key) < 0 ? -1 : 0);
      rows.slot(row, NativeSlot.TYPE, out.length - at);
      return row;
    }
    const name = this.#open(frame.row, layout, from, TYPE);
    if (form.kind === 'string') {
      this.#stream.length(name, form.length, String(key).length);
      out.cesu8(String(key));
    }
    rows.close(name, out.length);
    return this.#open(frame.row, layout, from);
  }

  /** The value of a member that its number identifies, if the member has that number. */
  #numberAt(from: number, { field, choice }: FieldLayout, otherwise: number | string): number | string {
    const { low } = readInteger(
      this.#bytes,
      payloadStartAt(this.#wire, from),
      payloadEndAt(this.#wire, from),
      field.type,
    );
    if (choice?.byNumber.get(low) === field) return low;
    this.#stream.report(field, from, `has no number for the value ${low}`);
    return otherwise;
  }

  /** Writes one value of the protobuf row `from`, in bytes[start, end) of the payload. */
  #value(row: number, layout: FieldLayout, from: number, start: number, end: number): void {
    this.#values.value(row, layout, from, start, end);
    if (layout.form.kind === 'rest') this.#endAll();
  }

  /** No field may follow an opaque rest. All open messages end with it, up to the enclosing blob. */
  #endAll(): void {
    for (let depth = this.#stack.length - 1; depth >= 0; depth--) {
      const frame = this.#stack[depth]!;
      if (frame.elementsRow >= 0) frame.element = frame.elements.length;
      frame.endsHere = true;
      if (frame.length !== undefined) return;
    }
    this.endsAround = true;
  }
}

/** Whether a field before this one is absent, so that a reader would take this value for it. */
function isBehindEnd({ layout: { fields }, records }: Frame, layout: FieldLayout): boolean {
  const before = fields.slice(0, fields.indexOf(layout));
  return before.some(
    ({ absence, when, field }) => absence === 'end' && when === undefined && !records.has(field.number),
  );
}

const fieldAt = ({ layout: { fields }, order, next }: Frame): FieldLayout => fields[order?.[next] ?? next]!;

/** The native bytes of an empty message. */
function nothing(layout: MessageLayout, layoutOf: LayoutOf): Uint8Array {
  const rows = new NativeRows();
  rows.add(0, 0, -1, -1, 0, VALUE);
  return writeNative(new Uint8Array(0), rows.finish('protobuf'), layout, layoutOf).bytes;
}
