/**
 * A native stream to its rows, by its layout alone: a sequence without tags, where the first byte that does not fit
 * makes the rest unattributed. Total for any bytes; depth is bounded by memory alone.
 */
import { type AnnotationTable, composeFlags, Flag, NO_WIRE_TYPE } from '../annotation.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import {
  type FieldLayout,
  type IntForm,
  type LayoutOf,
  type MessageLayout,
  NativeSlot,
  type ValueForm,
} from './layout.ts';
import type { Int64 } from './output.ts';
import { Rows } from './rows.ts';

export interface NativeRead {
  readonly table: AnnotationTable<FieldDescriptor>;
  /** How the fields of `table.fields` are laid out. */
  readonly layouts: ReadonlyMap<FieldDescriptor, FieldLayout>;
  readonly diagnostics: readonly Diagnostic[];
}

const VALUE = composeFlags(NO_WIRE_TYPE, 'value');
const UNATTRIBUTED = composeFlags(NO_WIRE_TYPE, 'unattributed');

/** Elements that take no bytes are believed up to this count. */
const MAX_EMPTY_ELEMENTS = 65536;

interface Frame {
  readonly layout: MessageLayout;
  readonly row: number;
  next: number;
  /** Elements still to be read of the repeated message field that is next; its row, −1 outside one. */
  remaining: number;
  elementsRow: number;
}

/** What stopped reading. Thrown within this module only. */
class Stop {
  readonly code: string;
  readonly message: string;
  readonly at: number;
  constructor(code: string, message: string, at: number) {
    this.code = code;
    this.message = message;
    this.at = at;
  }
}

export function readNative(bytes: Uint8Array, root: MessageLayout, layoutOf: LayoutOf): NativeRead {
  const rows = new Rows();
  const layouts = new Map<FieldDescriptor, FieldLayout>();
  const diagnostics: Diagnostic[] = [];
  const input = new Input(bytes);

  const report = (code: string, message: string, start: number): void => {
    diagnostics.push({ code, severity: 'error', message, space: 'message', start, end: bytes.length });
  };
  const open = (parent: number, layout: FieldLayout | undefined, flags = VALUE): number => {
    if (layout !== undefined) layouts.set(layout.field, layout);
    return rows.open(input.at, parent, layout?.field, flags);
  };
  /** Reads an integer into a slot; its value. */
  const slot = (row: number, which: number, form: IntForm): number => {
    const start = input.at;
    const { low, high } = input.int(form);
    rows.slot(row, which, input.at - start);
    if (high !== low >> 31) throw new Stop('native/too-large', 'This length or count is beyond 2 GiB.', start);
    return low;
  };
  const count = (row: number, layout: FieldLayout, smallest: number): number => {
    const start = input.at;
    const elements = slot(row, NativeSlot.COUNT, layout.count!);
    if (elements < 0) throw new Stop('native/negative-count', `A count of ${elements} cannot be.`, start);
    const most = smallest > 0 ? (bytes.length - input.at) / smallest : MAX_EMPTY_ELEMENTS;
    if (elements > most) {
      throw new Stop(
        'native/count-too-large',
        `${elements} elements are announced, but only ${bytes.length - input.at} bytes follow.`,
        start,
      );
    }
    return elements;
  };
  /** Reads the flag of an optional value: whether the value follows. */
  const flag = (row: number): boolean => {
    const start = input.at;
    const byte = input.byte();
    if (byte > 1) throw new Stop('native/bad-flag', `A flag is 0 or 1, not ${byte}.`, start);
    rows.slot(row, NativeSlot.FLAG, 1);
    return byte === 1;
  };
  const value = (row: number, { form, absence }: FieldLayout): void => {
    switch (form.kind) {
      case 'int':
        input.int(form.form);
        return;
      case 'float':
        input.skip(form.bytes);
        return;
      case 'bool': {
        const start = input.at;
        const byte = input.byte();
        if (byte > (absence === 'tristate' ? 2 : 1))
          throw new Stop('native/bad-boolean', `A boolean is 0 or 1, not ${byte}.`, start);
        if (byte === 2) rows.mark(row, Flag.DEFAULT);
        return;
      }
      case 'string':
      case 'bytes': {
        const start = input.at;
        const length = slot(row, NativeSlot.LENGTH, form.length);
        const absent = absence === 'sentinel' ? length === -1 : absence === 'length+1' && length === 0;
        if (absent) {
          rows.mark(row, Flag.DEFAULT);
          return;
        }
        const size = absence === 'length+1' ? length - 1 : length;
        if (size < 0) throw new Stop('native/negative-length', `A length of ${size} cannot be.`, start);
        if (form.kind === 'string' && form.unit === 'utf16') input.skipUnits(size);
        else input.skip(size);
        return;
      }
      case 'message':
        return;
    }
  };

  const stack: Frame[] = [];
  const enter = (layout: MessageLayout, row: number): void => {
    stack.push({ layout, row, next: 0, remaining: 0, elementsRow: -1 });
  };

  /** One step: a field, an element, or the end of a message. */
  const step = (frame: Frame): void => {
    if (frame.elementsRow >= 0) {
      if (frame.remaining > 0) {
        frame.remaining--;
        const layout = frame.layout.fields[frame.next]!;
        enter(layoutOf(layout.field.message!), open(frame.elementsRow, layout));
        return;
      }
      rows.close(frame.elementsRow, input.at);
      frame.elementsRow = -1;
      frame.next++;
    }
    if (frame.next === frame.layout.fields.length) {
      rows.close(frame.row, input.at);
      stack.pop();
      return;
    }
    const layout = frame.layout.fields[frame.next]!;
    const row = open(frame.row, layout);
    if (layout.count !== undefined) {
      const elements = count(row, layout, smallestSize(layout.form, layoutOf, layout));
      if (layout.form.kind === 'message') {
        frame.elementsRow = row;
        frame.remaining = elements;
        return;
      }
      for (let i = 0; i < elements; i++) {
        const element = open(row, layout);
        value(element, layout);
        rows.close(element, input.at);
      }
      rows.close(row, input.at);
      frame.next++;
      return;
    }
    frame.next++;
    const present = layout.absence !== 'flag' || flag(row);
    if (present && layout.form.kind === 'message') {
      enter(layoutOf(layout.field.message!), row);
      return;
    }
    if (present) value(row, layout);
    rows.close(row, input.at);
  };

  enter(root, open(-1, undefined));
  try {
    while (stack.length > 0) step(stack.at(-1)!);
  } catch (stop) {
    if (!(stop instanceof Stop)) throw stop;
    report(stop.code, stop.message, stop.at);
    // The row that was being read keeps what it has; its payload is what nothing explains.
    const last = rows.length - 1;
    rows.setFlags(last, UNATTRIBUTED);
    for (let row = last; row >= 0; row = rows.parentOf(row)) {
      rows.close(row, bytes.length);
      rows.mark(row, Flag.MALFORMED);
    }
    return { table: rows.finish('native'), layouts, diagnostics };
  }
  if (input.at < bytes.length) {
    report('native/trailing-bytes', `The layout ends here, and ${bytes.length - input.at} bytes follow.`, input.at);
    rows.close(open(0, undefined, UNATTRIBUTED), bytes.length);
    rows.close(0, bytes.length);
  }
  return { table: rows.finish('native'), layouts, diagnostics };
}

/** Bytes that an element takes at least. */
function smallestSize(form: ValueForm, layoutOf: LayoutOf, { field }: FieldLayout): number {
  if (form.kind === 'float') return form.bytes;
  if (form.kind === 'int' && form.form.kind === 'fixed') return form.form.bytes;
  return form.kind === 'message' && isEmpty(layoutOf(field.message!), layoutOf) ? 0 : 1;
}

const isEmpty = ({ fields }: MessageLayout, layoutOf: LayoutOf): boolean =>
  fields.every(
    ({ field, form, absence, count }) =>
      form.kind === 'message' &&
      absence === 'default' &&
      count === undefined &&
      isEmpty(layoutOf(field.message!), layoutOf),
  );

/** A cursor that stops where the bytes end. */
class Input {
  at = 0;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  byte(): number {
    if (this.at >= this.bytes.length) throw this.truncated(this.at);
    return this.bytes[this.at++]!;
  }

  skip(size: number): void {
    if (size > this.bytes.length - this.at) throw this.truncated(this.at);
    this.at += size;
  }

  /** `units` UTF-16 units of 1 to 3 bytes each (StreamInput.readString). */
  skipUnits(units: number): void {
    const { bytes } = this;
    const start = this.at;
    let at = start;
    if (units > bytes.length - at) throw this.truncated(start);
    for (let i = 0; i < units; i++) {
      const lead = bytes[at];
      if (lead === undefined) throw this.truncated(at);
      const size = lead < 0x80 ? 1 : lead >= 0xc0 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : 0;
      if (size === 0)
        throw new Stop('native/bad-text', `A UTF-16 unit does not begin with byte 0x${lead.toString(16)}.`, at);
      at += size;
    }
    if (at > bytes.length) throw this.truncated(start);
    this.at = at;
  }

  int(form: IntForm): Int64 {
    if (form.kind === 'fixed') return this.fixed(form.bytes, form.order);
    const start = this.at;
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      const bits = byte & 127;
      if (shift < 32) low |= bits << shift;
      if (shift > 25) high |= shift >= 32 ? bits << (shift - 32) : bits >>> (32 - shift);
      if (byte < 128) break;
      if (shift >= (form.bits === 32 ? 28 : 63))
        throw new Stop('native/bad-varint', 'This variable-width integer does not end.', start);
    }
    if (form.zigzag) {
      const sign = -(low & 1);
      return { low: ((low >>> 1) | (high << 31)) ^ sign, high: (high >>> 1) ^ sign };
    }
    return form.bits === 32 ? { low, high: low >> 31 } : { low, high };
  }

  private fixed(size: number, order: 'big' | 'little'): Int64 {
    const start = this.at;
    this.skip(size);
    let low = 0;
    let high = 0;
    for (let i = 0; i < size; i++) {
      const byte = this.bytes[order === 'little' ? start + i : start + size - 1 - i]!;
      if (i < 4) low |= byte << (i * 8);
      else high |= byte << ((i - 4) * 8);
    }
    if (size === 8) return { low, high };
    const extended = size === 4 ? low : (low << (32 - size * 8)) >> (32 - size * 8);
    return { low: extended, high: extended >> 31 };
  }

  private truncated(at: number): Stop {
    return new Stop('native/truncated', 'The stream ends before this value does.', at);
  }
}
