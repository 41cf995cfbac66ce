/**
 * Segments → rectangles of one bar. No segment is cut or stretched: a length is proportional to its bytes.
 *
 *   ┌ tag ┬ length ┬ value ────────┐
 */

import { type LedgerSegment, sumSegments } from '#engine/cost/ledger-segments.ts';
import type { Category } from '#engine/model/annotation.ts';

export interface BarRect {
  readonly category: Category;
  readonly bytes: number;
  readonly x: number;
  readonly width: number;
}

/** A number: the bytes that fill `width`, at least those of the longest bar. `composition`: each bar fills `width`. */
export type BarScale = number | 'composition';

export function layOutLedgerBar(
  segments: readonly LedgerSegment[],
  { width, scale }: { readonly width: number; readonly scale: BarScale },
): readonly BarRect[] {
  const bytesAcross = scale === 'composition' ? sumSegments(segments) : scale;
  const perByte = bytesAcross > 0 ? width / bytesAcross : 0;
  const rects: BarRect[] = [];
  let before = 0;
  for (const { category, bytes } of segments) {
    if (bytes <= 0) continue;
    rects.push({ category, bytes, x: before * perByte, width: bytes * perByte });
    before += bytes;
  }
  return rects;
}
