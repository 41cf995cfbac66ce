/**
 * The values of one message, read by its descriptor. Repeated records of a singular message are merged, the last scalar
 * counts, the last member of a oneof is set, map keys are unique and sorted, and unknown fields are dropped and
 * counted. protobuf.dev/programming-guides/encoding#last-one-wins
 */
import { varintLow } from '../bytes/varint.ts';
import {
  type AnnotationTable,
  Flag,
  fieldAt,
  flagsAt,
  payloadEndAt,
  payloadStartAt,
  subtreeEnds,
} from '../model/annotation.ts';
import { isListed, listValues, recordsOf } from '../native/wire-records.ts';
import { readInteger } from '../native/wire-values.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { isMessageSet } from '../schema/link/rules.ts';
import { hasContents, isContents } from '../wire/any.ts';
import { countLoss, type LossCounts } from './losses.ts';

/** 32-bit integers and enums as number, 64-bit integers as bigint; float, double, string and bytes as their own bytes. */
export type Scalar = number | bigint | boolean | Uint8Array;

export interface Item {
  /** The protobuf row that it comes from; −1: no row. */
  readonly row: number;
  readonly value: Scalar | MessageValue;
  /** Reads the message that an Any's value holds, from its rows. @param depth levels of messages around it */
  readonly contents?: (depth: number) => ReadMessage;
}

export interface MapEntry {
  readonly row: number;
  readonly key: Item;
  readonly value: Item;
}

/** A field with a value: not an implicit default, and not empty. */
export interface SetField {
  readonly field: FieldDescriptor;
  readonly row: number;
  /** One item for a singular field, several for a list; empty for a map. */
  readonly items: readonly Item[];
  readonly entries: readonly MapEntry[];
}

export interface MessageValue {
  readonly type: MessageDescriptor;
  /** By ascending number. */
  readonly fields: readonly SetField[];
}

export interface ReadMessage {
  readonly value: MessageValue;
  /** Records that no field explains, and values that no closed enum lists, in this message and in nested ones. */
  readonly dropped: LossCounts;
  /** Whether messages are nested deeper than MAX_DEPTH. Deeper messages are left out. */
  readonly isTooDeep: boolean;
}

/** Three times the limit of protobuf's own parsers (100). Some encodings take ten frames of the stack for a level. */
export const MAX_DEPTH = 300;

/**
 * @param table the protobuf rows of `bytes`, read by `type`. Scalars are views of `bytes`. @param isDetached rows are
 * not stored @param depth levels of messages around this one
 */
export function readMessageValue(
  bytes: Uint8Array,
  table: AnnotationTable<FieldDescriptor>,
  type: MessageDescriptor,
  { isDetached = false, depth = 0 }: { readonly isDetached?: boolean; readonly depth?: number } = {},
): ReadMessage {
  return new Reader(bytes, table, subtreeEnds(table), isDetached).read(0, type, depth);
}

export const isMessageField = (field: FieldDescriptor): boolean => field.type === 'message' || field.type === 'group';

const extensionNamed = (type: MessageDescriptor, fullName: string): FieldDescriptor | undefined =>
  [...type.extensions.values()].find((field) => field.fullName === fullName);

class Reader {
  readonly dropped: LossCounts = {};
  isTooDeep = false;
  readonly #bytes: Uint8Array;
  readonly #table: AnnotationTable<FieldDescriptor>;
  readonly #subtreeEnd: Uint32Array;
  readonly #isDetached: boolean;

  constructor(
    bytes: Uint8Array,
    table: AnnotationTable<FieldDescriptor>,
    subtreeEnd: Uint32Array,
    isDetached: boolean,
  ) {
    this.#bytes = bytes;
    this.#table = table;
    this.#subtreeEnd = subtreeEnd;
    this.#isDetached = isDetached;
  }

  read(row: number, type: MessageDescriptor, depth: number): ReadMessage {
    return { value: this.message([row], type, depth), dropped: this.dropped, isTooDeep: this.isTooDeep };
  }

  message(rows: readonly number[], type: MessageDescriptor, depth: number): MessageValue {
    if (depth > MAX_DEPTH) {
      this.isTooDeep = true;
      return { type, fields: [] };
    }
    const onUnlisted = (): void => countLoss(this.dropped, 'unlisted');
    const records = recordsOf(this.#bytes, this.#table, rows, this.#subtreeEnd, type, onUnlisted);
    const extensions = this.#extensionsOf(rows, type);
    const fields: SetField[] = [];
    for (const [number, found] of records) this.#enter(type.byNumber.get(number)!, found, depth, fields);
    for (const [field, found] of extensions) this.#enter(field, found, depth, fields);
    fields.sort((a, b) => a.field.number - b.field.number);
    return { type, fields };
  }

  /** The rows of extensions. Records that no field explains are counted. */
  #extensionsOf(rows: readonly number[], type: MessageDescriptor): ReadonlyMap<FieldDescriptor, readonly number[]> {
    const table = this.#table;
    const found = new Map<FieldDescriptor, number[]>();
    for (const parent of rows) {
      for (let row = parent + 1; row < this.#subtreeEnd[parent]!; row = this.#subtreeEnd[row]!) {
        const index = fieldAt(table, row);
        const facts = index < 0 ? undefined : table.fields[index];
        // Contents of an Any that cannot be read are bytes, which no encoding loses.
        if (facts !== undefined && isContents(facts)) continue;
        if (facts === undefined || (flagsAt(table, row) & (Flag.UNKNOWN | Flag.MISMATCH | Flag.MALFORMED)) !== 0) {
          countLoss(this.dropped, 'unknown');
          continue;
        }
        if (!facts.isExtension && type.byNumber.has(facts.number)) continue;
        const isItem = facts.type === 'group' && isMessageSet(type);
        const field = isItem ? extensionNamed(type, facts.fullName) : type.extensions.get(facts.number);
        const contents = isItem ? this.#itemMessages(row) : [row];
        if (field === undefined || contents.length === 0) countLoss(this.dropped, 'unknown');
        else if (found.has(field)) found.get(field)!.push(...contents);
        else found.set(field, [...contents]);
      }
    }
    return found;
  }

  /** The messages in an item of a message set. */
  #itemMessages(item: number): readonly number[] {
    const { fields } = this.#table;
    const rows: number[] = [];
    for (let row = item + 1; row < this.#subtreeEnd[item]!; row = this.#subtreeEnd[row]!) {
      if (fields[fieldAt(this.#table, row)]?.type === 'message') rows.push(row);
    }
    return rows;
  }

  #rowOf(row: number): number {
    return this.#isDetached ? -1 : row;
  }

  #enter(field: FieldDescriptor, rows: readonly number[], depth: number, into: SetField[]): void {
    const row = this.#rowOf(rows[0]!);
    if (field.cardinality === 'map') {
      const entries = this.#entries(field, rows, depth);
      if (entries.length > 0) into.push({ field, row, items: [], entries });
      return;
    }
    if (isMessageField(field)) {
      const items: Item[] =
        field.cardinality === 'repeated'
          ? rows.map((at) => ({ row: this.#rowOf(at), value: this.message([at], field.message!, depth + 1) }))
          : [{ row, value: this.message(rows, field.message!, depth + 1) }];
      into.push({ field, row, items, entries: [] });
      return;
    }
    const items: Item[] = [];
    const values = {
      push: (at: number, start: number, end: number): void => {
        const value = this.#scalar(field, start, end);
        if (value === undefined) countLoss(this.dropped, 'unlisted');
        else if (hasContents(this.#table, at))
          items.push({ row: this.#rowOf(at), value, contents: this.#contents(at) });
        else items.push({ row: this.#rowOf(at), value });
      },
    };
    for (const at of rows) listValues(this.#bytes, this.#table, at, field, values);
    if (items.length === 0) return;
    if (field.cardinality === 'repeated') into.push({ field, row, items, entries: [] });
    else {
      const last = items.at(-1)!;
      if (field.presence === 'implicit' && isDefault(field, last.value as Scalar)) return;
      into.push({ field, row: last.row, items: [last], entries: [] });
    }
  }

  #contents(row: number): NonNullable<Item['contents']> {
    const type = this.#table.fields[fieldAt(this.#table, row)]!.message!;
    return (depth) => new Reader(this.#bytes, this.#table, this.#subtreeEnd, this.#isDetached).read(row, type, depth);
  }

  #entries(map: FieldDescriptor, rows: readonly number[], depth: number): readonly MapEntry[] {
    const [keyField, valueField] = [map.message!.byNumber.get(1)!, map.message!.byNumber.get(2)!];
    const entries = new Map<string, MapEntry>();
    for (const row of rows) {
      const records = recordsOf(this.#bytes, this.#table, [row], this.#subtreeEnd, map.message!);
      const key = this.#part(keyField, records.get(1), depth);
      const value = this.#part(valueField, records.get(2), depth);
      // In a closed enum, a map entry is dropped with a value that is not listed.
      if (key === undefined || value === undefined) countLoss(this.dropped, 'unlisted');
      else entries.set(keyText(key.value as Scalar), { row: this.#rowOf(row), key, value });
    }
    return [...entries.values()].sort((a, b) => compareKeys(a.key.value as Scalar, b.key.value as Scalar));
  }

  #part(field: FieldDescriptor, rows: readonly number[] | undefined, depth: number): Item | undefined {
    if (isMessageField(field))
      return { row: this.#rowOf(rows?.[0] ?? -1), value: this.message(rows ?? [], field.message!, depth + 1) };
    const row = rows?.at(-1);
    if (row === undefined) return { row: -1, value: defaultOf(field) };
    const value = this.#scalar(field, payloadStartAt(this.#table, row), payloadEndAt(this.#table, row));
    return value === undefined ? undefined : { row: this.#rowOf(row), value };
  }

  /** undefined: the number is not a value of a closed enum. */
  #scalar(field: FieldDescriptor, start: number, end: number): Scalar | undefined {
    const bytes = this.#bytes;
    switch (field.type) {
      case 'string':
      case 'bytes':
      case 'float':
      case 'double':
        return bytes.subarray(start, end);
      case 'enum': {
        const value = varintLow(bytes, start, end);
        return isListed(field, value) ? value : undefined;
      }
      default:
        break;
    }
    const { low, high } = readInteger(bytes, start, end, field.type);
    switch (field.type) {
      case 'bool':
        return low !== 0;
      case 'int32':
      case 'sint32':
      case 'sfixed32':
        return low;
      case 'uint32':
      case 'fixed32':
        return low >>> 0;
      default: {
        const wide = (BigInt(high) << 32n) | BigInt(low >>> 0);
        return isUnsigned(field) ? BigInt.asUintN(64, wide) : wide;
      }
    }
  }
}

const isUnsigned = ({ type }: FieldDescriptor): boolean => type.startsWith('u') || type.startsWith('fixed');

/** Whether an integer is negative in a signed form of `bits` bits, but not by itself. */
export const turnsNegative = (value: Scalar | MessageValue, bits: 32 | 64): boolean =>
  (typeof value === 'number' || typeof value === 'bigint') && value >= 2 ** (bits - 1);

/** The default value of a scalar field. */
export function defaultOf({ type }: FieldDescriptor): Scalar {
  switch (type) {
    case 'string':
    case 'bytes':
      return new Uint8Array(0);
    case 'float':
      return new Uint8Array(4);
    case 'double':
      return new Uint8Array(8);
    case 'bool':
      return false;
    default:
      return type.endsWith('64') ? 0n : 0;
  }
}

/** −0.0 is not a default, because its bits are not 0. */
export function isDefault({ type }: FieldDescriptor, value: Scalar): boolean {
  if (!(value instanceof Uint8Array)) return value === 0 || value === 0n || value === false;
  return type === 'float' || type === 'double' ? value.every((byte) => byte === 0) : value.length === 0;
}

export const keyText = (key: Scalar): string => (key instanceof Uint8Array ? key.join() : String(key));

/** Order of keys: false before true, numbers ascending, texts by their bytes. */
export function compareKeys(a: Scalar, b: Scalar): number {
  if (a instanceof Uint8Array && b instanceof Uint8Array) {
    const shared = Math.min(a.length, b.length);
    for (let at = 0; at < shared; at++) if (a[at] !== b[at]) return a[at]! - b[at]!;
    return a.length - b.length;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}
