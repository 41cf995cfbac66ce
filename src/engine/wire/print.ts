/**
 * The rows of a message as text, one row a line: its offset, the bytes of each part, and their meaning.
 * The four columns of bytes sum to the message's length.
 */
import {
  type AnnotationTable,
  endAt,
  Flag,
  fieldAt,
  flagsAt,
  slotAt,
  WIRE_TYPE_NAMES,
  wireTypeAt,
} from '../model/annotation.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { printRows } from '../model/print-rows.ts';
import { ALL_ROWS, type RowRange } from '../model/row-range.ts';
import { pathSegment } from '../schema/descriptor.ts';
import { ownPayload } from './rows.ts';
import { describeRow } from './value.ts';

const FLAG_WORDS: readonly (readonly [bit: number, word: string])[] = [
  [Flag.PACKED, 'packed'],
  [Flag.OVERLONG, 'overlong'],
  [Flag.NEGATIVE, 'negative'],
  [Flag.MISMATCH, 'mismatch'],
  [Flag.UNKNOWN, 'unknown'],
  [Flag.GUESS, 'guess'],
  [Flag.MALFORMED, 'malformed'],
  [Flag.DEFAULT, 'default'],
  [Flag.DUPLICATE, 'duplicate'],
];

/** Names of the flags, such as `[packed, overlong]`, in the order of the bits. */
export const flagWords = (flags: number): readonly string[] =>
  FLAG_WORDS.filter(([bit]) => (flags & bit) !== 0).map(([, word]) => word);

/** The rows, followed by the diagnostics. */
export function printAnnotations(
  table: AnnotationTable,
  bytes: Uint8Array,
  diagnostics: readonly Diagnostic[],
  range: RowRange = ALL_ROWS,
): string {
  const cells = (row: number): string => {
    const counts = [slotAt(table, row, 0), slotAt(table, row, 1), slotAt(table, row, 2)];
    const sizes = counts.map((count) => (count === 0 ? '·' : String(count)).padStart(6)).join('');
    return sizes + String(ownPayload(table, row)).padStart(9);
  };
  const columns = { title: '   tag   len   end  payload', cells, meaning: (row: number) => meaning(table, bytes, row) };
  return printRows(table, columns, diagnostics, range);
}

function meaning(table: AnnotationTable, bytes: Uint8Array, row: number): string {
  const field = fieldAt(table, row);
  const { value } = describeRow(table, bytes, row);
  if (row === 0) return `message of ${endAt(table, 0) === 1 ? '1 byte' : `${endAt(table, 0)} bytes`}: ${value}`;
  const words = flagWords(flagsAt(table, row));
  const flags = words.length === 0 ? '' : `  [${words.join(', ')}]`;
  if (field === -1) return `unattributed: ${value}${flags}`;
  const isGuess = (flagsAt(table, row) & Flag.GUESS) !== 0;
  const name =
    field < 0
      ? `?${-2 - field}`
      : `${isGuess ? '' : `${table.fields[field]!.number} `}${pathSegment(table.fields[field]!)}`;
  return `${name} ${WIRE_TYPE_NAMES[wireTypeAt(table, row)]}: ${value}${flags}`;
}
