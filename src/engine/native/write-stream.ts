/** The state of writing a native stream: the bytes so far, their rows, the origin of each row, and diagnostics. */
import { type AnnotationTable, composeFlags, endAt, NO_WIRE_TYPE, startAt } from '../model/annotation.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FieldDescriptor, OneofDescriptor } from '../schema/descriptor.ts';
import { type FieldLayout, type IntForm, NativeSlot } from './layout.ts';
import type { Output } from './output.ts';
import { paddingOf } from './padding.ts';
import type { RowSink } from './rows.ts';

export interface WrittenNative {
  readonly bytes: Uint8Array;
  readonly table: AnnotationTable<FieldDescriptor>;
  /** By native row: the protobuf row of its value; −1: protobuf does not write the value. */
  readonly origin: Int32Array;
  /** Values that the layout cannot hold, with the place of their protobuf bytes. */
  readonly diagnostics: readonly Diagnostic[];
}

const VALUE = composeFlags(NO_WIRE_TYPE, 'value');
const PADDING = composeFlags(NO_WIRE_TYPE, 'length');

export class WriteStream {
  readonly out: Output;
  readonly rows: RowSink;
  /** By row; see `Written`. */
  readonly origin: number[] = [];
  readonly diagnostics: Diagnostic[] = [];
  /** Texts that are not UTF-8: U+FFFD stands for the rest. */
  replaced = 0;
  readonly #wire: AnnotationTable;
  /** Fields without a place in the layout that were already reported. */
  readonly #reported = new Set<FieldDescriptor>();
  readonly #unchosen = new Set<OneofDescriptor>();

  /** @param wire the protobuf rows that are written; spans of diagnostics are offsets in their bytes */
  constructor(wire: AnnotationTable, rows: RowSink, out: Output) {
    this.#wire = wire;
    this.rows = rows;
    this.out = out;
  }

  /** Sets the protobuf row `from` as the origin of the next row. */
  comesFrom(from: number): void {
    this.origin.push(from);
  }

  open(parent: number, field: FieldDescriptor | undefined, from: number, flags = VALUE): number {
    this.comesFrom(from);
    return this.rows.open(this.out.length, parent, field === undefined ? -1 : this.rows.fieldIndex(field), flags);
  }

  length(row: number, form: IntForm, length: number): void {
    const at = this.out.length;
    this.out.int(form, length, length < 0 ? -1 : 0);
    this.rows.slot(row, NativeSlot.LENGTH, this.out.length - at);
    if (exceedsIntForm(form, length)) this.overflow(row, `A length of ${length} does not fit its writer.`);
  }

  overflow(row: number, message: string): void {
    this.warn('native/overflow', message, Math.max(0, this.origin[row]!));
  }

  /** Adds a row of zeros after the value of `row`. */
  pad(row: number, form: FieldLayout['form'], field: FieldDescriptor): void {
    const { out, rows } = this;
    const padding = paddingOf(form, rows.payloadOf(row));
    if (padding === 0) return;
    const behind = this.open(rows.parentOf(row), field, -1, PADDING);
    for (let i = 0; i < padding; i++) out.byte(0);
    rows.close(behind, out.length);
  }

  warn(code: string, message: string, at: number, severity: Diagnostic['severity'] = 'warning'): void {
    this.diagnostics.push({
      code,
      severity,
      message,
      space: 'message',
      start: startAt(this.#wire, at),
      end: endAt(this.#wire, at),
    });
  }

  report(field: FieldDescriptor, at: number, why: string): void {
    if (this.#reported.has(field)) return;
    this.#reported.add(field);
    this.warn('native/not-written', `“${field.name}” ${why}: its value is not written natively.`, at, 'info');
  }

  /** A stream cannot express that no member of a choice is set. */
  reportUnchosen(row: number, { name, oneof }: FieldDescriptor): void {
    if (oneof === undefined || this.#unchosen.has(oneof)) return;
    this.#unchosen.add(oneof);
    const text = `No member of “${oneof.name}” is set, which a native stream cannot express: the first one, “${name}”, is written.`;
    this.warn('native/none-chosen', text, Math.max(0, this.origin[row]!), 'info');
  }
}

/** Counts the bytes that would be written. It stores nothing and makes no diagnostics. */
export class CountingStream extends WriteStream {
  override comesFrom(): void {}
  override warn(): void {}
  override report(): void {}
  override reportUnchosen(): void {}
}

export const exceedsIntForm = (form: IntForm, size: number): boolean =>
  size >= 2 ** ((form.kind === 'fixed' ? form.bytes * 8 : 32) - 1);
