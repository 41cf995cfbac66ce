/**
 * A message's bytes → its values as a tree, by field names. A tree is read in one form of a schema and written in
 * another.
 *
 *   repeated records → one list · packed and expanded → one list · the last of a singular field · one of a oneof
 *
 * The message in an Any is a node in the list of its `value`, if the schema has its type. It is there, and empty, where
 * no value was written.
 */

import { floatAt } from '../bytes/float-bytes.ts';
import { int32 } from '../bytes/integers.ts';
import { setVarint, varintEnd, varintHigh, varintLow, varintWidth } from '../bytes/varint.ts';
import { WireType } from '../model/annotation.ts';
import type { FieldType } from '../schema/descriptor.ts';
import { ANY } from '../schema/names.ts';
import { isPackable, wireTypeOf } from '../schema/wire-types.ts';
import { isFloat } from '../wire/encoding-facts.ts';
import { emptyRecord, groupEnd, type RawRecord, readRecord } from '../wire/raw-record.ts';
import type { FieldEncodings, FieldForm, MessageForm } from './forms.ts';
import { isUnwritten, lastOfKeys, NO_TEXT, nodesOf, TreeNode, type TreeScalar, type TreeValue } from './value-tree.ts';

/** Maximum depth; parsers reject deeper messages. */
const MAX_DEPTH = 200;

/** The memory that trees may take, in bytes. Below 0: they took more. */
export interface Room {
  left: number;
}

/**
 * Memory of V8’s objects: of a node with its list of fields and its size, of a list, of an element’s place, of bytes or
 * a bigint, of a number other than a small integer.
 */
const NODE = 128;
const LIST = 56;
const PLACE = 12;
const OBJECT = 128;
const NUMBER = 16;

/** undefined: the bytes are not a complete message of the type, or there is not enough room. */
export function readTree(
  bytes: Uint8Array,
  forms: FieldEncodings,
  type: string,
  room: Room = { left: Infinity },
): TreeNode | undefined {
  const node = readWhole(bytes, forms, type, 0, room);
  return room.left < 0 ? undefined : node;
}

function readWhole(
  bytes: Uint8Array,
  forms: FieldEncodings,
  type: string,
  depth: number,
  room: Room,
): TreeNode | undefined {
  const reader = new NodeReader(bytes, forms, room.left);
  let node = reader.read(type, 0, bytes.length, depth);
  room.left = reader.left;
  if (node === undefined || reader.end !== bytes.length) return undefined;
  if (reader.isMerged) {
    node = new NodeReader(bytes, forms, Infinity, true).read(type, 0, bytes.length, depth)!;
    dropDefaults(node, forms);
  }
  if (forms.readsAny) readHeld(node, forms, depth, room);
  return node;
}

function dropDefaults(root: TreeNode, forms: FieldEncodings): void {
  for (const { type, fields } of nodesOf(root)) {
    for (const [name, [value]] of [...fields]) if (isDropped(value!, forms.field(type, name)!)) fields.delete(name);
  }
}

/** Reads the message in each Any. One that cannot be read, or is too deep, keeps its bytes. */
function readHeld(node: TreeNode, forms: FieldEncodings, depth: number, room: Room): void {
  for (const values of node.fields.values()) {
    if (!(values[0] instanceof TreeNode)) continue;
    for (const value of values) readHeld(value as TreeNode, forms, depth + 1, room);
  }
  if (node.type === ANY) openAny(node, forms, depth, room);
}

/** The value of an Any as a node, if the schema has its type and its bytes are a complete message. */
export function openAny(any: TreeNode, forms: FieldEncodings, depth = 0, room: Room = { left: Infinity }): void {
  const type = forms.heldType(any.only('type_url') as Uint8Array | undefined);
  const value = any.only('value') ?? NO_TEXT;
  if (type === undefined || !(value instanceof Uint8Array)) return;
  const held = readWhole(value, forms, type, depth + 1, room);
  if (held !== undefined) any.fields.set('value', [held]);
}

class NodeReader implements Room {
  left: number;
  /** Offset after the last node that was read. */
  end = 0;
  /** A message was in parts, of which a later one may have overridden a value by its default. */
  isMerged = false;
  readonly keepsDefaults: boolean;
  readonly #bytes: Uint8Array;
  readonly #forms: FieldEncodings;

  /** @param keepsDefaults whether fields without presence keep their default values */
  constructor(bytes: Uint8Array, forms: FieldEncodings, left: number, keepsDefaults = false) {
    this.#bytes = bytes;
    this.#forms = forms;
    this.left = left;
    this.keepsDefaults = keepsDefaults;
  }

  /** @param group number of the group that ends the node; 0: it ends with its bytes */
  read(type: string, start: number, limit: number, depth: number, group = 0): TreeNode | undefined {
    const form = this.#forms.get(type);
    this.left -= NODE;
    if (form === undefined || depth > MAX_DEPTH || this.left < 0) return undefined;
    const node = new OpenNode(form, this);
    const record = emptyRecord();
    let at = start;
    while (at < limit) {
      let next = readRecord(this.#bytes, at, limit, record);
      if (next < 0) return undefined;
      const { number, wireType } = record;
      if (wireType === WireType.EGROUP) {
        if (number !== group) return undefined;
        this.end = next;
        return node.finish();
      }
      if (wireType === WireType.SGROUP) {
        const endTag = groupEnd(this.#bytes, record.start, limit, number, MAX_DEPTH - depth);
        if (endTag < 0) return undefined;
        next = varintEnd(this.#bytes, endTag, limit);
      }
      const field = form.byNumber.get(number);
      if (field === undefined || !this.#take(node, field, record, next, depth)) {
        this.left -= PLACE;
        node.addUnknown(this.#bytes.subarray(at, next));
      }
      if (this.left < 0) return undefined;
      at = next;
    }
    if (group !== 0) return undefined;
    this.end = at;
    return node.finish();
  }

  /** false: the record is not a value of the field. */
  #take(node: OpenNode, field: FieldForm, { wireType, start }: RawRecord, next: number, depth: number): boolean {
    if (field.type === 'message' || field.type === 'group') {
      return wireType === wireTypeOf(field.type) && this.#takeMessage(node, field, start, next, depth);
    }
    if (field.cardinality === 'repeated' && wireType === WireType.LEN && isPackable(field.type)) {
      return this.#takePacked(node, field, start, next);
    }
    if (wireType !== wireTypeOf(field.type)) return false;
    const value = readScalar(this.#bytes, start, next, field.type);
    if (!this.#forms.lists(field, value as number)) return false;
    this.left -= PLACE + (typeof value !== 'number' ? OBJECT : isFloat(field.type) ? NUMBER : 0);
    if (field.cardinality === 'singular') node.replace(field, value);
    else node.add(field, value);
    return true;
  }

  #takeMessage(node: OpenNode, field: FieldForm, start: number, next: number, depth: number): boolean {
    const child = this.read(field.typeName!, start, next, depth + 1, field.type === 'group' ? field.number : 0);
    if (child === undefined || this.end !== next) return false;
    if (field.cardinality === 'map' && this.#isUnlisted(child)) return false;
    if (field.cardinality !== 'singular') node.add(field, child);
    else {
      const known = node.lists.get(field)?.[0];
      if (known instanceof TreeNode) this.isMerged = true;
      node.replace(field, known instanceof TreeNode ? merge(known, child, this.#forms, this.keepsDefaults) : child);
    }
    return true;
  }

  #takePacked(node: OpenNode, field: FieldForm, start: number, next: number): boolean {
    const bytes = this.#bytes;
    const wireType = wireTypeOf(field.type);
    const endOf = (p: number): number =>
      wireType === WireType.VARINT ? varintEnd(bytes, p, next) : p + (wireType === WireType.I64 ? 8 : 4);
    for (let p = start; p < next; ) {
      const end = endOf(p);
      if (end < 0 || end > next) return false;
      this.left -= PLACE;
      p = end;
    }
    if (this.left < 0) return true;
    if (isFloat(field.type)) {
      node.addRun(field, floatsIn(bytes, start, next, field.type));
      return true;
    }
    for (let p = start; p < next && this.left >= 0; ) {
      const end = endOf(p);
      const value = readScalar(bytes, p, end, field.type);
      if (typeof value !== 'number') this.left -= OBJECT;
      if (this.#forms.lists(field, value as number)) node.add(field, value);
      else node.addUnknown(recordOf(field, bytes.subarray(p, end)));
      p = end;
    }
    return true;
  }

  /** Whether the value of a map's entry is an unknown field: then the entry is. */
  #isUnlisted(entry: TreeNode): boolean {
    const value = this.#forms.get(entry.type)!.byName.get('value')!;
    return (
      value.type === 'enum' && !entry.fields.has('value') && entry.unknown.some(([tag]) => tag === value.number << 3)
    );
  }
}

/** An element of a packed run as a record of its own. */
function recordOf({ number }: FieldForm, value: Uint8Array): Uint8Array {
  const record = new Uint8Array(varintWidth(number << 3, 0) + value.length);
  record.set(value, setVarint(record, 0, number << 3, 0));
  return record;
}

/** A node whose records are being read. */
class OpenNode {
  readonly lists = new Map<FieldForm, TreeValue[]>();
  readonly #unknown: Uint8Array[] = [];
  readonly #form: MessageForm;
  readonly #reader: NodeReader;

  constructor(form: MessageForm, reader: NodeReader) {
    this.#form = form;
    this.#reader = reader;
  }

  addUnknown(record: Uint8Array): void {
    this.#reader.left -= OBJECT;
    this.#unknown.push(record);
  }

  add(field: FieldForm, value: TreeValue): void {
    const known = this.lists.get(field);
    if (known !== undefined) known.push(value);
    else this.#begin(field, [value]);
  }

  addRun(field: FieldForm, run: TreeValue[]): void {
    const known = this.lists.get(field);
    if (known !== undefined) for (const value of run) known.push(value);
    else if (run.length > 0) this.#begin(field, run);
  }

  replace(field: FieldForm, value: TreeValue): void {
    dropRivals(this.lists, field);
    if (this.lists.has(field)) this.lists.set(field, [value]);
    else this.#begin(field, [value]);
  }

  finish(): TreeNode {
    return finish(this.#form, this.lists, this.#unknown, this.#reader.keepsDefaults);
  }

  #begin(field: FieldForm, values: TreeValue[]): void {
    this.#reader.left -= LIST;
    this.lists.set(field, values);
  }
}

/** A member of a oneof replaces the others. */
function dropRivals(lists: Map<FieldForm, TreeValue[]>, field: FieldForm): void {
  if (field.oneof === undefined) return;
  for (const other of lists.keys()) if (other.oneof === field.oneof && other !== field) lists.delete(other);
}

/** A list of its own, in which V8 has numbers without an object for each. */
function floatsIn(bytes: Uint8Array, start: number, end: number, type: FieldType): TreeScalar[] {
  const width = type === 'double' ? 8 : 4;
  const run: TreeScalar[] = [];
  for (let at = start; at < end; at += width) run.push(readScalar(bytes, at, at + width, type));
  return run;
}

/** V8 leaves room for 16 more elements when it grows a list; a copy has none. */
const MAX_TRIMMED = 32;
const trimmed = (values: TreeValue[]): TreeValue[] =>
  values.length > 1 && values.length <= MAX_TRIMMED ? values.slice() : values;

function finish(
  form: MessageForm,
  lists: ReadonlyMap<FieldForm, TreeValue[]>,
  unknown: readonly Uint8Array[],
  keepsDefaults: boolean,
): TreeNode {
  if (lists.size === 0 && unknown.length === 0 && !form.isMapEntry) return new TreeNode(form.fullName);
  const entries = [...lists];
  let last = 0;
  let isSorted = true;
  for (const [{ number }] of entries) {
    if (number < last) isSorted = false;
    last = number;
  }
  if (!isSorted) entries.sort(([a], [b]) => a.number - b.number);
  const fields = new Map<string, TreeValue[]>();
  for (const [field, values] of entries) {
    if (!keepsDefaults && isDropped(values[0]!, field)) continue;
    fields.set(field.name, field.cardinality === 'map' ? lastOfKeys(values as TreeNode[]) : trimmed(values));
  }
  if (form.isMapEntry) addEmptyValue(form, fields);
  return new TreeNode(form.fullName, fields, unknown.length === 0 ? undefined : unknown);
}

/** A default value of a field without presence. */
const isDropped = (value: TreeValue, field: FieldForm): boolean =>
  field.presence === 'implicit' && isUnwritten(value, field);

/** An entry without a value gets an empty one, because changes of the value's type also apply to it. */
function addEmptyValue({ byName }: MessageForm, fields: Map<string, TreeValue[]>): void {
  const { name, type, typeName } = byName.get('value')!;
  if (typeName !== undefined && type !== 'enum' && !fields.has(name)) fields.set(name, [new TreeNode(typeName)]);
}

/** Merges two records of a singular message: scalar fields of the second replace the first, lists are appended. */
function merge(a: TreeNode, b: TreeNode, forms: FieldEncodings, keepsDefaults: boolean): TreeNode {
  const form = forms.get(a.type)!;
  const lists = new Map<FieldForm, TreeValue[]>();
  for (const [name, values] of a.fields) lists.set(form.byName.get(name)!, values);
  for (const [name, values] of b.fields) {
    const field = form.byName.get(name)!;
    const known = lists.get(field);
    dropRivals(lists, field);
    const [x, y] = [known?.[0], values[0]];
    if (field.cardinality !== 'singular') lists.set(field, [...(known ?? []), ...values]);
    else
      lists.set(field, x instanceof TreeNode && y instanceof TreeNode ? [merge(x, y, forms, keepsDefaults)] : values);
  }
  return finish(form, lists, [...a.unknown, ...b.unknown], keepsDefaults);
}

/** @param start, end of the value, without its tag and length */
export function readScalar(bytes: Uint8Array, start: number, end: number, type: FieldType): TreeScalar {
  switch (type) {
    case 'int32':
    case 'enum':
      return varintLow(bytes, start, end);
    case 'uint32':
      return varintLow(bytes, start, end) >>> 0;
    case 'sint32': {
      const low = varintLow(bytes, start, end);
      return (low >>> 1) ^ -(low & 1);
    }
    case 'bool':
      return (varintLow(bytes, start, end) | varintHigh(bytes, start, end)) === 0 ? 0 : 1;
    case 'int64':
      return joined(varintLow(bytes, start, end), varintHigh(bytes, start, end));
    case 'uint64':
      return joined(varintLow(bytes, start, end), varintHigh(bytes, start, end) >>> 0);
    case 'sint64': {
      const [low, high] = [varintLow(bytes, start, end), varintHigh(bytes, start, end)];
      const sign = -(low & 1);
      return joined(((low >>> 1) | (high << 31)) ^ sign, (high >>> 1) ^ sign);
    }
    case 'fixed32':
      return int32(bytes, start) >>> 0;
    case 'sfixed32':
      return int32(bytes, start);
    case 'fixed64':
      return joined(int32(bytes, start), int32(bytes, start + 4) >>> 0);
    case 'sfixed64':
      return joined(int32(bytes, start), int32(bytes, start + 4));
    case 'float':
    case 'double': {
      const value = floatAt(bytes, start, type);
      // A NaN may have any of many bit patterns.
      return Number.isNaN(value) ? bytes.subarray(start, end) : value;
    }
    default:
      return bytes.subarray(start, end);
  }
}

const SAFE_HIGH = 0x20_0000;

function joined(low: number, high: number): number | bigint {
  if (-SAFE_HIGH < high && high < SAFE_HIGH) return high * 0x1_0000_0000 + (low >>> 0);
  return (BigInt(high) << 32n) | BigInt(low >>> 0);
}
