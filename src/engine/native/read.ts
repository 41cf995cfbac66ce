/**
 * Reads a native stream into rows, by its layout. The stream has no tags, so the first byte that does not fit makes the
 * rest unattributed, up to the end of the enclosing blob. It accepts any bytes. Only memory limits the depth, and a
 * count never causes an allocation.
 *
 *   field            ┌ flag ┬ length ┬ value ┐            list   ┌ flag ┬ count ┐ elements…
 *   chosen by number ┌ type ┬ value ┐                     by name ┌ length ┬ name ┐ ┌ value ┐, both of the member
 */
import { type AnnotationTable, composeFlags, Flag, NO_WIRE_TYPE } from '../model/annotation.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FieldDescriptor } from '../schema/descriptor.ts';
import { endingOf, isConditionMet, sizeFrom, sizingField } from './condition.ts';
import { Input, ReadStopped } from './input.ts';
import { type FieldLayout, type LayoutOf, type MessageLayout, NativeSlot } from './layout.ts';
import { decodeCesu8 } from './native-values.ts';
import { paddingOf } from './padding.ts';
import { ReadFrame } from './read-frame.ts';
import { HeaderReader } from './read-header.ts';
import { Op, type ReadPlan, type ReadStep, readPlanOf, takesBytes } from './read-plan.ts';
import { NativeRows } from './rows.ts';
import { Skim } from './skim.ts';
import { StepFields } from './step-fields.ts';
import { printLayoutVersion } from './version.ts';

export interface NativeRead {
  readonly table: AnnotationTable<FieldDescriptor>;
  /** The layouts of `table.fields`, in their order. */
  readonly layouts: readonly FieldLayout[];
  readonly diagnostics: readonly Diagnostic[];
}

const VALUE = composeFlags(NO_WIRE_TYPE, 'value');
const TYPE = composeFlags(NO_WIRE_TYPE, 'type');
const COUNT = composeFlags(NO_WIRE_TYPE, 'count');
const PADDING = composeFlags(NO_WIRE_TYPE, 'length');
const UNATTRIBUTED = composeFlags(NO_WIRE_TYPE, 'unattributed');

/** Maximum number of findings for one message: each blob in it may have one. */
const MAX_DIAGNOSTICS = 100;

/** Reads one message. The result has memory of its own. */
export function readNative(bytes: Uint8Array, root: MessageLayout, layoutOf: LayoutOf): NativeRead {
  const reader = new NativeReader(layoutOf);
  reader.walk(bytes, root);
  return { table: reader.rows.finish('native'), layouts: reader.layouts, diagnostics: reader.diagnostics };
}

/** Reads messages one after another by the same layouts. */
export class NativeReader {
  readonly #input = new Input();
  readonly #layoutOf: LayoutOf;
  readonly rows = new NativeRows();
  readonly #fields: StepFields;
  readonly #header: HeaderReader;
  readonly #skim: Skim;
  diagnostics: Diagnostic[] = [];
  readonly #stack: ReadFrame[] = [];
  #depth = -1;
  #version = 0;

  constructor(layoutOf: LayoutOf) {
    this.#layoutOf = layoutOf;
    this.#fields = new StepFields(this.rows, layoutOf);
    this.#header = new HeaderReader(this.#input, this.rows, layoutOf);
    this.#skim = new Skim(this.#input, this.rows, this.#fields);
  }

  get layouts(): NativeRead['layouts'] {
    return this.#fields.layouts;
  }

  /** Borrowed: valid until the next message is read. Its fields are those of all messages so far. */
  read(bytes: Uint8Array, root: MessageLayout): NativeRead {
    this.walk(bytes, root);
    return { table: this.rows.table('native'), layouts: this.layouts, diagnostics: this.diagnostics };
  }

  /** Reads a message and makes its rows. */
  walk(bytes: Uint8Array, root: MessageLayout): void {
    const { rows } = this;
    const input = this.#input;
    const { length } = bytes;
    input.begin(bytes);
    rows.clear();
    this.diagnostics = [];
    this.#depth = -1;
    this.#header.begin();
    this.#version = root.version;
    this.#push(readPlanOf(root), rows.open(0, -1, -1, VALUE));
    for (let going = true; going; ) {
      try {
        this.#run();
        going = false;
        if (input.at < length) this.#trailing(0, length);
        rows.close(0, length);
      } catch (stop) {
        if (!(stop instanceof ReadStopped)) throw stop;
        going = this.#recover(stop);
      }
    }
  }

  #report(code: string, message: string, start: number, end: number): void {
    if (this.diagnostics.length === MAX_DIAGNOSTICS) return;
    this.diagnostics.push({ code, severity: 'error', message, space: 'message', start, end });
  }

  /** Enters the bytes after the end of a layout. */
  #trailing(row: number, end: number): void {
    const { at } = this.#input;
    this.#report('native/trailing-bytes', `The layout ends here, and ${end - at} bytes follow.`, at, end);
    this.rows.add(at, end, row, -1, 0, UNATTRIBUTED);
  }

  /** Continues after the blob that could not be read. false: no blob encloses the fault. */
  #recover({ code, message, at }: ReadStopped): boolean {
    const { rows } = this;
    const input = this.#input;
    const stack = this.#stack;
    const end = input.limit;
    const read = stack.slice(0, this.#depth + 1).findLast(({ name }) => name !== '');
    this.#report(code, `${message} Read as ${read?.name ?? ''} of ${printLayoutVersion(this.#version)}.`, at, end);
    let blob: ReadFrame | undefined;
    while (this.#depth >= 0 && blob === undefined) {
      const frame = stack[this.#depth--]!;
      if (frame.outerLimit >= 0) blob = frame;
    }
    // The row that was being read keeps its header; its payload is unattributed.
    const last = rows.length - 1;
    rows.setFlags(last, UNATTRIBUTED);
    const until = blob?.row ?? 0;
    for (let row = last; row >= until; row = rows.parentOf(row)) {
      rows.close(row, end);
      rows.mark(row, Flag.MALFORMED);
    }
    if (blob === undefined) return false;
    for (let row = rows.parentOf(until); row >= 0; row = rows.parentOf(row)) rows.mark(row, Flag.MALFORMED);
    input.at = end;
    input.limit = blob.outerLimit;
    return true;
  }

  #push({ name, steps, kept }: ReadPlan, row: number): ReadFrame {
    const frame = this.#frame(row);
    frame.name = name;
    frame.steps = steps;
    frame.next = 0;
    frame.remaining = -1;
    frame.kept = kept === 0 ? undefined : new Float64Array(kept);
    return frame;
  }

  /** The frame for elements that are messages. */
  #elements(step: ReadStep, remaining: number, row: number): ReadFrame {
    const frame = this.#frame(row);
    frame.remaining = remaining;
    frame.element = step;
    frame.inBlocks = false;
    return frame;
  }

  /** The frame for the next depth. Frames are reused. */
  #frame(row: number): ReadFrame {
    const stack = this.#stack;
    if (++this.#depth === stack.length) stack.push(new ReadFrame());
    const frame = stack[this.#depth]!;
    frame.name = '';
    frame.row = row;
    frame.outerLimit = -1;
    frame.toEnd = false;
    frame.ending = undefined;
    frame.kept = undefined;
    frame.count = 0;
    return frame;
  }

  #run(): void {
    const { rows } = this;
    const input = this.#input;
    const fields = this.#fields;
    const skim = this.#skim;
    const stack = this.#stack;
    while (this.#depth >= 0) {
      const frame = stack[this.#depth]!;
      if (frame.remaining >= 0) {
        if (frame.toEnd) frame.remaining = input.at < input.limit ? 1 : 0;
        if (frame.ending !== undefined) frame.remaining = this.#ends(frame.ending, frame) ? 0 : 1;
        if (frame.remaining === 0 && frame.inBlocks) {
          frame.remaining = this.#nextBlock(frame.element!, frame.row);
          frame.inBlocks = frame.remaining > 0;
          continue;
        }
        const element = frame.element!;
        if (frame.remaining-- === 0) {
          if (frame.kept !== undefined && element.keepAt >= 0) frame.kept[element.keepAt] = frame.count;
          rows.close(frame.row, input.at);
          this.#depth--;
          continue;
        }
        frame.count++;
        this.#enter(element, rows.open(input.at, frame.row, fields.indexOf(element), VALUE));
        continue;
      }
      frame.next = skim.steps(frame.steps, frame.next, frame.kept, frame.row);
      if (frame.next === frame.steps.length) {
        this.#leave(frame);
        continue;
      }
      const step = frame.steps[frame.next++]!;
      if (step.when !== undefined && !isConditionMet(step.when, frame.kept![step.whenAt]!)) continue;
      if (step.op === Op.CHOICE) {
        this.#choose(step, frame);
        continue;
      }
      if (step.mayEnd && input.at >= input.limit) continue;
      if (step.sizedBy !== undefined && step.op !== Op.COUNTED) {
        this.#beside(step, frame);
        continue;
      }
      if (step.isFlagged || step.isList) {
        const row = rows.open(input.at, frame.row, fields.indexOf(step), VALUE);
        if (step.isFlagged && !this.#header.flag(row, step)) rows.close(row, input.at);
        else if (step.isList) this.#list(step, row, frame);
        else this.#value(step, row, frame);
        continue;
      }
      this.#value(step, rows.open(input.at, frame.row, fields.indexOf(step), VALUE), frame);
    }
  }

  /** Reads the bytes that end a list, if they are next. */
  #ends(ending: Uint8Array, { row, element }: ReadFrame): boolean {
    const { at, limit, bytes } = this.#input;
    const end = at + ending.length;
    if (end > limit || ending.some((byte, i) => bytes[at + i] !== byte)) return false;
    this.#input.at = end;
    this.rows.add(at, end, row, this.#fields.indexOf(element!), 0, COUNT);
    return true;
  }

  /** Opens a row for a value that has none yet: if reading stops, the last row is what could not be read. */
  #standIn(step: ReadStep, frame: ReadFrame): void {
    this.rows.open(this.#input.at, frame.row, this.#fields.indexOf(step), VALUE);
  }

  /** Reads elements without a list row. An earlier field gives their number, or a text ends them. */
  #beside(step: ReadStep, frame: ReadFrame): void {
    const { rows } = this;
    const input = this.#input;
    const sizedBy = step.sizedBy!;
    const toEnd = 'toEnd' in sizedBy;
    this.#standIn(step, frame);
    if ((toEnd || 'until' in sizedBy) && !takesBytes(step, this.#layoutOf)) {
      throw new ReadStopped(
        'native/unknown-end',
        'The elements may be empty, so the end of the list is unknown.',
        input.at,
      );
    }
    if (toEnd && input.at < input.limit) this.#checkLast(step);
    const elements = toEnd || 'until' in sizedBy ? 0 : this.#sizeOf(step, frame);
    this.#header.believe(step, elements, input.at);
    rows.length--;
    if ('until' in sizedBy) {
      const inner = this.#elements(step, 0, frame.row);
      inner.ending = endingOf(sizedBy.until);
      inner.kept = frame.kept;
      return;
    }
    if (step.op === Op.MESSAGE) {
      const inner = this.#elements(step, elements, frame.row);
      inner.toEnd = toEnd;
      inner.kept = frame.kept;
      return;
    }
    const index = this.#fields.indexOf(step);
    let count = 0;
    for (; toEnd ? input.at < input.limit : count < elements; count++)
      this.#value(step, rows.open(input.at, frame.row, index, VALUE), frame);
    if (step.keepAt >= 0) frame.kept![step.keepAt] = count;
  }

  /** The size that an earlier field gives. */
  #sizeOf({ sizedBy, sizedAt }: ReadStep, frame: ReadFrame): number {
    const said = sizedAt < 0 ? 0 : frame.kept![sizedAt]!;
    const size = sizeFrom(sizedBy!, said);
    if (size >= 0) return size;
    throw new ReadStopped(
      'native/bad-size',
      `“${sizingField(sizedBy)?.name}” is ${said}, which is not a size.`,
      this.#input.at,
    );
  }

  #leave(frame: ReadFrame): void {
    const { rows } = this;
    const input = this.#input;
    if (frame.outerLimit >= 0) {
      if (input.at < input.limit) this.#trailing(frame.row, input.limit);
      input.at = input.limit;
      input.limit = frame.outerLimit;
    }
    rows.close(frame.row, input.at);
    this.#depth--;
  }

  /** Enters a message whose row is open. */
  #enter(step: ReadStep, row: number): void {
    const input = this.#input;
    let limit = -1;
    if (step.length !== undefined) {
      const size = this.#header.slot(row, NativeSlot.LENGTH, step.length);
      if (size === step.absentLength) {
        this.rows.mark(row, Flag.DEFAULT);
        this.rows.close(row, input.at);
        return;
      }
      if (size < 0) throw new ReadStopped('native/negative-length', `A length of ${size} is not valid.`, input.at);
      if (size > input.limit - input.at) throw input.truncated(input.at);
      limit = input.limit;
      input.limit = input.at + size;
    }
    this.#push(this.#fields.innerOf(step), row).outerLimit = limit;
  }

  #choose(step: ReadStep, frame: ReadFrame): void {
    const { rows } = this;
    const input = this.#input;
    const start = input.at;
    const { form } = step.choice!;
    if (form.kind === 'int') {
      const row = rows.open(start, frame.row, -1, VALUE);
      input.int(form.form);
      const member = step.members!.get(input.low) ?? step.otherwise;
      if (member === undefined)
        throw new ReadStopped('native/unknown-type', `No layout describes the type ${input.low}.`, start);
      rows.slot(row, NativeSlot.TYPE, input.at - start);
      rows.setField(row, this.#fields.indexOf(member));
      this.#value(member, row, frame);
      return;
    }
    const row = rows.open(start, frame.row, -1, TYPE);
    if (form.kind !== 'string') return;
    const units = this.#header.slot(row, NativeSlot.LENGTH, form.length);
    const body = input.at;
    if (units < 0) throw new ReadStopped('native/negative-length', `A length of ${units} is not valid.`, start);
    input.skipUnits(units);
    rows.close(row, input.at);
    const name = decodeCesu8(input.bytes.subarray(body, input.at)).text;
    const member = step.members!.get(name);
    if (member === undefined) {
      rows.open(input.at, frame.row, -1, UNATTRIBUTED);
      throw new ReadStopped('native/unknown-name', `No layout describes “${name.slice(0, 100)}”.`, start);
    }
    const index = this.#fields.indexOf(member);
    rows.setField(row, index);
    this.#value(member, rows.open(input.at, frame.row, index, VALUE), frame);
  }

  #list(step: ReadStep, row: number, frame: ReadFrame): void {
    const { rows } = this;
    const input = this.#input;
    let elements = this.#header.count(step, row);
    const inBlocks = step.layout!.inBlocks === true && elements > 0;
    if (step.op === Op.MESSAGE || step.op === Op.CONTENT) {
      this.#elements(step, elements, row).inBlocks = inBlocks;
    } else {
      const { index } = step;
      if (step.op === Op.REST && elements > 1) this.#checkLast(step);
      for (let block = elements; block > 0; elements += block) {
        const read = step.op === Op.REST ? Math.min(1, block) : block;
        for (let i = this.#skim.elements(step, read, row); i < read; i++)
          this.#value(step, rows.open(input.at, row, index, VALUE), frame);
        block = inBlocks ? this.#nextBlock(step, row) : 0;
      }
      rows.close(row, input.at);
    }
    if (step.keepAt >= 0) frame.kept![step.keepAt] = elements;
  }

  /** Reads the number of elements in the next block, in a row of its own; 0: no block follows. */
  #nextBlock(step: ReadStep, list: number): number {
    const { rows } = this;
    const input = this.#input;
    const start = input.at;
    const row = rows.open(start, list, this.#fields.indexOf(step), COUNT);
    const elements = this.#header.block(step.layout!.count!);
    rows.close(row, input.at);
    this.#header.believe(step, elements, start);
    return elements;
  }

  /** Reads the value of a row and closes the row. If the value is a message, enters it. */
  #value(step: ReadStep, row: number, frame: ReadFrame): void {
    const { rows } = this;
    const input = this.#input;
    switch (step.op) {
      case Op.FIXED:
        if (step.keepAt >= 0) this.#keepInt(step, frame);
        else input.skip(step.size);
        break;
      case Op.VARINT:
        if (step.keepAt >= 0) this.#keepInt(step, frame);
        else input.varint(step.size);
        if (input.isOverlong) rows.mark(row, Flag.OVERLONG);
        break;
      case Op.BOOL: {
        const byte = input.byte();
        if (byte > step.size) {
          throw new ReadStopped('native/bad-boolean', `A boolean is 0 or 1, not ${byte}.`, input.at - 1);
        }
        if (byte === 2) rows.mark(row, Flag.DEFAULT);
        if (step.keepAt >= 0) {
          const { form } = step.layout!;
          frame.kept![step.keepAt] = form.kind === 'bool' && form.inverted === true ? 1 - byte : byte & 1;
        }
        break;
      }
      case Op.UNITS:
      case Op.SIZED:
        this.#sized(step, row, frame);
        rows.close(row, input.at);
        this.#padding(step, row);
        return;
      case Op.INT:
        if (step.keepAt >= 0) this.#keepInt(step, frame);
        else if (step.layout!.form.kind === 'int') input.int(step.layout!.form.form);
        if (input.isOverlong) rows.mark(row, Flag.OVERLONG);
        break;
      case Op.REST:
        this.#checkLast(step);
        input.at = input.limit;
        break;
      case Op.ENDED: {
        const end = input.bytes.indexOf(0, input.at);
        if (end < 0 || end >= input.limit) throw input.truncated(input.at);
        if (step.keepAt >= 0) frame.kept![step.keepAt] = end - input.at;
        input.at = end;
        rows.close(row, end);
        this.#padding(step, row);
        return;
      }
      case Op.COUNTED: {
        const size = this.#sizeOf(step, frame);
        if (step.keepAt >= 0) frame.kept![step.keepAt] = size;
        input.skip(size);
        break;
      }
      case Op.NONE:
        break;
      default:
        this.#enter(step, row);
        return;
    }
    rows.close(row, input.at);
  }

  /** Stops before a value that only the end of the enclosing blob ends, if fields follow in that blob. */
  #checkLast({ layout, op }: ReadStep): void {
    for (let depth = this.#depth; depth >= 0; depth--) {
      const { remaining, ending, toEnd, steps, next, kept, outerLimit } = this.#stack[depth]!;
      const isDue = ({ when, whenAt }: ReadStep) => when === undefined || isConditionMet(when, kept![whenAt]!);
      if (remaining > 0 || ending !== undefined || toEnd || steps.slice(next).some(isDue)) {
        const name = layout!.field.name;
        const why = op === Op.REST ? `No layout describes “${name}”` : `Only the end of the bytes ends “${name}”`;
        throw new ReadStopped(
          'native/unknown-end',
          `${why}, so the start of the next field is unknown.`,
          this.#input.at,
        );
      }
      if (outerLimit >= 0) return;
    }
  }

  #sized(step: ReadStep, row: number, frame: ReadFrame): void {
    const input = this.#input;
    const start = input.at;
    const written = this.#header.slot(row, NativeSlot.LENGTH, step.length!);
    if (written === step.absentLength) {
      this.rows.mark(row, Flag.DEFAULT);
      return;
    }
    const size = step.absentLength === 0 ? written - 1 : written;
    if (size < 0) throw new ReadStopped('native/negative-length', `A length of ${size} is not valid.`, start);
    if (step.keepAt >= 0) frame.kept![step.keepAt] = size;
    if (step.op === Op.UNITS) input.skipUnits(size);
    else input.skip(size);
  }

  /** Reads the zeros after a text, into a row of their own. */
  #padding({ layout }: ReadStep, row: number): void {
    const { rows } = this;
    const input = this.#input;
    const size = paddingOf(layout!.form, rows.payloadOf(row));
    if (size === 0) return;
    const start = input.at;
    const behind = rows.open(start, rows.parentOf(row), rows.fieldIndex(layout!.field), PADDING);
    input.skip(size);
    for (let at = start; at < input.at; at++) {
      if (input.bytes[at] !== 0) throw new ReadStopped('native/bad-padding', 'Padding bytes must be zero.', at);
    }
    rows.close(behind, input.at);
  }

  #keepInt(step: ReadStep, frame: ReadFrame): void {
    const input = this.#input;
    const { form } = step.layout!;
    if (form.kind !== 'int') {
      input.skip(step.size);
      return;
    }
    input.int(form.form);
    frame.kept![step.keepAt] = input.high * 2 ** 32 + (input.low >>> 0);
  }
}
