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
import { emptyRecord, groupEnd, readRecord } from '../wire/raw-record.ts';
import type { FieldEncodings, FieldForm, MessageForm } from './forms.ts';
import { isUnwritten, lastOfKeys, NO_TEXT, nodesOf, TreeNode, type TreeScalar, type TreeValue } from './value-tree.ts';

/** Maximum depth; parsers reject deeper messages. */
const MAX_DEPTH = 200;

/** The memory that trees may take, in bytes. Below 0: they took more. */
export interface Room {
  left: number;
}

interface Reading extends Room {
  /** A message was in parts, of which a later one may have overridden a value by its default. */
  isMerged?: boolean;
  /** Defaults of fields without presence are kept. */
  readonly keepsDefaults?: boolean;
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
  const end = { at: 0 };
  const reading: Reading = { left: room.left };
  let node = readNode(bytes, 0, bytes.length, forms, type, 0, depth, end, reading);
  room.left = reading.left;
  if (node === undefined || end.at !== bytes.length) return undefined;
  if (reading.isMerged) {
    node = readNode(bytes, 0, bytes.length, forms, type, 0, depth, end, { left: Infinity, keepsDefaults: true })!;
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

/**
 * @param group number of the group that ends the node; 0: it ends with its bytes. `stop.at`: offset after the last byte
 * that was read
 */
function readNode(
  bytes: Uint8Array,
  start: number,
  limit: number,
  forms: FieldEncodings,
  type: string,
  group: number,
  depth: number,
  stop: { at: number },
  room: Reading,
): TreeNode | undefined {
  const form = forms.get(type);
  room.left -= NODE;
  if (form === undefined || depth > MAX_DEPTH || room.left < 0) return undefined;
  const lists = new Map<FieldForm, TreeValue[]>();
  const unknown: Uint8Array[] = [];
  let at = start;
  const record = emptyRecord();
  while (at < limit) {
    const from = at;
    let next = readRecord(bytes, at, limit, record);
    if (next < 0) return undefined;
    const { number, wireType, start: payload } = record;
    if (wireType === WireType.EGROUP) {
      if (number !== group) return undefined;
      stop.at = next;
      return finish(form, lists, unknown, room);
    }
    if (wireType === WireType.SGROUP) {
      const endTag = groupEnd(bytes, payload, limit, number, MAX_DEPTH - depth);
      if (endTag < 0) return undefined;
      next = varintEnd(bytes, endTag, limit);
    }
    at = next;
    const field = form.byNumber.get(number);
    if (field === undefined || !take(field, wireType, payload, next)) {
      room.left -= OBJECT + PLACE;
      unknown.push(bytes.subarray(from, next));
    }
    if (room.left < 0) return undefined;
  }
  if (group !== 0) return undefined;
  stop.at = at;
  return finish(form, lists, unknown, room);

  function take(field: FieldForm, wireType: number, payload: number, next: number): boolean {
    if (field.type === 'message' || field.type === 'group') {
      if (wireType !== wireTypeOf(field.type)) return false;
      const inner = { at: 0 };
      const isGroup = field.type === 'group';
      const child = readNode(
        bytes,
        payload,
        next,
        forms,
        field.typeName!,
        isGroup ? field.number : 0,
        depth + 1,
        inner,
        room,
      );
      if (child === undefined || inner.at !== next) return false;
      if (field.cardinality === 'map' && isUnlisted(child)) return false;
      if (field.cardinality !== 'singular') add(field, child);
      else {
        const known = lists.get(field)?.[0];
        if (known instanceof TreeNode) room.isMerged = true;
        replace(field, known instanceof TreeNode ? merge(known, child, forms, room) : child);
      }
      return true;
    }
    if (field.cardinality === 'repeated' && wireType === WireType.LEN && isPackable(field.type)) {
      return takePacked(field, payload, next);
    }
    if (wireType !== wireTypeOf(field.type)) return false;
    const value = readScalar(bytes, payload, next, field.type);
    if (!forms.lists(field, value as number)) return false;
    room.left -= PLACE + (typeof value !== 'number' ? OBJECT : isFloat(field.type) ? NUMBER : 0);
    if (field.cardinality === 'singular') replace(field, value);
    else add(field, value);
    return true;
  }

  function takePacked(field: FieldForm, payload: number, next: number): boolean {
    const wireType = wireTypeOf(field.type);
    const endOf = (p: number): number =>
      wireType === WireType.VARINT ? varintEnd(bytes, p, next) : p + (wireType === WireType.I64 ? 8 : 4);
    for (let p = payload; p < next; ) {
      const end = endOf(p);
      if (end < 0 || end > next) return false;
      room.left -= PLACE;
      p = end;
    }
    if (room.left < 0) return true;
    if (isFloat(field.type)) {
      addRun(field, floatsIn(bytes, payload, next, field.type));
      return true;
    }
    for (let p = payload; p < next && room.left >= 0; ) {
      const end = endOf(p);
      const value = readScalar(bytes, p, end, field.type);
      if (typeof value !== 'number') room.left -= OBJECT;
      if (forms.lists(field, value as number)) add(field, value);
      else addUnlisted(field, bytes.subarray(p, end));
      p = end;
    }
    return true;
  }

  /** An element of a packed run becomes a record of its own. */
  function addUnlisted({ number }: FieldForm, value: Uint8Array): void {
    const record = new Uint8Array(varintWidth(number << 3, 0) + value.length);
    record.set(value, setVarint(record, 0, number << 3, 0));
    room.left -= OBJECT;
    unknown.push(record);
  }

  /** Whether the value of a map's entry is an unknown field: then the entry is. */
  function isUnlisted(entry: TreeNode): boolean {
    const value = forms.get(entry.type)!.byName.get('value')!;
    return (
      value.type === 'enum' && !entry.fields.has('value') && entry.unknown.some(([tag]) => tag === value.number << 3)
    );
  }

  function addRun(field: FieldForm, run: TreeValue[]): void {
    const known = lists.get(field);
    if (known !== undefined) for (const value of run) known.push(value);
    else if (run.length > 0) {
      room.left -= LIST;
      lists.set(field, run);
    }
  }

  function add(field: FieldForm, value: TreeValue): void {
    const known = lists.get(field);
    if (known !== undefined) known.push(value);
    else {
      room.left -= LIST;
      lists.set(field, [value]);
    }
  }

  function replace(field: FieldForm, value: TreeValue): void {
    if (field.oneof !== undefined) {
      for (const other of lists.keys()) if (other.oneof === field.oneof && other !== field) lists.delete(other);
    }
    if (!lists.has(field)) room.left -= LIST;
    lists.set(field, [value]);
  }
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
  { keepsDefaults = false }: Reading,
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
function merge(a: TreeNode, b: TreeNode, forms: FieldEncodings, reading: Reading): TreeNode {
  const form = forms.get(a.type)!;
  const lists = new Map<FieldForm, TreeValue[]>();
  for (const [name, values] of a.fields) lists.set(form.byName.get(name)!, values);
  for (const [name, values] of b.fields) {
    const field = form.byName.get(name)!;
    const known = lists.get(field);
    if (field.oneof !== undefined) {
      for (const other of lists.keys()) if (other.oneof === field.oneof && other !== field) lists.delete(other);
    }
    const [x, y] = [known?.[0], values[0]];
    if (field.cardinality !== 'singular') lists.set(field, [...(known ?? []), ...values]);
    else lists.set(field, x instanceof TreeNode && y instanceof TreeNode ? [merge(x, y, forms, reading)] : values);
  }
  return finish(form, lists, [...a.unknown, ...b.unknown], reading);
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
