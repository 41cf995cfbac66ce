/** A row of either side in words: its value, its spans, and what one of its bytes is. */

import { printHex } from '#engine/bytes/hex.ts';
import {
  categoryAtOffset,
  type MessageSide,
  nameOfRow,
  numberOfRow,
  ownSpans,
  remarksOfRow,
  wireTypeOfRow,
} from '#engine/inspect/encoded-message.ts';
import {
  type Category,
  endAt,
  NO_WIRE_TYPE,
  payloadCategoryAt,
  payloadEndAt,
  payloadStartAt,
  startAt,
  WIRE_TYPE_NAMES,
  wireTypeAt,
} from '#engine/model/annotation.ts';
import { describeRow } from '#engine/wire/value.ts';
import { formatBytes, formatCount } from './number-text.ts';

/** `bytes 120–131` of `[120, 132)`; `byte 7` of one; `at 7` of an empty span. */
export function spanWords(start: number, end: number): string {
  if (end <= start) return `at ${formatCount(start)}`;
  return end === start + 1 ? `byte ${formatCount(start)}` : `bytes ${formatCount(start)}–${formatCount(end - 1)}`;
}

/** `tag 1 · length 2 · value 20` */
export const sharesWords = (shares: ReadonlyMap<Category, number>): string =>
  Array.from(shares, ([category, bytes]) => `${category} ${formatCount(bytes)}`).join(' · ');

/** The words of one byte: `tag: field 7, LEN`, `length prefix: 20`, `optional flag: absent`, `value: −1`. */
export function byteWords(side: MessageSide, row: number, messageOffset: number, value: string): string {
  const { table } = side;
  const category = categoryAtOffset(table, row, messageOffset);
  switch (category) {
    case 'tag':
      return `tag: ${describeRow(table, side.bytes, row).tag}`;
    case 'group-end':
      return `end tag of the group: field ${numberOfRow(side, row) ?? '?'}, ${WIRE_TYPE_NAMES[4]}`;
    case 'length':
      return table.encoding === 'protobuf'
        ? `length prefix: ${describeRow(table, side.bytes, row).length}`
        : payloadCategoryAt(table, row) === 'length'
          ? 'padding'
          : `length before ${formatBytes(payloadEndAt(table, row) - payloadStartAt(table, row))}`;
    case 'flag':
      return `optional flag: ${side.bytes[messageOffset] === 0 ? 'absent' : 'present'}`;
    case 'count':
      return payloadCategoryAt(table, row) === 'count' ? 'end of the elements' : `count: ${value}`;
    case 'type':
      // Records in an Any keep their tags.
      if (wireTypeAt(table, row) !== NO_WIRE_TYPE)
        return `tag: field ${numberOfRow(side, row) ?? '?'}, ${WIRE_TYPE_NAMES[wireTypeAt(table, row)]}`;
      return `type byte ${side.bytes[messageOffset] ?? ''}`;
    case 'value':
      return value === '' ? 'value' : `value: ${value}`;
    default:
      return category satisfies Category;
  }
}

/** A varint is shown whole; of longer segments the first bytes, because their description says more. */
const WHOLE_BYTES = 10;
const FIRST_BYTES = 3;

/** One span of a row's own bytes: its category, the bytes themselves, and their meaning. */
export interface SegmentWords {
  readonly category: Category;
  /** `ac 02` */
  readonly hex: string;
  /** `tag: field 7, LEN`, `VInt: 300` */
  readonly words: string;
}

/**
 * `writer`: how the native side writes the row's field, as a profile says it: `optional Long`, `VInt count, Int each`.
 */
export function segmentWords(
  side: MessageSide,
  row: number,
  value: string,
  writer: string | null,
): readonly SegmentWords[] {
  return ownSpans(side.table, row).map(({ category, start, end }) => ({
    category,
    hex: printHex(side.bytes, start, end, end - start > WHOLE_BYTES ? FIRST_BYTES : WHOLE_BYTES),
    words:
      category === 'value' && writer !== null ? `${valueWriter(writer)}: ${value}` : byteWords(side, row, start, value),
  }));
}

/**
 * The part of a field's writer that writes the value: `Long` of `optional Long`, `Text` of `Text, length −1 if absent`.
 */
const valueWriter = (writer: string): string =>
  writer
    .replace(/^optional /, '')
    .replace(/^.* count, (.*) each$/, '$1')
    .replace(/, .*$/, '');

/** A row as one sentence, for screen readers. */
export function rowLabel(side: MessageSide, row: number, value: string): string {
  const number = numberOfRow(side, row);
  const wireType = wireTypeAt(side.table, row) < WIRE_TYPE_NAMES.length ? wireTypeOfRow(side, row) : '';
  return [
    nameOfRow(side, row),
    number === null ? '' : `field ${number}`,
    wireType,
    value,
    spanWords(startAt(side.table, row), endAt(side.table, row)),
    ...remarksOfRow(side, row),
  ]
    .filter(Boolean)
    .join(', ');
}
