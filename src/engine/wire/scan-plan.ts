/**
 * What the scan does with each tag, by field path. A block is a message type at a place in the tree of field paths,
 * a row is a field of a block; both are made when data first needs them. One load answers a one-byte tag:
 *
 *   dispatch[block · 128 + tag byte] = row · 256 + traits · 16 + action      (longer tags: a hash of block and tag)
 */
import { WireType } from '../annotation.ts';
import { type FieldDescriptor, type MessageDescriptor, pathSegment } from '../schema/descriptor.ts';

export const Action = {
  UNRESOLVED: 0,
  VARINT: 1,
  I64: 2,
  I32: 3,
  BYTES: 4,
  STRING: 5,
  MESSAGE: 6,
  GROUP: 7,
  PACKED_VARINT: 8,
  PACKED_I64: 9,
  PACKED_I32: 10,
  UNKNOWN_VARINT: 11,
  UNKNOWN_I64: 12,
  UNKNOWN_I32: 13,
  UNKNOWN_LEN: 14,
  UNKNOWN_GROUP: 15,
} as const;

/** Bits of an entry's traits. */
export const Trait = {
  REPEATED: 1,
  /** Singular with implicit presence: a default value on the wire is waste. */
  IMPLICIT: 2,
  ONEOF: 4,
  UNKNOWN: 8,
} as const;

/** A field path that is deeper than this is folded into the nearest ancestor of its type. */
const MAX_DEPTH = 128;
/** Field paths beyond this many blocks share one block per type, whose path is `…` and the type's name. */
const MAX_BLOCKS = 16384;

export interface Block {
  readonly index: number;
  readonly descriptor: MessageDescriptor | undefined;
  readonly path: string;
  readonly depth: number;
  /** −1: the message itself, or a block that shares its type's overflow. */
  readonly parentBlock: number;
  /** Field number ⇒ row; unknown numbers and mismatches are kept apart. */
  readonly rowOfField: Map<number, number>;
  readonly rowOfUnknown: Map<number, number>;
}

/** Which wire type a field is written with, and what the scan does with it. */
const SCALAR_ACTIONS: Record<string, readonly [wireType: number, action: number, packed: number]> = {
  double: [WireType.I64, Action.I64, Action.PACKED_I64],
  fixed64: [WireType.I64, Action.I64, Action.PACKED_I64],
  sfixed64: [WireType.I64, Action.I64, Action.PACKED_I64],
  float: [WireType.I32, Action.I32, Action.PACKED_I32],
  fixed32: [WireType.I32, Action.I32, Action.PACKED_I32],
  sfixed32: [WireType.I32, Action.I32, Action.PACKED_I32],
  string: [WireType.LEN, Action.STRING, 0],
  bytes: [WireType.LEN, Action.BYTES, 0],
  message: [WireType.LEN, Action.MESSAGE, 0],
  group: [WireType.SGROUP, Action.GROUP, 0],
};
const VARINT_ACTIONS = [WireType.VARINT, Action.VARINT, Action.PACKED_VARINT] as const;

/** How the values of a varint field are bounded, in `ScanPlan.integer`. */
export const IntegerKind = { UNSIGNED64: 0, INT64: 1, INT32: 2, UNSIGNED32: 3, BOOL: 4 } as const;
const INTEGER_KINDS: Record<string, number> = {
  int64: IntegerKind.INT64,
  int32: IntegerKind.INT32,
  enum: IntegerKind.INT32,
  uint32: IntegerKind.UNSIGNED32,
  sint32: IntegerKind.UNSIGNED32,
  bool: IntegerKind.BOOL,
};

const ODD_WIDTHS: Record<string, number> = { int32: 5, uint32: 5, sint32: 5, enum: 5, bool: 2 };

const UNKNOWN_ACTIONS = [
  Action.UNKNOWN_VARINT,
  Action.UNKNOWN_I64,
  Action.UNKNOWN_LEN,
  Action.UNKNOWN_GROUP,
  0,
  Action.UNKNOWN_I32,
];

export class ScanPlan {
  readonly blocks: Block[] = [];
  /** By row: */
  readonly field: (FieldDescriptor | undefined)[] = [];
  readonly number: number[] = [];
  readonly block: number[] = [];
  readonly traits: number[] = [];
  readonly tagWidth: number[] = [];
  /** Block of a message field's contents · 2, plus 1 if entering it may enter a block that is entered already; −1: not met. */
  child = new Int32Array(64).fill(-1);
  /** Index of the row's oneof among all oneofs met; 0 where it is in none. */
  oneof = new Int32Array(64);
  /** Varints of this width and wider are looked at closely: 10, of 32-bit types 5, of bool 2. */
  oddWidth = new Uint8Array(64);
  integer = new Uint8Array(64);
  dispatch = new Int32Array(128 * 8);

  private readonly overflow = new Map<MessageDescriptor | undefined, number>();
  private readonly oneofs = new Map<string, number>();
  private hashBlock = new Int32Array(256).fill(-1);
  private hashTag = new Int32Array(256);
  private hashEntry = new Int32Array(256);
  private hashed = 0;

  constructor(root: MessageDescriptor | undefined) {
    this.addBlock(root, '', 0, -1);
  }

  get rows(): number {
    return this.field.length;
  }

  get oneofCount(): number {
    return this.oneofs.size + 1;
  }

  /** The entry of a tag of two bytes or more, or 0 if it was not met before. */
  lookUp(block: number, tag: number): number {
    const mask = this.hashBlock.length - 1;
    let at = hash(block, tag) & mask;
    while (this.hashBlock[at] !== -1) {
      if (this.hashBlock[at] === block && this.hashTag[at] === (tag | 0)) return this.hashEntry[at]!;
      at = (at + 1) & mask;
    }
    return 0;
  }

  /** Decides what a tag means in a block, and remembers it. `tag` is valid: number in range, wire type 0–3 or 5. */
  resolve(block: number, tag: number): number {
    const number = tag >>> 3;
    const wireType = tag & 7;
    const { descriptor } = this.blocks[block]!;
    const field = descriptor?.byNumber.get(number) ?? descriptor?.extensions.get(number);
    const action = field === undefined ? 0 : actionOf(field, wireType);
    const row = field === undefined || action === 0 ? this.unknownRow(block, number) : this.fieldRow(block, field);
    const entry = row * 256 + this.traits[row]! * 16 + (action === 0 ? UNKNOWN_ACTIONS[wireType]! : action);
    if (tag < 128) this.dispatch[block * 128 + tag] = entry;
    else this.remember(block, tag, entry);
    return entry;
  }

  /** Block of the messages in a message field's row. */
  childOf(row: number): number {
    return this.enter(row) >> 1;
  }

  /** The cell of `child`, made if need be. */
  enter(row: number): number {
    let cell = this.child[row]!;
    if (cell === -1) {
      const parent = this.blocks[this.block[row]!]!;
      const child = this.makeChild(parent, this.field[row]!);
      cell = child * 2 + (this.blocks[child]!.depth <= parent.depth ? 1 : 0);
      this.child[row] = cell;
    }
    return cell;
  }

  fieldRow(block: number, field: FieldDescriptor): number {
    const { rowOfField } = this.blocks[block]!;
    return rowOfField.get(field.number) ?? this.addRow(block, field, field.number, rowOfField, traitsOf(field));
  }

  unknownRow(block: number, number: number): number {
    const { rowOfUnknown } = this.blocks[block]!;
    return (
      rowOfUnknown.get(number) ?? this.addRow(block, undefined, number, rowOfUnknown, Trait.REPEATED | Trait.UNKNOWN)
    );
  }

  /** Field path of a row. */
  pathOf(row: number): string {
    const { path } = this.blocks[this.block[row]!]!;
    const field = this.field[row];
    const name = field === undefined ? `?${this.number[row]}` : pathSegment(field);
    return path === '' ? name : `${path}.${name}`;
  }

  private addRow(
    block: number,
    field: FieldDescriptor | undefined,
    number: number,
    index: Map<number, number>,
    traits: number,
  ): number {
    const row = this.field.length;
    this.field.push(field);
    this.number.push(number);
    this.block.push(block);
    this.traits.push(traits);
    this.tagWidth.push(tagWidth(number));
    if (row === this.oneof.length) {
      this.child = grow(this.child, new Int32Array(row * 2).fill(-1));
      this.oneof = grow(this.oneof, new Int32Array(row * 2));
      this.oddWidth = grow(this.oddWidth, new Uint8Array(row * 2));
      this.integer = grow(this.integer, new Uint8Array(row * 2));
    }
    this.integer[row] = INTEGER_KINDS[field?.type ?? ''] ?? IntegerKind.UNSIGNED64;
    this.oddWidth[row] = ODD_WIDTHS[field?.type ?? ''] ?? 10;
    if (field?.oneof !== undefined) this.oneof[row] = this.oneofIndex(block, field.oneof.name);
    index.set(number, row);
    return row;
  }

  private oneofIndex(block: number, name: string): number {
    const key = `${block} ${name}`;
    let index = this.oneofs.get(key);
    if (index === undefined) {
      index = this.oneofs.size + 1;
      this.oneofs.set(key, index);
    }
    return index;
  }

  private makeChild(parent: Block, field: FieldDescriptor): number {
    const type = field.message;
    if (parent.depth + 1 >= MAX_DEPTH) {
      for (let at: Block | undefined = parent; at !== undefined; at = this.blocks[at.parentBlock]) {
        if (at.descriptor === type) return at.index;
      }
    }
    if (this.blocks.length >= MAX_BLOCKS) {
      let shared = this.overflow.get(type);
      if (shared === undefined) {
        shared = this.addBlock(type, `…${type?.fullName ?? ''}`, 0, -1);
        this.overflow.set(type, shared);
      }
      return shared;
    }
    const name = pathSegment(field);
    return this.addBlock(type, parent.path === '' ? name : `${parent.path}.${name}`, parent.depth + 1, parent.index);
  }

  private addBlock(
    descriptor: MessageDescriptor | undefined,
    path: string,
    depth: number,
    parentBlock: number,
  ): number {
    const index = this.blocks.length;
    this.blocks.push({ index, descriptor, path, depth, parentBlock, rowOfField: new Map(), rowOfUnknown: new Map() });
    if (this.dispatch.length < this.blocks.length * 128) {
      this.dispatch = grow(this.dispatch, new Int32Array(this.dispatch.length * 2));
    }
    return index;
  }

  private remember(block: number, tag: number, entry: number): void {
    if (this.hashed * 2 >= this.hashBlock.length) this.rehash();
    const mask = this.hashBlock.length - 1;
    let at = hash(block, tag) & mask;
    while (this.hashBlock[at] !== -1) at = (at + 1) & mask;
    this.hashBlock[at] = block;
    this.hashTag[at] = tag | 0;
    this.hashEntry[at] = entry;
    this.hashed++;
  }

  private rehash(): void {
    const { hashBlock, hashTag, hashEntry } = this;
    const size = hashBlock.length * 2;
    this.hashBlock = new Int32Array(size).fill(-1);
    this.hashTag = new Int32Array(size);
    this.hashEntry = new Int32Array(size);
    this.hashed = 0;
    for (let at = 0; at < hashBlock.length; at++) {
      if (hashBlock[at] !== -1) this.remember(hashBlock[at]!, hashTag[at]!, hashEntry[at]!);
    }
  }
}

const hash = (block: number, tag: number): number => Math.imul(tag, 0x9e3779b1) ^ Math.imul(block, 0x85ebca6b);

function grow<A extends Uint8Array | Int32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}

/** Bytes of the shortest tag of a field number: 1 up to 15, 2 up to 2047, then 3, 4, 5. */
export const tagWidth = (number: number): number =>
  number < 16 ? 1 : number < 2048 ? 2 : number < 262144 ? 3 : number < 33554432 ? 4 : 5;

function actionOf(field: FieldDescriptor, wireType: number): number {
  const [own, action, packed] = SCALAR_ACTIONS[field.type] ?? VARINT_ACTIONS;
  if (wireType === own) return action;
  return wireType === WireType.LEN && field.cardinality === 'repeated' ? packed : 0;
}

function traitsOf(field: FieldDescriptor): number {
  if (field.cardinality !== 'singular') return Trait.REPEATED;
  return (field.presence === 'implicit' ? Trait.IMPLICIT : 0) | (field.oneof === undefined ? 0 : Trait.ONEOF);
}
