/**
 * Cap'n Proto: one segment, with its table. 32-bit and 64-bit integers keep their width and sign, enums are Int32, maps
 * are lists of {key, value}. Contents follow their struct in the order of the fields, depth first.
 * capnproto.org/encoding.html
 */
import type { Category } from '../model/annotation.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { Elements, elementsOf, WordBuffer } from './capnp-buffer.ts';
import {
  lgSizeOf,
  type Owner,
  type Part,
  type Slot,
  type StructLayout,
  sectionWords,
  structLayoutOf,
} from './capnp-layout.ts';
import { CapnpSizes } from './capnp-sizes.ts';
import { PackedWords, PlainWords, WORD_BYTES, type Words } from './capnp-words.ts';
import type { EncodedRows } from './encoded-rows.ts';
import type { EncodingRow, EncodingSubject } from './encoding-row.ts';
import { addLosses } from './losses.ts';
import { type Item, isMessageField, type MessageValue, type Scalar, type SetField } from './message-value.ts';
import { type Refused, TokenWriter, type Written } from './token-writer.ts';

function encode(
  subject: EncodingSubject,
  rows: EncodedRows,
  wordsOf: (writer: TokenWriter, words: number) => Words,
): Written | Refused {
  const writer = new TokenWriter(rows, subject.table);
  addLosses(writer.losses, subject.dropped);
  const sizes = new CapnpSizes(subject.value, writer.losses);
  if (sizes.refused !== undefined) return { ok: false, reason: sizes.refused };
  writer.begin(undefined, 0);
  new Structs(writer, wordsOf(writer, sizes.words), sizes).root(subject.value);
  writer.end();
  return writer.finish();
}

/** A message, or an entry of a map. */
type Struct = Pick<MessageValue, 'type' | 'fields'>;

interface Element {
  readonly row: number;
  readonly value: Struct;
  readonly contents: number;
}

class Structs {
  readonly #writer: TokenWriter;
  readonly #words: Words;
  readonly #sizes: CapnpSizes;
  readonly #buffer = new WordBuffer();

  constructor(writer: TokenWriter, words: Words, sizes: CapnpSizes) {
    this.#writer = writer;
    this.#words = words;
    this.#sizes = sizes;
  }

  root(message: MessageValue): void {
    this.#buffer.start(1);
    this.#buffer.segmentTable(this.#sizes.words);
    this.#write('length', 0, WORD_BYTES);
    this.#buffer.start(1);
    this.#buffer.structPointer(0, 0, structLayoutOf(message.type));
    this.#write('offset', 0, WORD_BYTES);
    this.#struct(message);
  }

  #struct(message: MessageValue): void {
    this.#section(message, 0);
    this.#contents(message);
  }

  /** @param gap words between the struct and what is behind its first pointer */
  #section({ type, fields }: Struct, gap: number): void {
    const layout = structLayoutOf(type);
    const set = new Map<Owner, SetField>();
    this.#buffer.start(sectionWords(layout));
    let target = sectionWords(layout) + gap;
    for (const found of fields) {
      const { field } = found;
      const slot = layout.slots.get(field);
      if (slot === undefined) continue;
      set.set(field, found);
      if (field.oneof !== undefined) set.set(field.oneof, found);
      if (slot.choice !== undefined) this.#buffer.discriminant(slot.choice);
      if (slot.lgSize !== null) this.#buffer.scalar(slot.lgSize, slot.offset, found.items[0]!.value as Scalar);
      else {
        this.#pointer(layout.dataWords + slot.offset, target, found);
        target += this.#sizes.fieldWords(found);
      }
    }
    for (const part of layout.parts) this.#part(part, layout, set);
    for (const [index, owner] of layout.pointers.entries()) {
      const start = (layout.dataWords + index) * WORD_BYTES;
      const field = owner.kind === 'field' ? owner : memberAt(owner, set, layout, index);
      this.#owned(field, -1, 'offset', start, start + WORD_BYTES);
    }
  }

  /** Bytes of a oneof belong to the member that is set and uses them, else to the message. */
  #part(part: Part, { slots }: StructLayout, set: ReadonlyMap<Owner, SetField>): void {
    const { start, end, category, owners } = part;
    if (category === 'key') {
      const [owner] = owners;
      this.#owned(owner!.kind === 'field' ? owner : set.get(owner!)?.field, -1, category, start, end);
      return;
    }
    for (const owner of owners) {
      const found = set.get(owner);
      const field = owner.kind === 'field' ? owner : found?.field;
      const slot = field === undefined ? undefined : slots.get(field)!;
      const used = slot === undefined ? undefined : usedBytes(slot);
      if (used === undefined || used.start !== start) continue;
      this.#owned(field, found?.row ?? -1, 'value', start, used.end);
      this.#write('padding', used.end, end);
      return;
    }
    this.#write('padding', start, end);
  }

  #owned(field: FieldDescriptor | undefined, row: number, category: Category, start: number, end: number): void {
    if (field !== undefined) this.#writer.begin(field, row);
    this.#write(category, start, end);
    if (field !== undefined) this.#writer.end();
  }

  /** Writes what is behind the pointers. */
  #contents({ type, fields }: Struct): void {
    const { slots } = structLayoutOf(type);
    for (const found of fields) {
      const slot = slots.get(found.field);
      if (slot === undefined || slot.lgSize !== null) continue;
      this.#writer.begin(found.field, found.row);
      this.#pointee(found);
      this.#writer.end();
    }
  }

  #pointee(set: SetField): void {
    const { field, items } = set;
    if (field.cardinality === 'singular') this.#value(field, items[0]!);
    else if (field.message !== undefined) this.#composite(field.message, this.#elementsOf(set));
    else {
      const lgSize = lgSizeOf(field);
      if (lgSize === null) this.#blobs(field, items);
      else this.#scalars(lgSize, items);
    }
  }

  #value(field: FieldDescriptor, item: Item): void {
    if (isMessageField(field)) this.#struct(item.value as MessageValue);
    else this.#blob(field, item);
  }

  #elementsOf({ field, items, entries }: SetField): readonly Element[] {
    if (field.cardinality !== 'map') {
      return items.map(({ row, value }) => ({
        row,
        value: value as MessageValue,
        contents: this.#sizes.contentsOf(value as MessageValue),
      }));
    }
    const type = field.message!;
    const [key, value] = [type.byNumber.get(1)!, type.byNumber.get(2)!];
    return entries.map((entry) => ({
      row: entry.row,
      value: {
        type,
        fields: [
          { field: key, row: entry.key.row, items: [entry.key], entries: [] },
          { field: value, row: entry.value.row, items: [entry.value], entries: [] },
        ],
      },
      contents: this.#sizes.entryContents(field, entry),
    }));
  }

  /** A list of structs: its tag, all structs, then their contents. */
  #composite(type: MessageDescriptor, elements: readonly Element[]): void {
    const layout = structLayoutOf(type);
    this.#buffer.start(1);
    this.#buffer.structWord(0, elements.length, layout);
    this.#write('count', 0, WORD_BYTES);
    let gap = elements.length * sectionWords(layout);
    for (const { row, value, contents } of elements) {
      gap -= sectionWords(layout);
      this.#writer.begin(undefined, row);
      this.#section(value, gap);
      this.#writer.end();
      gap += contents;
    }
    for (const { value, contents } of elements) {
      if (contents === 0) continue;
      this.#writer.begin(undefined, -1);
      this.#contents(value);
      this.#writer.end();
    }
  }

  /** A list of texts or bytes: its pointers, then their contents. */
  #blobs(field: FieldDescriptor, items: readonly Item[]): void {
    let target = items.length;
    for (const [index, { value }] of items.entries()) {
      this.#buffer.start(1);
      const length = this.#blobLength(field, value as Uint8Array);
      this.#buffer.listPointer(0, target - index - 1, Elements.BYTE, length);
      target += Math.ceil(length / WORD_BYTES);
      this.#writer.begin(undefined, -1);
      this.#write('offset', 0, WORD_BYTES);
      this.#writer.end();
    }
    for (const item of items) {
      this.#writer.begin(undefined, item.row);
      this.#blob(field, item);
      this.#writer.end();
    }
  }

  /** The count of a text includes its zero. */
  #blobLength({ type }: FieldDescriptor, value: Uint8Array): number {
    return this.#sizes.bytesOf(value).length + (type === 'string' ? 1 : 0);
  }

  #blob(field: FieldDescriptor, { row, value }: Item): void {
    const bytes = this.#sizes.bytesOf(value as Uint8Array);
    const length = this.#blobLength(field, value as Uint8Array);
    if (length === 0) return;
    const words = padded(bytes, Math.ceil(length / WORD_BYTES));
    this.#writer.value(row, bytes, (category, _, start, end) => this.#words.write(category, words, start, end));
    this.#words.write('group-end', words, bytes.length, length);
    this.#words.write('padding', words, length, words.length);
  }

  /** A list of scalars, word by word. A byte of booleans belongs to the first one. */
  #scalars(lgSize: number, items: readonly Item[]): void {
    const inWord = 64 >> lgSize;
    const inRow = lgSize === 0 ? 8 : 1;
    for (let first = 0; first < items.length; first += inWord) {
      this.#buffer.start(1);
      const count = Math.min(inWord, items.length - first);
      for (let index = 0; index < count; index++) {
        this.#buffer.scalar(lgSize, index, items[first + index]!.value as Scalar);
      }
      let end = 0;
      for (let index = 0; index < count; index += inRow) {
        const start = end;
        end += Math.max(1, (2 ** lgSize) >> 3);
        this.#writer.begin(undefined, items[first + index]!.row);
        this.#write('value', start, end);
        this.#writer.end();
      }
      this.#write('padding', end, WORD_BYTES);
    }
  }

  #write(category: Category, start: number, end: number): void {
    this.#words.write(category, this.#buffer.bytes, start, end);
  }

  /** @param at, target words from the start of the struct */
  #pointer(at: number, target: number, set: SetField): void {
    const { field, items, entries } = set;
    const offset = target - at - 1;
    if (field.cardinality === 'singular') {
      if (isMessageField(field)) this.#buffer.structPointer(at, offset, structLayoutOf(field.message!));
      else this.#buffer.listPointer(at, offset, Elements.BYTE, this.#blobLength(field, items[0]!.value as Uint8Array));
      return;
    }
    const count = items.length + entries.length;
    if (field.message !== undefined) {
      this.#buffer.listPointer(at, offset, Elements.COMPOSITE, count * sectionWords(structLayoutOf(field.message)));
    } else this.#buffer.listPointer(at, offset, elementsOf(lgSizeOf(field)), count);
  }
}

/** The set member of a oneof, if it is behind the pointer. */
function memberAt(
  oneof: Owner,
  set: ReadonlyMap<Owner, SetField>,
  { slots }: StructLayout,
  pointer: number,
): FieldDescriptor | undefined {
  const field = set.get(oneof)?.field;
  const slot = field === undefined ? undefined : slots.get(field);
  return slot !== undefined && slot.lgSize === null && slot.offset === pointer ? field : undefined;
}

/** Bytes, with zeros up to a number of words. */
function padded(bytes: Uint8Array, words: number): Uint8Array {
  if (bytes.length === words * WORD_BYTES) return bytes;
  const whole = new Uint8Array(words * WORD_BYTES);
  whole.set(bytes);
  return whole;
}

/** The bytes that a scalar has bits in. */
function usedBytes({ lgSize, offset }: Slot): { readonly start: number; readonly end: number } | undefined {
  if (lgSize === null) return undefined;
  const start = (offset * 2 ** lgSize) >> 3;
  return { start, end: start + Math.max(1, (2 ** lgSize) >> 3) };
}

export const CAPNP: EncodingRow = {
  id: 'capnp',
  label: 'Cap’n Proto',
  mapping:
    'A struct of all fields by ascending number, as the capnp compiler lays it out: absent fields are zeros, oneofs and scalars with explicit presence are unions. A byte of several booleans counts for the first one.',
  isCommon: false,
  write: (subject, rows) =>
    encode(subject, rows, (writer, words) => {
      writer.out.expect((1 + words) * WORD_BYTES);
      return new PlainWords(writer);
    }),
};

export const CAPNP_PACKED: EncodingRow = {
  id: 'capnp-packed',
  label: 'Cap’n Proto, packed',
  mapping:
    'Cap’n Proto without its zeros: a tag before each word shows which of its bytes follow, and counts for the field that begins the word.',
  isCommon: false,
  write: (subject, rows) => encode(subject, rows, (writer) => new PackedWords(writer)),
};
