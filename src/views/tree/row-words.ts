/** A row of either side in words: its value, its spans, and what one of its bytes is. */

import { formatBytes, formatCount } from '#charts/figures.ts';
import { type Category, payloadEndAt, payloadStartAt, WIRE_TYPE_NAMES, wireTypeAt } from '#engine/annotation.ts';
import { describeRow } from '#engine/wire/value.ts';
import {
  categoryAtOffset,
  type MessageSide,
  nameOfRow,
  numberOfRow,
  ownSpans,
  remarksOfRow,
  wireTypeOfRow,
} from './message-side.ts';

/** `bytes 120–131` of `[120, 132)`; `byte 7` of one; `at 7` of none. */
export function spanWords(start: number, end: number): string {
  if (end <= start) return `at ${formatCount(start)}`;
  return end === start + 1 ? `byte ${formatCount(start)}` : `bytes ${formatCount(start)}–${formatCount(end - 1)}`;
}

/** `tag 1 · length 2 · value 20`, in the order of the bytes. */
export const ownWords = (side: MessageSide, row: number): string =>
  ownSpans(side.table, row)
    .map(({ category, start, end }) => `${category} ${formatCount(end - start)}`)
    .join(' · ');

/** What one byte is: `tag: field 7, LEN`, `length prefix of 20 bytes`, `flag: absent`, `value: −1`. */
export function byteWords(side: MessageSide, row: number, messageOffset: number, value: string): string {
  const { table } = side;
  const category = categoryAtOffset(table, row, messageOffset);
  switch (category) {
    case 'tag':
      return `tag: ${describeRow(table, side.bytes, row).tag}`;
    case 'group-end':
      return `end tag of the group: field ${numberOfRow(side, row) ?? '?'}, ${WIRE_TYPE_NAMES[4]}`;
    case 'length':
      return table.encoding === 'wire'
        ? `length prefix: ${describeRow(table, side.bytes, row).length}`
        : `length before ${formatBytes(payloadEndAt(table, row) - payloadStartAt(table, row))}`;
    case 'flag':
      return `flag: ${side.bytes[messageOffset] === 0 ? 'absent' : 'present'}`;
    case 'count':
      return 'count of the elements';
    case 'type':
      return `type byte ${side.bytes[messageOffset] ?? ''}`;
    case 'value':
      return value === '' ? 'value' : `value: ${value}`;
    default:
      return category satisfies Category;
  }
}

/** A row as one line of speech, for who does not see the columns. */
export function rowLabel(side: MessageSide, row: number, value: string): string {
  const number = numberOfRow(side, row);
  const wireType = wireTypeAt(side.table, row) < WIRE_TYPE_NAMES.length ? wireTypeOfRow(side, row) : '';
  return [
    nameOfRow(side, row),
    number === null ? '' : `field ${number}`,
    wireType,
    value,
    spanWords(side.table.start[row]!, side.table.end[row]!),
    ...remarksOfRow(side, row),
  ]
    .filter(Boolean)
    .join(', ');
}
