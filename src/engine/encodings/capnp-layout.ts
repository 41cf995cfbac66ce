/**
 * The layout of a message as a Cap'n Proto struct: what the capnp compiler computes for a schema with the fields by
 * ascending number. A oneof is a union whose first member is Void; a scalar with explicit presence is a union of Void and
 * the value. capnproto.org/encoding.html#structs, StructLayout in capnp/compiler/node-translator.c++
 */
import type { FieldDescriptor, MessageDescriptor, OneofDescriptor } from '../schema/descriptor.ts';
import { isMessageField } from './message-value.ts';
import { byNumber } from './structured.ts';

/** Where a field is. */
export interface Slot {
  /** log₂ of its bits in the data section; null: it is a pointer. */
  readonly lgSize: number | null;
  /** In units of its size, or the number of the pointer. */
  readonly offset: number;
  /** The union that the field is a member of; undefined: it is not in one. */
  readonly choice: Choice | undefined;
}

/** The discriminant of a union. */
export interface Choice {
  /** In units of 16 bits. */
  readonly offset: number;
  /** Its value if the field is set. */
  readonly value: number;
}

/** The field that bytes belong to, or the oneof whose members share them. */
export type Owner = FieldDescriptor | OneofDescriptor;

/** Bytes of the data section. */
export interface Part {
  readonly start: number;
  readonly end: number;
  readonly category: 'value' | 'key' | 'padding';
  /** By ascending bit; several if they share a byte. */
  readonly owners: readonly Owner[];
}

export interface StructLayout {
  readonly dataWords: number;
  readonly slots: ReadonlyMap<FieldDescriptor, Slot>;
  /** They tile the data section. */
  readonly parts: readonly Part[];
  /** By pointer. */
  readonly pointers: readonly Owner[];
}

/** Words of a struct without its contents. */
export const sectionWords = ({ dataWords, pointers }: StructLayout): number => dataWords + pointers.length;

/** Bits of a discriminant: 2⁴. */
const DISCRIMINANT = 4;
/** Bits of a word: 2⁶. */
const WORD = 6;

/** log₂ of the bits that a scalar takes in a struct or a list; null: it is behind a pointer. */
export function lgSizeOf(field: FieldDescriptor): number | null {
  if (isMessageField(field) || field.type === 'string' || field.type === 'bytes') return null;
  if (field.type === 'bool') return 0;
  return field.type === 'double' || field.type.endsWith('64') ? 6 : 5;
}

const layouts = new WeakMap<MessageDescriptor, StructLayout>();

export function structLayoutOf(type: MessageDescriptor): StructLayout {
  let layout = layouts.get(type);
  if (layout === undefined) {
    layout = layOut(type);
    layouts.set(type, layout);
  }
  return layout;
}

/** Bits that are taken. */
interface Taken {
  readonly owner: Owner;
  readonly category: 'value' | 'key';
  lgSize: number;
  offset: number;
}

function layOut(type: MessageDescriptor): StructLayout {
  const space = new Space();
  const unions = new Map<OneofDescriptor, Union>();
  const slots = new Map<FieldDescriptor, Slot>();
  for (const field of byNumber(type)) {
    const lgSize = field.cardinality === 'singular' ? lgSizeOf(field) : null;
    const { oneof } = field;
    if (oneof !== undefined) {
      const union = unions.get(oneof) ?? new Union(space, oneof);
      unions.set(oneof, union);
      slots.set(field, union.add(lgSize));
    } else if (lgSize === null) slots.set(field, { lgSize, offset: space.pointer(field), choice: undefined });
    else if (field.presence === 'implicit' || type.isMapEntry) {
      slots.set(field, { lgSize, offset: space.data(lgSize, field, 'value').offset, choice: undefined });
    } else slots.set(field, new Union(space, field).add(lgSize));
  }
  return { dataWords: space.words, slots, parts: partsOf(space), pointers: space.pointers };
}

/** The sections of a struct while fields are added. */
class Space {
  words = 0;
  readonly taken: Taken[] = [];
  readonly pointers: Owner[] = [];
  /** By log₂ of their bits: the offset of the free space of this size; 0 without one. */
  readonly #holes = [0, 0, 0, 0, 0, 0];

  pointer(owner: Owner): number {
    return this.pointers.push(owner) - 1;
  }

  /** Takes the smallest free space that is large enough. */
  data(lgSize: number, owner: Owner, category: 'value' | 'key'): Taken {
    let size = lgSize;
    while (size < WORD && this.#holes[size] === 0) size++;
    let offset = size < WORD ? this.#holes[size]! : this.words++;
    if (size < WORD) this.#holes[size] = 0;
    while (size > lgSize) {
      offset *= 2;
      this.#holes[--size] = offset + 1;
    }
    const taken = { owner, category, lgSize, offset };
    this.taken.push(taken);
    return taken;
  }

  /** Adds the free space behind, until it has the size; false: there is not enough. */
  expand(taken: Taken, lgSize: number): boolean {
    for (let size = taken.lgSize; size < lgSize; size++) {
      if (this.#holes[size] !== (taken.offset >> (size - taken.lgSize)) + 1) return false;
    }
    for (let size = taken.lgSize; size < lgSize; size++) this.#holes[size] = 0;
    taken.offset >>= lgSize - taken.lgSize;
    taken.lgSize = lgSize;
    return true;
  }
}

/** Members share their space. The first member is Void; the discriminant is added with the second one. */
class Union {
  readonly #space: Space;
  readonly #owner: Owner;
  readonly #data: Taken[] = [];
  #pointer: number | undefined;
  #discriminant: number | undefined;
  #members = 1;

  constructor(space: Space, owner: Owner) {
    this.#space = space;
    this.#owner = owner;
  }

  add(lgSize: number | null): Slot {
    this.#discriminant ??= this.#space.data(DISCRIMINANT, this.#owner, 'key').offset;
    const choice = { offset: this.#discriminant, value: this.#members++ };
    if (lgSize === null) {
      this.#pointer ??= this.#space.pointer(this.#owner);
      return { lgSize, offset: this.#pointer, choice };
    }
    const { offset, lgSize: size } = this.#take(lgSize);
    return { lgSize, offset: offset << (size - lgSize), choice };
  }

  #take(lgSize: number): Taken {
    let best: Taken | undefined;
    for (const taken of this.#data) {
      if (taken.lgSize >= lgSize && (best === undefined || taken.lgSize < best.lgSize)) best = taken;
    }
    best ??= this.#data.find((taken) => this.#space.expand(taken, lgSize));
    if (best === undefined) {
      best = this.#space.data(lgSize, this.#owner, 'value');
      this.#data.push(best);
    }
    return best;
  }
}

function partsOf({ words, taken }: Space): readonly Part[] {
  const bits = taken
    .map(({ owner, category, lgSize, offset }) => ({ owner, category, start: offset << lgSize, size: 1 << lgSize }))
    .sort((a, b) => a.start - b.start);
  const parts: Part[] = [];
  let end = 0;
  const pad = (start: number): void => {
    if (start > end) parts.push({ start: end, end: start, category: 'padding', owners: [] });
  };
  for (const { owner, category, start, size } of bits) {
    const from = start >> 3;
    if (from < end) {
      const shared = parts.at(-1)!;
      parts[parts.length - 1] = { ...shared, owners: [...shared.owners, owner] };
      continue;
    }
    pad(from);
    end = from + Math.max(1, size >> 3);
    parts.push({ start: from, end, category, owners: [owner] });
  }
  pad(words * 8);
  return parts;
}
