/**
 * The value of a row of either side, in words. A native row shows the words of its counterpart on the wire, which has
 * the same value. A native row without a counterpart stands for an absent value.
 */

import type { MessageSide } from '#engine/inspect/encoded-message.ts';
import {
  endAt,
  Flag,
  fieldAt,
  flagsAt,
  parentAt,
  payloadCategoryAt,
  SLOTS,
  slotAt,
  startAt,
} from '#engine/model/annotation.ts';
import { plural } from '#engine/model/count-text.ts';
import { describeRow, type Value, valueAt } from '#engine/wire/value.ts';
import { visible } from '#wording/visible.ts';

export type SayValue = (side: MessageSide, row: number) => string;

const FLAG = SLOTS.native.indexOf('flag');
const COUNT = SLOTS.native.indexOf('count');

/** Words are cached, because they may need a walk through all rows below. */
export function createSayValue({ protobuf }: { readonly protobuf: MessageSide }): SayValue {
  const said = new Map<number, string>();
  const onNative = new Map<number, string>();
  const elements = new Map<number, { readonly first: number; readonly values: readonly Value[] }>();

  const remember = (known: Map<number, string>, row: number, say: (row: number) => string): string => {
    let words = known.get(row);
    if (words === undefined) {
      words = say(row);
      known.set(row, words);
    }
    return words;
  };

  const sayProtobuf = (row: number) =>
    remember(said, row, () => describeRow(protobuf.table, protobuf.bytes, row).value);

  const sayNative = (side: MessageSide, row: number): string => {
    const { table } = side;
    if (side.label !== undefined) {
      const counterpart = side.counterpart[row] ?? -1;
      return counterpart > 0 && fieldAt(table, row) >= 0 ? sayProtobuf(counterpart) : tokenText(side, row);
    }
    if (slotAt(table, row, COUNT) > 0) return elementCount(side, row);
    const counterpart = side.counterpart[row] ?? -1;
    if (counterpart >= 0) {
      return (flagsAt(protobuf.table, counterpart) & Flag.PACKED) === 0
        ? sayProtobuf(counterpart)
        : sayElement(side, row);
    }
    if ((flagsAt(table, row) & Flag.DEFAULT) !== 0) return 'absent, so its default';
    return slotAt(table, row, FLAG) > 0 ? 'absent' : '';
  };

  /** An element of a packed run: the elements are consecutive rows. */
  const sayElement = (side: MessageSide, row: number): string => {
    const run = side.counterpart[row]!;
    let known = elements.get(run);
    if (known === undefined) {
      const values = valueAt(protobuf.table, protobuf.bytes, run);
      known = { first: firstElement(side, row), values: Array.isArray(values) ? values : [] };
      elements.set(run, known);
    }
    const value = known.values[row - known.first];
    return value === undefined ? '' : String(value);
  };

  // Bytes that were captured in another encoding, beside none in protobuf.
  if (protobuf.table.encoding !== 'protobuf')
    return (side, row) => (side.label === undefined ? '' : tokenText(side, row));
  return (side, row) =>
    side.table.encoding === 'protobuf' ? sayProtobuf(row) : remember(onNative, row, () => sayNative(side, row));
}

const LONGEST = 120;
const decoder = new TextDecoder();

/** The bytes of a token, or of a value made of tokens, as text or as hexadecimal digits. */
function tokenText({ table, bytes }: MessageSide, row: number): string {
  const [start, end] = [startAt(table, row), endAt(table, row)];
  const shown = bytes.subarray(start, Math.min(end, start + LONGEST));
  const isText = shown.every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13);
  const text = isText
    ? visible(decoder.decode(shown).replaceAll(/\s+/g, ' ').trim())
    : Array.from(shown, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return end - start > LONGEST ? `${text}…` : text;
}

/** The first sibling that stands for the same packed run: several runs of a field may follow one another. */
function firstElement({ table, counterpart }: MessageSide, row: number): number {
  let first = row;
  while (first - 1 > parentAt(table, row) && counterpart[first - 1] === counterpart[row]) first--;
  return first;
}

function elementCount({ table }: MessageSide, list: number): string {
  let count = 0;
  for (let row = list + 1; row < table.length && startAt(table, row) <= endAt(table, list); row++) {
    if (parentAt(table, row) === list) count += payloadCategoryAt(table, row) === 'count' ? 0 : 1;
    else if (parentAt(table, row) < list) break;
  }
  return plural(count, 'element');
}
