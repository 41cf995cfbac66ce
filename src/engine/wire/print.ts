/**
 * The rows of a message as text, one a line: the offset, the bytes of each part, and what they mean.
 * The four columns of bytes sum to the message's length.
 */
import {
  type AnnotationTable,
  endAt,
  Flag,
  fieldAt,
  flagsAt,
  parentAt,
  slotAt,
  startAt,
  WIRE_TYPE_NAMES,
  wireTypeAt,
} from '../model/annotation.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { ALL_ROWS, type RowRange, rowsIn } from '../model/row-range.ts';
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

/** `[packed, overlong]`'s words, in the order of the bits. */
export const flagWords = (flags: number): readonly string[] =>
  FLAG_WORDS.filter(([bit]) => (flags & bit) !== 0).map(([, word]) => word);

/** The rows and, behind them, the diagnostics. */
export function printAnnotations(
  table: AnnotationTable,
  bytes: Uint8Array,
  diagnostics: readonly Diagnostic[] = [],
  range: RowRange = ALL_ROWS,
): string {
  const depth = new Uint32Array(table.length);
  const lines = [' offset   tag   len   end  payload'];
  const { first, end: last } = rowsIn(table, range);
  for (let row = 0; row < last; row++) {
    if (row > 0) depth[row] = depth[parentAt(table, row)]! + 1;
    if (row < first) continue;
    const counts = [slotAt(table, row, 0), slotAt(table, row, 1), slotAt(table, row, 2)];
    const cells = counts.map((count) => (count === 0 ? '·' : String(count)).padStart(6)).join('');
    const own = ownPayload(table, row);
    const indent = '  '.repeat(Math.min(depth[row]!, 40));
    const line = `${String(startAt(table, row)).padStart(7)}${cells}${String(own).padStart(9)}  ${indent}`;
    lines.push(`${line}${meaning(table, bytes, row)}`);
  }
  for (const { code, severity, message, start, end } of diagnostics) {
    lines.push(`${severity} ${code} at ${start}${end > start + 1 ? `–${end - 1}` : ''}: ${message}`);
  }
  return `${lines.join('\n')}\n`;
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
