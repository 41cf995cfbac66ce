/**
 * Segments → rectangles of one bar, on a scale that all bars of a table share.
 *
 *   ┌ tag ┬ length ┬ value ────────╱╱──┐    ╱╱ the bar goes on beyond the scale
 */

import type { Segment } from '#engine/cost/ledger-segments.ts';
import type { Category } from '#engine/model/annotation.ts';

export interface BarRect {
  readonly category: Category;
  readonly bytes: number;
  readonly x: number;
  readonly width: number;
}

export interface BarGeometry {
  readonly rects: readonly BarRect[];
  /** Where the bar ends, ≤ the width given. */
  readonly end: number;
  /** x of the break mark; null where the bar is drawn whole. */
  readonly breakAt: number | null;
}

const BREAK_INSET = 9;

/** `scale`: the bytes that fill `width`. What has bytes is at least a pixel long. */
export function layOutLedgerBar(
  segments: readonly Segment[],
  { width, scale }: { readonly width: number; readonly scale: number },
): BarGeometry {
  const perByte = scale > 0 ? width / scale : 0;
  const rects: BarRect[] = [];
  let total = 0;
  for (const { category, bytes } of segments) {
    if (bytes <= 0) continue;
    const x = Math.min(width, total * perByte);
    total += bytes;
    rects.push({ category, bytes, x, width: Math.min(width, total * perByte) - x });
  }
  const end = Math.min(width, total * perByte);
  const last = rects.at(-1);
  if (last !== undefined && end < 1) {
    rects[rects.length - 1] = { ...last, width: 1 - last.x };
    return { rects, end: 1, breakAt: null };
  }
  return { rects, end, breakAt: total > scale ? Math.max(0, width - BREAK_INSET) : null };
}

/** A bar this much shorter than the longest is hard to tell from none. */
const DWARFED = 50;

/**
 * The scale for bars of these lengths: the longest of them, unless it leaves the others too short to read. Then some are
 * broken: up to three that are five times as long as the next one; else, of many, the longest tenth.
 */
export function chooseBarScale(totals: readonly number[]): { readonly bytes: number; readonly broken: number } {
  const sorted = totals.filter((total) => total > 0).sort((a, b) => b - a);
  const longest = sorted[0] ?? 0;
  for (let broken = Math.min(3, sorted.length - 2); broken > 0; broken--) {
    const next = sorted[broken]!;
    if (sorted[broken - 1]! > 5 * next) return { bytes: next * 1.25, broken };
  }
  if (sorted.length >= 20 && longest > DWARFED * sorted[sorted.length >> 1]!) {
    const bytes = sorted[Math.floor(sorted.length / 10)]!;
    return { bytes, broken: sorted.filter((total) => total > bytes).length };
  }
  return { bytes: longest, broken: 0 };
}
