/**
 * Reads Cap'n Proto by its specification (capnproto.org/encoding.html): a message of one segment, plain or packed → the
 * fields that are there, by number. Only the offsets of fields are those of the writer.
 */
import { structLayoutOf } from '#engine/encodings/capnp-layout.ts';
import type { FieldDescriptor, MessageDescriptor } from '#engine/schema/descriptor.ts';

type Members = Map<string, unknown>;

export function readCapnp(bytes: Uint8Array, type: MessageDescriptor): Members {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (words.getUint32(0, true) !== 0) throw new Error('more than one segment');
  if (words.getUint32(4, true) * 8 !== bytes.length - 8) throw new Error('not the size of the segment');
  return new Segment(new DataView(bytes.buffer, bytes.byteOffset + 8, bytes.length - 8)).message(0, type);
}

export function unpackCapnp(packed: Uint8Array): Uint8Array {
  const words: number[] = [];
  for (let at = 0; at < packed.length; ) {
    const tag = packed[at++]!;
    for (let bit = 0; bit < 8; bit++) words.push((tag >> bit) & 1 ? packed[at++]! : 0);
    if (tag !== 0 && tag !== 255) continue;
    const count = packed[at++]! * 8;
    for (let index = 0; index < count; index++) words.push(tag === 0 ? 0 : packed[at++]!);
  }
  return Uint8Array.from(words);
}

/** A struct: byte offsets of its data and of its pointers, and their sizes. */
interface Struct {
  readonly data: number;
  readonly dataBytes: number;
  readonly pointers: number;
  readonly pointerCount: number;
}

interface List {
  readonly at: number;
  readonly size: number;
  readonly count: number;
}

class Segment {
  readonly #words: DataView;

  constructor(words: DataView) {
    this.#words = words;
  }

  /** @param at byte offset of its pointer */
  message(at: number, type: MessageDescriptor): Members {
    return this.#members(this.#structAt(at, this.#target(at)), type);
  }

  #target(at: number): number {
    return at + 8 + (this.#words.getInt32(at, true) >> 2) * 8;
  }

  #kind(at: number, kind: number): void {
    if ((this.#words.getUint32(at, true) & 3) !== kind) throw new Error(`not a pointer of kind ${kind} at ${at}`);
  }

  /** @param at a pointer or a tag, which have the same sizes */
  #structAt(at: number, data: number): Struct {
    this.#kind(at, 0);
    const dataBytes = this.#words.getUint16(at + 4, true) * 8;
    const pointerCount = this.#words.getUint16(at + 6, true);
    return { data, dataBytes, pointers: data + dataBytes, pointerCount };
  }

  #listAt(at: number): List {
    this.#kind(at, 1);
    const word = this.#words.getUint32(at + 4, true);
    return { at: this.#target(at), size: word & 7, count: word >>> 3 };
  }

  #isNull(at: number): boolean {
    return this.#words.getBigUint64(at, true) === 0n;
  }

  #members(struct: Struct, type: MessageDescriptor): Members {
    const members: Members = new Map();
    for (const [field, slot] of structLayoutOf(type).slots) {
      const { choice, lgSize, offset } = slot;
      if (choice !== undefined && this.#words.getUint16(struct.data + choice.offset * 2, true) !== choice.value)
        continue;
      if (lgSize === null) {
        if (offset >= struct.pointerCount) throw new Error('a pointer outside its struct');
        const at = struct.pointers + offset * 8;
        if (this.#isNull(at)) continue;
        members.set(String(field.number), this.#pointee(at, field));
        continue;
      }
      if (((offset + 1) * 2 ** lgSize) / 8 > struct.dataBytes) throw new Error('a scalar outside its struct');
      const value = this.#scalar(struct.data, offset, field);
      const isDefault = value === 0n || value === false || Object.is(value, 0);
      if (choice !== undefined || type.isMapEntry || !isDefault) members.set(String(field.number), value);
    }
    return members;
  }

  #pointee(at: number, field: FieldDescriptor): unknown {
    if (field.cardinality === 'singular') {
      return field.message === undefined ? this.#blob(at, field) : this.message(at, field.message);
    }
    const list = this.#listAt(at);
    if (field.message !== undefined) return this.#composite(list, field, field.message);
    return Array.from({ length: list.count }, (_, index) =>
      list.size === 6 ? this.#blob(list.at + index * 8, field) : this.#scalar(list.at, index, field),
    );
  }

  #composite({ at, size, count }: List, field: FieldDescriptor, type: MessageDescriptor): unknown {
    const { dataBytes, pointerCount } = this.#structAt(at, at + 8);
    const length = this.#words.getUint32(at, true) >>> 2;
    const bytes = dataBytes + pointerCount * 8;
    if (size !== 7 || count * 8 !== length * bytes) throw new Error('not a list of structs');
    const elements = Array.from({ length }, (_, index) => {
      const data = at + 8 + index * bytes;
      return this.#members({ data, dataBytes, pointers: data + dataBytes, pointerCount }, type);
    });
    return field.cardinality === 'map' ? new Map(elements.map((entry) => [entry.get('1'), entry.get('2')])) : elements;
  }

  /** A text ends with a zero, which its count includes. */
  #blob(pointer: number, { type }: FieldDescriptor): unknown {
    const { at, size, count } = this.#listAt(pointer);
    if (size !== 2) throw new Error('not a list of bytes');
    const bytes = new Uint8Array(this.#words.buffer, this.#words.byteOffset + at, count);
    if (type !== 'string') return bytes;
    if (bytes.at(-1) !== 0) throw new Error('a text without its zero');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, -1));
  }

  #scalar(start: number, offset: number, { type }: FieldDescriptor): unknown {
    const words = this.#words;
    switch (type) {
      case 'bool':
        return ((words.getUint8(start + (offset >> 3)) >> (offset & 7)) & 1) === 1;
      case 'float':
        return words.getFloat32(start + offset * 4, true);
      case 'double':
        return words.getFloat64(start + offset * 8, true);
      case 'uint32':
      case 'fixed32':
        return words.getUint32(start + offset * 4, true);
      case 'uint64':
      case 'fixed64':
        return words.getBigUint64(start + offset * 8, true);
      default:
        return type.endsWith('64')
          ? words.getBigInt64(start + offset * 8, true)
          : words.getInt32(start + offset * 4, true);
    }
  }
}
