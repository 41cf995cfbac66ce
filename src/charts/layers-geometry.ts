/** The layers of a capture → the position of each in a file of length `width`. Lengths are proportional to bytes. */
import type { LayerRow } from '#wording/layer-words.ts';

export interface LayerBar extends LayerRow {
  readonly x: number;
  readonly width: number;
}

export function layOutLayers(rows: readonly LayerRow[], width: number): readonly LayerBar[] {
  const size = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  const perByte = size > 0 ? width / size : 0;
  return rows.map((row) => ({ ...row, x: row.before * perByte, width: row.bytes * perByte }));
}
