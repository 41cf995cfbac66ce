/**
 * FlatBuffers: each message is a table of its declared fields by ascending number; scalars with explicit presence are
 * optional (`= null`), enums ints, members of a oneof fields of their own, maps vectors of tables of a key and a value,
 * lists of bytes vectors of tables of one [ubyte]. Laid out as flatc does with the values of JSON: no text is shared.
 *
 * A buffer is built from its end: what a table refers to is built before it and follows it in the buffer. So the
 * message is walked twice. The first walk goes from the end to the start and notes where all will be, as the distance
 * from the end. The second one goes the other way, and writes.
 *
 *   table   ┌ vtable, if no earlier one is equal ┬ offset of the vtable ┬ fields, wide ones last ┬ what they refer to ┐
 *   vector  ┌ count ┬ elements ┬ padding ┬ what they refer to, last one first ┐
 *
 * flatbuffers.dev/internals · flatbuffer_builder.h and idl_parser.cpp of flatc 2.0.8
 */
import type { FieldDescriptor } from '../schema/descriptor.ts';
import type { EncodedRows } from './encoded-rows.ts';
import type { EncodingRow, EncodingSubject } from './encoding-row.ts';
import { withValidUtf8 } from './json-scalar.ts';
import { addLosses, countLoss } from './losses.ts';
import {
  type Item,
  isDefault,
  isMessageField,
  type MapEntry,
  type MessageValue,
  type Scalar,
} from './message-value.ts';
import { byNumber } from './structured.ts';
import { type Refused, TokenWriter, type Written } from './token-writer.ts';

/** Widths of a reference, and of an entry of a vtable. */
const OFFSET = 4;
const ENTRY = 2;
/** Bytes of a vtable before its entries: its own size and that of the table. */
const VTABLE_HEAD = 2 * ENTRY;
/** Places in a table are 16-bit. */
const MAX_TABLE = 0xffff;

/** A table's field with a value. */
interface Slot {
  readonly field: FieldDescriptor;
  /** Its entry in the vtable. */
  readonly index: number;
  readonly row: number;
  readonly items: readonly Item[];
  readonly entries: readonly MapEntry[];
  readonly form: 'scalar' | 'text' | 'bytes' | 'table' | 'scalars' | 'tables' | 'texts' | 'byte lists' | 'map';
}

interface Table {
  /** By ascending index. */
  readonly slots: readonly Slot[];
  /** The field of each entry of the vtable. */
  readonly declared: readonly FieldDescriptor[];
}

class TableTooLarge extends Error {}

function encode(subject: EncodingSubject, rows: EncodedRows): Written | Refused {
  const writer = new TokenWriter(rows, subject.table);
  addLosses(writer.losses, subject.dropped);
  const plan = new Plan();
  try {
    plan.message(subject);
  } catch (error) {
    if (!(error instanceof TableTooLarge)) throw error;
    return { ok: false, reason: 'A table of FlatBuffers takes at most 65,535 bytes.' };
  }
  writer.out.expect(plan.total);
  writer.begin(undefined, 0);
  new Buffers(writer, plan).message(subject);
  writer.end();
  return writer.finish();
}

function tableOf({ type, fields }: MessageValue): Table {
  const declared = byNumber(type);
  const indices = indicesOf(type, declared);
  const slots = fields.flatMap(({ field, row, items, entries }): readonly Slot[] => {
    const index = indices.get(field);
    if (index === undefined || isLost(field, items)) return [];
    return [{ field, index, row, items, entries, form: formOf(field, field.cardinality !== 'singular') }];
  });
  return { slots, declared };
}

const known = new WeakMap<object, ReadonlyMap<FieldDescriptor, number>>();

function indicesOf(type: object, declared: readonly FieldDescriptor[]): ReadonlyMap<FieldDescriptor, number> {
  let indices = known.get(type);
  if (indices === undefined) {
    indices = new Map(declared.map((field, index) => [field, index]));
    known.set(type, indices);
  }
  return indices;
}

/** An entry of a map. */
function entryTable(map: FieldDescriptor, { key, value }: MapEntry): Table {
  const declared = [map.message!.byNumber.get(1)!, map.message!.byNumber.get(2)!];
  const slots = declared.flatMap((field, index): readonly Slot[] => {
    const item = index === 0 ? key : value;
    const form = formOf(field, false);
    const isLeftOut = isNegativeZero(field, item) || (form === 'scalar' && isDefault(field, item.value as Scalar));
    return isLeftOut ? [] : [{ field, index, row: item.row, items: [item], entries: [], form }];
  });
  return { slots, declared };
}

/** An element of a list of bytes. */
const bytesTable = (field: FieldDescriptor, item: Item): Table => ({
  slots: [{ field, index: 0, row: item.row, items: [item], entries: [], form: 'bytes' }],
  declared: [field],
});

function formOf(field: FieldDescriptor, isList: boolean): Slot['form'] {
  if (field.cardinality === 'map') return 'map';
  if (isMessageField(field)) return isList ? 'tables' : 'table';
  if (field.type === 'string') return isList ? 'texts' : 'text';
  if (field.type === 'bytes') return isList ? 'byte lists' : 'bytes';
  return isList ? 'scalars' : 'scalar';
}

/** Without presence, −0.0 equals the default, which is not written. */
const isLost = (field: FieldDescriptor, [item]: readonly Item[]): boolean =>
  field.cardinality === 'singular' && field.presence === 'implicit' && isNegativeZero(field, item!);

function isNegativeZero({ type }: FieldDescriptor, { value }: Item): boolean {
  if (type !== 'float' && type !== 'double') return false;
  const bytes = value as Uint8Array;
  return bytes.at(-1) === 0x80 && bytes.subarray(0, -1).every((byte) => byte === 0);
}

/** Bytes of a value in a table or vector. */
function widthOf(field: FieldDescriptor, isReference: boolean): 1 | 4 | 8 {
  if (isReference) return OFFSET;
  if (field.type === 'bool') return 1;
  return field.type === 'double' || field.type.endsWith('64') ? 8 : 4;
}

const slotWidth = ({ field, form }: Slot): 1 | 4 | 8 => widthOf(field, form !== 'scalar');

const NO_LOSSES = { losses: {} };

/** The walk from the end. Places are distances from the end of the buffer. */
class Plan {
  /** Bytes so far. */
  #size = 0;
  #alignment = 1;
  readonly #vtables = new Map<string, number>();
  /** For the second walk, which takes them back, last one first. */
  readonly #places: number[] = [];

  take(): number {
    return this.#places.pop()!;
  }

  message({ value, isDelimited = false }: EncodingSubject): void {
    const root = this.#table(tableOf(value));
    const size = this.#size;
    this.#align(isDelimited ? 2 * OFFSET : OFFSET, this.#alignment);
    this.#places.push(root, this.#size - size, this.#size + OFFSET);
    this.#size += isDelimited ? 2 * OFFSET : OFFSET;
  }

  /** Bytes of the buffer. */
  get total(): number {
    return this.#size;
  }

  /** Pads so that the place after `length` more bytes is a multiple of the width. */
  #align(length: number, width: number): void {
    this.#alignment = Math.max(this.#alignment, width);
    this.#size += -(this.#size + length) & (width - 1);
  }

  /** Returns its place, as all that follow. */
  #table({ slots }: Table): number {
    const references = slots.map((slot) => (slot.form === 'scalar' ? 0 : this.#content(slot)));
    const start = this.#size;
    const places = new Array<number>(slots.length);
    for (const width of [8, 4, 1] as const) {
      for (let at = slots.length - 1; at >= 0; at--) {
        if (slotWidth(slots[at]!) !== width) continue;
        this.#align(0, width);
        this.#size += width;
        places[at] = this.#size;
      }
    }
    this.#align(0, OFFSET);
    this.#size += OFFSET;
    const table = this.#size;
    const entries = 1 + (slots.at(-1)?.index ?? -1);
    const vtable = VTABLE_HEAD + ENTRY * entries;
    if (Math.max(table - start, vtable) > MAX_TABLE) throw new TableTooLarge();
    const key = `${table - start} ${slots.map(({ index }, at) => `${index} ${table - places[at]!}`).join(' ')}`;
    let shared = this.#vtables.get(key);
    const isNew = shared === undefined;
    if (shared === undefined) {
      this.#size += vtable;
      shared = this.#size;
      this.#vtables.set(key, shared);
    }
    for (let at = 0; at < slots.length; at++) this.#places.push(places[at]!, references[at]!);
    this.#places.push(start, table, shared, isNew ? entries : -1);
    return table;
  }

  #content({ field, form, items, entries }: Slot): number {
    switch (form) {
      case 'text':
      case 'bytes':
        return this.#text(field, items[0]!);
      case 'table':
        return this.#table(tableOf(items[0]!.value as MessageValue));
      case 'scalars':
        return this.#vector(items.length, widthOf(field, false), []);
      case 'texts':
        return this.#references(items, (item) => this.#text(field, item));
      case 'tables':
        return this.#references(items, ({ value }) => this.#table(tableOf(value as MessageValue)));
      case 'byte lists':
        return this.#references(items, (item) => this.#table(bytesTable(field, item)));
      default:
        return this.#references(entries, (entry) => this.#table(entryTable(field, entry)));
    }
  }

  #references<T>(elements: readonly T[], place: (element: T) => number): number {
    return this.#vector(elements.length, OFFSET, elements.map(place));
  }

  #vector(count: number, width: number, references: readonly number[]): number {
    const size = this.#size;
    this.#align(count * width, OFFSET);
    this.#align(count * width, width);
    const padding = this.#size - size;
    this.#size += count * width + OFFSET;
    for (const reference of references) this.#places.push(reference);
    this.#places.push(padding, this.#size);
    return this.#size;
  }

  #text(field: FieldDescriptor, { value }: Item): number {
    const size = this.#size;
    const length = contentOf(field, value as Uint8Array, NO_LOSSES).length + (field.type === 'string' ? 1 : 0);
    this.#align(length, OFFSET);
    this.#places.push(this.#size - size);
    this.#size += length + OFFSET;
    return this.#size;
  }
}

const contentOf = (field: FieldDescriptor, value: Uint8Array, losses: Pick<TokenWriter, 'losses'>): Uint8Array =>
  field.type === 'string' ? withValidUtf8(value, losses) : value;

/** The walk from the start, which writes what was planned. */
class Buffers {
  readonly #writer: TokenWriter;
  readonly #plan: Plan;

  constructor(writer: TokenWriter, plan: Plan) {
    this.#writer = writer;
    this.#plan = plan;
  }

  message({ value, isDelimited = false }: EncodingSubject): void {
    const size = this.#plan.take();
    const padding = this.#plan.take();
    if (isDelimited) this.#length('length', size);
    this.#offset(size - this.#plan.take());
    this.#padding(padding);
    this.#table(this.#lossless(value));
  }

  /** Notes the values of a message that its table does not have. */
  #lossless(value: MessageValue): Table {
    const { losses } = this.#writer;
    const extensions = value.fields.filter(({ field }) => field.isExtension).length;
    const zeros = value.fields.filter(({ field, items }) => !field.isExtension && isLost(field, items)).length;
    countLoss(losses, 'extension', extensions);
    countLoss(losses, 'negative-zero', zeros);
    return tableOf(value);
  }

  #table({ slots, declared }: Table): void {
    const entries = this.#plan.take();
    const shared = this.#plan.take();
    const table = this.#plan.take();
    const start = this.#plan.take();
    const placed = slots.map((slot) => ({ slot, place: 0, reference: 0 }));
    for (const one of placed.toReversed()) {
      one.reference = this.#plan.take();
      one.place = this.#plan.take();
    }
    if (entries >= 0) {
      const places = new Map(placed.map(({ slot, place }) => [slot.index, table - place]));
      this.#vtable(table - start, declared.slice(0, entries), places);
    }
    this.#offset(shared - table);
    let end = table - OFFSET;
    for (const { slot, place, reference } of placed.toSorted((a, b) => b.place - a.place)) {
      this.#padding(end - place);
      const isInline = slot.form === 'scalar';
      // A selected value is what the offset refers to.
      this.#writer.begin(slot.field, isInline ? slot.row : -1);
      if (isInline) this.#scalar(slot.field, slot.items[0]!.value as Scalar);
      else this.#offset(place - reference);
      this.#writer.end();
      end = place - slotWidth(slot);
    }
    this.#padding(end - start);
    for (const slot of slots.toReversed()) {
      if (slot.form === 'scalar') continue;
      this.#writer.begin(slot.field, slot.row);
      this.#content(slot);
      this.#writer.end();
    }
  }

  /** Each entry belongs to its field, even if the field is absent. */
  #vtable(size: number, fields: readonly FieldDescriptor[], places: ReadonlyMap<number, number>): void {
    this.#writer.token('key');
    this.#number(VTABLE_HEAD + ENTRY * fields.length, ENTRY);
    this.#number(size, ENTRY);
    this.#writer.end();
    for (const [index, field] of fields.entries()) {
      this.#writer.begin(field, -1, 'key');
      this.#number(places.get(index) ?? 0, ENTRY);
      this.#writer.end();
    }
  }

  #content({ field, form, items, entries }: Slot): void {
    switch (form) {
      case 'text':
      case 'bytes':
        this.#text(field, items[0]!);
        return;
      case 'table':
        this.#table(this.#lossless(items[0]!.value as MessageValue));
        return;
      case 'scalars':
        this.#scalars(field, items);
        return;
      case 'texts':
        this.#references(items, (item) => this.#text(field, item));
        return;
      case 'tables':
        this.#references(items, ({ value }) => this.#table(this.#lossless(value as MessageValue)));
        return;
      case 'byte lists':
        this.#references(items, (item) => this.#table(bytesTable(field, item)));
        return;
      default:
        this.#references(entries, (entry) => {
          if (isNegativeZero(field.message!.byNumber.get(2)!, entry.value))
            countLoss(this.#writer.losses, 'negative-zero');
          this.#table(entryTable(field, entry));
        });
    }
  }

  #scalars(field: FieldDescriptor, items: readonly Item[]): void {
    this.#plan.take();
    const padding = this.#plan.take();
    this.#length('count', items.length);
    for (const item of items) {
      this.#writer.begin(undefined, item.row);
      this.#scalar(field, item.value as Scalar);
      this.#writer.end();
    }
    this.#padding(padding);
  }

  #references<T extends { readonly row: number }>(elements: readonly T[], write: (element: T) => void): void {
    const { length } = elements;
    let place = this.#plan.take();
    const padding = this.#plan.take();
    const references = elements.map(() => this.#plan.take()).reverse();
    this.#length('count', length);
    for (const reference of references) {
      place -= OFFSET;
      this.#offset(place - reference);
    }
    this.#padding(padding);
    for (const element of elements.toReversed()) {
      this.#writer.begin(undefined, element.row);
      write(element);
      this.#writer.end();
    }
  }

  #text(field: FieldDescriptor, { row, value }: Item): void {
    const padding = this.#plan.take();
    const content = contentOf(field, value as Uint8Array, this.#writer);
    this.#length('length', content.length);
    this.#writer.value(row, content);
    if (field.type === 'string') this.#writer.byte('group-end', 0);
    this.#padding(padding);
  }

  #scalar({ type }: FieldDescriptor, value: Scalar): void {
    this.#writer.token('value');
    if (value instanceof Uint8Array) this.#writer.out.raw(value);
    else if (typeof value === 'boolean') this.#writer.out.byte(value ? 1 : 0);
    else if (type.endsWith('64')) {
      const bits = BigInt.asUintN(64, BigInt(value));
      this.#number(Number(bits & 0xffff_ffffn), 4);
      this.#number(Number(bits >> 32n), 4);
    } else this.#number(Number(value), 4);
    this.#writer.end();
  }

  #offset(value: number): void {
    this.#writer.token('offset');
    this.#number(value, OFFSET);
    this.#writer.end();
  }

  #length(category: 'length' | 'count', value: number): void {
    this.#writer.token(category);
    this.#number(value, OFFSET);
    this.#writer.end();
  }

  #padding(bytes: number): void {
    if (bytes === 0) return;
    this.#writer.token('padding');
    this.#number(0, bytes);
    this.#writer.end();
  }

  /** Little-endian. */
  #number(value: number, bytes: number): void {
    for (let at = 0; at < bytes; at++) this.#writer.out.byte((value >>> (8 * at)) & 255);
  }
}

export const FLATBUFFERS: EncodingRow = {
  id: 'flatbuffers',
  label: 'FlatBuffers',
  mapping:
    'A table of the declared fields; optional scalars, texts that are not shared, maps as vectors of keys and values; as flatc writes JSON.',
  isCommon: false,
  write: encode,
};
