/**
 * A message in both encodings → a few lines of its bytes around one row. A picture of two hex views shows them. A link
 * carries them if the user chose so, and carries nothing else of the message.
 *
 *   line      00 01 02 … 0f
 *   before    ░░ ░░ ░░ … ░░   at most one line, as context
 *   row       ░░ ██ ██ … ██   as many lines as there is room for
 *   after     ██ ░░ ░░ … ░░   at most one line
 *
 * An excerpt describes only bytes that it holds: only segments that are completely inside have a description.
 */
import { type Category, type Encoding, endAt, parentAt, startAt } from '../model/annotation.ts';
import { type MessageSide, ownSpans, pathOfRow, rowAtOffset, type SideRow } from './encoded-message.ts';
import type { Inspected } from './inspect.ts';

/** Bytes in a line of an excerpt. */
export const EXCERPT_COLUMNS = 16;
const MAX_LINES = 8;
/** Lines around the place of the chosen row if it has no bytes. */
const LINES_AROUND = 3;
/** Maximum bytes of one side. */
export const EXCERPT_BYTES = EXCERPT_COLUMNS * MAX_LINES;
const MAX_WORDS = 80;

/** Bytes of one category of one row. */
export interface ExcerptSegment {
  readonly category: Category;
  /** Number of its bytes in the excerpt, at least one. */
  readonly bytes: number;
  /** Field path of the row; empty: it belongs to no field. */
  readonly path: string;
  /** Description of the span: `tag: field 7, LEN`; empty: the excerpt cuts the span. */
  readonly words: string;
}

export interface ExcerptSide {
  /** The side: `protobuf` is the first one. */
  readonly encoding: Encoding;
  /** The encoding; absent: protobuf, or the native form. */
  readonly label?: string;
  /** Bytes of the whole message. */
  readonly size: number;
  /** messageOffset of the first byte: a multiple of EXCERPT_COLUMNS. */
  readonly start: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** In the order of the bytes; they tile the excerpt. */
  readonly segments: readonly ExcerptSegment[];
  /**
   * The chosen row as [start, end) in messageOffsets; it may extend beyond the excerpt. null: the row has no bytes
   * here.
   */
  readonly lit: readonly [start: number, end: number] | null;
}

export interface Excerpt {
  /** The message's ordinal in its input. */
  readonly ordinal: number;
  /** Field path of the chosen row; empty: no row is chosen, or it belongs to no field. */
  readonly path: string;
  /** Protobuf first. Only one side if nothing was written natively. */
  readonly sides: readonly ExcerptSide[];
}

/** Describes the byte at an offset, given the innermost row that holds it. */
type Say = (side: MessageSide, row: number, messageOffset: number) => string;

/** @param chosen null: the first lines, without a highlighted row */
export function cutExcerpt(
  { protobuf, native }: Pick<Inspected, 'protobuf' | 'native'>,
  chosen: SideRow | null,
  ordinal: number,
  say: Say,
): Excerpt {
  const from = chosen?.encoding === 'native' ? native : protobuf;
  const sides = (native === null ? [protobuf] : [protobuf, native]).map((side): ExcerptSide => {
    const encoding = side === native ? 'native' : 'protobuf';
    if (chosen === null || from === null) return cutSide(encoding, side, { near: 0, lit: null, lines: MAX_LINES }, say);
    if (side === from) return cutSide(encoding, side, placeOf(side, chosen.row), say);
    const row = from.counterpart[chosen.row] ?? -1;
    if (row >= 0) return cutSide(encoding, side, placeOf(side, row), say);
    return cutSide(
      encoding,
      side,
      { near: nearestOffset(from, side, chosen.row), lit: null, lines: LINES_AROUND },
      say,
    );
  });
  return { ordinal, path: chosen && from ? pathOfRow(from, chosen.row) : '', sides };
}

interface Place {
  /** messageOffset. */
  readonly near: number;
  readonly lit: ExcerptSide['lit'];
  /** Maximum number of lines. */
  readonly lines: number;
}

function placeOf({ table }: MessageSide, row: number): Place {
  const [start, end] = [startAt(table, row) ?? 0, endAt(table, row) ?? 0];
  return end > start
    ? { near: start, lit: [start, end], lines: MAX_LINES }
    : { near: start, lit: null, lines: LINES_AROUND };
}

/** The place on `side` of the chosen row, or of its nearest ancestor that the side has. */
function nearestOffset(from: MessageSide, side: MessageSide, chosen: number): number {
  for (let row = parentAt(from.table, chosen) ?? -1; row >= 0; row = parentAt(from.table, row)) {
    const counterpart = from.counterpart[row] ?? -1;
    if (counterpart >= 0) return startAt(side.table, counterpart);
  }
  return 0;
}

function cutSide(encoding: Encoding, side: MessageSide, { near, lit, lines }: Place, say: Say): ExcerptSide {
  const size = side.bytes.length;
  const lineOf = (messageOffset: number): number => Math.floor(messageOffset / EXCERPT_COLUMNS);
  const first = Math.max(0, lineOf(near) - 1);
  const last = lit === null ? first + lines : lineOf(lit[1] - 1) + 2;
  const start = Math.min(first, Math.max(0, lineOf(size - 1))) * EXCERPT_COLUMNS;
  const end = Math.min(size, Math.min(last, first + lines) * EXCERPT_COLUMNS);
  return {
    encoding,
    ...(side.label === undefined ? {} : { label: side.label }),
    size,
    start,
    bytes: Uint8Array.from(side.bytes.subarray(start, end)),
    segments: segmentsOf(side, start, end, say),
    lit,
  };
}

function segmentsOf(side: MessageSide, start: number, end: number, say: Say): readonly ExcerptSegment[] {
  const segments: ExcerptSegment[] = [];
  let at = start;
  while (at < end) {
    const row = rowAtOffset(side.table, at);
    const span = row < 0 ? undefined : ownSpans(side.table, row).find((own) => own.start <= at && at < own.end);
    const {
      category,
      start: spanStart,
      end: spanEnd,
    } = span ?? {
      category: 'unattributed' as const,
      start: at,
      end: at + 1,
    };
    const isWhole = spanStart >= start && spanEnd <= end;
    const to = Math.min(end, spanEnd);
    segments.push({
      category,
      bytes: to - at,
      path: row < 0 ? '' : pathOfRow(side, row),
      words: isWhole && row >= 0 ? shorten(say(side, row, at)) : '',
    });
    at = to;
  }
  return segments;
}

const shorten = (text: string): string => {
  const characters = Array.from(text);
  return characters.length <= MAX_WORDS ? text : `${characters.slice(0, MAX_WORDS - 1).join('')}…`;
};
