/**
 * The payload of a record → its exact value, and its text form.
 * protobuf.dev/programming-guides/encoding; ranges of the types: protobuf.dev/programming-guides/proto3#scalar
 */

import { printDouble, printFloat } from '../bytes/float-text.ts';
import { printHex } from '../bytes/hex.ts';
import { unzigzag32, unzigzag64, varintBigInt, varintHigh, varintLow, varintNumber } from '../bytes/varint.ts';
import {
  type AnnotationTable,
  Flag,
  fieldAt,
  flagsAt,
  parentAt,
  payloadCategoryAt,
  payloadEndAt,
  payloadStartAt,
  slotAt,
  startAt,
  WIRE_TYPE_NAMES,
  wireTypeAt,
} from '../model/annotation.ts';
import { countText, plural } from '../model/count-text.ts';
import { quoted } from '../model/quoted-text.ts';
import type { FieldFacts } from '../schema/descriptor.ts';
import { packedElements } from './packed.ts';
import { isDescended } from './rows.ts';

/**
 * 32-bit integers and floating-point values are numbers, 64-bit integers are bigints, bytes are borrowed from the
 * message.
 */
export type Value = number | bigint | string | boolean | Uint8Array;

/** The facts that reading a value needs. */
export type ValueFacts = Pick<FieldFacts, 'type' | 'enum'>;

const text = new TextDecoder('utf-8', { ignoreBOM: true });

/** The value of one payload or packed element. Invalid UTF-8 becomes U+FFFD; bytes are borrowed. */
export function readValue(bytes: Uint8Array, start: number, end: number, { type }: ValueFacts): Value {
  switch (type) {
    case 'int32':
    case 'enum':
      return varintLow(bytes, start, end);
    case 'uint32':
      return varintLow(bytes, start, end) >>> 0;
    case 'sint32':
      return unzigzag32(varintLow(bytes, start, end));
    case 'int64':
      return BigInt.asIntN(64, varintBigInt(bytes, start, end));
    case 'uint64':
      return varintBigInt(bytes, start, end);
    case 'sint64':
      return unzigzag64(varintBigInt(bytes, start, end));
    case 'bool':
      return (varintLow(bytes, start, end) | varintHigh(bytes, start, end)) !== 0;
    case 'fixed32':
      return view(bytes).getUint32(start, true);
    case 'sfixed32':
      return view(bytes).getInt32(start, true);
    case 'float':
      return view(bytes).getFloat32(start, true);
    case 'fixed64':
      return view(bytes).getBigUint64(start, true);
    case 'sfixed64':
      return view(bytes).getBigInt64(start, true);
    case 'double':
      return view(bytes).getFloat64(start, true);
    case 'string':
      return text.decode(bytes.subarray(start, end));
    default:
      return bytes.subarray(start, end);
  }
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Type that a record of unknown number is read as, by wire type. */
const UNKNOWN_TYPES = ['uint64', 'fixed64', 'bytes', 'bytes', 'bytes', 'fixed32'] as const;

/** Facts of the row's field. For a row without a field, they follow from its wire type. */
export function factsAt(table: AnnotationTable, row: number): ValueFacts {
  const field = fieldAt(table, row);
  return field >= 0
    ? table.fields[field]!
    : { type: UNKNOWN_TYPES[wireTypeAt(table, row)] ?? 'bytes', enum: undefined };
}

/** The value of a row; for a packed run, its elements. undefined for messages, groups and unreadable bytes. */
export function valueAt(table: AnnotationTable, bytes: Uint8Array, row: number): Value | readonly Value[] | undefined {
  if (!hasValue(table, row)) return undefined;
  const facts = factsAt(table, row);
  if ((flagsAt(table, row) & Flag.PACKED) !== 0) {
    const { offsets } = packedElements(table, bytes, row, facts);
    return Array.from({ length: offsets.length - 1 }, (_, i) => readValue(bytes, offsets[i]!, offsets[i + 1]!, facts));
  }
  return readValue(bytes, payloadStartAt(table, row), payloadEndAt(table, row), facts);
}

const hasValue = (table: AnnotationTable, row: number): boolean =>
  fieldAt(table, row) !== -1 && !isDescended(table, row) && payloadCategoryAt(table, row) === 'value';

/** Texts for the parts of a row; empty: the row does not have the part. */
export interface RowWords {
  /** `field 7, LEN` */
  readonly tag: string;
  /** `300` */
  readonly length: string;
  /** `150` · `"testing"` · `ACTIVE (1)` · `3 fields` · `4 elements: 1, 2, 3, 4` · `5 bytes: 01 02 …` */
  readonly value: string;
}

export function describeRow(table: AnnotationTable, bytes: Uint8Array, row: number): RowWords {
  return {
    tag: tagWords(table, bytes, row),
    length: lengthWords(table, bytes, row),
    value: valueWords(table, bytes, row),
  };
}

function tagWords(table: AnnotationTable, bytes: Uint8Array, row: number): string {
  const size = slotAt(table, row, 0);
  if (size === 0) return '';
  const start = startAt(table, row);
  return `field ${Math.floor(varintNumber(bytes, start, start + size) / 8)}, ${WIRE_TYPE_NAMES[wireTypeAt(table, row)]}`;
}

function lengthWords(table: AnnotationTable, bytes: Uint8Array, row: number): string {
  const size = slotAt(table, row, 1);
  if (size === 0) return '';
  const start = startAt(table, row) + slotAt(table, row, 0);
  return String(varintBigInt(bytes, start, start + size));
}

const MAX_TEXT = 60;
const MAX_BYTES = 16;
const MAX_ELEMENTS = 8;

function valueWords(table: AnnotationTable, bytes: Uint8Array, row: number): string {
  const start = payloadStartAt(table, row);
  const end = payloadEndAt(table, row);
  if (payloadCategoryAt(table, row) === 'unattributed') {
    if (start === end) return 'cut short';
    return `${plural(end - start, 'byte')} that cannot be read: ${printHex(bytes, start, end, MAX_BYTES)}`;
  }
  const declared = declaredLength(table, bytes, row);
  const words = wholeWords(table, bytes, row, start, end);
  return declared <= end - start ? words : `of ${countText(declared)} bytes, the first ${words}`;
}

/**
 * The payload's length as its prefix says it; 0: it has no prefix. It is more than the payload has where only the first
 * bytes of a record are shown (`inspect/cut-message.ts`).
 */
export function declaredLength(table: AnnotationTable, bytes: Uint8Array, row: number): number {
  const size = table.encoding === 'protobuf' ? slotAt(table, row, 1) : 0;
  const start = startAt(table, row) + slotAt(table, row, 0);
  return size === 0 ? 0 : varintNumber(bytes, start, start + size);
}

function wholeWords(table: AnnotationTable, bytes: Uint8Array, row: number, start: number, end: number): string {
  if (isDescended(table, row)) return plural(countRecords(table, row), 'field');
  const facts = factsAt(table, row);
  if ((flagsAt(table, row) & Flag.PACKED) !== 0) {
    const { offsets } = packedElements(table, bytes, row, facts);
    const count = offsets.length - 1;
    const shown: string[] = [];
    for (let i = 0; i < Math.min(count, MAX_ELEMENTS); i++) {
      shown.push(printValue(bytes, offsets[i]!, offsets[i + 1]!, facts));
    }
    if (count > MAX_ELEMENTS) shown.push('…');
    return count === 0 ? '0 elements' : `${plural(count, 'element')}: ${shown.join(', ')}`;
  }
  return printValue(bytes, start, end, facts);
}

/** One value as text: names of enum values, quoted and shortened strings, shortest decimals. */
export function printValue(bytes: Uint8Array, start: number, end: number, facts: ValueFacts): string {
  switch (facts.type) {
    case 'string':
      return quote(bytes, start, end);
    case 'enum': {
      const number = varintLow(bytes, start, end);
      const name = facts.enum?.values.find((value) => value.number === number)?.name;
      return name === undefined ? `${number} (no name)` : `${name} (${number})`;
    }
    case 'float':
      return printFloat(view(bytes).getFloat32(start, true), bytes, start);
    case 'double':
      return printDouble(view(bytes).getFloat64(start, true), bytes, start);
    case 'bytes':
    case 'message':
    case 'group':
      return end === start ? '0 bytes' : `${plural(end - start, 'byte')}: ${printHex(bytes, start, end, MAX_BYTES)}`;
    default:
      return String(readValue(bytes, start, end, facts));
  }
}

/** A string in quotes. A long string is shown by its beginning and its size. */
function quote(bytes: Uint8Array, start: number, end: number): string {
  // A character takes at most four bytes, so this many bytes contain all that is shown.
  const cut = Math.min(end, start + MAX_TEXT * 4);
  const characters = [...text.decode(bytes.subarray(start, cut))];
  if (cut === end && characters.length <= MAX_TEXT) return quoted(characters.join(''));
  return `${quoted(characters.slice(0, MAX_TEXT).join(''))}… (${plural(end - start, 'byte')})`;
}

const counted = new WeakMap<AnnotationTable, Uint32Array>();

/** Number of direct records of a message or group. All rows of a table are counted at once, because messages nest. */
function countRecords(table: AnnotationTable, row: number): number {
  let counts = counted.get(table);
  if (counts === undefined) {
    counts = new Uint32Array(table.length);
    for (let at = 1; at < table.length; at++) if (fieldAt(table, at) !== -1) counts[parentAt(table, at)]!++;
    counted.set(table, counts);
  }
  return counts[row]!;
}
