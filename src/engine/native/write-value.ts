/** Writes single values from their protobuf bytes into a native stream, and the marks of absent values. */

import { invalidUtf8At } from '../bytes/utf8.ts';
import {
  type AnnotationTable,
  endAt,
  fieldAt,
  flagsAt,
  headerSizesAt,
  parentAt,
  startAt,
} from '../model/annotation.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import { hasContents } from '../wire/any.ts';
import { addContents } from './contents.ts';
import type { FieldLayout, IntForm, LayoutOf, MessageLayout } from './layout.ts';
import { readNative } from './read.ts';
import { decodeUtf8, fits, isSigned, readInteger } from './wire-values.ts';
import type { WriteStream } from './write-stream.ts';

const encoder = new TextEncoder();

export class ValueWriter {
  readonly #bytes: Uint8Array;
  readonly #wire: AnnotationTable<FieldDescriptor>;
  readonly #stream: WriteStream;
  readonly #layoutOf: LayoutOf;
  /** The native bytes of an empty message. */
  readonly #nothing: (layout: MessageLayout) => Uint8Array;

  constructor(
    bytes: Uint8Array,
    wire: AnnotationTable<FieldDescriptor>,
    stream: WriteStream,
    layoutOf: LayoutOf,
    nothing: (layout: MessageLayout) => Uint8Array,
  ) {
    this.#bytes = bytes;
    this.#wire = wire;
    this.#stream = stream;
    this.#layoutOf = layoutOf;
    this.#nothing = nothing;
  }

  /** Writes one value of the protobuf row `from`, in bytes[start, end) of the payload. */
  value(row: number, layout: FieldLayout, from: number, start: number, end: number): void {
    const bytes = this.#bytes;
    const { out } = this.#stream;
    const { form, field, absence, count } = layout;
    const more = absence === 'length+1' && count === undefined ? 1 : 0;
    switch (form.kind) {
      case 'int': {
        const { low, high } = readInteger(bytes, start, end, field.type);
        this.#int(form.form, isSigned(field.type), low, high, from);
        return;
      }
      case 'bool':
        out.byte(readInteger(bytes, start, end, 'bool').low ^ (form.inverted === true ? 1 : 0));
        return;
      case 'float':
        // Copies bits, not values: a NaN keeps its payload.
        for (let i = 0; i < form.bytes; i++) {
          out.byte(bytes[form.order === 'big' ? start + form.bytes - 1 - i : start + i]!);
        }
        return;
      case 'string': {
        const text = decodeUtf8(bytes.subarray(start, end));
        if (text.includes('\ufffd') && invalidUtf8At(bytes, start, end) >= 0) this.#stream.replaced++;
        const body = form.body === 'utf8' ? encoder.encode(text) : undefined;
        const size = form.unit === 'utf16' ? text.length : body!.length;
        this.#stream.length(row, form.length, size + more);
        if (body === undefined) out.cesu8(text);
        else out.raw(body);
        return;
      }
      case 'bytes':
        this.#stream.length(row, form.length, end - start + more);
        out.raw(bytes.subarray(start, end));
        this.#explain(row, from, end - start);
        return;
      case 'ended': {
        const zero = bytes.indexOf(0, start);
        if (zero >= 0 && zero < end)
          this.#stream.warn('native/overflow', 'The text holds a zero byte, which ends it for a reader.', from);
        out.raw(bytes, start, end);
        return;
      }
      case 'rest':
      case 'sized':
        out.raw(bytes.subarray(start, end));
        this.#explain(row, from, end - start);
        return;
      case 'content':
        this.#content(row, form.message.name, this.#layoutOf(form.message), from, bytes.subarray(start, end));
        return;
      case 'message':
      case 'none':
        return;
    }
  }

  absent(row: number, { form, absence }: FieldLayout): void {
    const { out } = this.#stream;
    if (absence === 'tristate') {
      out.byte(2);
      return;
    }
    switch (form.kind) {
      case 'int':
        out.int(form.form, 0, 0);
        return;
      case 'bool':
        out.byte(form.inverted === true ? 1 : 0);
        return;
      case 'float':
        for (let i = 0; i < form.bytes; i++) out.byte(0);
        return;
      case 'string':
      case 'bytes':
        this.#stream.length(row, form.length, absence === 'sentinel' ? -1 : 0);
        return;
      case 'content':
        this.#content(row, form.message.name, this.#layoutOf(form.message), 0, new Uint8Array(0));
        return;
      case 'sized':
        if ('size' in form.by) out.raw(new Uint8Array(form.by.size));
        return;
      default:
        return;
    }
  }

  /** Explains the last bytes of a row, the payload of the protobuf row `from`, if they are the contents of an Any. */
  #explain(row: number, from: number, size: number): void {
    if (!hasContents(this.#wire, from)) return;
    const { out, rows } = this.#stream;
    addContents(rows, this.#wire, from, out.length - size, row, (inner) => this.#stream.comesFrom(inner));
  }

  /** Copies a native value that protobuf keeps as bytes, with the rows that explain them. */
  #content(row: number, name: string, layout: MessageLayout, from: number, value: Uint8Array): void {
    const { out, rows } = this.#stream;
    // No bytes mean no value, so the empty message is written.
    const written = value.length > 0 ? value : this.#nothing(layout);
    const { table, diagnostics } = readNative(written, layout, this.#layoutOf);
    if (diagnostics.length > 0) {
      this.#stream.warn(
        'native/not-content',
        `These bytes are not a native ${name}: a reader would not find their end.`,
        from,
      );
    }
    const at = out.length;
    out.raw(written);
    for (let inner = 1; inner < table.length; inner++) {
      this.#stream.comesFrom(from);
      const parent = parentAt(table, inner);
      const field = fieldAt(table, inner);
      rows.add(
        at + startAt(table, inner),
        at + endAt(table, inner),
        row + parent,
        field < 0 ? field : rows.fieldIndex(table.fields[field]!),
        headerSizesAt(table, inner),
        flagsAt(table, inner),
      );
    }
  }

  #int(form: IntForm, signed: boolean, low: number, high: number, at: number): void {
    if (!fits(form, signed, low, high)) {
      const bits = form.kind === 'fixed' ? form.bytes * 8 : 32;
      this.#stream.warn(
        'native/overflow',
        `The value does not fit the native writer: it keeps its lowest ${bits} bits only.`,
        at,
      );
    }
    this.#stream.out.int(form, low, high);
  }
}
