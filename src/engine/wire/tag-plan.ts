/**
 * What the parser does at each tag, by message type. A block is a message type met in the data; its table answers
 * a tag in one load, and is filled when a tag is first met.
 *
 *   entry = field index · 2048 │ guess │ packed │ singular │ implicit │ kind (4) │ shape (3)
 *             bit 11              10       9         8          7         3–6        0–2
 */
import { WireType } from '../annotation.ts';
import type { FieldDescriptor, FieldType, MessageDescriptor } from '../schema/descriptor.ts';
import { Fault } from './findings.ts';
import { isGuessed } from './guessed.ts';

/** How many bytes follow the tag, and in what form. */
export const Shape = { VARINT: 1, I64: 2, I32: 3, LEN: 4, SGROUP: 5, EGROUP: 6 } as const;

/** How the value is judged. */
export const Kind = {
  UNKNOWN: 0,
  MISMATCH: 1,
  INT32: 2,
  UINT32: 3,
  INT64: 4,
  UINT64: 5,
  BOOL: 6,
  FIXED32: 7,
  FIXED64: 8,
  STRING: 9,
  BYTES: 10,
  MESSAGE: 11,
  GROUP: 12,
} as const;

export const Trait = { IMPLICIT: 1 << 7, SINGULAR: 1 << 8, PACKED: 1 << 9, GUESS: 1 << 10 } as const;
export const FIELD_SHIFT = 11;

const SHAPES = [Shape.VARINT, Shape.I64, Shape.LEN, Shape.SGROUP, Shape.EGROUP, Shape.I32] as const;

const FIELD_KINDS: Record<FieldType, readonly [kind: number, wireType: number]> = {
  int32: [Kind.INT32, WireType.VARINT],
  enum: [Kind.INT32, WireType.VARINT],
  uint32: [Kind.UINT32, WireType.VARINT],
  sint32: [Kind.UINT32, WireType.VARINT],
  int64: [Kind.INT64, WireType.VARINT],
  uint64: [Kind.UINT64, WireType.VARINT],
  sint64: [Kind.UINT64, WireType.VARINT],
  bool: [Kind.BOOL, WireType.VARINT],
  fixed32: [Kind.FIXED32, WireType.I32],
  sfixed32: [Kind.FIXED32, WireType.I32],
  float: [Kind.FIXED32, WireType.I32],
  fixed64: [Kind.FIXED64, WireType.I64],
  sfixed64: [Kind.FIXED64, WireType.I64],
  double: [Kind.FIXED64, WireType.I64],
  string: [Kind.STRING, WireType.LEN],
  bytes: [Kind.BYTES, WireType.LEN],
  message: [Kind.MESSAGE, WireType.LEN],
  group: [Kind.GROUP, WireType.SGROUP],
};

/** Largest tag: field number 2^29 − 1 with three bits of wire type. */
const MAX_TAG = 0xffffffff;
/** Numbers up to this one are looked up in a table, if the type has them: their tags take two bytes at most. */
const MAX_DENSE = 2047;
/** The block of messages without a descriptor. */
export const NO_BLOCK = 0;

export class TagPlan {
  readonly tables: Int32Array[] = [];
  readonly fields: FieldDescriptor[] = [];
  /** By field index: the block of its message. */
  readonly children: number[] = [];
  /** By block: how many of its messages are open. */
  readonly open: number[] = [];
  /** By field index: the row of the message in which it was last met. */
  seen = new Int32Array(64).fill(-1);

  private readonly types: (MessageDescriptor | undefined)[] = [];
  private readonly blocks = new Map<MessageDescriptor | undefined, number>();
  private readonly indices = new Map<FieldDescriptor, number>();

  constructor() {
    this.blockOf(undefined);
  }

  blockOf(type: MessageDescriptor | undefined): number {
    let block = this.blocks.get(type);
    if (block === undefined) {
      block = this.types.length;
      this.blocks.set(type, block);
      this.types.push(type);
      this.open.push(0);
      this.tables.push(new Int32Array((largestDense(type) + 1) * 8));
    }
    return block;
  }

  typeName(block: number): string {
    return this.types[block]?.fullName ?? '';
  }

  fieldOf(block: number, number: number): FieldDescriptor | undefined {
    const type = this.types[block];
    return type?.byNumber.get(number) ?? type?.extensions.get(number);
  }

  /** The entry of a tag; of one that cannot be read, −Fault. */
  resolve(block: number, tag: number): number {
    if (tag > MAX_TAG) return -Fault.FIELD_NUMBER;
    const wireType = tag & 7;
    if (tag < 8) return -Fault.FIELD_NUMBER;
    if (wireType > WireType.I32) return -Fault.RESERVED_WIRE_TYPE;
    const entry = SHAPES[wireType]! | this.meaning(block, tag >>> 3, wireType);
    const table = this.tables[block]!;
    if (tag < table.length) table[tag] = entry;
    return entry;
  }

  /** Before a second walk over the same message. */
  forget(): void {
    this.seen.fill(-1);
    this.open.fill(0);
  }

  private meaning(block: number, number: number, wireType: number): number {
    const field = this.fieldOf(block, number);
    if (field === undefined || wireType === WireType.EGROUP) return Kind.UNKNOWN << 3;
    const [kind, own] = FIELD_KINDS[field.type];
    const isPacked = wireType === WireType.LEN && own !== WireType.LEN && own !== WireType.SGROUP;
    if (wireType !== own && !(isPacked && field.cardinality === 'repeated')) return Kind.MISMATCH << 3;
    const isSingular = field.cardinality === 'singular' && field.message === undefined;
    return (
      (kind << 3) |
      (field.presence === 'implicit' ? Trait.IMPLICIT : 0) |
      (isSingular ? Trait.SINGULAR : 0) |
      (isPacked ? Trait.PACKED : 0) |
      (isGuessed(this.types[block]) ? Trait.GUESS : 0) |
      (this.indexOf(field) << FIELD_SHIFT)
    );
  }

  private indexOf(field: FieldDescriptor): number {
    let index = this.indices.get(field);
    if (index === undefined) {
      index = this.fields.length;
      this.indices.set(field, index);
      this.fields.push(field);
      this.children.push(field.message === undefined ? NO_BLOCK : this.blockOf(field.message));
      if (index === this.seen.length) {
        const grown = new Int32Array(index * 2).fill(-1);
        grown.set(this.seen);
        this.seen = grown;
      }
    }
    return index;
  }
}

/** At least 15: every tag of one byte has a place. */
function largestDense(type: MessageDescriptor | undefined): number {
  let largest = 15;
  if (type === undefined) return largest;
  for (const numbers of [type.byNumber.keys(), type.extensions.keys()]) {
    for (const number of numbers) if (number > largest && number <= MAX_DENSE) largest = number;
  }
  return largest;
}
