/** Questions about one message in one encoding: the row of a byte, the uses of a row's own bytes, the name of a row. */

import {
  type AnnotationTable,
  CATEGORIES,
  type Category,
  type Encoding,
  endAt,
  Flag,
  fieldAt,
  flagsAt,
  parentAt,
  payloadCategoryAt,
  SLOTS,
  slotAt,
  startAt,
  WIRE_TYPE_NAMES,
  wireTypeAt,
} from '../model/annotation.ts';
import { hasChildren } from '../wire/rows.ts';
import type { InspectedSide } from './inspect.ts';

export type MessageSide = InspectedSide;

/** Bytes of the message. */
export const messageLength = (table: AnnotationTable): number => endAt(table, 0) ?? 0;

/**
 * A category of a row's own bytes, with its messageOffsets. Spans are in the order of the bytes; the end of a group
 * comes last.
 */
export interface OwnSpan {
  readonly category: Category;
  readonly start: number;
  readonly end: number;
}

export function ownSpans(table: AnnotationTable, row: number): readonly OwnSpan[] {
  const spans: OwnSpan[] = [];
  let at = startAt(table, row);
  let groupEnd = 0;
  for (const [slot, category] of SLOTS[table.encoding].entries()) {
    const size = slotAt(table, row, slot);
    if (size === 0) continue;
    if (category === 'group-end') groupEnd = size;
    else {
      spans.push({ category, start: at, end: at + size });
      at += size;
    }
  }
  const end = endAt(table, row);
  if (!hasChildren(table, row) && end - groupEnd > at) {
    spans.push({ category: payloadCategoryAt(table, row), start: at, end: end - groupEnd });
  }
  if (groupEnd > 0) spans.push({ category: 'group-end', start: end - groupEnd, end });
  return spans;
}

/**
 * The innermost row that holds a byte: the last row that starts at or before it, or that row's nearest ancestor that
 * holds it. −1: outside the message.
 */
export function rowAtOffset(table: AnnotationTable, messageOffset: number): number {
  if (messageOffset < 0 || messageOffset >= messageLength(table)) return -1;
  let low = 0;
  let high = table.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (startAt(table, middle) <= messageOffset) low = middle;
    else high = middle;
  }
  let row = low;
  while (row >= 0 && endAt(table, row) <= messageOffset) row = parentAt(table, row);
  return row;
}

/** The category of a byte, given the innermost row that holds it. */
export function categoryAtOffset(table: AnnotationTable, row: number, messageOffset: number): Category {
  const span = ownSpans(table, row).find(({ start, end }) => start <= messageOffset && messageOffset < end);
  return span?.category ?? 'unattributed';
}

/**
 * Index into CATEGORIES for each byte of [from, to). It takes one lookup and one pass over the rows.
 * A byte that no row holds is unattributed.
 */
export function categoriesOf(table: AnnotationTable, from: number, to: number): Uint8Array {
  const categories = new Uint8Array(Math.max(0, to - from)).fill(CATEGORIES.indexOf('unattributed'));
  let at = from;
  while (at < to) {
    const row = rowAtOffset(table, at);
    if (row < 0) break;
    const span = ownSpans(table, row).find(({ start, end }) => start <= at && at < end);
    if (span === undefined) {
      at++;
      continue;
    }
    const end = Math.min(to, span.end);
    categories.fill(CATEGORIES.indexOf(span.category), at - from, end - from);
    at = end;
  }
  return categories;
}

/** Name of a row: the name of its field, `?7` for an unknown number, or a name for other rows. */
export function nameOfRow({ table }: Pick<MessageSide, 'table'>, row: number): string {
  const field = fieldAt(table, row);
  if (field >= 0) {
    const facts = table.fields[field];
    return facts === undefined ? `#${field}` : facts.isExtension ? `[${facts.fullName}]` : facts.name;
  }
  if (field <= -2) return `?${-2 - field}`;
  if (row === 0) return 'message';
  return payloadCategoryAt(table, row) === 'unattributed' ? 'unattributed' : 'element';
}

/** null: the row has no field, or a name of a text that no schema has. */
export function numberOfRow({ table }: Pick<MessageSide, 'table'>, row: number): number | null {
  const field = fieldAt(table, row);
  if (field >= 0) return table.fields[field]?.number || null;
  return field <= -2 ? -2 - field : null;
}

/** `LEN`; empty on the native side, and for rows without a tag. */
export const wireTypeOfRow = ({ table }: Pick<MessageSide, 'table'>, row: number): string =>
  table.encoding === 'protobuf' ? (WIRE_TYPE_NAMES[wireTypeAt(table, row)] ?? '') : '';

const FLAG_WORDS: readonly (readonly [flag: number, words: string])[] = [
  [Flag.MALFORMED, 'malformed'],
  [Flag.MISMATCH, 'wire type does not fit'],
  [Flag.UNKNOWN, 'unknown'],
  [Flag.GUESS, 'guess'],
  [Flag.PACKED, 'packed'],
  [Flag.OVERLONG, 'overlong'],
  [Flag.DUPLICATE, 'given again, the last counts'],
  [Flag.DEFAULT, 'default written'],
];

/** Notable facts about a row, as text. */
export function remarksOfRow({ table }: Pick<MessageSide, 'table'>, row: number): readonly string[] {
  const flags = FLAG_WORDS.filter(
    // On the native side, a default value means an absent value, and the row's text already says that.
    ([flag]) => (flagsAt(table, row) & flag) !== 0 && !(flag === Flag.DEFAULT && table.encoding === 'native'),
  ).map(([flag, words]) => (flag === Flag.UNKNOWN && table.encoding === 'native' ? 'in no schema' : words));
  const later = laterMember(table, row);
  return later === undefined ? flags : [...flags, `does not count: ${later} of the same oneof comes later`];
}

/** Maximum number of rows that are searched for another member of a oneof. */
const MEMBERS_WITHIN = 10_000;

/**
 * Name of a later field of the same oneof in the same message, which replaces the row's value; undefined: no such field.
 */
function laterMember(table: AnnotationTable, row: number): string | undefined {
  const { encoding, fields, length } = table;
  const own = fields[fieldAt(table, row)];
  // The native encoding writes a choice only once.
  if (own?.oneof === undefined || encoding !== 'protobuf') return undefined;
  const message = parentAt(table, row);
  const end = endAt(table, message);
  const last = Math.min(length, row + MEMBERS_WITHIN);
  for (let next = row + 1; next < last && startAt(table, next) < end; next++) {
    if (parentAt(table, next) !== message) continue;
    const other = fields[fieldAt(table, next)];
    if (other !== undefined && other !== own && other.oneof?.fullName === own.oneof.fullName) return other.name;
  }
  return undefined;
}

/** Whether a row is faulty, and not only notable. */
export const isFaulty = ({ table }: Pick<MessageSide, 'table'>, row: number): boolean =>
  (flagsAt(table, row) & (Flag.MALFORMED | Flag.MISMATCH)) !== 0;

export { pathAt as pathOfRow } from './row-address.ts';

/** A row of one side. */
export interface SideRow {
  /** The side: `protobuf` is the first one. */
  readonly encoding: Encoding;
  readonly row: number;
}

/** The selected row on this side; null: this side does not have it. */
export function rowIn(
  side: MessageSide,
  selection: SideRow | null,
  protobuf: MessageSide,
  native: MessageSide | null,
): number | null {
  if (selection === null) return null;
  if ((selection.encoding === 'protobuf') === (side === protobuf)) return selection.row;
  const other = selection.encoding === 'protobuf' ? protobuf : native;
  const row = other?.counterpart[selection.row] ?? -1;
  return row < 0 ? null : row;
}
