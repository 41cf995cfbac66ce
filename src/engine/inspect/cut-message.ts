/**
 * The first bytes of a record that is too large to be shown whole → their rows. The lengths around its end point past
 * these bytes. While rows are made, each is replaced by the length that is left, in as many bytes: otherwise the value
 * would be unattributed, and the records in it would have no rows, although only their end is not shown.
 */
import { varintEnd, varintNumber } from '../bytes/varint.ts';
import { type AnnotationTable, Flag, flagsAt, headerSizesAt, slotAt, startAt, WireType } from '../model/annotation.ts';
import { ROW_WORDS } from '../model/row-cells.ts';
import type { FieldDescriptor, MessageDescriptor } from '../schema/descriptor.ts';
import { isPackable, wireTypeOf } from '../schema/wire-types.ts';
import { annotate } from '../wire/annotate.ts';
import { fieldOf } from '../wire/path-plan.ts';
import { rowPaths } from '../wire/path-totals.ts';
import { emptyRecord, isCutRecord, readRecord } from '../wire/raw-record.ts';
import { type Inspected, withFacts } from './inspect.ts';

/** A record that continues after the last byte. Offsets are of its first bytes. */
interface CutRecord {
  readonly start: number;
  /** The first byte of its length prefix. */
  readonly lengthStart: number;
  readonly payloadStart: number;
}

/**
 * Accepts any bytes. There is no native side: the end of its values is missing.
 * @param bytes the first bytes of one record; they are kept, not copied
 */
export function inspectCut(bytes: Uint8Array, type: MessageDescriptor | undefined): Inspected {
  const { records, end } = cutRecords(bytes, type);
  const shown = bytes.subarray(0, end);
  const prefixes = records.map(({ lengthStart, payloadStart }) => shown.slice(lengthStart, payloadStart));
  for (const { lengthStart, payloadStart } of records)
    writePadded(shown, lengthStart, payloadStart - lengthStart, end - payloadStart);
  const table = withoutPadding(annotate(shown, type).table, records, prefixes);
  for (const [at, { lengthStart }] of records.entries()) shown.set(prefixes[at]!, lengthStart);
  const side = { bytes: shown, table: withFacts(table), ...rowPaths(table) };
  return {
    protobuf: { ...side, counterpart: new Int32Array(table.length).fill(-1) },
    native: null,
    diagnostics: [],
  };
}

/**
 * The records that continue after the last byte, outermost first; and where the bytes end that can be read: within the
 * innermost of them, before a record, an element or a character that is not whole.
 */
function cutRecords(bytes: Uint8Array, type: MessageDescriptor | undefined) {
  const records: CutRecord[] = [];
  const record = emptyRecord();
  let message = type;
  let end = bytes.length;
  for (let p = 0; p < end; ) {
    const next = readRecord(bytes, p, end, record);
    if (next >= 0) {
      // The fields of a group are of another type, and its end is not shown.
      if (record.wireType === WireType.SGROUP) message = undefined;
      p = next;
      continue;
    }
    const tagEnd = varintEnd(bytes, p, end);
    const lengthEnd = tagEnd < 0 ? -1 : varintEnd(bytes, tagEnd, end);
    const tag = tagEnd < 0 ? 0 : varintNumber(bytes, p, tagEnd);
    if (!isCutRecord(bytes, p, end)) break;
    if ((tag & 7) !== WireType.LEN || lengthEnd < 0) {
      // A record that is cut within its first bytes has nothing to show.
      if (p > 0) end = p;
      break;
    }
    records.push({ start: p, lengthStart: tagEnd, payloadStart: lengthEnd });
    const field = fieldOf(message, tag >>> 3);
    p = lengthEnd;
    if (field?.type === 'message') {
      message = field.message;
      continue;
    }
    end = wholeEnd(bytes, lengthEnd, field);
    break;
  }
  return { records, end };
}

/** Where the last whole element of a packed run, or the last whole character of a text ends. */
function wholeEnd(bytes: Uint8Array, start: number, field: FieldDescriptor | undefined): number {
  let end = bytes.length;
  if (field?.cardinality === 'repeated' && isPackable(field.type)) {
    const wireType = wireTypeOf(field.type);
    if (wireType === WireType.VARINT) while (end > start && bytes[end - 1]! >= 0x80) end--;
    else end -= (end - start) % (wireType === WireType.I64 ? 8 : 4);
  } else if (field?.type === 'string') {
    // A character takes at most four bytes; the first one says how many.
    const first = Math.max(start, end - 4);
    let last = end - 1;
    while (last > first && (bytes[last]! & 0xc0) === 0x80) last--;
    const width = bytes[last]! >= 0xf0 ? 4 : bytes[last]! >= 0xe0 ? 3 : bytes[last]! >= 0xc0 ? 2 : 1;
    if (last + width > end && last >= start) end = last;
  }
  return end;
}

/** A varint in more bytes than it needs. */
function writePadded(bytes: Uint8Array, at: number, width: number, value: number): void {
  let rest = value;
  for (let i = 0; i < width; i++) {
    bytes[at + i] = (rest & 0x7f) | (i < width - 1 ? 0x80 : 0);
    rest >>>= 7;
  }
}

/** The table, which no other caller has, without the remark that these lengths are overlong; captured ones keep it. */
function withoutPadding(
  table: AnnotationTable<FieldDescriptor>,
  records: readonly CutRecord[],
  prefixes: readonly Uint8Array[],
): AnnotationTable<FieldDescriptor> {
  const { cells } = table;
  const kinds = [...table.kinds];
  for (const [at, { start }] of records.entries()) {
    const prefix = prefixes[at]!;
    const row = rowOfRecord(table, start);
    if (row < 0 || (prefix.length > 1 && prefix.at(-1) === 0) || kinds.length >= MAX_KINDS) continue;
    const word = row * ROW_WORDS + 2;
    const [field, header] = [kinds[(cells[word]! >>> 16) * 2]!, headerSizesAt(table, row)];
    kinds.push(field, header | ((flagsAt(table, row) & ~Flag.OVERLONG) << 16));
    cells[word] = ((kinds.length / 2 - 1) << 16) | (cells[word]! & 0xffff);
  }
  return { ...table, kinds: Int32Array.from(kinds) };
}

/** Two words each; a cell has 16 bits for a kind. */
const MAX_KINDS = 2 << 16;

/** The row with a length prefix that begins at `start`; −1: no such row. Rows ascend by their starts. */
function rowOfRecord(table: AnnotationTable, start: number): number {
  let low = 0;
  let high = table.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startAt(table, middle) < start) low = middle + 1;
    else high = middle;
  }
  for (let row = low; row < table.length && startAt(table, row) === start; row++)
    if (slotAt(table, row, 1) > 0) return row;
  return -1;
}
