/** Bytes → lines of a hex view: cells with their category, and the edges of what is selected. */

import { categoriesOf, type MessageSide } from '#engine/inspect/encoded-message.ts';
import { CATEGORIES, type Category } from '#engine/model/annotation.ts';

export interface HexCell {
  readonly messageOffset: number;
  readonly byte: number;
  readonly category: Category;
}

export interface HexSpan {
  readonly start: number;
  readonly end: number;
}

/** Sides of an outline that a cell draws: t, r, b, l; empty inside it and outside. */
export type Edges = string;

export const lineCount = (bytes: number, columns: number): number => Math.max(1, Math.ceil(bytes / columns));

export function hexLine(side: MessageSide, line: number, columns: number): readonly HexCell[] {
  const from = line * columns;
  const to = Math.min(side.bytes.length, from + columns);
  const categories = categoriesOf(side.table, from, to);
  return Array.from(categories, (category, index) => ({
    messageOffset: from + index,
    byte: side.bytes[from + index]!,
    category: CATEGORIES[category]!,
  }));
}

/** The outline of `[start, end)` as it passes a cell, in a grid of `columns`. */
export function edgesAt(messageOffset: number, { start, end }: HexSpan, columns: number): Edges {
  if (messageOffset < start || messageOffset >= end) return '';
  const column = messageOffset % columns;
  let edges = '';
  if (messageOffset - columns < start) edges += 't';
  if (messageOffset === end - 1 || column === columns - 1) edges += 'r';
  if (messageOffset + columns >= end) edges += 'b';
  if (messageOffset === start || column === 0) edges += 'l';
  return edges;
}

/** Printable ASCII, else a middle dot. */
export const asciiOf = (byte: number): string => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·');

export const hexPair = (byte: number): string => byte.toString(16).padStart(2, '0');

/** Hex digits that the largest offset needs, at least four. */
export const offsetDigits = (bytes: number): number => Math.max(4, Math.max(0, bytes - 1).toString(16).length);

export const LINE_HEIGHT = 20;
const TALLEST_ELEMENT = 16_000_000;

/**
 * 16 bytes per line if there is room, else 8, unless the view would be taller than a browser can draw. `isTight`: with
 * less space between them, so that 16 fit.
 */
export function chooseHexColumns(
  width: number,
  bytes: number,
  charWidth: number,
): { readonly columns: 8 | 16; readonly isTight: boolean } {
  const digits = offsetDigits(bytes);
  // Offset, cells of 3 or 2.5 characters, letters; the gaps between them, and the padding of two characters.
  const wide = digits + 16 * 3 + 16 + 7;
  const tight = digits + 16 * 2.5 + 16 + 5.5;
  if (width >= wide * charWidth) return { columns: 16, isTight: false };
  const isTooTall = lineCount(bytes, 8) * LINE_HEIGHT > TALLEST_ELEMENT;
  return width >= tight * charWidth || isTooTall ? { columns: 16, isTight: true } : { columns: 8, isTight: false };
}
