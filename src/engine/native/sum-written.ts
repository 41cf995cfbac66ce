/**
 * Native bytes of messages by field path, without storing their bytes or rows. A large message is read one submessage
 * at a time. Absent fields are not written but counted: their cost is the cost of one absent field times the number of
 * messages without it.
 */
import { type AnnotationTable, composeFlags, NO_WIRE_TYPE } from '../model/annotation.ts';
import { packRows } from '../model/pack-rows.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { annotate } from '../wire/annotate.ts';
import type { PathPlan } from '../wire/path-plan.ts';
import type { IntForm, LayoutOf, MessageLayout } from './layout.ts';
import { NATIVE_CELLS } from './measure.ts';
import { CountingOutput } from './output.ts';
import { RowSums } from './row-sums.ts';
import type { Records } from './wire-records.ts';
import { Writer } from './write.ts';
import { CountingStream } from './write-stream.ts';

const READ_AT_ONCE = 1 << 16;
/** Maximum depth at which large messages are read record by record; deeper ones are read in one piece. */
const DEEPEST = 16;

/** The cost of one absent field: cells of the plan, and bytes. */
interface Unit {
  readonly cells: readonly (readonly [cell: number, bytes: number])[];
  readonly size: number;
}

/** How the fields of a layout are treated: always written, or counted if they are absent. */
interface Order {
  /** Fields that other fields depend on, or the other way round: always written. By index. */
  readonly always: readonly number[];
  /** Index of each of the other fields, by number. */
  readonly countable: ReadonlyMap<number, number>;
}

/** Messages at one place of the plan. */
interface Place {
  readonly layout: MessageLayout;
  messages: number;
  /** For each field of the layout, the number of messages that have it. */
  readonly present: Float64Array;
  readonly units: (Unit | undefined)[];
  /** Bytes of all countable fields if all are absent; −1: not known yet. */
  absentSize: number;
}

export class WrittenSums {
  /** Texts that are not UTF-8. */
  replaced = 0;
  readonly #readAtOnce: number;
  readonly #type: MessageDescriptor;
  readonly #layoutOf: LayoutOf;
  /** No field may follow an opaque rest, not even an absent one, so all fields are written. */
  readonly #hasRest: boolean;
  readonly #plan: PathPlan;
  readonly #rows: RowSums;
  /** Cells of one absent field while it is measured; zeros otherwise. */
  #probed: Float64Array = new Float64Array(0);
  readonly #places = new Map<number, Place>();
  readonly #orders = new Map<MessageLayout, Order>();
  readonly #shallow = new Map<MessageDescriptor, MessageDescriptor>();

  /** @param readAtOnce maximum bytes of a message that is read in one piece; larger ones are read record by record */
  constructor(type: MessageDescriptor, layoutOf: LayoutOf, plan: PathPlan, readAtOnce = READ_AT_ONCE) {
    this.#readAtOnce = readAtOnce;
    this.#type = type;
    this.#hasRest = holdsRest(type, layoutOf);
    this.#layoutOf = layoutOf;
    this.#plan = plan;
    this.#rows = new RowSums(plan, new Float64Array(0));
  }

  /** Enters one message. */
  add(bytes: Uint8Array): void {
    const stream = new CountingStream(NO_ROWS, this.#rows, new CountingOutput());
    this.#write(stream, bytes, this.#layoutOf(this.#type), stream.open(-1, undefined, 0), undefined);
    this.#rows.finish();
    this.replaced += stream.replaced;
  }

  /** Seven cells for each row of the plan. */
  sums(): Float64Array {
    for (const [block, place] of this.#places) {
      for (const index of this.#orderOf(place.layout).countable.values()) {
        const absent = place.messages - place.present[index]!;
        if (absent === 0) continue;
        const { cells } = this.#unitOf(block, place, index);
        this.#rows.reserve();
        for (const [cell, bytes] of cells) this.#rows.cells[cell]! += absent * bytes;
      }
      place.messages = 0;
      place.present.fill(0);
    }
    this.#rows.reserve();
    return this.#rows.cells;
  }

  /** Returns whether an opaque rest ended the enclosing messages too. */
  #write(
    stream: CountingStream,
    bytes: Uint8Array,
    layout: MessageLayout,
    row: number,
    length: IntForm | undefined,
    depth = 0,
  ): boolean {
    const isLarge = bytes.length > this.#readAtOnce && depth < DEEPEST;
    const { table } = annotate(bytes, isLarge ? this.#shallowOf(layout.message) : layout.message, {
      // Messages nested in a large one are annotated before it is written, so its table must not be borrowed.
      isBorrowed: !isLarge,
    });
    const writer: Writer = new Writer(bytes, table, this.#layoutOf, stream, {
      order: (open, of, records) => this.#count(stream, open, of, records),
      write: isLarge ? (payload, of, open, prefix) => this.#write(stream, payload, of, open, prefix, depth + 1) : null,
    });
    writer.write(layout, row, length);
    return writer.endsAround;
  }

  /** Counts the absent fields of a message. Returns the fields that have to be written. */
  #count({ out }: CountingStream, row: number, layout: MessageLayout, records: Records): readonly number[] | undefined {
    const { always, countable } = this.#orderOf(layout);
    if (countable.size === 0) return undefined;
    const block = this.#rows.blockOf(row);
    let place = this.#places.get(block);
    if (place === undefined) {
      const { length } = layout.fields;
      place = { layout, messages: 0, present: new Float64Array(length), units: [], absentSize: -1 };
      this.#places.set(block, place);
    }
    if (place.absentSize < 0) {
      place.absentSize = 0;
      for (const index of countable.values()) place.absentSize += this.#unitOf(block, place, index).size;
    }
    place.messages++;
    let skipped = place.absentSize;
    const written = [...always];
    for (const number of records.keys()) {
      const index = countable.get(number);
      if (index === undefined) continue;
      place.present[index]!++;
      skipped -= this.#unitOf(block, place, index).size;
      written.push(index);
    }
    out.length += skipped;
    return written.sort((a, b) => a - b);
  }

  #orderOf(layout: MessageLayout): Order {
    let order = this.#orders.get(layout);
    if (order === undefined) {
      const { fields } = layout;
      const always: number[] = [];
      const countable = new Map<number, number>();
      for (const [index, { field, choice, when, sizedBy }] of fields.entries()) {
        if (this.#hasRest || (choice ?? when ?? sizedBy) !== undefined) always.push(index);
        else countable.set(field.number, index);
      }
      order = { always, countable };
      this.#orders.set(layout, order);
    }
    return order;
  }

  /** The cost of an absent field, measured by writing it once in the place of the block. */
  #unitOf(block: number, { layout, units }: Place, index: number): Unit {
    units[index] ??= this.#measure(block, layout, index);
    return units[index]!;
  }

  #measure(block: number, layout: MessageLayout, index: number): Unit {
    const touched = new Set<number>();
    const rows = new RowSums(this.#plan, this.#probed, block, touched);
    const out = new CountingOutput();
    const stream = new CountingStream(NO_ROWS, rows, out);
    const order = [index];
    const writer = new Writer(NO_BYTES, NO_ROWS, this.#layoutOf, stream, {
      order: (row) => (row === 0 ? order : undefined),
      write: null,
    });
    writer.write(layout, stream.open(-1, undefined, 0), undefined);
    const all = rows.finish();
    this.#probed = all;
    const cells: [number, number][] = [];
    for (const row of touched) {
      for (let cell = row * NATIVE_CELLS; cell < (row + 1) * NATIVE_CELLS; cell++) {
        if (all[cell] !== 0) cells.push([cell, all[cell]!]);
        all[cell] = 0;
      }
    }
    return { cells, size: out.length };
  }

  /** The type, with submessages declared as bytes. */
  #shallowOf(type: MessageDescriptor): MessageDescriptor {
    let shallow = this.#shallow.get(type);
    if (shallow === undefined) {
      const fields = type.fields.map(
        (field): FieldDescriptor =>
          field.type === 'message' ? { ...field, type: 'bytes', message: undefined } : field,
      );
      // A linked type computes its facts on access, so the copy has to name each one that it needs.
      const { extensionRanges } = type;
      const byNumber = new Map(fields.map((field) => [field.number, field]));
      shallow = { ...type, extensionRanges, fields, byNumber };
      this.#shallow.set(type, shallow);
    }
    return shallow;
  }
}

function holdsRest(type: MessageDescriptor, layoutOf: LayoutOf): boolean {
  const seen = new Set([type]);
  for (const message of seen) {
    for (const { form, field } of layoutOf(message).fields) {
      if (form.kind === 'rest') return true;
      if (field.message !== undefined) seen.add(field.message);
    }
  }
  return false;
}

const NO_BYTES = new Uint8Array(0);

/** The rows of an empty message. */
const NO_ROWS: AnnotationTable<FieldDescriptor> = packRows(
  'protobuf',
  1,
  Int32Array.of(0, 0, -1, -1, composeFlags(NO_WIRE_TYPE, 'value') << 16),
  [],
);
