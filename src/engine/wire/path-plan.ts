/**
 * The kernel's action for each tag, by field path. A block is a message type at a place in the tree of field paths; a
 * row is a field of a block. Both are created when data first needs them.
 */
import { WireType } from '../model/annotation.ts';
import { type FieldDescriptor, type FieldType, type MessageDescriptor, pathSegment } from '../schema/descriptor.ts';
import { isMessageSet } from '../schema/link/rules.ts';
import { isPackable, wireTypeOf } from '../schema/wire-types.ts';
import { contentsField, isAny, isContents, URL_TAG, VALUE_TAG } from './any.ts';
import * as Cell from './cells.ts';
import { tagWidth } from './encoding-facts.ts';
import * as Entry from './entry.ts';
import { isGuessed } from './guessed.ts';
import { ITEM_TAG, itemField } from './message-set.ts';
import { MAX_PATH, OTHER_WIRE_TYPE, unknownName } from './path-tree.ts';

/** A field path that is deeper than this, or longer than MAX_PATH, is folded into the nearest ancestor of its type. */
const MAX_DEPTH = 128;
/**
 * Maximum number of fields that the types of all blocks declare. Beyond it, a type is folded likewise, or shares a
 * block.
 */
const MAX_DECLARED = 32_768;
/** Field paths beyond this many blocks share one block per type, whose path is `…` and the type's name. */
const MAX_PLACES = 16384;
/** Types beyond this total number of blocks are read without their fields. */
export const MAX_BLOCKS = 2 * MAX_PLACES;
/** Beyond this many rows, new paths share a row for each width of a tag, as field 0 of the message: `?0`, `?0-2` … `?0-5`. */
export const MAX_ROWS = 16384;
/** The number of those shared rows. */
const SHARED_ROWS = 5;

export interface Block {
  readonly index: number;
  readonly descriptor: MessageDescriptor | undefined;
  readonly path: string;
  readonly depth: number;
  /** −1: the message itself, or the block that a type shares after the limit. */
  readonly parentBlock: number;
  /** Field number ⇒ row. Unknown numbers and mismatched wire types have separate maps. */
  readonly rowOfField: Map<number, number>;
  readonly rowOfUnknown: Map<number, number>;
  /** Rows of the items of a message set, and of the contents of an Any by their types. */
  readonly rowOfItem: Map<FieldDescriptor, number>;
  /** Tag ⇒ entry, for the tags that occurred. */
  readonly entries: Map<number, number>;
}

/** How a record is read, by wire type: fixed width, varint and so on. */
const ACTIONS = [Entry.VARINT, Entry.I64, Entry.BYTES, Entry.GROUP, 0, Entry.I32] as const;
const PACKED_ACTIONS = [Entry.PACKED_VARINT, Entry.PACKED_I64, 0, 0, 0, Entry.PACKED_I32] as const;
const UNKNOWN_ACTIONS = [
  Entry.UNKNOWN_VARINT,
  Entry.UNKNOWN_I64,
  Entry.UNKNOWN_LEN,
  Entry.UNKNOWN_GROUP,
  0,
  Entry.UNKNOWN_I32,
] as const;

/** A value of the cell INTEGER. */
const integer = (kind: number, width: number): number => kind + 256 * (width * 8 - 1);

/**
 * The range of a varint's values, and the width from which it is checked in detail: 10; 5 for 32-bit types; 2 for bool.
 */
const INTEGERS: Partial<Record<FieldType, number>> = {
  int64: integer(Entry.SIGNED64, 10),
  int32: integer(Entry.SIGNED32, 5),
  enum: integer(Entry.SIGNED32, 5),
  uint32: integer(Entry.UNSIGNED32, 5),
  sint32: integer(Entry.UNSIGNED32, 5),
  bool: integer(Entry.BOOLEAN, 2),
};
const OTHER_INTEGER = integer(Entry.UNSIGNED64, 10);

export class PathPlan {
  readonly blocks: Block[] = [];
  /** The following arrays are indexed by row. */
  readonly field: (FieldDescriptor | undefined)[] = [];
  /** Its field number. 0, −1 … −4: a row that several paths share, for tags of 1, 2 … 5 bytes. */
  readonly number: number[] = [];
  /** The last segment of its path. */
  readonly name: string[] = [];
  readonly block: number[] = [];
  readonly traits: number[] = [];
  /**
   * Block of the message's contents · 2, plus 1 if entering it may enter a block that is already open; −1: not created
   * yet.
   */
  readonly child: number[] = [];
  /** Index into `fields`; −1: no field. */
  readonly fieldIndex: number[] = [];
  /** The row that stores the mark of the row's oneof; 0 too if the field is in no oneof. */
  readonly oneof: number[] = [];
  readonly integer: number[] = [];
  /** Bits of Cell.HELD. */
  readonly held: number[] = [];

  /** After MAX_ROWS rows, a new field occurred and was entered as unknown. */
  isFull = false;

  #declared = 0;
  readonly #indices = new Map<FieldDescriptor, number>();
  readonly #shared = new Map<MessageDescriptor | undefined, number>();
  readonly #oneofs = new Map<string, number>();

  constructor(root: MessageDescriptor | undefined) {
    this.#addBlock(root, '', 0, -1);
  }

  get rows(): number {
    return this.field.length;
  }

  /** The distinct fields of all rows, by `fieldIndex`. */
  fields(): readonly FieldDescriptor[] {
    return [...this.#indices.keys()];
  }

  /** The entry of a tag in a block. `tag` must be valid: its number is in range, and its wire type is 0–3 or 5. */
  resolve(block: number, tag: number): number {
    const { descriptor, entries } = this.blocks[block]!;
    const known = entries.get(tag);
    if (known !== undefined) return known;
    const number = tag >>> 3;
    const wireType = tag & 7;
    const field = fieldOf(descriptor, number);
    let action = field === undefined ? 0 : actionOf(field, wireType);
    let traits = 0;
    const unknown = field !== undefined && isGuessed(descriptor) ? number + OTHER_WIRE_TYPE : number;
    let row = action === 0 ? this.unknownRow(block, unknown) : this.fieldRow(block, field!, MAX_ROWS - SHARED_ROWS);
    if (action !== 0 && row >= 0) {
      traits = this.traits[row]! | (isGuessed(descriptor) ? Entry.GUESSED : 0);
    } else {
      if (action !== 0) {
        row = this.unknownRow(block, unknown);
        this.isFull = true;
      }
      action = UNKNOWN_ACTIONS[wireType]!;
      traits = Entry.UNKNOWN | Entry.REPEATED;
      if (field !== undefined) traits |= Entry.MISMATCH;
      if (descriptor !== undefined) traits |= Entry.REPORTED;
    }
    const entry = row * 2 ** Entry.ENTRY_ROW_SHIFT + traits + action;
    if (entries.size < MAX_ROWS) entries.set(tag, entry);
    return entry;
  }

  /** Whether all records with the tag have the same entry, and no entry depends on them. */
  isFixed(block: number, tag: number): boolean {
    return !this.isItem(block, tag) && !(this.isAny(block) && (tag === URL_TAG || tag === VALUE_TAG));
  }

  /** Whether the block is a google.protobuf.Any: the entry of its value depends on its URL. */
  isAny(block: number): boolean {
    return isAny(this.blocks[block]!.descriptor);
  }

  /** The entry of the value of an Any, by the type of its contents. */
  resolveContents(block: number, type: MessageDescriptor): number {
    const { descriptor } = this.blocks[block]!;
    const row = this.#itemRow(block, contentsField(descriptor!, type));
    if (this.field[row] === undefined) return this.resolve(block, VALUE_TAG);
    return row * 2 ** Entry.ENTRY_ROW_SHIFT + this.traits[row]! + Entry.MESSAGE;
  }

  /** Whether the tag begins an item of a message set. Its entry then depends on the item. */
  isItem(block: number, tag: number): boolean {
    const { descriptor } = this.blocks[block]!;
    return tag === ITEM_TAG && descriptor !== undefined && isMessageSet(descriptor);
  }

  /** The entry of one item of a message set, by the item's type_id. */
  resolveItem(block: number, typeId: number | undefined): number {
    const row = this.#itemRow(block, itemField(this.blocks[block]!.descriptor!, typeId));
    return row * 2 ** Entry.ENTRY_ROW_SHIFT + this.traits[row]! + Entry.GROUP;
  }

  #itemRow(block: number, field: FieldDescriptor): number {
    const known = this.blocks[block]!.rowOfItem.get(field);
    if (known !== undefined) return known;
    if (this.rows >= MAX_ROWS - SHARED_ROWS) return this.unknownRow(block, field.number);
    const row = this.#addRow(block, field, field.number, new Map());
    this.blocks[block]!.rowOfItem.set(field, row);
    return row;
  }

  /** Block of the messages in a row's field. */
  childOf(row: number): number {
    return this.enter(row) >> 1;
  }

  /** `child[row]`, created if necessary. Fields of an unknown field are unknown. */
  enter(row: number): number {
    let child = this.child[row]!;
    if (child === -1) {
      const parent = this.blocks[this.block[row]!]!;
      const field = this.field[row];
      const block = field === undefined ? this.#sharedBlock(undefined) : this.#makeChild(parent, field);
      child = block * 2 + (this.blocks[block]!.depth <= parent.depth ? 1 : 0);
      this.child[row] = child;
    }
    return child;
  }

  /** Row of a field in a block. −1: the row would be new, and there are already `most` rows. */
  fieldRow(block: number, field: FieldDescriptor, most = Number.POSITIVE_INFINITY): number {
    if (isContents(field)) return this.#itemRow(block, field);
    const { rowOfField } = this.blocks[block]!;
    const row = rowOfField.get(field.number);
    if (row !== undefined) return row < most ? row : -1;
    return this.rows < most ? this.#addRow(block, field, field.number, rowOfField) : -1;
  }

  /** Field path of a row. */
  pathOf(row: number): string {
    const { path } = this.blocks[this.block[row]!]!;
    const name = this.name[row]!;
    return path === '' ? name : `${path}.${name}`;
  }

  /** Row of a number that no field has. @param number with OTHER_WIRE_TYPE, as the names of paths have it */
  unknownRow(block: number, number: number): number {
    const { rowOfUnknown } = this.blocks[block]!;
    const row = rowOfUnknown.get(number);
    if (row !== undefined) return row;
    if (this.rows < MAX_ROWS - SHARED_ROWS) return this.#addRow(block, undefined, number, rowOfUnknown);
    if (this.rows === MAX_ROWS - SHARED_ROWS) this.#addSharedRows();
    return this.blocks[0]!.rowOfUnknown.get(1 - tagWidth(number % OTHER_WIRE_TYPE))!;
  }

  /**
   * Adds the shared rows before the limit is reached. Later, rows for native measurements may be added without limit.
   */
  #addSharedRows(): void {
    for (let width = 1; width <= SHARED_ROWS; width++)
      this.#pushRow(0, undefined, 1 - width, this.blocks[0]!.rowOfUnknown);
  }

  #addRow(block: number, field: FieldDescriptor | undefined, number: number, index: Map<number, number>): number {
    if (this.rows === MAX_ROWS - SHARED_ROWS) this.#addSharedRows();
    return this.#pushRow(block, field, number, index);
  }

  #pushRow(block: number, field: FieldDescriptor | undefined, number: number, index: Map<number, number>): number {
    const row = this.field.length;
    this.field.push(field);
    this.number.push(number % OTHER_WIRE_TYPE);
    this.name.push(field === undefined ? unknownName(number) : pathSegment(field));
    this.block.push(block);
    this.traits.push(field === undefined ? Entry.REPEATED | Entry.UNKNOWN : traitsOf(field));
    this.child.push(-1);
    this.fieldIndex.push(field === undefined ? -1 : this.#indexOf(field));
    this.integer.push(field === undefined ? OTHER_INTEGER : (INTEGERS[field.type] ?? OTHER_INTEGER));
    this.held.push(field === undefined ? 0 : heldBy(field));
    const choice = field === undefined ? undefined : choiceOf(field);
    this.oneof.push(choice === undefined ? 0 : this.#oneofRow(`${block} ${choice}`, row));
    index.set(number, row);
    return row;
  }

  #indexOf(field: FieldDescriptor): number {
    let index = this.#indices.get(field);
    if (index === undefined) {
      index = this.#indices.size;
      this.#indices.set(field, index);
    }
    return index;
  }

  #oneofRow(key: string, row: number): number {
    const first = this.#oneofs.get(key) ?? row;
    this.#oneofs.set(key, first);
    return first;
  }

  #makeChild(parent: Block, field: FieldDescriptor): number {
    const type = field.message;
    const name = pathSegment(field);
    const path = parent.path === '' ? name : `${parent.path}.${name}`;
    const isFull = this.#declared + (type?.fields.length ?? 0) > MAX_DECLARED || path.length > MAX_PATH;
    if (parent.depth + 1 >= MAX_DEPTH || isFull) {
      for (let at: Block | undefined = parent; at !== undefined; at = this.blocks[at.parentBlock]) {
        if (at.descriptor === type) return at.index;
      }
    }
    if (this.blocks.length >= MAX_PLACES || isFull) return this.#sharedBlock(type);
    return this.#addBlock(type, path, parent.depth + 1, parent.index);
  }

  /** The one block of a type that several places share. It has a path of its own. */
  #sharedBlock(type: MessageDescriptor | undefined): number {
    if (type !== undefined && this.blocks.length >= MAX_BLOCKS - 1 && !this.#shared.has(type))
      return this.#sharedBlock(undefined);
    let block = this.#shared.get(type);
    if (block === undefined) {
      block = this.#addBlock(type, `…${type?.fullName ?? ''}`, 0, -1);
      this.#shared.set(type, block);
    }
    return block;
  }

  #addBlock(descriptor: MessageDescriptor | undefined, path: string, depth: number, parentBlock: number): number {
    const index = this.blocks.length;
    this.#declared += descriptor?.fields.length ?? 0;
    const maps = { rowOfField: new Map(), rowOfUnknown: new Map(), rowOfItem: new Map(), entries: new Map() };
    this.blocks.push({ index, descriptor, path, depth, parentBlock, ...maps });
    return index;
  }
}

export const fieldOf = (type: MessageDescriptor | undefined, number: number): FieldDescriptor | undefined =>
  type?.byNumber.get(number) ?? type?.extensions.get(number);

function actionOf(field: FieldDescriptor, wireType: number): number {
  const own = wireTypeOf(field.type);
  if (wireType === own) {
    return field.type === 'string' ? Entry.STRING : field.type === 'message' ? Entry.MESSAGE : ACTIONS[own]!;
  }
  const mayPack = field.cardinality === 'repeated' && isPackable(field.type);
  return wireType === WireType.LEN && mayPack ? PACKED_ACTIONS[own]! : 0;
}

function heldBy(field: FieldDescriptor): number {
  if (field.type !== 'string' && field.type !== 'bytes') return 0;
  return Cell.HOLDS_BYTES | ((traitsOf(field) & Entry.IMPLICIT) === 0 ? 0 : Cell.HOLDS_ZEROS);
}

function traitsOf(field: FieldDescriptor): number {
  if (field.cardinality !== 'singular') return Entry.REPEATED;
  return (
    (field.presence === 'implicit' ? Entry.IMPLICIT : 0) | (choiceOf(field) === undefined ? 0 : Entry.ONEOF_MEMBER)
  );
}

/** The name of the fields of which one is set: of a oneof, or `value` of an Any, whose contents are read or not. */
const choiceOf = (field: FieldDescriptor): string | undefined =>
  isAny(field.parent) && field.number === VALUE_TAG >> 3 ? 'value of Any' : field.oneof?.name;
